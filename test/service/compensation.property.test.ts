import fc from 'fast-check';
import { Subject, asyncScheduler, concatMap, defer, of, takeUntil, tap, throwError, timer, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import { toObservable } from '../../src/chat/value.ts';
import type { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { tool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/types.ts';
import { expectValid, kept, keptLogs, outline, roomyMemory } from './support.ts';
import { endsOf, undosIn } from './undo-log.ts';

/** One call, of a tool of its own. Times are in frames. */
interface PlannedCall {
  readonly gap: number;
  readonly duration: number;
  readonly fails: boolean;
  readonly undo: 'none' | 'works' | 'fails';
  readonly undoDuration: number;
  readonly execution: 'parallel' | 'exclusive';
}

interface Plan {
  readonly rounds: readonly { readonly calls: readonly PlannedCall[]; readonly rest: number }[];
  /** How the model ends, after so many frames. */
  readonly end: { readonly fails: boolean; readonly after: number };
  readonly toLlm: boolean;
  readonly toolConcurrency: number;
  readonly hook: number;
  /** How long a write takes; no memory without. */
  readonly write: number | undefined;
  /** Which write of the memory fails, if any. */
  readonly brokenWrite: number | undefined;
  readonly isRefused: boolean;
}

/** When, and how, somebody leaves. */
type Leaving =
  | { readonly how: 'unsubscribe' | 'signal'; readonly frame: number; readonly isLate: boolean }
  | { readonly how: 'unsubscribe' | 'signal'; readonly event: number };

const duration = fc.nat({ max: 4 });

/** True now and then. */
const seldom = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });

const plannedCall: fc.Arbitrary<PlannedCall> = fc.record({
  gap: fc.nat({ max: 2 }),
  duration: fc.nat({ max: 6 }),
  fails: seldom,
  undo: fc.constantFrom<PlannedCall['undo']>('none', 'works', 'works', 'works', 'fails'),
  undoDuration: duration,
  execution: fc.constantFrom<PlannedCall['execution']>('parallel', 'parallel', 'exclusive'),
});

const plan: fc.Arbitrary<Plan> = fc.record({
  rounds: fc.array(fc.record({ calls: fc.array(plannedCall, { minLength: 1, maxLength: 3 }), rest: fc.nat({ max: 2 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  end: fc.record({ fails: seldom, after: duration }),
  toLlm: seldom.map((is) => !is),
  toolConcurrency: fc.constantFrom(1, 2, Infinity, Infinity),
  hook: fc.constantFrom(0, 0, 0, 2),
  write: fc.constantFrom(undefined, 0, 0, 1, 3),
  brokenWrite: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
  ),
  isRefused: seldom,
});

const how = fc.constantFrom<Leaving['how']>('unsubscribe', 'signal');

const leaving: fc.Arbitrary<Leaving | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({ how, frame: fc.integer({ min: 1, max: 40 }), isLate: fc.boolean() }),
  fc.record({ how, event: fc.integer({ min: 1, max: 40 }) }),
);

const lasting = (frames: number): Observable<number> => (frames === 0 ? of(0) : timer(frames));

interface Span {
  readonly name: string;
  readonly from: number;
  to: number;
}

/** Where a call stands in a plan. */
interface Placed extends PlannedCall {
  readonly name: string;
  readonly round: number;
}

function placed({ rounds }: Plan): readonly Placed[] {
  let next = 0;
  return rounds.flatMap(({ calls }, round) => calls.map((call) => ({ ...call, round, name: String.fromCharCode(97 + next++) })));
}

/** Plays a plan, and writes down what was done and undone, by the tools themselves. */
function played(plan: Plan, leaving: Leaving | undefined) {
  const calls = placed(plan);
  const runs: Span[] = [];
  const undos: Span[] = [];
  const succeeded = new Set<string>();
  const failed = new Set<string>();
  const begun = (spans: Span[], name: string): Span => {
    const span = { name, from: asyncScheduler.now(), to: Infinity };
    spans.push(span);
    return span;
  };
  const tools: Tool[] = calls.map(({ name, duration, fails, undo, undoDuration, execution }) =>
    tool({
      name,
      execution,
      execute: () =>
        defer(() => {
          const span = begun(runs, name);
          return lasting(duration).pipe(
            concatMap(() => (fails ? throwError(() => new Error(`${name} failed`)) : of('r'))),
            tap({
              complete: () => succeeded.add(name),
              error: () => failed.add(name),
              finalize: () => (span.to = asyncScheduler.now()),
            }),
          );
        }),
      ...(undo !== 'none' && {
        compensate: () =>
          defer(() => {
            const span = begun(undos, name);
            return lasting(undoDuration).pipe(
              concatMap(() => (undo === 'fails' ? throwError(() => new Error('stays done')) : of(0))),
              tap({ finalize: () => (span.to = asyncScheduler.now()) }),
            );
          }),
      }),
    }),
  );
  let next = 0;
  const rounds = plan.rounds.map(({ calls, rest }) => {
    const spoken = calls.map(({ gap }) => `${'-'.repeat(gap)}${String.fromCharCode(65 + next++)}`).join('');
    return `${spoken}${'-'.repeat(rest)}|`;
  });
  const last = `${'-'.repeat(plan.end.after)}${plan.end.fails ? '#' : '(z|)'}`;
  const roomy = roomyMemory();
  const slowly = (write: () => ReturnType<ChatMemory['add']>) =>
    lasting(plan.write!).pipe(concatMap(() => toObservable(write())));
  let writes = 0;
  const chatMemory: ChatMemory = {
    ...roomy,
    add: (messages: readonly ChatMessage[]) =>
      slowly(() => (++writes === plan.brokenWrite ? throwError(() => new Error('locked')) : roomy.add(messages))),
    set: (messages: readonly ChatMessage[]) => slowly(() => roomy.set(messages)),
  };
  const fired: AiServiceEvent[] = [];
  const service = aiService({
    model: scriptedModel([...rounds, last]),
    tools,
    compensateOnToolErrors: true,
    toolConcurrency: plan.toolConcurrency,
    ...(plan.toLlm && { toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm() }),
    ...(plan.hook && { beforeToolExecution: () => timer(plan.hook) as never }),
    ...(plan.write !== undefined && { chatMemory }),
    ...(plan.isRefused && { outputGuardrails: [() => guardrail.fatal('no')] }),
    listeners: [(event) => event.type !== 'invocationSummary' && fired.push(event)],
    logger: keptLogs(),
  });
  const left$ = new Subject<void>();
  const controller = new AbortController();
  let leftAt = Infinity;
  const leave = () => {
    leftAt = Math.min(leftAt, asyncScheduler.now());
    if (leaving!.how === 'signal') controller.abort();
    else left$.next();
  };
  const seen: number[] = [];
  let drawing = '';
  runMarbles(({ at, expectEvents }) => {
    if (leaving && 'frame' in leaving) at(leaving.frame, leaving.isLate ? () => at(0, leave) : leave);
    const stream = service.stream('hello', { signal: controller.signal }).pipe(
      tap(() => {
        seen.push(asyncScheduler.now());
        if (leaving && 'event' in leaving && seen.length === leaving.event) leave();
      }),
      takeUntil(left$),
    );
    const recording = expectEvents(stream);
    at(1000, () => (drawing = recording.drawing()));
  });
  return {
    calls,
    runs,
    undos,
    succeeded,
    failed,
    fired,
    leftAt,
    seen,
    drawing,
    messages: kept(roomy),
    lines: outline(kept(roomy)),
  };
}

/** What must hold of everything that can happen. */
function expectHonest(plan: Plan, leaving: Leaving | undefined): ReturnType<typeof played> {
  const story = played(plan, leaving);
  const { calls, runs, undos, succeeded, failed, fired, leftAt, messages, lines } = story;
  const ends = endsOf(fired.map(({ type }) => type));
  expect(ends).toHaveLength(1);
  const isCompleted = ends[0] === 'completed';

  // Which of them are undone, and in which order: each failing round takes all before it with it, the last first.
  const undoable = calls.filter(({ name, undo }) => succeeded.has(name) && undo !== 'none');
  const failingRounds = [...new Set(calls.filter(({ name }) => failed.has(name)).map(({ round }) => round))];
  const batches: (readonly Placed[])[] = [];
  let from = 0;
  for (const to of [...failingRounds, ...(isCompleted ? [] : [Infinity])]) {
    batches.push(undoable.filter(({ round }) => round >= from && round <= to).reverse());
    from = to + 1;
  }
  expect(undos.map(({ name }) => name)).toEqual(batches.flat().map(({ name }) => name));

  // One at a time, and beside no tool.
  undos.slice(1).forEach((undo, place) => expect(undo.from).toBeGreaterThanOrEqual(undos[place]!.to));
  for (const undo of undos) {
    expect(undo.to).toBeLessThan(Infinity);
    for (const run of runs)
      expect(run.to <= undo.from || run.from >= undo.to, `${run.name} ran while ${undo.name} was undone`).toBe(true);
  }

  // Nothing begins once somebody has left, and no tool runs twice.
  expect(new Set(runs.map(({ name }) => name)).size).toBe(runs.length);
  for (const { name, from: start } of runs) expect(start, name).toBeLessThanOrEqual(leftAt);

  // Those who look on, and memory, are told exactly that.
  const told = undosIn(fired);
  const isUndone = (name: string) => calls.find((call) => call.name === name)!.undo === 'works';
  expect(told.map(({ execution, error }) => [execution.request.name, error === undefined])).toEqual(
    undos.map(({ name }) => [name, isUndone(name)]),
  );
  expectValid(messages);
  if (plan.write === undefined) return story;
  const namesIn = (text: string) =>
    lines.filter((line) => line.slice(1).includes(text)).map((line) => line.charAt(0).toLowerCase());
  const undoneNames = undos.map(({ name }) => name);
  const known = {
    undone: undoneNames.filter(isUndone).sort(),
    standing: undoneNames.filter((name) => !isUndone(name)).sort(),
    done: [...succeeded].filter((name) => !undoneNames.includes(name)).sort(),
  };
  const stored = { undone: namesIn('it was rolled back'), standing: namesIn('may still stand'), done: namesIn(': r') };
  if (plan.brokenWrite === undefined) expect(stored).toEqual(known);
  // What could not be written is not there; what is there is true.
  for (const what of ['undone', 'standing', 'done'] as const) expect(known[what]).toEqual(expect.arrayContaining(stored[what]));
  return story;
}

/** Thousands of invocations take their time on a busy machine; in ms. */
const patience = { timeout: 120_000 };

describe('[S30] whatever happens at the same time', () => {
  it('each success of a tool stands in the end, or is undone exactly once, and all are told the truth', patience, () => {
    fc.assert(
      fc.property(plan, leaving, (planned, left) => void expectHonest(planned, left)),
      { numRuns: 2000 },
    );
  });

  it('as when somebody leaves in any frame, before what else happens in it or behind it', patience, () => {
    fc.assert(
      fc.property(plan, how, (planned, way) => {
        const { seen } = expectHonest(planned, undefined);
        const end = Math.max(0, ...seen) + 1;
        for (let frame = 1; frame <= end; frame++)
          for (const isLate of [false, true]) expectHonest(planned, { how: way, frame, isLate });
      }),
      { numRuns: 16 },
    );
  });

  it('as when somebody leaves at any event, the last one included', patience, () => {
    fc.assert(
      fc.property(plan, how, (planned, way) => {
        const { seen } = expectHonest(planned, undefined);
        for (let event = 1; event <= seen.length; event++) expectHonest(planned, { how: way, event });
      }),
      { numRuns: 40 },
    );
  });
});
