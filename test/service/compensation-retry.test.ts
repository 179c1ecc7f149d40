import { retry, throwError, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { resultOf } from '../../src/service/epilogue.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { expectValid, kept, neutral, outline, play, roomyMemory, type Script } from './support.ts';
import { endsOf, rolledBack, toldUndone, undoLog } from './undo-log.ts';

const again = { pipe: (source: Observable<AiServiceStreamingEvent>) => source.pipe(retry(2)) };

/** A memory whose writes of these numbers, counted from 1, fail. */
function flaky(...broken: readonly number[]): ChatMemory {
  const memory = roomyMemory();
  let writes = 0;
  const add: ChatMemory['add'] = (messages) =>
    broken.includes(++writes) ? throwError(() => new Error('locked')) : memory.add(messages);
  return { ...memory, add };
}

const story = (script: Partial<Script>) => {
  const log = undoLog();
  const a = log.undoable('a', 'r|');
  const tools = [a, scriptedTool('b', '#'), log.undoable('c', 'r|')];
  const played = play({ rounds: [], tools, compensateOnToolErrors: true, ...again, ...script });
  return { log, a, played };
};

describe.each([
  ['with a chat memory', {}],
  ['without a chat memory', { chatMemory: undefined }],
] as const)('an invocation that goes on after it was undone, %s,', (_, memory) => {
  it('tells the model what was undone, and runs nothing again that the model does not ask for', () => {
    const { log, a, played } = story({ rounds: ['A|', '-#', '-z|'], ...memory });
    expect(log.names()).toEqual(['a']);
    expect(a.subscriptions()).toHaveLength(1);
    expect(outline(played.model.requests[2]!.messages)).toEqual([
      'user: hello',
      'assistant: [A]',
      rolledBack('A', 'the model failed'),
    ]);
    expect(toldUndone(played.values)).toEqual(['a: modelError']);
    expect(endsOf(played.firedTypes)).toEqual(['error', 'completed']);
    expect(resultOf(played.values.at(-1)!).toolExecutions.map(({ compensated }) => compensated)).toEqual(['modelError']);
    expect(played.history).toEqual(
      'chatMemory' in memory ? [] : ['user: hello', 'assistant: [A]', rolledBack('A', 'the model failed'), 'assistant: z'],
    );
  });

  it('[S102] undoes at a second failure only what was done since', () => {
    const { log, played } = story({ rounds: ['A|', '-#', 'C|', '-#', '-z|'], ...memory });
    expect(log.names()).toEqual(['a', 'c']);
    expect(toldUndone(played.fired)).toEqual(['a: modelError', 'c: modelError']);
  });

  it('keeps what the model has done again when it succeeds', () => {
    const { log, a, played } = story({ rounds: ['A|', '-#', 'A|', '-z|'], idGenerator: () => 'again', ...memory });
    expect(log.names()).toEqual(['a']);
    expect(a.subscriptions()).toHaveLength(2);
    expect(outline(played.model.requests[3]!.messages).slice(1)).toEqual([
      'assistant: [A]',
      rolledBack('A', 'the model failed'),
      'assistant: [again]',
      'again: r',
    ]);
    const executions = resultOf(played.values.at(-1)!).toolExecutions;
    expect(executions.map(({ request, compensated }) => [request.id, compensated])).toEqual([
      ['A', 'modelError'],
      ['again', undefined],
    ]);
  });

  it('after a tool has failed tells the model what was undone for it', () => {
    const { log, played } = story({ rounds: ['(AB)|', '-z|'], ...memory });
    expect(log.names()).toEqual(['a']);
    expect(outline(played.model.requests[1]!.messages).slice(2)).toEqual([rolledBack('A', 'b failed'), `B! ${neutral}`]);
    expect(played.marbles.endsWith('z($|)')).toBe(true);
  });

  it('after its answer was refused asks for another, which knows what was undone', () => {
    let judged = 0;
    const { log, played } = story({
      rounds: ['A|', '-z|', '-y|'],
      outputGuardrails: [() => (judged++ === 0 ? { type: 'fatal', message: 'no' } : { type: 'success' })],
      ...memory,
    });
    expect(log.names()).toEqual(['a']);
    expect(outline(played.model.requests[2]!.messages).slice(1)).toEqual([
      'assistant: [A]',
      rolledBack('A', 'the answer was refused'),
    ]);
    expect(resultOf(played.values.at(-1)!).content).toBe('y');
  });
});

describe('an invocation that goes on after its memory has failed', () => {
  const why = 'the conversation could not be saved';

  it('writes the round that could not be written, with what was undone', () => {
    const { log, played } = story({ rounds: ['A|', '-z|'], chatMemory: flaky(1) });
    expect(log.names()).toEqual(['a']);
    expect(outline(played.model.requests[1]!.messages)).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', why)]);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', why), 'assistant: z']);
  });

  it('does not pass off an answer that was given before its tools were undone', () => {
    const { log, played } = story({ rounds: ['A|', '-z|', '-y|'], chatMemory: flaky(2) });
    expect(log.names()).toEqual(['a']);
    expect(played.model.requests).toHaveLength(3);
    expect(outline(played.model.requests[2]!.messages)).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', why)]);
    expect(resultOf(played.values.at(-1)!).content).toBe('y');
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', why), 'assistant: y']);
    expectValid(kept(played.memory));
  });

  it('does not pass off results as the answer that were undone', () => {
    const log = undoLog();
    const a = { ...log.undoable('a', 'r|'), returnBehavior: 'immediate' as const };
    const played = play({ rounds: ['A|', '-y|'], tools: [a], compensateOnToolErrors: true, chatMemory: flaky(1), ...again });
    expect(log.names()).toEqual(['a']);
    expect(played.model.requests).toHaveLength(2);
    expect(resultOf(played.values.at(-1)!).content).toBe('y');
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', why), 'assistant: y']);
  });

  it('keeps the answer where there was nothing to undo', () => {
    const { log, played } = story({ rounds: ['-z|'], chatMemory: flaky(1) });
    expect(log.names()).toEqual([]);
    expect(played.model.requests).toHaveLength(1);
    expect(played.history).toEqual(['user: hello', 'assistant: z']);
  });

  it('tells the reason of the second failure, and not again that of the first', () => {
    const { played } = story({
      rounds: ['A|', '-z|', 'C|', '-y|'],
      chatMemory: flaky(2),
      chatRequestTransformer: (request) => {
        if (request.messages.at(-1)!.role === 'tool' && outline(request.messages).at(-1) === 'C: r') throw new Error('not today');
        return request;
      },
    });
    expect(toldUndone(played.fired)).toEqual(['a: memory', 'c: modelError']);
  });
});
