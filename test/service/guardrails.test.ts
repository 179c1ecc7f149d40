import { NEVER, delay, of, retry } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { guardrail, type GuardrailResult, type InputGuardrailResult } from '../../src/chat/guardrail-result.ts';
import type { Content } from '../../src/chat/content.ts';
import type { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import { InputGuardrailExecutedEvent, OutputGuardrailExecutedEvent } from '../../src/event/guardrail-events.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { InputGuardrailError, OutputGuardrailError } from '../../src/service/guardrail/guardrail-errors.ts';
import type {
  InputGuardrail,
  InputGuardrailRequest,
  OutputGuardrail,
  OutputGuardrailRequest,
} from '../../src/service/guardrail/guardrail.ts';
import { InvocationCancelledError, LimitExceededError } from '../../src/service/service-errors.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { drawSpan, logged, type SubscriptionSpan } from '../../src/testing/subscription-log.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { tool } from '../../src/tool/tool.ts';
import { watch } from '../chat/watch.ts';
import { expectValid, kept, outline, play, roomyMemory, type Played, type Script } from './support.ts';

const answered = ['requestIssued', 'responseReceived'];
const a = () => scriptedTool('a', '-r|');
const requestsOf = ({ model }: Played) => model.requests.map(({ messages }) => outline(messages));
const oneOf = <E>(events: readonly AiServiceEvent[], type: abstract new (...fields: never[]) => E): E[] =>
  events.filter((event): event is AiServiceEvent & E => event instanceof type);

/** An input guardrail that keeps what it is asked. */
function input(judge: (request: InputGuardrailRequest) => InputGuardrailResult = guardrail.success) {
  const requests: InputGuardrailRequest[] = [];
  const judging: InputGuardrail = (request) => {
    requests.push(request);
    return judge(request);
  };
  return Object.assign(judging, { requests });
}

/** An output guardrail that keeps what it is asked. */
function output(judge: (request: OutputGuardrailRequest) => GuardrailResult = guardrail.success) {
  const requests: OutputGuardrailRequest[] = [];
  const judging: OutputGuardrail = (request) => {
    requests.push(request);
    return judge(request);
  };
  return Object.assign(judging, { requests });
}

/** Refuses this many answers, and then lets one pass. */
const refusing = (times: number, refusal: GuardrailResult) =>
  output(({ attempt }) => (attempt <= times ? refusal : guardrail.success()));

describe('input guardrails', () => {
  it('[S178] run behind the start and before the request, one after the other', () => {
    const played = play({ rounds: ['-t|'], inputGuardrails: [input(), input()] });
    expect(played.firedTypes).toEqual(['started', 'inputGuardrailExecuted', 'inputGuardrailExecuted', ...answered, 'completed']);
    expect(played.marbles).toBe('-t($|)');
    expect(played.history).toEqual(['user: hello', 'assistant: t']);
  });

  it('[S62] [S178] that refuse the message fail the invocation: no request, nothing in memory, and the Error event', () => {
    const refused = input(() => guardrail.failure('too rude'));
    const played = play({ rounds: [], inputGuardrails: [refused] });
    expect(played.marbles).toBe('#');
    expect(played.error).toBeInstanceOf(InputGuardrailError);
    expect((played.error as Error).message).toContain('too rude');
    expect(played.firedTypes).toEqual(['started', 'inputGuardrailExecuted', 'error']);
    expect(played.model.requests).toEqual([]);
    expect(played.history).toEqual([]);
  });

  it('[S62] that refuse do so in every mode', () => {
    const service = aiService({ model: scriptedModel([]), inputGuardrails: [() => guardrail.fatal('no')] });
    for (const source of [service.stream('x'), service.text('x'), service.result('x'), service.start('x').events$])
      expect(watch(source as ReturnType<typeof service.stream>).error).toBeInstanceOf(InputGuardrailError);
    const errors: Error[] = [];
    service
      .tokenStream('x')
      .onError((error) => errors.push(error))
      .start();
    expect(errors).toEqual([expect.any(InputGuardrailError)]);
  });

  it('[S175] see the message with its media, with what was retrieved, and the history before it', () => {
    const image: Content = { type: 'image', url: 'https://example.org/a.png' };
    const judging = input();
    const chatMemory = roomyMemory();
    play({ rounds: ['-t|'], chatMemory });
    play({
      rounds: ['-t|'],
      chatMemory,
      input: [{ type: 'text', text: 'what is it?' }, image],
      contentRetriever: () => [{ type: 'text', text: 'a fact' }],
      inputGuardrails: [judging],
    });
    const { userMessage, text, messages, invocation } = judging.requests[0]!;
    expect(userMessage.contents.slice(0, 2)).toEqual([{ type: 'text', text: 'what is it?' }, image]);
    expect(text).toContain('a fact');
    expect(outline(messages)).toEqual(['user: hello', 'assistant: t']);
    expect(outline([invocation.originalUserMessage])).toEqual(['user: what is it?+(image)']);
  });

  it('[S175] that rewrite the message change what the model gets, what memory keeps, and what providers and tools are told', () => {
    const told: unknown[] = [];
    const reading = tool({ name: 'a', execute: (_, { invocation: { userMessage } }) => void told.push(userMessage) });
    const played = play({
      rounds: ['A|', 'z|'],
      tools: [reading],
      toolProviders: [{ provideTools: ({ userMessage }) => void told.push(userMessage) }],
      inputGuardrails: [input(({ text }) => guardrail.rewrite(`${text}, please`))],
    });
    expect(requestsOf(played).map(([first]) => first)).toEqual(['user: hello, please', 'user: hello, please']);
    expect(played.history[0]).toBe('user: hello, please');
    expect(told).toEqual([
      { role: 'user', contents: [{ type: 'text', text: 'hello, please' }] },
      { role: 'user', contents: [{ type: 'text', text: 'hello, please' }] },
    ]);
    expect(outline([played.values[0]!.invocation.originalUserMessage])).toEqual(['user: hello']);
  });

  it('that rewrite: memory does not keep the message as it was, also where it does not keep what was retrieved', () => {
    const played = play({
      rounds: ['-t|'],
      contentRetriever: () => [{ type: 'text', text: 'a fact' }],
      storeRetrievedContentInChatMemory: false,
      inputGuardrails: [() => guardrail.rewrite('***')],
    });
    expect(requestsOf(played)).toEqual([['user: ***']]);
    expect(played.history[0]).toBe('user: ***');
  });

  it('that find several things tell all of them, with the cause of the first', () => {
    const cause = new Error('list of words');
    const played = play({
      rounds: [],
      inputGuardrails: [
        function polite() {
          return guardrail.failure('rude', { cause });
        },
        () => guardrail.failure('long'),
      ],
    });
    expect((played.error as InputGuardrailError).failures).toEqual([
      { guardrail: 'polite', message: 'rude', cause },
      { guardrail: 'inputGuardrails[1]', message: 'long' },
    ]);
    expect((played.error as Error).cause).toBe(cause);
    const events = oneOf(played.fired, InputGuardrailExecutedEvent);
    expect(events.map(({ guardrail: name, result }) => [name, result.type])).toEqual([
      ['polite', 'failure'],
      ['inputGuardrails[1]', 'failure'],
    ]);
  });

  it('take the time that they take, and tell it', () => {
    const played = play({ rounds: ['-t|'], inputGuardrails: [() => of(guardrail.success()).pipe(delay(3)), input()] });
    expect(played.marbles).toBe('----t($|)');
    expect(oneOf(played.fired, InputGuardrailExecutedEvent).map(({ duration }) => duration)).toEqual([3, 0]);
  });

  it('[S52] [S70] are unsubscribed from when the invocation is left, and the model is never asked', () => {
    const spans: SubscriptionSpan[] = [];
    const last = input();
    const played = play({ rounds: [], inputGuardrails: [() => logged(NEVER, spans), last], subscription: '^---!' });
    expect(spans.map(drawSpan)).toEqual(['^---!']);
    expect(last.requests).toEqual([]);
    expect(played.model.requests).toEqual([]);
    expect(played.firedTypes).toEqual(['started', 'cancelled']);
  });

  it('do not outlast the time of the invocation', () => {
    const played = play({ rounds: [], inputGuardrails: [() => NEVER], limits: { duration: 4 } });
    expect(played.marbles).toBe('----#');
    expect(played.error).toBeInstanceOf(LimitExceededError);
  });

  it('run again for a retry when they refused, and not when the model failed behind them', () => {
    let calls = 0;
    const moody = input(() => (++calls === 1 ? guardrail.failure('busy') : guardrail.rewrite('mild')));
    const played = play({ rounds: ['#', '-t|'], inputGuardrails: [moody], pipe: retry(2) });
    expect(calls).toBe(2);
    expect(requestsOf(played)).toEqual([['user: mild'], ['user: mild']]);
    expect(played.history).toEqual(['user: mild', 'assistant: t']);
  });

  it('that throw are fatal, and those that ask for another answer are a configuration error', () => {
    const down = new Error('down');
    const throwing = play({
      rounds: [],
      inputGuardrails: [
        () => {
          throw down;
        },
      ],
    });
    expect(throwing.error).toBeInstanceOf(InputGuardrailError);
    expect((throwing.error as Error).cause).toBe(down);
    expect(play({ rounds: [], inputGuardrails: [() => guardrail.retry('again') as never] }).error).toBeInstanceOf(
      ConfigurationError,
    );
    expect(play({ rounds: [], inputGuardrails: [() => undefined as never] }).error).toBeInstanceOf(ConfigurationError);
  });
});

describe('output guardrails', () => {
  const guarded = (script: Partial<Script> & { readonly outputGuardrails: Script['outputGuardrails'] }) =>
    play({ rounds: ['-t-u|'], ...script });

  it('[S45] [S178] that let the answer pass: no text streams, and the final response has it', () => {
    const played = guarded({ outputGuardrails: [output()] });
    expect(played.marbles).toBe('----($|)');
    expect(played.values.map(({ type }) => type)).toEqual(['finalResponse']);
    expect(played.values[0]).toMatchObject({ response: { aiMessage: { text: 'tu' } } });
    expect(played.firedTypes).toEqual(['started', ...answered, 'outputGuardrailExecuted', 'completed']);
    expect(played.history).toEqual(['user: hello', 'assistant: tu']);
  });

  it('are told the answer, what the model was sent, the invocation and the attempt', () => {
    const judging = output();
    const played = guarded({ outputGuardrails: [judging], rounds: ['-tA|', '-z|'], tools: [a()], systemMessage: 'be kind' });
    expect(judging.requests).toHaveLength(1);
    const { response, text, messages, invocation, attempt } = judging.requests[0]!;
    expect([response.aiMessage.text, text, attempt]).toEqual(['z', 'z', 1]);
    expect(outline(messages)).toEqual(['system: be kind', 'user: hello', 'assistant: t [A]', 'A: r']);
    expect(invocation).toBe(played.values[0]!.invocation);
  });

  it('[S46] that rewrite the answer: only that is in the final response, the result, memory and the Completed event', () => {
    const last = output();
    const outputGuardrails = [() => guardrail.rewrite('mild'), last];
    const played = guarded({ outputGuardrails });
    expect(played.values).toMatchObject([{ type: 'finalResponse', response: { aiMessage: { text: 'mild' } } }]);
    expect(last.requests.map(({ text }) => text)).toEqual(['mild']);
    expect(played.history).toEqual(['user: hello', 'assistant: mild']);
    expect(played.fired.at(-1)).toMatchObject({ type: 'completed', result: { content: 'mild' } });
    const model = scriptedModel(['(t|)']);
    const { values } = watch(aiService({ model, outputGuardrails }).result('hello'));
    expect(values).toMatchObject([{ content: 'mild', finalResponse: { aiMessage: { text: 'mild' } }, finishReason: 'stop' }]);
  });

  it('[S48] [S49] text() has one item with them: the answer as they let it pass', () => {
    runMarbles(({ record }) => {
      const model = scriptedModel(['-t-A|', '-t-u|']);
      const text$ = aiService({ model, tools: [a()], outputGuardrails: [output()] }).text('hello');
      record(text$, (text) => `<${text.length}`).toBe('---------(<2|)');
    });
    const texts = (judge: OutputGuardrail, rounds = ['(tu|)']) =>
      watch(aiService({ model: scriptedModel(rounds), outputGuardrails: [judge] }).text('hello')).values;
    expect(texts(() => guardrail.success())).toEqual(['tu']);
    expect(texts(() => guardrail.rewrite('mild'))).toEqual(['mild']);
    expect(texts(() => guardrail.success(), ['(|)'])).toEqual([]);
    expect(texts(refusing(1, guardrail.retry('no')), ['(t|)', '(u|)'])).toEqual(['u']);
  });

  it('start() has the text in one piece with them, for all its views', () => {
    const service = aiService({ model: scriptedModel(['(tu|)']), outputGuardrails: [() => guardrail.rewrite('mild')] });
    const running = service.start('hello');
    expect(watch(running.text$).values).toEqual(['mild']);
    expect(watch(running.events$).values.map(({ type }) => type)).toEqual(['finalResponse']);
    expect(watch(running.result$).values[0]!.content).toBe('mild');
  });

  it('[S177] a token stream has the text in one piece with them, of the answer that has passed', () => {
    const told: string[] = [];
    aiService({
      model: scriptedModel(['(~tA|)', '(u|)', '(v|)']),
      tools: [tool({ name: 'a', execute: () => 'r' })],
      outputGuardrails: [refusing(1, guardrail.retry('no'))],
    })
      .tokenStream('hello')
      .onPartialResponse((text) => told.push(text))
      .onPartialThinking((text) => told.push(text))
      .onToolExecuted(({ result }) => told.push(result))
      .onCompleteResponse(({ aiMessage: { text } }) => told.push(`complete: ${text}`))
      .onError((error) => told.push(String(error)))
      .start();
    expect(told).toEqual(['~', 'r', 'v', 'complete: v']);
  });

  it('[S47] [S178] that refuse the answer fail the invocation: no final response, and nothing of the answer in memory', () => {
    const played = guarded({ outputGuardrails: [() => guardrail.fatal('secret'), output()] });
    expect(played.marbles).toBe('----#');
    expect(played.error).toBeInstanceOf(OutputGuardrailError);
    expect((played.error as Error).message).toMatch(/secret/);
    expect((played.error as Error).message).not.toContain('tu');
    expect(played.firedTypes).toEqual(['started', ...answered, 'outputGuardrailExecuted', 'error']);
    expect(played.history).toEqual([]);
  });

  it('that refuse the answer behind a round of tools: memory has the round, and not the answer', () => {
    const played = guarded({ rounds: ['-tA|', '-z|'], tools: [a()], outputGuardrails: [() => guardrail.failure('no')] });
    expect(played.history).toEqual(['user: hello', 'assistant: t [A]', 'A: r']);
    expect(played.error).toBeInstanceOf(OutputGuardrailError);
  });

  it('that find several things tell all of them', () => {
    const outputGuardrails = [() => guardrail.failure('rude'), () => guardrail.failure('long')];
    const played = guarded({ outputGuardrails });
    expect((played.error as OutputGuardrailError).failures.map(({ message }) => message)).toEqual(['rude', 'long']);
    expect(oneOf(played.fired, OutputGuardrailExecutedEvent)).toHaveLength(2);
  });

  it('[S51] hold back the text of every round: that beside calls is in the intermediate response alone; thoughts stay live', () => {
    const played = guarded({ rounds: ['-~-tA|', '-~z|'], tools: [a()], outputGuardrails: [output()] });
    expect(played.marbles).toBe('-~--(A<a)(*a%)>a~-($|)');
    expect(played.values.filter(({ type }) => type === 'partialResponse')).toEqual([]);
    expect(played.values.find(({ type }) => type === 'intermediateResponse')).toMatchObject({
      response: { aiMessage: { text: 't' } },
    });
  });

  it('take the time that they take, and tell it', () => {
    const played = guarded({ outputGuardrails: [() => of(guardrail.success()).pipe(delay(3))] });
    expect(played.marbles).toBe('-------($|)');
    expect(oneOf(played.fired, OutputGuardrailExecutedEvent)).toMatchObject([
      { duration: 3, response: { aiMessage: { text: 'tu' } } },
    ]);
  });

  it('may answer with promises, and a rejection is fatal', async () => {
    const down = new Error('down');
    const ask = (judge: OutputGuardrail) =>
      new Promise((resolve) =>
        aiService({ model: scriptedModel(['(t|)']), outputGuardrails: [judge] })
          .text('hello')
          .subscribe({ next: resolve, error: resolve }),
      );
    expect(await ask(() => Promise.resolve(guardrail.rewrite('mild')))).toBe('mild');
    expect(await ask(() => Promise.reject(down))).toMatchObject({ name: 'OutputGuardrailError', cause: down });
  });

  it('that return what is no result are a configuration error', () => {
    expect(guarded({ outputGuardrails: [() => true as never] }).error).toBeInstanceOf(ConfigurationError);
  });

  it('are none in an empty list: the text streams', () => {
    expect(guarded({ outputGuardrails: [], inputGuardrails: [] }).marbles).toBe('-t-u($|)');
  });

  it('are skipped where the results of tools are the answer, and text() has nothing then', () => {
    const judging = output(() => guardrail.fatal('no'));
    const b = tool({ name: 'b', execute: () => 'done', returnBehavior: 'immediate' });
    const played = guarded({ rounds: ['-tB|'], tools: [b], outputGuardrails: [judging] });
    expect(judging.requests).toEqual([]);
    expect(played.marbles.endsWith('$|)')).toBe(true);
    const service = aiService({ model: scriptedModel(['(tB|)']), tools: [b], outputGuardrails: [judging] });
    expect(watch(service.text('hello'))).toMatchObject({ values: [], end: 'complete' });
  });

  it('[S52] are unsubscribed from when the invocation is left: it is cancelled, and memory has nothing of the answer', () => {
    const spans: SubscriptionSpan[] = [];
    const last = output();
    const played = guarded({ outputGuardrails: [() => logged(NEVER, spans), last], subscription: '^------!' });
    expect(played.marbles).toBe('');
    expect(spans.map(drawSpan)).toEqual(['----^--!']);
    expect(last.requests).toEqual([]);
    expect(played.firedTypes).toEqual(['started', ...answered, 'cancelled']);
    expect(played.history).toEqual([]);
  });

  it('[S52] that are cut short by a signal, or the model before them: the error has no text that they have not seen', () => {
    for (const frame of [2, 6]) {
      const controller = new AbortController();
      const played = guarded({
        outputGuardrails: [() => NEVER],
        call: { signal: controller.signal },
        meanwhile: { [frame]: () => controller.abort() },
      });
      expect(played.error).toBeInstanceOf(InvocationCancelledError);
      const { partial } = played.error as InvocationCancelledError;
      expect(partial.content).toBeNull();
      expect(JSON.stringify(partial)).not.toMatch(/"tu?"/);
    }
  });

  it('do not outlast the time of the invocation; what they have not let pass is not given to a retry either', () => {
    const slow = output();
    const script = {
      rounds: ['-t|', '-u|'],
      outputGuardrails: [
        ({ attempt, ...request }: OutputGuardrailRequest) => (request.text === 't' ? NEVER : slow({ attempt, ...request })),
      ],
      limits: { duration: 6 },
    };
    const failed = guarded(script);
    expect(failed.marbles).toBe('------#');
    expect(failed.error).toBeInstanceOf(LimitExceededError);
    const retried = guarded({ ...script, pipe: retry(1) });
    expect(retried.history).toEqual(['user: hello', 'assistant: u']);
  });

  it('that have refused an answer: a retry of the stream asks the model again, and the new answer is judged as well', () => {
    const judging = output(({ text }) => (text === 'v' ? guardrail.success() : guardrail.failure('no')));
    const rounds = ['-tA|', '-u|', '-v|'];
    const retried = guarded({ rounds, tools: [a()], outputGuardrails: [judging], pipe: retry(1) });
    expect(judging.requests.map(({ text }) => text)).toEqual(['u', 'v']);
    expect(retried.history).toEqual(['user: hello', 'assistant: t [A]', 'A: r', 'assistant: v']);
    expect(requestsOf(retried)[2]).toEqual(requestsOf(retried)[1]);
    const given = guarded({ rounds: ['-t|', '-u|', '-w|'], outputGuardrails: [judging], pipe: retry(2) });
    expect(given.error).toBeInstanceOf(OutputGuardrailError);
    expect(given.history).toEqual([]);
  });

  it('that have let an answer pass are not asked again when memory fails and the stream is retried', () => {
    const judging = output(() => guardrail.rewrite('mild'));
    let writes = 0;
    const memory = roomyMemory();
    const chatMemory = {
      ...memory,
      add: (messages: Parameters<typeof memory.add>[0]) => {
        if (++writes === 1) throw new Error('disk full');
        return memory.add(messages);
      },
    };
    const played = guarded({ outputGuardrails: [judging], chatMemory, pipe: retry(1) });
    expect(judging.requests).toHaveLength(1);
    expect(played.model.requests).toHaveLength(1);
    expect(outline(kept(memory))).toEqual(['user: hello', 'assistant: mild']);
  });

  it('judge an answer that was cut at its length', () => {
    const judging = output();
    const rounds = [{ marbles: '-t|', response: { finishReason: 'length' as const } }];
    const played = guarded({ rounds, outputGuardrails: [judging] });
    expect(judging.requests[0]!.response.finishReason).toBe('length');
    expect(played.values.at(-1)).toMatchObject({ response: { finishReason: 'length', aiMessage: { text: 't' } } });
  });

  it('judge the text of an answer that was cut among its calls: the calls that ran are in memory, and the text only if it passes', () => {
    const cut = [{ marbles: '-tA-u|', response: { finishReason: 'length' as const } }];
    const tools = () => [scriptedTool('a', '-r|')];
    const mild = guarded({ rounds: cut, tools: tools(), outputGuardrails: [() => guardrail.rewrite('mild')] });
    expect(mild.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: mild']);
    expect(mild.values.at(-1)).toMatchObject({ response: { aiMessage: { text: 'mild' } } });
    const refused = guarded({ rounds: cut, tools: tools(), outputGuardrails: [() => guardrail.failure('no')] });
    expect(refused.history).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
    const service = aiService({
      model: scriptedModel(['(tA|)'].map((marbles) => ({ marbles, response: { finishReason: 'length' } }))),
      tools: [tool({ name: 'a', execute: () => 'r' })],
      outputGuardrails: [() => guardrail.success()],
    });
    expect(watch(service.text('hello')).values).toEqual(['t']);
  });
});

describe('an output guardrail that wants another answer', () => {
  it('with retry: the same request goes out again, and the first answer is not in it', () => {
    const judging = refusing(1, guardrail.retry('too long'));
    const played = play({ rounds: ['-t|', '-u|'], outputGuardrails: [judging] });
    expect(requestsOf(played)).toEqual([['user: hello'], ['user: hello']]);
    expect(played.marbles).toBe('----($|)');
    expect(played.firedTypes).toEqual([
      'started',
      ...answered,
      'outputGuardrailExecuted',
      ...answered,
      'outputGuardrailExecuted',
      'completed',
    ]);
    expect(judging.requests.map(({ attempt, text }) => [attempt, text])).toEqual([
      [1, 't'],
      [2, 'u'],
    ]);
    expect(played.history).toEqual(['user: hello', 'assistant: u']);
  });

  it('with reprompt: the model sees what it said and why that will not do, and memory keeps neither', () => {
    const judging = refusing(2, guardrail.reprompt('too long', 'Be brief.'));
    const played = play({ rounds: ['-t|', '-u|', '-v|'], outputGuardrails: [judging] });
    expect(requestsOf(played)).toEqual([
      ['user: hello'],
      ['user: hello', 'assistant: t', 'user: Be brief.'],
      ['user: hello', 'assistant: t', 'user: Be brief.', 'assistant: u', 'user: Be brief.'],
    ]);
    expect(outline(judging.requests[1]!.messages)).toEqual(requestsOf(played)[1]);
    expect(played.history).toEqual(['user: hello', 'assistant: v']);
  });

  it('with reprompt, of an answer without text: the model is told why alone', () => {
    const played = play({
      rounds: ['-|', '-u|'],
      outputGuardrails: [refusing(1, guardrail.reprompt('empty', 'Say something.'))],
    });
    expect(requestsOf(played)[1]).toEqual(['user: hello', 'user: Say something.']);
  });

  it.each([
    [undefined, 3],
    [0, 1],
    [1, 2],
    [3, 4],
  ])(
    'is heard maxOutputGuardrailRetries times, 2 by default, and then the invocation fails: %s',
    (maxOutputGuardrailRetries, asked) => {
      for (const refusal of [guardrail.retry('too long'), guardrail.reprompt('too long', 'Be brief.')]) {
        const judging = output(() => refusal);
        const played = play({
          rounds: Array.from({ length: 6 }, () => '-t|'),
          outputGuardrails: [judging],
          ...(maxOutputGuardrailRetries !== undefined && { maxOutputGuardrailRetries }),
        });
        expect(played.model.requests).toHaveLength(asked);
        expect(judging.requests.map(({ attempt }) => attempt)).toEqual(Array.from({ length: asked }, (_, place) => place + 1));
        expect(played.error).toBeInstanceOf(OutputGuardrailError);
        expect((played.error as OutputGuardrailError).failures).toMatchObject([{ message: 'too long' }]);
        expect(played.history).toEqual([]);
      }
    },
  );

  it('is asked behind those before it, all of which judge the new answer again', () => {
    const first = output();
    play({ rounds: ['-t|', '-u|'], outputGuardrails: [first, refusing(1, guardrail.retry('no'))] });
    expect(first.requests.map(({ text }) => text)).toEqual(['t', 'u']);
  });

  it('[S50] [S59] [S176] and gets one that calls a tool: the tool runs before the next answer is judged', () => {
    const judging = refusing(1, guardrail.reprompt('unfounded', 'Look it up.'));
    const played = play({ rounds: ['-t|', '-A|', '-z|'], tools: [a()], outputGuardrails: [judging] });
    expect(played.marbles).toBe('---(A<a)(*a%)>a-($|)');
    expect(requestsOf(played)[2]).toEqual(['user: hello', 'assistant: t', 'user: Look it up.', 'assistant: [A]', 'A: r']);
    expect(judging.requests.map(({ text }) => text)).toEqual(['t', 'z']);
    expect(played.firedTypes).toEqual([
      'started',
      ...answered,
      'outputGuardrailExecuted',
      ...answered,
      'toolExecuted',
      ...answered,
      'outputGuardrailExecuted',
      'completed',
    ]);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
    expectValid(kept(played.memory));
  });

  it("[S176] and gets one whose tool fails: the model is told of the tool's error", () => {
    const tools = [scriptedTool('a', '-#')];
    const played = play({
      rounds: ['-t|', '-A|', '-z|'],
      tools,
      toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
      outputGuardrails: [refusing(1, guardrail.reprompt('no', 'Again.'))],
    });
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A! a failed', 'assistant: z']);
  });

  it('adds the tokens of the refused answers to the sum', () => {
    const round = (marbles: string) => ({ marbles, response: { tokenUsage: { inputTokens: 10, outputTokens: 1 } } });
    const played = play({ rounds: [round('-t|'), round('-u|')], outputGuardrails: [refusing(1, guardrail.retry('no'))] });
    expect(played.values.at(-1)).toMatchObject({ response: { tokenUsage: { inputTokens: 20, outputTokens: 2 } } });
  });

  it("keeps the user's question in the request however small the memory is", () => {
    const judging = output(({ text }) => (text === 'z' ? guardrail.success() : guardrail.reprompt('no', 'Again.')));
    const played = play({
      rounds: ['-t|', '-A|', '-B|', '-u|', '-z|'],
      tools: [a(), scriptedTool('b', '-s|')],
      chatMemory: messageWindowMemory({ maxMessages: 2 }),
      outputGuardrails: [judging],
    });
    expect(requestsOf(played)).toEqual([
      ['user: hello'],
      ['user: hello', 'assistant: t', 'user: Again.'],
      ['user: hello', 'assistant: t', 'user: Again.', 'assistant: [A]', 'A: r'],
      ['user: hello', 'assistant: t', 'user: Again.', 'assistant: [B]', 'B: s'],
      ['user: hello', 'assistant: t', 'user: Again.', 'assistant: [B]', 'B: s', 'assistant: u', 'user: Again.'],
    ]);
    expect(played.history).toEqual(['user: hello', 'assistant: z']);
  });

  it('and a memory that hands out copies: the model still gets the question and why it is asked again', () => {
    const memory = messageWindowMemory({ maxMessages: 3 });
    const chatMemory = {
      ...memory,
      fit: (messages: Parameters<NonNullable<typeof memory.fit>>[0]) => structuredClone(messages),
    };
    const played = play({
      rounds: ['-t|', '-A|', '-z|'],
      tools: [a()],
      chatMemory,
      outputGuardrails: [refusing(1, guardrail.reprompt('no', 'Again.'))],
    });
    expect(requestsOf(played)[1]).toEqual(['user: hello', 'assistant: t', 'user: Again.']);
    expect([...requestsOf(played)[2]!].sort()).toEqual(['A: r', 'assistant: [A]', 'assistant: t', 'user: Again.', 'user: hello']);
    expect(played.marbles.endsWith('($|)')).toBe(true);
  });

  it('is not forgotten by a retry of the stream: the model still sees why it was asked again', () => {
    for (const chatMemory of [roomyMemory(), messageWindowMemory({ maxMessages: 2 }), undefined]) {
      const played = play({
        rounds: ['-t|', '-A|', '#', '-z|'],
        tools: [a()],
        chatMemory,
        outputGuardrails: [refusing(1, guardrail.reprompt('no', 'Again.'))],
        pipe: retry(1),
      });
      const last = ['user: hello', 'assistant: t', 'user: Again.', 'assistant: [A]', 'A: r'];
      expect(requestsOf(played).slice(2)).toEqual([last, last]);
    }
  });

  it('counts its rounds of tools together with those before', () => {
    const played = play({
      rounds: ['A|', '-t|', 'A|'],
      tools: [a()],
      maxToolCallingRoundTrips: 1,
      outputGuardrails: [refusing(1, guardrail.retry('no'))],
    });
    expect(played.error).toMatchObject({ name: 'ToolRoundTripsExceededError' });
  });

  it('and a model that fails then: the invocation fails with its error, and nothing of the refused answer is kept', () => {
    const played = play({ rounds: ['-t|', '-u#'], outputGuardrails: [refusing(1, guardrail.retry('no'))] });
    expect(played.error).toMatchObject({ name: 'ChatModelError' });
    expect(played.history).toEqual([]);
  });

  it('a round that broke is asked for again even for text(): none of it has gone out', () => {
    const model = scriptedModel(['(t#)', '(u|)']);
    const service = aiService({ model, roundRetries: 1, outputGuardrails: [() => guardrail.success()] });
    expect(watch(service.text('hello'))).toMatchObject({ values: ['u'], end: 'complete' });
  });

  it('and each round for it may break as often as any other', () => {
    const rounds = ['-t#', '-t|', '-u#', '-u|'];
    const played = play({ rounds, roundRetries: 1, outputGuardrails: [refusing(1, guardrail.retry('no'))] });
    expect(played.history).toEqual(['user: hello', 'assistant: u']);
  });
});
