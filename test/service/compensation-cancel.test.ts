import { Subject, concatMap, takeUntil, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/chat/message.ts';
import { toObservable } from '../../src/chat/value.ts';
import type { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { InvocationCancelledError } from '../../src/service/service-errors.ts';
import { parseMarbles } from '../../src/testing/marbles.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool, type ScriptedTool } from '../../src/testing/scripted-tool.ts';
import { expectValid, kept, keptLogs, outline, roomyMemory } from './support.ts';
import { endsOf, rolledBack, toldUndone, undoLog } from './undo-log.ts';

const why = 'the invocation was cancelled';

const ways = ['unsubscribe', 'signal', 'Invocation.cancel'] as const;

/** The same memory, whose writes take their time. */
const slow = (memory: ChatMemory, duration: number): ChatMemory => ({
  ...memory,
  add: (messages: readonly ChatMessage[]) => timer(duration).pipe(concatMap(() => toObservable(memory.add(messages)))),
  set: (messages: readonly ChatMessage[]) => timer(duration).pipe(concatMap(() => toObservable(memory.set(messages)))),
});

interface Variant {
  readonly way: (typeof ways)[number];
  /** How a tool is undone. */
  readonly undo: string;
  readonly memory: 'none' | 'quick' | 'slow';
  /** In its frame behind what else happens there, and not before it. */
  readonly isLate?: boolean;
}

/** Of the first round, a and b can be undone, and c can't; d, of the second round, can. */
const rounds = ['-A-B-C|', '-D|', '-z|'];

/** What comes of it when nobody leaves. */
const undisturbed = '-(A<a)-(*aB<b)>a(C<c)%----(*b*c)(>b>c)(D<d)%--*d>dz($|)';
const lastFrame = parseMarbles(undisturbed).at(-1)!.frame;

const frames = Array.from({ length: lastFrame + 3 }, (_, frame) => frame);

/** Gives it up at a frame, and asks the same memory another question in the same frame. */
function leftAt(frame: number, { way, undo, memory, isLate = false }: Variant) {
  const log = undoLog();
  const tools = [
    log.undoable('a', '--r|', { undo }),
    log.undoable('b', '--------r|', { undo }),
    scriptedTool('c', '------r|'),
    log.undoable('d', '----r|', { undo }),
  ];
  const roomy = roomyMemory();
  const chatMemory = memory === 'slow' ? slow(roomy, 2) : roomy;
  const remembering = memory === 'none' ? {} : { chatMemory };
  const fired: AiServiceEvent[] = [];
  const service = aiService({
    model: scriptedModel(rounds),
    tools,
    compensateOnToolErrors: true,
    listeners: [(event) => event.type !== 'invocationSummary' && fired.push(event)],
    logger: keptLogs(),
    ...remembering,
  });
  const nextModel = scriptedModel(['y|']);
  const next = aiService({ model: nextModel, ...remembering });
  const controller = new AbortController();
  const left$ = new Subject<void>();
  let recording: { drawing(): string; readonly error: unknown };
  runMarbles(({ at, expectEvents }) => {
    const leave = () => {
      if (way === 'unsubscribe') left$.next();
      else if (way === 'signal') controller.abort('enough');
      else invocation!.cancel('enough');
      next.stream('and now?').subscribe();
    };
    at(frame, isLate || frame === 0 ? () => at(0, leave) : leave);
    const invocation = way === 'Invocation.cancel' ? service.start('hello') : undefined;
    const events$ = invocation?.events$ ?? service.stream('hello', way === 'signal' ? { signal: controller.signal } : {});
    recording = expectEvents(events$.pipe(takeUntil(left$)));
  });
  return {
    log,
    tools,
    fired,
    firedTypes: fired.map(({ type }) => type),
    marks: parseMarbles(recording!.drawing()),
    error: recording!.error,
    messages: kept(roomy),
    nextRequest: outline(nextModel.requests[0]!.messages),
    nextBegan: nextModel.subscriptions()[0]!.indexOf('^') - (nextModel.subscriptions()[0]!.includes('(') ? 1 : 0),
  };
}

const startOf = (tool: ScriptedTool) => spanOf(tool)?.from;
function spanOf(tool: ScriptedTool): { from: number; to: number } | undefined {
  const [span] = tool.subscriptions();
  if (span === undefined) return undefined;
  const [from, to] = parseMarbles(span);
  return { from: from!.frame, to: to!.frame };
}

const variants = ways.flatMap((way) =>
  (['none', 'quick', 'slow'] as const).flatMap((memory) =>
    ['|', '---|'].flatMap((undo) =>
      [false, true].map((isLate): [string, Variant] => [
        `by ${way}, ${isLate ? 'late' : 'early'} in the frame, with undos ${undo === '|' ? 'at once' : 'that take time'} and ${memory} memory`,
        { way, undo, memory, isLate },
      ]),
    ),
  ),
);

describe.each(variants)('[S29] [S75] an invocation that is given up at any frame %s', (_, variant) => {
  const stories = frames.map((frame) => ({ frame, ...leftAt(frame, variant) }));
  const isOver = ({ firedTypes }: { firedTypes: readonly string[] }) => firedTypes.includes('completed');
  const undoableOf = ({ tools: [a, b, , d] }: { tools: readonly ScriptedTool[] }) => [a!, b!, d!];
  /** The calls that were begun and can be undone, in the order of the requests. */
  const begun = (story: (typeof stories)[number]) =>
    undoableOf(story).flatMap((tool) => (startOf(tool) === undefined ? [] : [tool.specification.name]));

  it('has undone all that its tools did, the last request first, once, and unless it had completed', () => {
    for (const story of stories) {
      const expected = isOver(story) ? [] : begun(story).reverse();
      expect(story.log.names(), `at ${story.frame}`).toEqual(expected);
      expect(toldUndone(story.fired), `at ${story.frame}`).toEqual(expected.map((name) => `${name}: cancelled`));
    }
  });

  it('releases its subscriber at once', () => {
    for (const { frame, marks, error, ...story } of stories) {
      if (isOver(story)) continue;
      expect(marks.at(-1), `at ${frame}`).toEqual({ frame, symbol: variant.way === 'unsubscribe' ? '|' : '#' });
      if (variant.way !== 'unsubscribe') expect(error, `at ${frame}`).toBeInstanceOf(InvocationCancelledError);
      expect(
        marks.filter(({ symbol }) => symbol.startsWith('^')),
        `at ${frame}`,
      ).toEqual([]);
    }
  });

  it('begins no tool any more', () => {
    for (const { frame, tools } of stories)
      for (const tool of tools) expect(startOf(tool) ?? 0, `${tool.specification.name} at ${frame}`).toBeLessThanOrEqual(frame);
  });

  it('lets a running tool settle that can be undone, and aborts one that can not', () => {
    const durations = [3, 9, 7, 5];
    for (const { frame, tools } of stories) {
      tools.forEach((tool, place) => {
        const span = spanOf(tool);
        if (!span) return;
        const hasTime = tool.compensate !== undefined;
        const end = span.from + durations[place]!;
        expect(span.to, `${tool.specification.name} at ${frame}`).toBe(hasTime ? end : Math.min(end, frame));
        const isAborted = tool.contexts[0]!.signal.aborted;
        const isRunning = variant.isLate ? frame < end : frame <= end;
        expect(isAborted, `${tool.specification.name} at ${frame}`).toBe(!hasTime && isRunning);
      });
    }
  });

  it('undoes one after the other, and when all have settled', () => {
    for (const { frame, tools, log } of stories) {
      const spans = log.undos.flatMap((undo) => undo.spans);
      expect(spans).toHaveLength(log.undos.length);
      const settled = Math.max(frame, ...tools.map((tool) => spanOf(tool)?.to ?? 0));
      let free = settled;
      for (const { from, to } of spans) {
        expect(from, `at ${frame}`).toBeGreaterThanOrEqual(free);
        free = to!;
      }
      if (variant.memory !== 'slow' && spans[0]) expect(spans[0].from, `at ${frame}`).toBe(settled);
    }
  });

  it('[G25] is told as cancelled, once, and not as completed or failed', () => {
    for (const story of stories)
      expect(endsOf(story.firedTypes), `at ${story.frame}`).toEqual([isOver(story) ? 'completed' : 'cancelled']);
  });

  it('leaves a memory that says what was undone and nothing else, to the next question too, which waits for it', () => {
    if (variant.memory === 'none') return;
    for (const story of stories) {
      const { frame, messages, nextRequest, nextBegan, log } = story;
      expectValid(messages, 2);
      const told = outline(messages);
      const expected = isOver(story) ? [] : begun(story).map((name) => rolledBack(name.toUpperCase(), why));
      expect(
        told.filter((line) => line.includes('rolled back')),
        `at ${frame}`,
      ).toEqual(expected);
      expect(nextRequest, `at ${frame}`).toEqual(told.slice(0, -1));
      const undone = Math.max(frame, ...log.undos.flatMap(({ spans }) => spans.map(({ to }) => to!)));
      if (log.undos.length > 0)
        expect(nextBegan, `at ${frame}`).toBeGreaterThanOrEqual(undone + (variant.memory === 'slow' ? 2 : 0));
    }
  });

  it('is not disturbed before that', () => {
    if (variant.memory === 'slow') return;
    for (const { frame, marks } of stories) {
      const before = (mark: { frame: number }) => mark.frame < frame;
      expect(marks.filter(before), `at ${frame}`).toEqual(parseMarbles(undisturbed).filter(before));
    }
  });
});
