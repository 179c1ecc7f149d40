import { asapScheduler, observeOn, take, toArray, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { AgUiEvent, AgUiInterrupt } from '../../src/ag-ui/ag-ui-event.ts';
import { agUiRuns } from '../../src/ag-ui/ag-ui-runs.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { Invocation } from '../../src/service/start-invocation.ts';
import type { ScriptedAnswer } from '../../src/testing/scripted-answer.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { tool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/types.ts';
import { expectVerified, outline, told } from './verified.ts';

const pay = tool({ name: 'pay', needsApproval: true, execute: () => 'paid' });
const question = { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'hi' }] };
const resumed = (interrupts: readonly AgUiInterrupt[]) => ({
  ...question,
  messages: [],
  resume: interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: { approved: true } })),
});

function hosted(answers: readonly ScriptedAnswer[], tools: readonly Tool[] = [pay], options: object = {}) {
  const started: Invocation[] = [];
  const service = aiService({ model: scriptedModel(answers), tools });
  const start = () => started[started.push(service.start('hi')) - 1]!;
  return { runs: agUiRuns(service, { start, ...options }), started };
}

function interruptsOf(events: readonly AgUiEvent[]): readonly AgUiInterrupt[] {
  const last = events.at(-1)!;
  return last.type === 'RUN_FINISHED' && last.outcome.type === 'interrupt' ? last.outcome.interrupts : [];
}

const all = (source: Observable<AgUiEvent>) => {
  const events = told(source);
  expectVerified(events);
  return events;
};

describe('a client that is lost', () => {
  const places = Array.from({ length: 12 }, (_, index) => index + 1);

  it.each(places)('after event %i of a text answer leaves no error behind', (count) => {
    const { runs } = hosted([['one', 'two']]);
    expect(told(runs.run(question).pipe(take(count))).length).toBeLessThanOrEqual(count);
  });

  it.each(places)('after event %i leaves an invocation that waits only where it was told of the interrupt', (count) => {
    const { runs } = hosted([['Sure. ', { call: 'pay' }], ['next']]);
    const isTold = interruptsOf(told(runs.run(question).pipe(take(count)))).length > 0;
    expect(outline(told(runs.run(question))).at(-1)).toMatch(isTold ? /interruptsPending/ : /RUN_FINISHED/);
    runs.close();
  });

  it.each(places)('after event %i of a resumed run does so, too', (count) => {
    const { runs } = hosted([[{ call: 'pay' }], [{ call: 'pay', id: 'other' }], ['next']]);
    const interrupts = interruptsOf(all(runs.run(question)));
    const isTold = interruptsOf(told(runs.run(resumed(interrupts)).pipe(take(count)))).length > 0;
    expect(outline(told(runs.run(question))).at(-1)).toMatch(isTold ? /interruptsPending/ : /RUN_FINISHED/);
    runs.close();
  });

  it.each(places)('after event %i does so where it reads later', async (count) => {
    const { runs } = hosted([[{ call: 'pay' }], ['next']]);
    await new Promise<void>((resolve) => {
      runs
        .run(question)
        .pipe(take(count), observeOn(asapScheduler), toArray())
        .subscribe({ error: () => resolve(), complete: resolve });
    });
    const { length } = all(hosted([[{ call: 'pay' }]]).runs.run(question));
    expect(outline(told(runs.run(question))).at(-1)).toMatch(count < length ? /RUN_FINISHED/ : /interruptsPending/);
    runs.close();
  });
});

describe('an invocation that ends while it waits', () => {
  it('keeps no place: the thread takes a question, and the answer is for one that is gone', () => {
    const { runs, started } = hosted([[{ call: 'pay' }], ['next']]);
    const interrupts = interruptsOf(all(runs.run(question)));
    started[0]!.cancel();
    expect(outline(all(runs.run(resumed(interrupts)))).at(-1)).toMatch(/interruptGone/);
    expect(outline(all(runs.run(question))).at(-1)).toBe('RUN_FINISHED success');
  });
});

describe('services that are tools', () => {
  const clerk = (name: string, answers: readonly ScriptedAnswer[], tools: readonly Tool[]) =>
    aiService({ model: scriptedModel(answers), tools }).asTool({ name });
  const asking = (name: string) => ({ call: name, id: `outer-${name}`, arguments: { input: 'x' } });

  it('may call with the same id: what a person approves is what runs', () => {
    const ran: string[] = [];
    const paying = (name: string) => tool({ name, needsApproval: true, execute: () => void ran.push(name) });
    const one = clerk('one', [[{ call: 'rent', id: 'call_0' }], ['z']], [paying('rent')]);
    const two = clerk('two', [[{ call: 'yacht', id: 'call_0' }], ['z']], [paying('yacht')]);
    const { runs } = hosted([[asking('one'), asking('two')], ['z']], [one, two]);
    const interrupts = interruptsOf(all(runs.run(question)));
    expect(new Set(interrupts.map(({ id }) => id)).size).toBe(2);
    const resume = interrupts.map(({ id, metadata }) => ({
      interruptId: id,
      status: 'resolved',
      payload: { approved: metadata!['toolCallName'] === 'rent' },
    }));
    all(runs.run({ ...question, messages: [], resume }));
    expect(ran).toEqual(['rent']);
  });

  it('interrupt also where the answer in there was cut', () => {
    const response = { aiMessage: { role: 'assistant', text: null, toolExecutionRequests: [] }, finishReason: 'length' } as const;
    const one = clerk('one', [[{ call: 'pay' }, { type: 'completeResponse', response }], ['z']], [pay]);
    const { runs } = hosted([[asking('one')], ['z']], [one]);
    expect(interruptsOf(all(runs.run(question)))).toHaveLength(1);
    runs.close();
  });

  it('tell the client as progress nothing of their errors', () => {
    const broken = tool({
      name: 'broken',
      execute() {
        throw new Error('sk-SECRET');
      },
    });
    const one = clerk('one', [[{ call: 'broken' }]], [broken]);
    const { runs } = hosted([[asking('one')]], [one], { errorMessage: () => 'failed' });
    expect(JSON.stringify(all(runs.run(question)).filter(({ type }) => type === 'CUSTOM'))).not.toContain('sk-SECRET');
  });

  it('are known by themselves: progress that only looks like their events is a value', () => {
    const loop: Record<string, unknown> = { type: 'toolProgress', round: 1, invocation: {}, request: { id: 'c', name: 'c' } };
    loop['value'] = loop;
    const odd = tool({
      name: 'odd',
      execute(_, { progress }) {
        progress({ type: 'completeToolCall', round: 1, invocation: {} });
        progress({ type: 'partialResponse', round: 1, invocation: null });
        progress(loop);
        return 'r';
      },
    });
    const { runs } = hosted([[{ call: 'odd' }], ['z']], [odd]);
    expect(outline(all(runs.run(question))).at(-1)).toBe('RUN_FINISHED success');
  });
});

it('an interrupt whose end is too far away for a date has none', () => {
  const { runs } = hosted([[{ call: 'pay' }]], [pay], { waitingTime: Number.MAX_SAFE_INTEGER });
  expect(interruptsOf(all(runs.run(question)))[0]).not.toHaveProperty('expiresAt');
  runs.close();
});
