import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolArgumentsErrorHandler, toolExecutionErrorHandler, type ToolErrorHandler } from '../../src/tool/error-handlers.ts';
import { ToolArgumentsError } from '../../src/tool/tool-errors.ts';
import { tool } from '../../src/tool/tool.ts';
import { toolErrorVisibleToLlm } from '../../src/tool/visible-to-llm.ts';
import { neutral, play, type Script } from './support.ts';

const hidden = new Error('disk full at /var/secret');
const visible = toolErrorVisibleToLlm('no such city');

type Outcome = { readonly told: string; readonly warns?: boolean } | 'fails';

interface Row {
  readonly handler: string;
  readonly toolExecutionErrorHandler?: ToolErrorHandler;
  readonly legacy?: boolean;
  readonly hidden: Outcome;
  readonly visible: Outcome;
}

const rows: readonly Row[] = [
  { handler: 'no handler', hidden: 'fails', visible: { told: 'no such city' } },
  {
    handler: 'no handler, in legacy mode',
    legacy: true,
    hidden: { told: hidden.message, warns: true },
    visible: { told: 'no such city', warns: true },
  },
  {
    handler: 'failInvocation',
    toolExecutionErrorHandler: toolExecutionErrorHandler.failInvocation(),
    hidden: 'fails',
    visible: 'fails',
  },
  {
    handler: 'failInvocationUnlessVisibleToLlm',
    toolExecutionErrorHandler: toolExecutionErrorHandler.failInvocationUnlessVisibleToLlm(),
    hidden: 'fails',
    visible: { told: 'no such city' },
  },
  {
    handler: 'sendExceptionMessageToLlm',
    toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
    hidden: { told: hidden.message },
    visible: { told: 'no such city' },
  },
  {
    handler: 'sendGenericMessageToLlmUnlessVisibleToLlm',
    toolExecutionErrorHandler: toolExecutionErrorHandler.sendGenericMessageToLlmUnlessVisibleToLlm('it broke'),
    hidden: { told: 'it broke', warns: true },
    visible: { told: 'no such city' },
  },
];

const cases = rows.flatMap(({ handler, hidden: ofHidden, visible: ofVisible, ...options }) => [
  { handler, options, what: 'an unmarked error', error: hidden, outcome: ofHidden },
  { handler, options, what: 'a visible error', error: visible, outcome: ofVisible },
]);

const failing = (error: unknown, options: Partial<Script>) =>
  play({ rounds: ['-t(AB)|', '-z|'], tools: [scriptedTool('a', '--#', { error }), scriptedTool('b', '-----r|')], ...options });

describe('a tool that fails', () => {
  const going = cases
    .filter(({ outcome }) => outcome !== 'fails')
    .map((each) => ({ ...each, outcome: each.outcome as Exclude<Outcome, 'fails'> }));
  it.each(going)('[S115] with $what under $handler: the model is told, and goes on', ({ options, error, outcome }) => {
    const played = failing(error, options);
    expect(played.history).toEqual(['user: hello', 'assistant: t [A B]', `A! ${outcome.told}`, 'B: r', 'assistant: z']);
    expect(played.marbles.endsWith('z($|)')).toBe(true);
    expect(played.logs.map(([level, , cause]) => [level, cause])).toEqual(outcome.warns ? [['warn', error]] : []);
    expect(played.firedTypes.at(-1)).toBe('completed');
  });

  it.each(cases.filter(({ outcome }) => outcome === 'fails'))(
    "[S13] with $what under $handler: the stream errors with the tool's own error when the others have ended, and memory has no text of it",
    ({ options, error }) => {
      const played = failing(error, options);
      expect(played.marbles).toBe('-t(A<aB<b)%>a--*b(>b#)');
      expect(played.error).toBe(error);
      expect(played.history).toEqual(['user: hello', 'assistant: t [A B]', `A! ${neutral}`, 'B: r']);
      expect(played.model.requests).toHaveLength(1);
      expect(played.firedTypes.slice(-3)).toEqual(['toolExecuted', 'toolExecuted', 'error']);
      expect(played.logs).toEqual([]);
    },
  );

  it('[S13] has its start and its end in the stream, the end flagged as failed', () => {
    const played = failing(hidden, {});
    expect(played.values.filter((event) => event.type === 'beforeToolExecution')).toHaveLength(2);
    const ends = played.values.flatMap((event) => (event.type === 'afterToolExecution' ? [event.execution] : []));
    expect(ends.map(({ request, hasFailed, error }) => [request.id, hasFailed, error])).toEqual([
      ['A', true, hidden],
      ['B', false, undefined],
    ]);
  });

  it('[G6] does not take the others down: two good results and one error go to the model, each with its id', () => {
    const tools = [scriptedTool('a', '-r|'), scriptedTool('b', '-#', { error: visible }), scriptedTool('c', '--s|')];
    const played = play({ rounds: ['(ABC)|', '-z|'], tools });
    expect(played.history).toEqual(['user: hello', 'assistant: [A B C]', 'A: r', 'B! no such city', 'C: s', 'assistant: z']);
  });

  it('[G15] by throwing at once is no different, and the others are unharmed', () => {
    const throwing = tool({
      name: 'a',
      execute: () => {
        throw hidden;
      },
    });
    const played = play({
      rounds: ['(AB)|', '-z|'],
      tools: [throwing, scriptedTool('b', '-r|')],
      toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
    });
    expect(played.history).toEqual(['user: hello', 'assistant: [A B]', `A! ${hidden.message}`, 'B: r', 'assistant: z']);
  });
});

describe('several failures of one round', () => {
  it('[S64] error with the first in request order, whichever came first in time', () => {
    const [early, late] = [new Error('early'), new Error('late')];
    const played = play({
      rounds: ['(AB)|'],
      tools: [scriptedTool('a', '-----#', { error: late }), scriptedTool('b', '-#', { error: early })],
    });
    expect(played.marbles).toBe('(A<aB<b)(>b%)---(>a#)');
    expect(played.error).toBe(late);
    expect(played.history).toEqual(['user: hello', 'assistant: [A B]', `A! ${neutral}`, `B! ${neutral}`]);
  });

  it('are told in request order by the events', () => {
    const played = play({ rounds: ['(AB)|'], tools: [scriptedTool('a', '-----#'), scriptedTool('b', '-#')] });
    expect(played.firedTypes).toEqual(['started', 'requestIssued', 'responseReceived', 'toolExecuted', 'toolExecuted', 'error']);
    const told = played.fired.filter((event) => event.type === 'toolExecuted') as unknown as { request: { id: string } }[];
    expect(told.map(({ request }) => request.id)).toEqual(['A', 'B']);
  });

  it('[S23] that end the invocation let no further call start, though the model goes on to its end', () => {
    const c = scriptedTool('c', '-r|');
    const played = play({ rounds: ['-A----C--|'], tools: [scriptedTool('a', '--#', { error: hidden }), c] });
    expect(played.marbles).toBe('-(A<a)->a--C--(%#)');
    expect(c.subscriptions()).toEqual([]);
    expect(played.history).toEqual(['user: hello', 'assistant: [A C]', `A! ${neutral}`, `C! ${neutral}`]);
  });

  it('let no waiting call start either, with toolConcurrency 1', () => {
    const b = scriptedTool('b', '-r|');
    const played = play({ rounds: ['(AB)|'], tools: [scriptedTool('a', '--#', { error: hidden }), b], toolConcurrency: 1 });
    expect(played.marbles).toBe('(A<aB)%(>a#)');
    expect(b.subscriptions()).toEqual([]);
    expect(played.history).toEqual(['user: hello', 'assistant: [A B]', `A! ${neutral}`, `B! ${neutral}`]);
  });
});

describe('arguments that do not fit', () => {
  const wrong = (options: Partial<Script>) => {
    const calls: unknown[] = [];
    const strict = tool({ name: 'a', parameters: z.object({ city: z.string() }), execute: (args) => calls.push(args) });
    const script = { calls: { A: { arguments: '{"city":7}' } } };
    const played = play({ rounds: ['(AB)|', '-z|'], script, tools: [strict, scriptedTool('b', '-r|')], ...options });
    return { ...played, calls };
  };

  it.each([
    ['no handler', {}],
    ['sendExceptionMessageToLlm', { toolArgumentsErrorHandler: toolArgumentsErrorHandler.sendExceptionMessageToLlm() }],
    [
      'sendExceptionMessageToLlm, in legacy mode',
      { legacy: true, toolArgumentsErrorHandler: toolArgumentsErrorHandler.sendExceptionMessageToLlm() },
    ],
  ])('[S22] go back to the model with what is wrong under %s, and the tool is not run', (_, options) => {
    const played = wrong(options);
    expect(played.calls).toEqual([]);
    expect(played.history).toEqual([
      'user: hello',
      'assistant: [A B]',
      "A! The arguments of a don't fit its parameters:\n- city: Invalid input: expected string, received number; got 7",
      'B: r',
      'assistant: z',
    ]);
  });

  it.each([
    ['failInvocation', { toolArgumentsErrorHandler: toolArgumentsErrorHandler.failInvocation() }],
    ['no handler, in legacy mode', { legacy: true }],
  ])('[S113] fail the invocation under %s, before the next call starts, and memory stays empty as nothing ran', (_, options) => {
    const played = wrong(options);
    expect(played.calls).toEqual([]);
    expect(played.marbles).toBe('(A<a>aB)(%#)');
    expect(played.error).toBeInstanceOf(ToolArgumentsError);
    expect(played.history).toEqual([]);
  });

  it('[S113] that fail the invocation behind a call that ran are told by the neutral text', () => {
    const played = wrong({ rounds: ['(BA)|'], toolArgumentsErrorHandler: toolArgumentsErrorHandler.failInvocation() });
    expect(played.marbles).toBe('(B<bA<a>a)(*b%)(>b#)');
    expect(played.history).toEqual(['user: hello', 'assistant: [B A]', 'B: r', `A! ${neutral}`]);
  });

  it("[S21] are answered by the text of one's own handler", () => {
    const played = wrong({ toolArgumentsErrorHandler: (error, { request }) => `${request.name} wants a city: ${error.name}` });
    expect(played.history[2]).toBe('A! a wants a city: ToolArgumentsError');
  });
});
