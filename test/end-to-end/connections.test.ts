import { Subject, of, switchMap, take, takeUntil, type Observable } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { openAiChat } from '../../src/provider/openai/open-ai-chat.ts';
import type { ProviderOptions } from '../../src/provider/provider-options.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { tool } from '../../src/tool/tool.ts';
import { unhandled } from '../chat/unhandled.ts';
import { lastOf } from '../provider/last-of.ts';
import { call, calls, finish, text } from '../provider/openai/turns.ts';
import { countingServer, data, endlessText, type Answer, type CountingServer } from './http-server.ts';
import { keptLogs } from '../service/support.ts';

let server: CountingServer;

afterEach(() => server.stop());

const modelAt = ({ url }: CountingServer, options: Partial<ProviderOptions> = {}) =>
  openAiChat({ modelName: 'm', baseUrl: url, maxRetries: 0, ...options });

const hello: Answer = (response) => response.end(data(text('Hello'), finish('stop'), '[DONE]'));
const later = (ms: number, work: () => void) => setTimeout(work, ms);

/** Ways in which a consumer leaves at the first text. */
const leaving: readonly (readonly [string, (text$: Observable<string>) => Promise<unknown>])[] = [
  ['take(1)', (text$) => lastOf(text$.pipe(take(1)))],
  [
    'takeUntil',
    (text$) => {
      const stop = new Subject<void>();
      return text$.pipe(takeUntil(stop)).forEach(() => stop.next());
    },
  ],
  [
    'switchMap',
    (text$) => {
      const query = new Subject<Observable<string>>();
      const seen = query.pipe(switchMap((inner$) => inner$)).forEach((piece) => {
        if (piece === 'x') query.next(of('next'));
        else query.complete();
      });
      query.next(text$);
      return seen;
    },
  ],
];

describe('the connection of a model', () => {
  it.each(leaving)('[G23] is closed at once when the consumer leaves by %s, and nothing comes afterwards', async (_, leave) => {
    server = await countingServer(endlessText);
    let pieces = 0;
    const counted$ = aiService({ model: modelAt(server) }).text('Hello');
    await leave(
      counted$.pipe(
        switchMap((piece) => {
          pieces++;
          return of(piece);
        }),
      ),
    );
    expect(await server.ended(0)).toBe('cut');
    expect(pieces).toBe(1);
    expect(server.underWay).toBe(0);
  });

  it('[G22] is closed when the signal of the invocation is aborted', async () => {
    server = await countingServer(endlessText);
    const controller = new AbortController();
    const failure = aiService({ model: modelAt(server) })
      .text('Hello', { signal: controller.signal })
      .forEach(() => controller.abort());
    await expect(failure).rejects.toMatchObject({ name: 'AbortError' });
    expect(await server.ended(0)).toBe('cut');
  });

  it('is closed when a started invocation is cancelled, before the first byte too', async () => {
    server = await countingServer(() => undefined);
    const running = aiService({ model: modelAt(server) }).start('Hello');
    later(50, () => running.cancel());
    await expect(lastOf(running.result$)).rejects.toMatchObject({ name: 'AbortError' });
    expect(await server.ended(0)).toBe('cut');
    expect(server.underWay).toBe(0);
  });

  it('[G31] is closed when the stream stalls, and the turn ends with a timeout', async () => {
    server = await countingServer((response) => response.write(data(text('Hel'))));
    const pieces: string[] = [];
    const failure = aiService({ model: modelAt(server, { timeout: { idle: 100 } }) })
      .text('Hello')
      .forEach((piece) => pieces.push(piece));
    await expect(failure).rejects.toMatchObject({ kind: 'timeout', retryable: true });
    expect(pieces).toEqual(['Hel']);
    expect(await server.ended(0)).toBe('cut');
  });

  it('that breaks in the middle ends the turn with an error, after the text that came', async () => {
    server = await countingServer((response) => {
      response.write(data(text('Hel')));
      later(20, () => response.destroy());
    });
    const pieces: string[] = [];
    const failure = aiService({ model: modelAt(server) })
      .text('Hello')
      .forEach((piece) => pieces.push(piece));
    await expect(failure).rejects.toMatchObject({
      kind: 'interrupted',
      message: expect.stringContaining('the connection was lost') as string,
    });
    expect(pieces).toEqual(['Hel']);
  });

  it('is used again by the next invocation, also where the answer was known before the body ended', async () => {
    server = await countingServer((response) => {
      response.write(data(text('Hello'), finish('stop'), '[DONE]'));
      later(10, () => response.end());
    });
    const service = aiService({ model: modelAt(server) });
    for (let i = 0; i < 3; i++) {
      expect((await lastOf(service.result('Hello'))).content).toBe('Hello');
      expect(await server.ended(i)).toBe('whole');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(server.requests).toBe(3);
    expect(server.connections).toBe(1);
  });

  it('is not waited for when the server keeps it open after the sentinel, and closed soon', async () => {
    server = await countingServer((response) => response.write(data(text('Hello'), finish('stop'), '[DONE]')));
    expect((await lastOf(aiService({ model: modelAt(server) }).result('Hello'))).content).toBe('Hello');
    expect(await server.ended(0)).toBe('cut');
    expect(server.underWay).toBe(0);
  });

  it('is free after an invocation of two rounds', async () => {
    server = await countingServer(
      (response) => response.end(data(calls(call(0, 'A', 'now', '{}')), finish('tool_calls'), '[DONE]')),
      hello,
    );
    const now = tool({ name: 'now', execute: () => 'noon' });
    expect((await lastOf(aiService({ model: modelAt(server), tools: [now] }).result('Hello'))).content).toBe('Hello');
    expect([await server.ended(0), await server.ended(1)]).toEqual(['whole', 'whole']);
    expect(server.underWay).toBe(0);
  });

  it('is closed when a tool fails the invocation while the model still streams', async () => {
    server = await countingServer((response, request) => {
      response.write(data(calls(call(0, 'A', 'broken', '{}')), text('Meanwhile')));
      endlessText(response, request);
    });
    const broken = tool({
      name: 'broken',
      execute: () => {
        throw new Error('the tool broke');
      },
    });
    const stream$ = aiService({ model: modelAt(server), tools: [broken] }).stream('Hello');
    await lastOf(stream$.pipe(take(6)));
    expect(await server.ended(0)).toBe('cut');
    expect(server.underWay).toBe(0);
  });

  it('[G28] that fails leaves nothing unhandled, whoever watches', async () => {
    server = await countingServer((response) => response.destroy());
    const { reasons, stop } = unhandled();
    const logger = keptLogs();
    const running = aiService({ model: modelAt(server), logger }).start('Hello');
    await new Promise((resolve) => setTimeout(resolve, 50));
    stop();
    expect(reasons).toEqual([]);
    expect(logger.logs).toHaveLength(1);
    await expect(lastOf(running.result$)).rejects.toMatchObject({ name: 'ChatModelError' });
  });
});
