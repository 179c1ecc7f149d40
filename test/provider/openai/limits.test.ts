import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { openAiChat } from '../../../src/provider/openai/open-ai-chat.ts';
import type { ProviderOptions } from '../../../src/provider/provider-options.ts';
import { unhandled } from '../../chat/unhandled.ts';
import { fakeServer, fedBody, heedful, settled, type FedBody } from '../fake-server.ts';
import { asked, gathered, request, sseBody } from './answers.ts';
import { finish, text } from './turns.ts';

/** A model whose answer the test feeds, and its virtual time. */
function fed(timeout: ProviderOptions['timeout'], options: Partial<ProviderOptions> = {}) {
  const bodies: FedBody[] = [];
  const server = fakeServer((sent) => {
    bodies.push(fedBody());
    return heedful(bodies.at(-1)!, sent);
  });
  const scheduler = new VirtualTimeScheduler();
  const model = openAiChat({ modelName: 'm', fetch: server.fetch, scheduler, timeout, maxRetries: 0, ...options });
  return { server, bodies, scheduler, answer: gathered(model.chat(request)) };
}

/** Lets so much virtual time pass. */
async function pass(scheduler: VirtualTimeScheduler, ms: number): Promise<void> {
  const until = scheduler.frame + ms;
  scheduler.maxFrames = until;
  scheduler.flush();
  scheduler.frame = until;
  await settled();
}

describe('the time limits of a model', () => {
  it('[G31] end a stream that stalls with a timeout that may be retried, and close the request', async () => {
    const { server, bodies, scheduler, answer } = fed({ idle: 100 });
    await settled();
    bodies[0]!.send(sseBody(text('Hel')));
    await settled();
    scheduler.flush();
    expect(scheduler.frame).toBe(100);
    expect(answer.error).toMatchObject({
      message: 'openai: nothing came for 100 ms (timeout.idle)',
      kind: 'timeout',
      retryable: true,
    });
    expect(server.requests[0]!.signal.aborted).toBe(true);
    await settled();
    expect(answer.values).toEqual([{ type: 'partialResponse', text: 'Hel' }]);
  });

  it('[G31] are renewed by any byte, also by a comment', async () => {
    const { bodies, scheduler, answer } = fed({ idle: 100 });
    await settled();
    bodies[0]!.send(sseBody(text('Hel')));
    await settled();
    for (let ping = 0; ping < 5; ping++) {
      await pass(scheduler, 90);
      bodies[0]!.send(': ping\n\n');
      await settled();
    }
    expect(answer.isOver).toBe(false);
    bodies[0]!.send(sseBody(finish('stop'), '[DONE]'));
    bodies[0]!.end();
    await settled();
    expect(answer.values.map(({ type }) => type)).toEqual(['partialResponse', 'completeResponse']);
  });

  it('hold also before the headers, where the request is sent again', async () => {
    const server = fakeServer(() => new Promise<Response>(() => undefined));
    const { values, error } = await asked(server.fetch, { timeout: { firstByte: 100, idle: Infinity }, maxRetries: 1 });
    expect(values).toMatchObject([{ type: 'retry', error: { message: 'openai: nothing came for 100 ms (timeout.firstByte)' } }]);
    expect(error).toMatchObject({ kind: 'timeout' });
    expect(server.requests).toHaveLength(2);
    expect(server.requests.every(({ signal }) => signal.aborted)).toBe(true);
  });

  it('bound the whole answer, however busy, over all retries', async () => {
    const server = fakeServer(() => new Promise<Response>(() => undefined));
    const { values, error } = await asked(server.fetch, {
      timeout: { firstByte: 400, idle: Infinity, total: 1000 },
      maxRetries: 5,
    });
    expect(values).toHaveLength(1);
    expect(error).toMatchObject({ message: 'openai: the answer took longer than 1000 ms', kind: 'timeout', retryable: false });
    expect(server.requests.every(({ signal }) => signal.aborted)).toBe(true);
  });

  it('may be as long as a number can be, in real time too', async () => {
    const body = fedBody();
    const endless = Number.MAX_SAFE_INTEGER;
    const model = openAiChat({
      modelName: 'm',
      fetch: fakeServer((sent) => heedful(body, sent)).fetch,
      timeout: { firstByte: endless, idle: endless, total: endless },
    });
    const answer = gathered(model.chat(request));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(answer.error).toBeUndefined();
    answer.leave();
  });

  it('leave no timer behind when the answer has come', async () => {
    const { bodies, scheduler, answer } = fed({ firstByte: 1000, idle: 1000, total: 1000 });
    await settled();
    bodies[0]!.send(sseBody(text('x'), finish('stop'), '[DONE]'));
    bodies[0]!.end();
    await settled();
    expect(answer.isOver).toBe(true);
    expect(scheduler.actions).toEqual([]);
  });
});

describe('a subscriber that leaves', () => {
  it('[G23] aborts the request, before the headers', async () => {
    const server = fakeServer(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const answer = gathered(openAiChat({ modelName: 'm', fetch: server.fetch }).chat(request));
    answer.leave();
    await settled();
    expect(server.requests[0]!.signal.aborted).toBe(true);
    expect(answer).toMatchObject({ values: [], isOver: false });
  });

  it('[G23] aborts the request within the body, and gets nothing more', async () => {
    const { server, bodies, answer } = fed({});
    await settled();
    bodies[0]!.send(sseBody(text('Hel')));
    await settled();
    bodies[0]!.send(sseBody(text('lo')));
    answer.leave();
    expect(server.requests[0]!.signal.aborted).toBe(true);
    await settled();
    expect(answer.values).toHaveLength(1);
  });

  it('sends no request when it leaves while the key is still awaited', async () => {
    const server = fakeServer(() => new Response());
    const answer = gathered(
      openAiChat({ modelName: 'm', fetch: server.fetch, apiKey: () => Promise.resolve('k') }).chat(request),
    );
    answer.leave();
    await settled();
    expect(server.requests).toEqual([]);
  });

  it('leaves no timer behind', async () => {
    const { scheduler, answer } = fed({ firstByte: 1000, idle: 1000, total: 1000 });
    await settled();
    answer.leave();
    expect(scheduler.actions).toEqual([]);
  });
});

describe('a failure', () => {
  it('[G28] reaches the subscriber alone: nothing is left unhandled', async () => {
    const { reasons, stop } = unhandled();
    const { bodies, answer } = fed({});
    await settled();
    bodies[0]!.fail(new TypeError('terminated'));
    const left = fed({});
    await settled();
    left.answer.leave();
    await settled();
    await settled();
    stop();
    expect(answer.error).toMatchObject({ kind: 'interrupted' });
    expect(reasons).toEqual([]);
  });
});
