import { asyncScheduler, retry, take, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { AgUiEvent, AgUiInterrupt } from '../../src/ag-ui/ag-ui-event.ts';
import { agUiRuns, type AgUiRunsOptions } from '../../src/ag-ui/ag-ui-runs.ts';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { AiServiceCancelledEvent } from '../../src/event/lifecycle-events.ts';
import { ofEvent } from '../../src/event/of-event.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import type { ScriptedAnswer } from '../../src/testing/scripted-answer.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { toolScheduler } from '../../src/testing/tool-scheduler.ts';
import { tool } from '../../src/tool/tool.ts';
import { expectVerified, outline, told, watched } from './verified.ts';

const pay = tool({ name: 'pay', needsApproval: true, execute: () => 'paid' });
const call = (id: string) => ({ call: 'pay', id });

function hosted(
  answers: readonly ScriptedAnswer[],
  options: AgUiRunsOptions = {},
  serviceOptions: Partial<AiServiceOptions<unknown>> = {},
) {
  const model = scriptedModel(answers);
  const service = aiService({ model, tools: [pay], ...serviceOptions });
  const cancelled = watched(service.events$.pipe(ofEvent(AiServiceCancelledEvent)));
  const runs = agUiRuns(service, options);
  let lastRun = 0;
  const input = (patch: object) => ({ threadId: 't', runId: `run-${++lastRun}`, messages: [], tools: [], context: [], ...patch });
  const ask = (text = 'hello', patch: object = {}) =>
    runs.run(input({ messages: [{ id: 'u', role: 'user', content: text }], ...patch }));
  const resume = (entries: readonly object[], patch: object = {}) => runs.run(input({ resume: entries, ...patch }));
  return { model, service, runs, ask, resume, cancelled };
}

function verified(source: Observable<AgUiEvent>): readonly AgUiEvent[] {
  const events = told(source);
  expectVerified(events);
  return events;
}

function interruptsOf(events: readonly AgUiEvent[]): readonly AgUiInterrupt[] {
  const last = events.at(-1)!;
  return last.type === 'RUN_FINISHED' && last.outcome.type === 'interrupt' ? last.outcome.interrupts : [];
}

const fail = (error: unknown) => {
  throw error;
};
const yes = ({ id }: AgUiInterrupt) => ({ interruptId: id, status: 'resolved', payload: { approved: true } });
const no = ({ id }: AgUiInterrupt) => ({ interruptId: id, status: 'resolved', payload: { approved: false, reason: 'too much' } });
const abandoned = ({ id }: AgUiInterrupt) => ({ interruptId: id, status: 'cancelled' });
const lastLine = (events: readonly AgUiEvent[]) => outline(events).at(-1);

describe('agUiRuns', () => {
  it('ends a run with an interrupt, and goes on with the same invocation when that is answered', () => {
    const { ask, resume, model } = hosted([['Sure. ', call('c')], ['Paid.']]);
    const first = verified(ask());
    const [interrupt] = interruptsOf(first);
    expect(interrupt).toMatchObject({ toolCallId: 'c', reason: 'tool_call', responseSchema: { required: ['approved'] } });
    expect(Date.parse(interrupt!.expiresAt!)).toBeGreaterThan(Date.now());
    const second = verified(resume([yes(interrupt!)]));
    expect(outline(second)).toEqual([
      'RUN_STARTED',
      'STEP_STARTED round 1',
      'CUSTOM beforeToolExecution',
      'TOOL_CALL_RESULT paid',
      'STEP_FINISHED round 1',
      'STEP_STARTED round 2',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT Paid.',
      'TEXT_MESSAGE_END',
      'STEP_FINISHED round 2',
      'RUN_FINISHED success',
    ]);
    expect(second[0]).toMatchObject({ threadId: 't', runId: 'run-2' });
    expect(model.requests).toHaveLength(2);
  });

  it('tells the model of a no, and of its reason', () => {
    const { ask, resume } = hosted([[call('c')], ['Well.']]);
    expect(outline(verified(resume(interruptsOf(verified(ask())).map(no))))).toContain(
      'TOOL_CALL_RESULT The call was not approved: too much!',
    );
  });

  it('takes a cancelled interrupt for a no', () => {
    const { ask, resume } = hosted([[call('c')], ['Well.']]);
    expect(outline(verified(resume(interruptsOf(verified(ask())).map(abandoned))))).toContain(
      'TOOL_CALL_RESULT The call was not approved: The user did not answer.!',
    );
  });

  it('asks about all calls at once, and interrupts once more where there is more to ask', () => {
    const { ask, resume } = hosted([[call('a'), call('b')], [call('c')], ['Done.']]);
    const first = interruptsOf(verified(ask()));
    expect(first.map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b']);
    const second = verified(resume([yes(first[0]!), no(first[1]!)]));
    expect(outline(second).filter((line) => line.startsWith('TOOL_CALL_RESULT'))).toEqual([
      'TOOL_CALL_RESULT paid',
      'TOOL_CALL_RESULT The call was not approved: too much!',
    ]);
    expect(lastLine(verified(resume(interruptsOf(second).map(yes))))).toBe('RUN_FINISHED success');
  });

  it('tells each run its own tokens', () => {
    const usage = (inputTokens: number) => ({ tokenUsage: { inputTokens } });
    const answer = (text: string | null, tokens: number) => ({
      type: 'completeResponse' as const,
      response: { aiMessage: { role: 'assistant' as const, text, toolExecutionRequests: [] }, ...usage(tokens) },
    });
    const { ask, resume } = hosted([
      [call('c'), answer(null, 10)],
      ['z', answer('z', 7)],
    ]);
    const first = verified(ask());
    expect(first.at(-1)).toMatchObject({ usage: [{ inputTokens: 10 }] });
    expect(verified(resume(interruptsOf(first).map(yes))).at(-1)).toMatchObject({ usage: [{ inputTokens: 7 }] });
  });

  it('interrupts also where the answer was cut while a call of it waits', () => {
    const response = { aiMessage: { role: 'assistant', text: null, toolExecutionRequests: [] }, finishReason: 'length' } as const;
    const { ask, resume } = hosted([[call('c'), { type: 'completeResponse', response }]]);
    const interrupts = interruptsOf(verified(ask()));
    expect(interrupts).toHaveLength(1);
    expect(outline(verified(resume(interrupts.map(yes))))).toContain('TOOL_CALL_RESULT paid');
  });

  it('keeps the thread as the memory of the service', () => {
    const memories = new Map<unknown, ReturnType<typeof messageWindowMemory>>();
    const chatMemoryProvider = (id: unknown) => {
      const memory = messageWindowMemory({ id, maxMessages: 100 });
      memories.set(id, memory);
      return memory;
    };
    const { ask, resume, model } = hosted([[call('c')], ['Paid.'], ['Again.']], {}, { chatMemoryProvider });
    verified(resume(interruptsOf(verified(ask())).map(yes)));
    verified(ask('more'));
    expect([...memories.keys()]).toEqual(['t']);
    expect(model.requests.at(-1)!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  });

  it('hands what the client tells to the tools, and lets the application start what it wants', () => {
    const seen: unknown[] = [];
    const look = tool({ name: 'look', execute: (_, { parameters }) => seen.push(parameters.get('state')) });
    const { ask } = hosted([[{ call: 'look' }], ['z']], {}, { tools: [look] });
    verified(ask('x', { state: 7 }));
    expect(seen).toEqual([7]);
    const own = hosted([], { start: () => aiService({ model: scriptedModel([['mine']]) }).start('other') });
    expect(outline(verified(own.ask()))).toContain('TEXT_MESSAGE_CONTENT mine');
  });

  it('says so where an invocation can not be started', () => {
    const { ask } = hosted([], {
      start: () => {
        throw new Error('not yours');
      },
    });
    expect(lastLine(verified(ask()))).toBe('RUN_ERROR Error: not yours');
  });
});

describe('what can not go on', () => {
  it('is told where nothing waits any more: a second answer never runs a tool again', () => {
    const { ask, resume } = hosted([[call('c')], ['Paid.']]);
    const answers = interruptsOf(verified(ask())).map(yes);
    verified(resume(answers));
    expect(lastLine(verified(resume(answers)))).toMatch(/^RUN_ERROR interruptGone: Nothing waits here .* Ask again\.$/);
  });

  it('is refused as long as the thread waits for an answer, and the waiting goes on', () => {
    const { ask, resume } = hosted([[call('a'), call('b')], ['Done.']]);
    const interrupts = interruptsOf(verified(ask()));
    expect(lastLine(verified(ask('other')))).toMatch(/^RUN_ERROR interruptsPending/);
    expect(lastLine(verified(resume([yes(interrupts[0]!)])))).toMatch(/^RUN_ERROR interruptsPending/);
    expect(
      lastLine(verified(resume(interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: 'ok' }))))),
    ).toMatch(/^RUN_ERROR invalidAnswer.*approved: boolean/);
    expect(lastLine(verified(resume([...interrupts, interrupts[0]!].map(yes))))).toMatch(/^RUN_ERROR invalidAnswer/);
    const late = { messages: [{ id: 'v', role: 'user', content: 'and?' }] };
    expect(lastLine(verified(resume(interrupts.map(yes), late)))).toMatch(/^RUN_ERROR invalidInput/);
    expect(lastLine(verified(resume(interrupts.map(yes))))).toBe('RUN_FINISHED success');
  });

  it('is left alone by other threads', () => {
    const { ask, resume } = hosted([[call('c')], ['Other.'], ['Done.']]);
    const interrupts = interruptsOf(verified(ask()));
    expect(lastLine(verified(ask('x', { threadId: 'other' })))).toBe('RUN_FINISHED success');
    expect(lastLine(verified(resume(interrupts.map(yes), { threadId: 'other' })))).toMatch(/^RUN_ERROR interruptGone/);
    expect(lastLine(verified(resume(interrupts.map(yes))))).toBe('RUN_FINISHED success');
  });

  it('is cancelled where the user goes on with another question, also where it is gone', () => {
    const { ask, resume, cancelled } = hosted([[call('c')], ['New.'], ['Newer.']]);
    const entries = interruptsOf(verified(ask())).map(abandoned);
    const question = { messages: [{ id: 'v', role: 'user', content: 'else' }] };
    expect(outline(verified(resume(entries, question)))).toContain('TEXT_MESSAGE_CONTENT New.');
    expect(cancelled).toHaveLength(1);
    expect(outline(verified(resume(entries, question)))).toContain('TEXT_MESSAGE_CONTENT Newer.');
    expect(lastLine(verified(resume(entries)))).toBe('RUN_FINISHED cancelled');
  });

  it('is told for an input that is none, without an error notification', () => {
    const { runs } = hosted([]);
    expect(outline(told(runs.run({ threadId: 't' })))).toEqual([expect.stringMatching(/^RUN_ERROR invalidInput: .*/)]);
  });
});

describe('waiting', () => {
  it('ends when its time is up', () => {
    toolScheduler().run(({ flush }) => {
      const { ask, resume, cancelled } = hosted([[call('c')]], { waitingTime: 50 });
      const interrupts = interruptsOf(verified(ask()));
      expect(interrupts[0]!.expiresAt).toBe(new Date(50).toISOString());
      asyncScheduler.schedule(() => expect(cancelled).toHaveLength(0), 49);
      flush();
      expect(cancelled).toHaveLength(1);
      expect(lastLine(verified(resume(interrupts.map(yes))))).toMatch(/^RUN_ERROR interruptGone/);
    });
  });

  it('has no timer left once it was answered', () => {
    toolScheduler().run(({ flush }) => {
      const { ask, resume, cancelled } = hosted([[call('c')], ['z']], { waitingTime: 50 });
      verified(resume(interruptsOf(verified(ask())).map(yes)));
      flush();
      expect(cancelled).toHaveLength(0);
      expect(asyncScheduler.now()).toBe(0);
    });
  });

  it('is for so many at most: the oldest is given up', () => {
    const { ask, resume, cancelled } = hosted([[call('a')], [call('b')], [call('c')], ['z']], { maxWaiting: 2 });
    const [first, second] = ['1', '2', '3'].map((threadId) => interruptsOf(verified(ask('x', { threadId }))));
    expect(cancelled).toHaveLength(1);
    expect(lastLine(verified(resume(first!.map(yes), { threadId: '1' })))).toMatch(/^RUN_ERROR interruptGone/);
    expect(lastLine(verified(resume(second!.map(yes), { threadId: '2' })))).toBe('RUN_FINISHED success');
  });

  it('ends with close(), for all', () => {
    const { ask, runs, cancelled } = hosted([[call('a')], [call('b')]]);
    verified(ask('x', { threadId: '1' }));
    verified(ask('x', { threadId: '2' }));
    runs.close();
    expect(cancelled).toHaveLength(2);
  });

  it('goes on where the client leaves behind the interrupt, and nothing goes on where it leaves before', () => {
    toolScheduler().run(({ flush }) => {
      const { ask, cancelled, model } = hosted(['-t---z|']);
      const watching = ask().subscribe({ error: fail });
      asyncScheduler.schedule(() => watching.unsubscribe(), 3);
      asyncScheduler.schedule(() => undefined, 20);
      flush();
      expect(cancelled).toHaveLength(1);
      expect(model.subscriptions()).toEqual(['^--!']);
    });
    const { ask, cancelled } = hosted([[call('c')]]);
    ask().subscribe({ error: fail }).unsubscribe();
    expect(cancelled).toHaveLength(0);
  });

  it('starts nothing for one who leaves at once', () => {
    const { ask, model } = hosted([['never']]);
    expect(told(ask().pipe(take(1)))).toHaveLength(1);
    expect(model.requests).toHaveLength(0);
  });

  it('is for a tool of a service that is a tool, too', () => {
    const clerk = aiService({ model: scriptedModel([[call('inner')], ['The clerk has paid.']]), tools: [pay] });
    const { ask, resume } = hosted(
      [[{ call: 'clerk', id: 'outer', arguments: { input: 'pay' } }], ['Done.']],
      {},
      {
        tools: [clerk.asTool({ name: 'clerk' })],
      },
    );
    const interrupts = interruptsOf(verified(ask()));
    expect(interrupts).toMatchObject([{ toolCallId: 'outer', metadata: { toolCallName: 'pay' } }]);
    expect(outline(verified(resume(interrupts.map(yes))))).toContain('TOOL_CALL_RESULT The clerk has paid.');
  });

  it('asks again where such a service is tried again, and no more about what the first attempt was to do', () => {
    const model = scriptedModel([{ marbles: '(A#)' }, [call('inner')], ['Paid.']], { calls: { A: { name: 'pay' } } });
    const clerk = aiService({ model, tools: [pay] }).asTool({ name: 'clerk' });
    const answers = [[{ call: 'clerk', id: 'outer', arguments: { input: 'pay' } }], ['Done.']];
    const { ask, resume } = hosted(answers, {}, { tools: [clerk.pipe(retry(1))] });
    const interrupts = interruptsOf(verified(ask()));
    expect(interrupts).toHaveLength(1);
    expect(outline(verified(resume(interrupts.map(yes))))).toContain('TOOL_CALL_RESULT Paid.');
  });

  it('can be answered in the same moment in which it is told', () => {
    const { ask, resume } = hosted([[call('c')], ['Paid.']]);
    const lines: string[] = [];
    ask().subscribe({
      next: (event) => {
        const interrupts = interruptsOf([event]);
        if (interrupts.length > 0) lines.push(...outline(verified(resume(interrupts.map(yes)))));
      },
      error: fail,
    });
    expect(lines).toContain('TEXT_MESSAGE_CONTENT Paid.');
  });
});

it('refuses options that can not work', () => {
  const service = aiService({ model: scriptedModel([]) });
  expect(() => agUiRuns(undefined as never)).toThrow(ConfigurationError);
  expect(() => agUiRuns(undefined as never)).toThrow(/service.*undefined/);
  expect(() => agUiRuns(service, { maxWaiting: 0 })).toThrow(/maxWaiting/);
  expect(() => agUiRuns(service, { waitingTime: 0 })).toThrow(/waitingTime/);
  expect(() => agUiRuns(service, { ttl: 1 } as never)).toThrow(/ttl/);
});
