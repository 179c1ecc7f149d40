import fc from 'fast-check';
import { Observable, map, of, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { scriptedTool, type ScriptedTool } from '../../src/testing/scripted-tool.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import type { ExecutionOrder, Tool } from '../../src/tool/types.ts';
import { expectValid, kept, play, type Script } from './support.ts';

/** A tool that runs along a diagram, in this order with others. */
const ordered = (name: string, execution: ExecutionOrder | undefined, marbles: string): ScriptedTool => ({
  ...scriptedTool(name, marbles),
  ...(execution && { execution }),
});

const spansOf = (tools: readonly ScriptedTool[]) => tools.map((each) => each.subscriptions());

describe('two tools that are called at once', () => {
  const together = ['^---!', '^---!'];
  const inTurn = ['^---!', '----^---!'];

  it.each<[ExecutionOrder | undefined, ExecutionOrder | undefined, readonly string[]]>([
    [undefined, undefined, together],
    ['parallel', 'parallel', together],
    ['parallel', 'sequential', together],
    ['sequential', 'parallel', together],
    ['sequential', 'sequential', together],
    ['parallel', 'exclusive', inTurn],
    ['exclusive', 'parallel', inTurn],
    ['sequential', 'exclusive', inTurn],
    ['exclusive', 'sequential', inTurn],
    ['exclusive', 'exclusive', inTurn],
  ])('the first %s, the second %s', (first, second, expected) => {
    const tools = [ordered('a', first, '---r|'), ordered('b', second, '---s|')];
    const { history } = play({ rounds: ['(AB)|', '-z|'], tools });
    expect(spansOf(tools).flat()).toEqual(expected);
    expect(history.slice(2)).toEqual(['A: r', 'B: s', 'assistant: z']);
  });

  it.each<[ExecutionOrder | undefined, readonly string[]]>([
    [undefined, together],
    ['parallel', together],
    ['sequential', inTurn],
    ['exclusive', inTurn],
  ])('two calls of one %s tool', (execution, expected) => {
    const a = ordered('a', execution, '---r|');
    const { history } = play({ rounds: ['(AB)|', '-z|'], script: { calls: { B: { name: 'a' } } }, tools: [a] });
    expect(a.subscriptions()).toEqual(expected);
    expect(a.contexts.map(({ request }) => request.id)).toEqual(['A', 'B']);
    expect(history.slice(2)).toEqual(['A: r', 'B: r', 'assistant: z']);
  });
});

describe('an exclusive call', () => {
  it('waits for all that run, and keeps off those that come behind it', () => {
    const tools = [
      ordered('a', 'parallel', '-----r|'),
      ordered('b', 'sequential', '--s|'),
      ordered('c', 'exclusive', '---q|'),
      ordered('d', 'parallel', '-p|'),
    ];
    const { marbles } = play({ rounds: ['(ABCD)|', '-z|'], tools });
    expect(spansOf(tools)).toEqual([['^-----!'], ['^--!'], ['------^---!'], ['----------^-!']]);
    expect(marbles).toBe('(A<aB<bCD)%*b>b-*a(>a<c)--*c(>c<d)*d>dz($|)');
  });

  it('is not starved by calls that keep coming', () => {
    const c = ordered('c', 'exclusive', '-q|');
    const a = scriptedTool('a', '------r|');
    const calls = { B: { name: 'a' }, D: { name: 'a' }, E: { name: 'a' } };
    play({ rounds: ['A-CB-D-E|', '-z|'], script: { calls }, tools: [c, a] });
    expect(c.subscriptions()).toEqual(['-------^-!']);
    expect(a.subscriptions()).toEqual(['^------!', '---------^------!', '---------^------!', '---------^------!']);
  });

  it('that is the first starts while the model still streams; the next ones wait for it', () => {
    const tools = [ordered('a', 'exclusive', '-----r|'), scriptedTool('b', '-s|')];
    const { marbles } = play({ rounds: ['-A-B 20ms |', '-z|'], tools });
    expect(marbles).toBe('-(A<a)-B--*a(>a<b)*b>b--------------%z($|)');
  });

  it('that is alone in its round is like any other', () => {
    const a = ordered('a', 'exclusive', '--r|');
    expect(play({ rounds: ['-A|', '-z|'], tools: [a] }).marbles).toBe('-(A<a)%*a>az($|)');
  });

  it('keeps off what the model is told of tools that there are not, while somebody thinks about that', () => {
    const a = ordered('a', 'exclusive', '---r|');
    const strategy = () => timer(5).pipe(map(() => 'no such tool'));
    const { history } = play({ rounds: ['(BA)|', '-z|'], tools: [a], hallucinatedToolNameStrategy: strategy });
    expect(a.subscriptions()).toEqual(['-----^---!']);
    expect(history.slice(2)).toEqual(['B! no such tool', 'A: r', 'assistant: z']);
  });

  it('that fails with an error that the model is told lets the next one go on', () => {
    const tools = [ordered('a', 'exclusive', '--#'), scriptedTool('b', '-s|')];
    const { history } = play({ rounds: ['(AB)|', '-z|'], tools, toolExecutionErrorHandler: () => 'failed' });
    expect(spansOf(tools)).toEqual([['^-!'], ['--^-!']]);
    expect(history.slice(2)).toEqual(['A! failed', 'B: s', 'assistant: z']);
  });

  it('that fails the invocation lets no other start', () => {
    const tools = [ordered('a', 'exclusive', '--#'), scriptedTool('b', '-s|')];
    const { history, marbles } = play({ rounds: ['(AB)|'], tools });
    expect(marbles).toBe('(A<aB)%(>a#)');
    expect(tools[1]!.contexts).toEqual([]);
    expect(history.slice(2)).toEqual(['A! Tool execution did not complete.', 'B! Tool execution did not complete.']);
  });

  it('has let go of what it holds before the next one starts', () => {
    const log: string[] = [];
    const holding = (name: string) =>
      tool({
        name,
        execution: 'exclusive',
        execute: () =>
          new Observable((subscriber) => {
            log.push(`${name} opens`);
            subscriber.add(() => log.push(`${name} closes`));
            return timer(2).subscribe(subscriber);
          }),
      });
    play({ rounds: ['(AB)|', '-z|'], tools: [holding('a'), holding('b')] });
    expect(log).toEqual(['a opens', 'a closes', 'b opens', 'b closes']);
  });
});

describe('a sequential tool', () => {
  it('lets others overtake its waiting calls', () => {
    const a = ordered('a', 'sequential', '----r|');
    const c = scriptedTool('c', '-q|');
    play({ rounds: ['(ABC)|', '-z|'], script: { calls: { B: { name: 'a' } } }, tools: [a, c] });
    expect(a.subscriptions()).toEqual(['^----!', '-----^----!']);
    expect(c.subscriptions()).toEqual(['^-!']);
  });

  it('runs again in the next round, for rounds come one after the other', () => {
    const a = ordered('a', 'sequential', '-r|');
    play({ rounds: ['A|', 'A|', '-z|'], tools: [a] });
    expect(a.subscriptions()).toEqual(['^-!', '--^-!']);
  });
});

describe('toolConcurrency beside the order of tools', () => {
  it('of 1 runs all calls in request order, whatever their tools say', () => {
    const tools = [ordered('a', 'parallel', '-r|'), ordered('b', 'exclusive', '-s|'), ordered('c', 'sequential', '-q|')];
    play({ rounds: ['(ABC)|', '-z|'], tools, toolConcurrency: 1 });
    expect(spansOf(tools)).toEqual([['^-!'], ['--^-!'], ['----^-!']]);
  });

  it('gives no place to a call that has to wait for another one anyway', () => {
    const a = ordered('a', 'sequential', '----r|');
    const c = scriptedTool('c', '--q|');
    const d = scriptedTool('d', '--p|');
    const script = { calls: { B: { name: 'a' } } };
    play({ rounds: ['(ABCD)|', '-z|'], script, tools: [a, c, d], toolConcurrency: 2 });
    expect(a.subscriptions()).toEqual(['^----!', '-----^----!']);
    expect(spansOf([c, d])).toEqual([['^--!'], ['---^--!']]);
  });
});

describe('synchronous tools', () => {
  it.each<ExecutionOrder>(['parallel', 'sequential', 'exclusive'])(
    'that are %s run in request order, all at once',
    (execution) => {
      const log: string[] = [];
      const a = tool({ name: 'a', execution, execute: (_, { request }) => void log.push(request.id) });
      const calls = { B: { name: 'a' }, C: { name: 'a' } };
      const { marbles } = play({ rounds: ['-(ABC)|', '-z|'], script: { calls }, tools: [a], toolConcurrency: 1 });
      expect(log).toEqual(['A', 'B', 'C']);
      expect(marbles).toBe('-(A<a>aA<a>aA<a>a)%z($|)');
    },
  );

  it('a thousand of them that must be alone do not pile up on the stack', () => {
    let count = 0;
    const a = tool({ name: 'a', execution: 'exclusive', execute: () => ++count });
    const slow = ordered('b', 'exclusive', '---s|');
    const events = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [
        String.fromCodePoint(0x4e00 + index),
        { type: 'completeToolCall' as const, index: index + 1, request: { id: `${index}`, name: 'a', arguments: '{}' } },
      ]),
    );
    const { history } = play({
      rounds: [`(B${Object.keys(events).join('')})|`, '-z|'],
      script: { events },
      tools: [a, slow],
      chatMemory: undefined,
    });
    expect(count).toBe(1000);
    expect(history).toEqual([]);
  });
});

describe('the order of a tool', () => {
  const called = (tools: readonly Tool[], options: Partial<Script> = {}) =>
    play({ rounds: ['(AB)|', '-z|'], script: { calls: { B: { name: 'a' } } }, tools, ...options });
  /** The starts of the executions, by frame. */
  const starts = ({ values }: ReturnType<typeof called>) =>
    values.flatMap((event) => (event.type === 'afterToolExecution' ? [event.execution.startTime] : []));
  const execute = () => timer(3).pipe(map(() => 'r'));

  it('is kept by pipe', () => {
    const a = tool({ name: 'a', execution: 'sequential', execute });
    expect(starts(called([a.pipe(map((result) => result))]))).toEqual([0, 3]);
  });

  it('holds for tools that read the request themselves, and for those of providers', () => {
    const a = executorTool({ name: 'a', parameters: {} }, () => execute().pipe(map(() => ({ contents: [], isError: false }))), {
      execution: 'exclusive',
    });
    expect(starts(called([a]))).toEqual([0, 3]);
    expect(starts(called([], { toolProviders: [{ isDynamic: true, provideTools: () => [a] }] }))).toEqual([0, 3]);
  });

  it('must be one of the three', () => {
    expect(() => tool({ name: 'a', execution: 'serial' as never, execute })).toThrow(
      new ConfigurationError('tool a: execution is "serial"; it must be one of parallel, sequential, exclusive.'),
    );
  });
});

describe('calls of any kinds, lengths and arrivals', () => {
  interface Planned {
    readonly tool: number;
    readonly arrival: number;
    readonly duration: number;
  }
  const orders = fc.array(fc.constantFrom<ExecutionOrder>('parallel', 'sequential', 'exclusive'), { minLength: 4, maxLength: 4 });
  const plans = fc.array(
    fc.record<Planned>({ tool: fc.nat(3), arrival: fc.nat(12), duration: fc.oneof(fc.constant(0), fc.nat(8)) }),
    { minLength: 1, maxLength: 14 },
  );

  it('run all, those that must not overlap never do, come first go first among them, and nobody waits in vain', () => {
    fc.assert(
      fc.property(orders, plans, fc.constantFrom(1, 2, 3, Infinity), (kinds, unsorted, toolConcurrency) => {
        const planned = [...unsorted].sort((one, other) => one.arrival - other.arrival);
        const letters = planned.map((_, place) => String.fromCharCode(65 + place));
        /** In which order calls began and ended. */
        const log: { readonly place: number; readonly what: 'start' | 'end' }[] = [];
        const tools = kinds.map((execution, index) =>
          tool({
            name: `t${index}`,
            execution,
            execute: (_, { request: { id } }) => {
              const place = letters.indexOf(id);
              const { duration } = planned[place]!;
              return new Observable((subscriber) => {
                log.push({ place, what: 'start' });
                subscriber.add(() => log.push({ place, what: 'end' }));
                return (duration === 0 ? of(0) : timer(duration)).subscribe(subscriber);
              });
            },
          }),
        );
        const last = planned.at(-1)!.arrival;
        const group = (frame: number) => letters.filter((_, place) => planned[place]!.arrival === frame).join('');
        const marbles = Array.from({ length: last + 1 }, (_, frame) => (group(frame) ? `(${group(frame)})` : '-')).join('');
        const calls = Object.fromEntries(letters.map((letter, place) => [letter, { name: `t${planned[place]!.tool}` }]));
        const played = play({ rounds: [`${marbles}|`, '-z|'], script: { calls }, tools, toolConcurrency });
        const executions = played.values.flatMap((event) => (event.type === 'afterToolExecution' ? [event.execution] : []));
        const spans = letters.map((id) => executions.find(({ request }) => request.id === id)!);

        expect(played.history.at(-1)).toBe('assistant: z');
        expectValid(kept(played.memory));
        expect(log).toHaveLength(2 * planned.length);

        const conflict = (one: number, other: number) => {
          const [a, b] = [planned[one]!.tool, planned[other]!.tool];
          return kinds[a] === 'exclusive' || kinds[b] === 'exclusive' || (a === b && kinds[a] === 'sequential');
        };
        const running = new Set<number>();
        const begun = new Set<number>();
        for (const { place, what } of log) {
          if (what === 'end') running.delete(place);
          else {
            const overlapping = [...running].filter((other) => conflict(other, place));
            const overtaken = letters.flatMap((_, other) =>
              other < place && !begun.has(other) && conflict(other, place) ? [other] : [],
            );
            expect({ place, overlapping, overtaken }).toEqual({ place, overlapping: [], overtaken: [] });
            running.add(place);
            begun.add(place);
          }
          expect(running.size).toBeLessThanOrEqual(toolConcurrency);
        }

        // At the end of each frame, whoever waits has a reason.
        for (let frame = 0; frame < Math.max(...spans.map(({ finishTime }) => finishTime)); frame++) {
          const busy = spans.flatMap(({ startTime, finishTime }, place) =>
            startTime <= frame && frame < finishTime ? [place] : [],
          );
          const idle = spans.flatMap(({ startTime }, place) =>
            planned[place]!.arrival <= frame && frame < startTime ? [place] : [],
          );
          const inVain = idle.filter(
            (place) =>
              busy.length < toolConcurrency &&
              ![...busy, ...idle].some((other) => (busy.includes(other) || other < place) && conflict(other, place)),
          );
          expect(inVain).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
  });
});
