import { describe, expect, it, vi } from 'vitest';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { hallucinatedToolNameStrategy } from '../../src/tool/hallucinated-tool-name-strategy.ts';
import { keywordToolSearch } from '../../src/tool/search/keyword-tool-search.ts';
import { tool } from '../../src/tool/tool.ts';
import { expectValid, kept, play, type Script } from './support.ts';

/** A service that tells the model which tools there are when it calls one that there is not. */
const telling = (options: Script) =>
  play({ hallucinatedToolNameStrategy: hallucinatedToolNameStrategy.tellAvailableTools(), ...options });

const weather = () => scriptedTool('get_weather', '-r|');

/** A and U are calls of a tool that there is, and of one that there is not. */
const calls = { A: { name: 'get_weather' }, U: { name: 'book_flight' } };

describe('[G3] a call of a tool that there is not, in a service that tells of the available ones', () => {
  it('leaves the known call of its round alone: both are answered, in order, and the run goes on', () => {
    const played = telling({ rounds: ['-(UA)|', '-z|'], script: { calls }, tools: [weather()] });
    expect(played.history).toEqual([
      'user: hello',
      'assistant: [U A]',
      'U! There is no tool named "book_flight". The tools are: "get_weather".',
      'A: r',
      'assistant: z',
    ]);
    expectValid(kept(played.memory));
  });

  it.each([false, true])('names the tools that a provider gives, too (dynamic: %s)', (isDynamic) => {
    const played = telling({
      rounds: ['-(UA)|', '-z|'],
      script: { calls },
      tools: [scriptedTool('sum', 'r|')],
      toolProviders: [{ isDynamic, provideTools: () => [weather()] }],
    });
    expect(played.history.slice(2)).toEqual([
      'U! There is no tool named "book_flight". The tools are: "sum", "get_weather".',
      'A: r',
      'assistant: z',
    ]);
  });

  it('names what the provider offers now, and not what it has offered before', () => {
    const offers = [[scriptedTool('old', 'r|')], [weather()]];
    const played = telling({
      rounds: ['-A|', '-U|', '-z|'],
      script: { calls: { ...calls, A: { name: 'sum' } } },
      tools: [scriptedTool('sum', 'r|')],
      toolProviders: [{ isDynamic: true, provideTools: () => offers.shift() }],
    });
    expect(played.history[4]).toBe('U! There is no tool named "book_flight". The tools are: "sum", "get_weather".');
  });

  it('names no tool that a search has yet to find, and those that it has found', () => {
    const tools = [
      weather(),
      scriptedTool('get_time', 'r|'),
      tool({ name: 'help', searchBehavior: 'alwaysVisible', execute: () => 'r' }),
    ];
    const played = telling({
      rounds: ['-U|', '-S|', '-V|', '-z|'],
      script: {
        calls: { ...calls, S: { name: 'tool_search_tool', arguments: '{"terms":["weather"]}' }, V: { name: 'book_flight' } },
      },
      tools,
      toolSearchStrategy: keywordToolSearch(),
    });
    expect(played.history[2]).toBe('U! There is no tool named "book_flight". The tools are: "tool_search_tool", "help".');
    expect(played.history[6]).toBe(
      'V! There is no tool named "book_flight". The tools are: "tool_search_tool", "get_weather", "help".',
    );
  });

  it('blocks an immediate return, and has nothing undone', () => {
    const undo = vi.fn();
    const immediate = tool({ name: 'get_weather', returnBehavior: 'immediate', execute: () => 'r', compensate: undo });
    const played = telling({ rounds: ['-(AU)|', '-z|'], script: { calls }, tools: [immediate], compensateOnToolErrors: true });
    expect(played.history.slice(2)).toEqual(['A: r', expect.stringContaining('U! There is no tool'), 'assistant: z']);
    expect(undo).not.toHaveBeenCalled();
  });

  it('in a token stream goes on as well', () => {
    const played = telling({ rounds: ['-(UA)|', '-z|'], script: { calls }, tools: [weather()], legacy: true });
    expect(played.history.slice(3)).toEqual(['A: r', 'assistant: z']);
    expect(played.logs).toEqual([]);
  });
});
