import { ReplaySubject, defer, finalize, map, of, take, tap, timer, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import type { ToolExecutionResult } from '../../src/tool/types.ts';
import { play } from './support.ts';

const letters = (count: number) => Array.from({ length: count }, (_, index) => String.fromCharCode(65 + index));

/** How many executions overlap at most: each takes at least two frames. */
function mostAtOnce(spans: readonly string[]): number {
  const edges = spans.map((span) => ({ from: span.indexOf('^'), to: span.indexOf('!') }));
  return Math.max(...edges.map(({ from }) => edges.filter((other) => other.from <= from && from < other.to).length));
}

/** As many tools as calls in one turn, each of its own length. */
function crowd(count: number, length: (index: number) => number) {
  const calls = letters(count);
  const tools = calls.map((letter, index) => scriptedTool(letter.toLowerCase(), `${'-'.repeat(length(index))}r|`));
  return { calls, tools };
}

describe('tools of one round', () => {
  it('[S10][S56] run at the same time, so that two that wait for each other do not block', () => {
    const toA = new ReplaySubject<string>(1);
    const toB = new ReplaySubject<string>(1);
    const a = tool({
      name: 'a',
      execute: () =>
        toA.pipe(
          take(1),
          tap((word) => toB.next(`${word}, and back`)),
        ),
    });
    const b = tool({ name: 'b', execute: () => toB.pipe(take(1), tap({ subscribe: () => toA.next('over to a') })) });
    const played = play({ rounds: ['-A-B|', '-z|'], tools: [a, b] });
    expect(played.history.slice(2, 4)).toEqual(['A: over to a', 'B: over to a, and back']);
    expect(played.marbles).toBe('-(A<a)-(B<b*a>a*b>b)%z($|)');
  });

  it('[G7] never run more than three at once with toolConcurrency 3, and all ten are answered in request order', () => {
    const { calls, tools } = crowd(10, (index) => (index * 7) % 11);
    const played = play({ rounds: [`${calls.join('')}|`, '-z|'], tools, toolConcurrency: 3 });
    expect(mostAtOnce(tools.flatMap((each) => each.subscriptions()))).toBe(3);
    expect(played.history).toEqual([
      'user: hello',
      `assistant: [${calls.join(' ')}]`,
      ...calls.map((id) => `${id}: r`),
      'assistant: z',
    ]);
  });

  describe('[G7] have let go of what they hold before the next one starts', () => {
    const holding = <T>(log: string[], name: string, work: () => Observable<T>) =>
      defer(() => {
        log.push(`${name} opens`);
        return work().pipe(finalize(() => log.push(`${name} closes`)));
      });
    const inOrder = ['a opens', 'a closes', 'b opens', 'b closes'];
    const inTwoRounds = { rounds: ['(AB)|', '-z|'], toolConcurrency: 1 };

    it('tools of a function', () => {
      const log: string[] = [];
      play({
        ...inTwoRounds,
        tools: ['a', 'b'].map((name) => tool({ name, execute: () => holding(log, name, () => timer(2)) })),
      });
      expect(log).toEqual(inOrder);
    });

    it('tools that read the request themselves', () => {
      const log: string[] = [];
      const result = { contents: [], isError: false };
      const tools = ['a', 'b'].map((name) =>
        executorTool({ name, parameters: {} }, () => holding(log, name, () => timer(2).pipe(map(() => result)))),
      );
      play({ ...inTwoRounds, tools });
      expect(log).toEqual(inOrder);
    });

    it('interceptors', () => {
      const log: string[] = [];
      const interceptors = {
        tool: [({ name }: { name: string }, _: unknown, next: () => Observable<ToolExecutionResult>) => holding(log, name, next)],
      };
      play({ ...inTwoRounds, tools: [scriptedTool('a', '--r|'), scriptedTool('b', '--r|')], interceptors });
      expect(log).toEqual(inOrder);
    });
  });

  it('[S8] run one at a time in request order with toolConcurrency 1', () => {
    const tools = [scriptedTool('a', '----r|'), scriptedTool('b', '--r|'), scriptedTool('c', '-r|')];
    const played = play({ rounds: ['(ABC)|', '-z|'], tools, toolConcurrency: 1 });
    expect(played.marbles).toBe('(A<aBC)%--*a(>a<b)-*b(>b<c)*c>cz($|)');
    expect(tools.map((each) => each.subscriptions())).toEqual([['^----!'], ['-----^--!'], ['--------^-!']]);
  });

  it('run two at a time with toolConcurrency 2: the third starts when the first of them ends', () => {
    const tools = [scriptedTool('a', '-----r|'), scriptedTool('b', '--r|'), scriptedTool('c', '-r|')];
    play({ rounds: ['(ABC)|', '-z|'], tools, toolConcurrency: 2 });
    expect(tools.map((each) => each.subscriptions())).toEqual([['^-----!'], ['^--!'], ['---^-!']]);
  });

  it('run one at a time in the legacy mode, unless toolConcurrency says otherwise', () => {
    const spans = (options: object) => {
      const tools = [scriptedTool('a', '--r|'), scriptedTool('b', '--r|')];
      play({ rounds: ['(AB)|', '-z|'], tools, legacy: true, ...options });
      return tools.flatMap((each) => each.subscriptions());
    };
    expect(spans({})).toEqual(['^--!', '---^--!']);
    expect(spans({ toolConcurrency: 2 })).toEqual(['^--!', '^--!']);
  });

  it('[S9] start while the model still streams', () => {
    const a = scriptedTool('a', '--r|');
    const played = play({ rounds: ['-A 50ms |', '-z|'], tools: [a] });
    expect(a.subscriptions()).toEqual(['-^--!']);
    expect(played.marbles).toBe('-(A<a)-*a>a 47ms %z($|)');
  });

  it('[S11][S83] give their results in request order, whichever ends first', () => {
    const played = play({
      rounds: ['(AB)|', '-z|'],
      tools: [scriptedTool('a', '-----r|'), tool({ name: 'b', execute: () => of('now') })],
    });
    expect(played.history).toEqual(['user: hello', 'assistant: [A B]', 'A: r', 'B: now', 'assistant: z']);
  });

  it('[G9] answer their own calls, when two calls of one tool end in the other order', () => {
    const same = tool({
      name: 'same',
      execute: (_, { request: { id } }) => timer(id === 'A' ? 6 : 2).pipe(map(() => `for ${id}`)),
    });
    const played = play({
      rounds: ['(AB)|', '-z|'],
      script: { calls: { A: { name: 'same' }, B: { name: 'same' } } },
      tools: [same],
    });
    const ended = played.values.flatMap((event) => (event.type === 'afterToolExecution' ? [event.execution] : []));
    expect(ended.map(({ request, result }) => `${request.id}: ${result}`)).toEqual(['B: for B', 'A: for A']);
    expect(played.history.slice(2, 4)).toEqual(['A: for A', 'B: for B']);
  });

  it('[S35] tell 24 starts and 24 ends, each start before its end, and nothing behind the final response', () => {
    const { calls, tools } = crowd(24, (index) => (index * 5) % 7);
    const played = play({ rounds: [`${calls.join('')}|`, '-z|'], tools, toolConcurrency: 8 });
    const types = played.values.map(({ type }) => type);
    for (const type of ['completeToolCall', 'beforeToolExecution', 'afterToolExecution'])
      expect(types.filter((each) => each === type)).toHaveLength(24);
    for (const id of calls) {
      const own = played.values.flatMap((event) => {
        if (event.type === 'afterToolExecution') return event.execution.request.id === id ? ['after'] : [];
        return (event.type === 'beforeToolExecution' || event.type === 'completeToolCall') && event.request.id === id
          ? [event.type]
          : [];
      });
      expect(own).toEqual(['completeToolCall', 'beforeToolExecution', 'after']);
    }
    expect(types.filter((type) => type === 'finalResponse')).toHaveLength(1);
    expect(types.at(-1)).toBe('finalResponse');
    expect(played.marbles.endsWith('($|)')).toBe(true);
  });
});
