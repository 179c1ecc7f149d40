import { Observable, map, of, retry, take, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ChatMessage } from '../../src/chat/message.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { Recording } from '../../src/testing/recording.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import type { ToolContext } from '../../src/tool/types.ts';
import { answering } from './answering.ts';
import { keptLogs, play } from './support.ts';

describe('whoever leaves from inside of a callback', () => {
  it('of the growing object stops everything at once', () => {
    const ran: string[] = [];
    const service = aiService({
      model: answering(['(0A)|', '0|'], ['{"v":1}']),
      output: z.object({ v: z.number() }),
      tools: [tool({ name: 'a', execute: () => ran.push('a') })],
    });
    runMarbles(({ record }) => void record(service.partial('hello').pipe(take(1)), (value) => JSON.stringify(value)));
    expect(ran).toEqual([]);
  });

  it.each<[string, (leave: () => void) => Partial<AiServiceOptions>]>([
    ['a transformer', (leave) => ({ chatRequestTransformer: (request) => (leave(), request) })],
    ['a tool provider', (leave) => ({ toolProviders: [{ isDynamic: true, provideTools: () => (leave(), []) }] })],
  ])('such as %s issues no request', (_, options) => {
    const controller = new AbortController();
    const played = play({ rounds: ['-z|'], call: { signal: controller.signal }, ...options(() => controller.abort()) });
    expect(played.firedTypes).toEqual(['started', 'cancelled']);
    expect(played.model.requests).toEqual([]);
  });

  it('has nothing begun that the callback returns', () => {
    const controller = new AbortController();
    let begun = 0;
    const work = () => {
      controller.abort();
      return new Observable<never>(() => void begun++);
    };
    play({ rounds: ['A|'], call: { signal: controller.signal }, tools: [tool({ name: 'a', execute: work })] });
    expect(begun).toBe(0);
  });
});

describe('something thrown that must not be looked at', () => {
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const broken = () =>
    Object.defineProperty(new Error(), 'message', {
      get() {
        throw new Error('do not look');
      },
    });

  it.each([
    ['an object that is gone', revoked],
    ['an error whose message can not be read', broken],
  ])('%s ends the invocation like any other error, wherever it is thrown', (_, make) => {
    const throwing = () => {
      throw make();
    };
    const a = (): AiServiceOptions['tools'] => [{ ...scriptedTool('a', 'r|'), needsApproval: true }];
    const ways: Partial<AiServiceOptions>[] = [
      { beforeToolExecution: throwing, approveToolExecution: () => true },
      { afterToolExecution: throwing, approveToolExecution: () => true },
      { approveToolExecution: throwing },
      { toolExecutionErrorHandler: throwing },
      { chatRequestTransformer: throwing },
      { tools: [tool({ name: 'a', execute: throwing })] },
      { tools: [{ ...scriptedTool('a', 'r|'), needsApproval: throwing }] },
      { tools: [], hallucinatedToolNameStrategy: throwing },
    ];
    for (const way of ways) {
      const played = play({ rounds: ['A|', 'z|'], tools: a()!, ...way });
      expect(played.firedTypes.filter((type) => ['error', 'completed', 'cancelled'].includes(type))).toEqual(['error']);
    }
  });
});

describe('what goes wrong beside an invocation', () => {
  it('such as a logger that throws, changes nothing', () => {
    const fail = () => {
      throw new Error('logger');
    };
    const logger = { warn: fail, error: fail, debug: fail };
    const a = { ...scriptedTool('a', '-#'), compensate: () => undefined };
    expect(play({ rounds: ['A|', '-z|'], tools: [a], logger, legacy: true }).history.at(-1)).toBe('assistant: z');
  });

  it('such as a store that keeps what it says it could not keep, leaves nothing twice in memory after a retry', () => {
    let messages: readonly ChatMessage[] = [];
    let fails = 1;
    const chatMemory = messageWindowMemory({
      maxMessages: 50,
      store: {
        getMessages: () => messages,
        updateMessages: (_, kept) => {
          messages = kept;
          if (fails-- > 0) throw new Error('timeout');
        },
        deleteMessages: () => undefined,
      },
    });
    const played = play({ rounds: ['A|', '-z|'], tools: [scriptedTool('a', 'r|')], chatMemory, pipe: retry(1) });
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });
});

describe('a success behind a failed call', () => {
  const paying = (undone: string[]) =>
    tool({ name: 'a', execute: () => 'paid', compensate: ({ result }) => void undone.push(result) });

  it('is undone: an interceptor that fails the call does not undo what the tool did', () => {
    const undone: string[] = [];
    play({
      rounds: ['A|', '-z|'],
      tools: [paying(undone)],
      compensateOnToolErrors: true,
      interceptors: {
        tool: [
          (_request, _context, next) =>
            next().pipe(
              map(() => {
                throw new Error('audit failed');
              }),
            ),
        ],
      },
    });
    expect(undone).toEqual(['paid']);
  });

  it('in a service that a retry asks twice is undone twice, the last one first', () => {
    const undone: string[] = [];
    let paid = 0;
    const pay = tool({ name: 'p', execute: () => ++paid, compensate: ({ result }) => void undone.push(result) });
    const inner = aiService({ model: scriptedModel(['P|', '-y|', 'P|', '-y|']), tools: [pay], logger: keptLogs() });
    let tries = 0;
    const flaky = inner.asTool({ name: 'a' }).pipe(
      tap(() => {
        if (++tries === 1) throw new Error('flaky');
      }),
      retry(1),
    );
    play({
      rounds: ['A|', '-#'],
      script: { calls: { A: { arguments: '{"input":"q"}' } } },
      tools: [flaky],
      compensateOnToolErrors: true,
    });
    expect(undone).toEqual(['2', '1']);
  });
});

describe('text that is asked for again', () => {
  const output = z.object({ v: z.number() });
  const service = () => aiService({ model: answering(['-0|', '-1|'], ['{"v":"x"}', '{"v":1}']), output });

  it('is taken back in the stream', () => {
    runMarbles(
      ({ expectEvents }) =>
        void expectEvents(service().stream('hello')).toBe('-x&1($|)', { x: { text: '{"v":"x"}' }, '1': { text: '{"v":1}' } }),
    );
  });

  it('is not shown by text() before it fits', () => {
    runMarbles(({ record }) => void record(service().text('hello')).toBe('----({"v":1}|)'));
  });
});

describe('a call of an inner service', () => {
  it('that needs an approval can be decided on from outside', () => {
    const asked: ToolContext[] = [];
    const careful = {
      ...tool({ name: 'b', execute: (_, context) => (asked.push(context), of('done')) }),
      needsApproval: true,
    };
    const inner = aiService({ model: scriptedModel(['B|', '-y|']), tools: [careful] });
    const script = { calls: { A: { arguments: '{"input":"q"}' } } };
    let watched: Recording<unknown> | undefined;
    runMarbles(({ expectEvents, at }) => {
      const running = aiService({ model: scriptedModel(['A|', '-z|'], script), tools: [inner.asTool({ name: 'a' })] }).start(
        'go',
      );
      watched = expectEvents(running.events$);
      at(5, () => expect(running.decideToolCall('B', true)).toBe(true));
    });
    expect(asked).toHaveLength(1);
    expect(watched!.drawing().endsWith('z($|)')).toBe(true);
  });
});
