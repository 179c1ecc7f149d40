import { of, delay, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { recordTimeline } from '../../src/timeline/record-timeline.ts';
import type { Timeline, TimelineCall } from '../../src/timeline/timeline.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { breaks, call, pacedModel, played, retryIn, slowTool, thoughts, words } from './paced.ts';
import { samples } from './samples.ts';

const toLlm = toolExecutionErrorHandler.sendExceptionMessageToLlm();
const named = (timeline: Timeline, name: string): TimelineCall => timeline.calls.find((found) => found.name === name)!;

/** A model that calls these at once, 100 ms after it was asked, and answers when it was asked for 100 ms once more. */
const calling = (...names: readonly string[]) =>
  pacedModel([names.flatMap((name, place) => call(place, name, {}, 0)), words('Done.', 0)], 100);

describe('recordTimeline on a whole invocation', () => {
  it('tells when each tool ran, beside the others and beside the model', () => {
    const { timeline } = played(() => aiService({ model: calling('a', 'b'), tools: [slowTool('a', 30), slowTool('b', 20)] }));
    expect(timeline).toMatchObject({ version: 1, status: 'completed', end: 230, duration: 230, failures: [] });
    expect(timeline.calls.map(({ name, written, start, end, outcome }) => ({ name, written, start, end, outcome }))).toEqual([
      { name: 'a', written: { start: 100, end: 100 }, start: 100, end: 130, outcome: 'ok' },
      { name: 'b', written: { start: 100, end: 100 }, start: 100, end: 120, outcome: 'ok' },
    ]);
    expect(timeline.rounds.map(({ number, start, answered, end }) => ({ number, start, answered, end }))).toEqual([
      { number: 1, start: 0, answered: 100, end: 130 },
      { number: 2, start: 130, answered: 230, end: 230 },
    ]);
  });

  it('tells thoughts and texts apart, with the time and the size of each piece', () => {
    const model = pacedModel([[...thoughts('So so.', 10), ...words('It is 2.', 10)]], 100);
    const [round] = played(() => aiService({ model })).timeline.rounds;
    expect(round!.segments).toEqual([
      {
        type: 'thought',
        start: 110,
        end: 120,
        characters: 6,
        text: 'So so.',
        pieces: [
          { at: 110, characters: 3 },
          { at: 120, characters: 3 },
        ],
      },
      {
        type: 'text',
        start: 130,
        end: 150,
        characters: 8,
        text: 'It is 2.',
        pieces: [
          { at: 130, characters: 3 },
          { at: 140, characters: 3 },
          { at: 150, characters: 2 },
        ],
      },
    ]);
  });

  it('tells when the model wrote a call: from its first piece to the moment in which it was complete', () => {
    const model = pacedModel([call(0, 'a', { city: 'Paris' }, 10), words('Done.', 0)], 100);
    const { timeline } = played(() => aiService({ model, tools: [slowTool('a', 5)] }));
    expect(timeline.calls[0]).toMatchObject({ written: { start: 110, end: 130 }, start: 130, arguments: '{"city":"Paris"}' });
  });

  it('shows how long a call had to wait for its turn', () => {
    const service = () =>
      aiService({ toolConcurrency: 1, model: calling('a', 'b'), tools: [slowTool('a', 30), slowTool('b', 20)] });
    expect(named(played(service).timeline, 'b')).toMatchObject({ written: { end: 100 }, start: 130, end: 150 });
  });

  it('marks the progress of a tool, and keeps its result', () => {
    const { timeline } = played(() => aiService({ model: calling('a'), tools: [slowTool('a', 30, { steps: 2 })] }));
    expect(timeline.calls[0]).toMatchObject({
      progressCount: 3,
      progress: [
        { at: 110, value: '1 of 2' },
        { at: 120, value: '2 of 2' },
        { at: 130, value: 'a is done' },
      ],
      result: 'a is done',
    });
  });

  it('tells who was asked for approval, when, and what the answer was', () => {
    const { timeline } = samples.approvals();
    expect(named(timeline, 'send_mail')).toMatchObject({
      approval: { asked: 550, answered: 1750, approved: true },
      start: 1750,
      outcome: 'ok',
    });
    const denied = named(timeline, 'delete_all');
    expect(denied).toMatchObject({ outcome: 'denied', approval: { asked: 575, answered: 1775, approved: false } });
    expect(denied.start).toBeUndefined();
  });

  it('tells what was undone, when and why, and what could not be', () => {
    const service = (undo: () => unknown) => () =>
      aiService({
        compensateOnToolErrors: true,
        toolExecutionErrorHandler: toLlm,
        logger: { warn: () => undefined, error: () => undefined, debug: () => undefined },
        model: calling('credit', 'debit'),
        tools: [slowTool('credit', 10, { compensate: undo }), slowTool('debit', 20, { fails: 'no money' })],
      });
    const undone = played(service(() => of(1).pipe(delay(5)))).timeline;
    expect(named(undone, 'credit')).toMatchObject({ outcome: 'ok', compensation: { at: 125, reason: 'toolError' } });
    expect(named(undone, 'debit')).toMatchObject({ outcome: 'error', result: 'no money' });
    const failed = played(service(() => throwError(() => new Error('the bank is closed')))).timeline;
    expect(named(failed, 'credit').compensation).toEqual({ at: 120, reason: 'toolError', error: 'the bank is closed' });
  });

  it('tells of an unsubscribe as a cancel, with the calls that it stopped', () => {
    const service = () => aiService({ model: calling('a', 'b'), tools: [slowTool('a', 10), slowTool('b', 500)] });
    const { timeline } = played(service, { leaveAt: 150 });
    expect(timeline).toMatchObject({ status: 'cancelled', end: 150 });
    expect(timeline.calls.map(({ outcome, end }) => [outcome, end])).toEqual([
      ['ok', 110],
      ['cancelled', 150],
    ]);
  });

  it('tells why an invocation failed, and which call was never begun', () => {
    const service = () =>
      aiService({
        toolConcurrency: 1,
        model: calling('a', 'b'),
        tools: [slowTool('a', 10, { fails: 'broken' }), slowTool('b', 5)],
      });
    const { timeline } = played(service);
    expect(timeline).toMatchObject({ status: 'failed', end: 110, error: 'broken' });
    expect(timeline.calls.map(({ outcome }) => outcome)).toEqual(['error', 'unfinished']);
  });

  it('tells of retries of a request, and of rounds that were asked for again', () => {
    const rounds = [[...retryIn(50), ...words('Half of ', 10), ...breaks('cut')], words('All of it.', 10)];
    const { timeline } = played(() => aiService({ roundRetries: 1, model: pacedModel(rounds, 0) }));
    expect(timeline.rounds.map(({ number, start, end }) => [number, start, end])).toEqual([
      [1, 0, 220],
      [1, 220, 250],
    ]);
    expect(timeline.rounds[0]).toMatchObject({
      retries: [{ at: 120, attempt: 1, delay: 50, reason: '429 Too many requests' }],
      restarted: { at: 220, reason: 'cut' },
      segments: [{ type: 'text', text: 'Half of ' }],
    });
    expect(timeline.rounds[1]!.segments[0]!.text).toBe('All of it.');
  });

  it('ends with the results where a tool returns them immediately', () => {
    const { timeline } = played(() =>
      aiService({ model: calling('a'), tools: [slowTool('a', 30, { returnBehavior: 'immediate' })] }),
    );
    expect(timeline).toMatchObject({ status: 'completed', end: 130 });
    expect(timeline.rounds).toHaveLength(1);
  });

  it('tells when something was retrieved, and begins the first round behind it', () => {
    const { timeline } = samples.troubles();
    expect(timeline.retrieval).toEqual({ at: 400, contents: 1 });
    expect(timeline.rounds[0]!.start).toBe(400);
  });

  it('shows a text that guardrails held back when it comes out', () => {
    const outputGuardrails = [() => ({ type: 'success' as const })];
    const { timeline } = played(() => aiService({ model: pacedModel([words('Hello you.', 10)], 100), outputGuardrails }));
    expect(timeline.rounds[0]!.segments).toEqual([
      { type: 'text', start: 120, end: 120, characters: 10, text: 'Hello you.', pieces: [{ at: 120, characters: 10 }] },
    ]);
  });

  it('keeps of texts, arguments, results and errors what `maxText` allows, and counts the rest', () => {
    const long = 'x'.repeat(500);
    const model = pacedModel([[...words(`${long} ${long}`, 0), ...call(0, 'a', { long }, 0)], words('ok', 0)]);
    const { timeline } = played(() => aiService({ model, tools: [slowTool('a', 1, { fails: long })] }), { maxText: 20 });
    expect(timeline.rounds[0]!.segments[0]).toMatchObject({ text: `${'x'.repeat(19)}…`, characters: 1001 });
    expect(timeline.calls[0]).toMatchObject({ arguments: `{"long":"${'x'.repeat(10)}…`, result: `${'x'.repeat(19)}…` });
    expect(timeline.error).toBe(`${'x'.repeat(19)}…`);
  });

  it.each<[object, string]>([
    [{ maxText: -1 }, 'maxText'],
    [{ every: 0 }, 'every'],
    [{ scheduler: {} }, 'scheduler'],
    [{ maxTxt: 5 }, 'unknown option maxTxt'],
  ])('refuses options that can not work: %j', (options, told) => {
    expect(() => recordTimeline(options)).toThrow(ConfigurationError);
    expect(() => recordTimeline(options)).toThrow(told);
  });
});
