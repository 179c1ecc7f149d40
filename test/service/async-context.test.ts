import { AsyncLocalStorage } from 'node:async_hooks';
import { Subject, filter, firstValueFrom, lastValueFrom, map, of, take, timer, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../../src/chat/chat-model.ts';
import { ChatMemoryBusyError } from '../../src/memory/in-turn.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { toolErrorVisibleToLlm } from '../../src/tool/visible-to-llm.ts';
import { tool } from '../../src/tool/tool.ts';
import { watch } from '../chat/watch.ts';
import { kept, outline, roomyMemory } from './support.ts';
import { undoLog } from './undo-log.ts';

const last = <T>(source: Observable<T>) => lastValueFrom(source, { defaultValue: undefined });
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A storage, and a log of what code of the user sees in it. */
function watched() {
  const storage = new AsyncLocalStorage<string>();
  const log: string[] = [];
  return { storage, log, see: (where: string) => log.push(`${where}: ${storage.getStore() ?? 'nothing'}`) };
}

describe('the async context of the subscriber', () => {
  it('[G39] is seen by tools in round 1 and in round 2, before and after an await', async () => {
    const { storage, log, see } = watched();
    const a = tool({
      name: 'a',
      execute: async () => {
        see('before');
        await tick();
        see('after');
      },
    });
    const service = aiService({ model: scriptedModel(['A|', 'A|', 'z|']), tools: [a] });
    await storage.run('mine', () => last(service.stream('hello')));
    expect(log).toEqual(['before: mine', 'after: mine', 'before: mine', 'after: mine']);
  });

  it('is seen by the model, its interceptors, the system message, the handlers and the strategy', async () => {
    const { storage, log, see } = watched();
    const scripted = scriptedModel(['AB|', 'z|']);
    const model: ChatModel = {
      provider: 'x',
      chat: (request) => {
        see('model');
        return scripted.chat(request);
      },
    };
    const failing = tool({ name: 'a', execute: () => tick().then(() => Promise.reject(toolErrorVisibleToLlm('no'))) });
    const service = aiService({
      model,
      tools: [failing],
      systemMessage: async () => {
        await tick();
        see('system message');
        return 'be kind';
      },
      interceptors: {
        model: [(request, _, next) => (see('model interceptor'), next(request))],
        tool: [(_, __, next) => (see('tool interceptor'), next())],
      },
      toolExecutionErrorHandler: () => (see('handler'), 'told'),
      hallucinatedToolNameStrategy: () => (see('strategy'), 'there is none'),
    });
    await storage.run('mine', () => last(service.stream('hello')));
    expect(log.sort()).toEqual(
      ['handler', 'model', 'model', 'model interceptor', 'model interceptor', 'strategy', 'system message', 'tool interceptor']
        .map((where) => `${where}: mine`)
        .sort(),
    );
  });

  it('is not that of a foreign Subject that feeds a tool', async () => {
    const { storage, log, see } = watched();
    const foreign = new Subject<string>();
    const fed = tool({ name: 'a', execute: () => foreign.pipe(take(1)) });
    const b = tool({ name: 'b', execute: () => see('round 2') });
    const service = aiService({ model: scriptedModel(['A|', 'B|', 'z|']), tools: [fed, b] });
    const ended = storage.run('mine', () => last(service.stream('hello').pipe(map((event) => (see(event.type), event)))));
    await tick();
    log.length = 0;
    storage.run('foreign', () => foreign.next('r'));
    await ended;
    expect(log).toContain('round 2: mine');
    expect(log.filter((line) => !line.endsWith(': mine'))).toEqual([]);
  });

  it('is its own in a queued turn, which the end of another invocation begins', async () => {
    const { storage, log, see } = watched();
    const a = tool({
      name: 'a',
      execute: (_, { invocation }) => timer(1).pipe(map(() => see(JSON.stringify(invocation.userMessage.contents)))),
    });
    const chatMemory = roomyMemory();
    const service = aiService({ model: scriptedModel(['A|', 'z|', 'A|', 'z|']), tools: [a], chatMemory });
    const ask = (who: string) => storage.run(who, () => last(service.stream(who)));
    await Promise.all([ask('first'), ask('second')]);
    expect(log).toEqual(['[{"type":"text","text":"first"}]: first', '[{"type":"text","text":"second"}]: second']);
    expect(outline(kept(chatMemory)).filter((line) => line.startsWith('user'))).toEqual(['user: first', 'user: second']);
  });

  it('is seen by an undo, and not that of what led to it', () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const ends = new Subject<string>();
    const log = undoLog();
    const service = aiService({
      model: scriptedModel(['(ABC|)', '(z|)']),
      tools: [
        log.undoable('a', '(r|)', { undo: () => seen.push(storage.getStore()) }),
        log.undoable('b', '(r|)', { undo: () => (seen.push(storage.getStore()), of(1)) }),
        { ...scriptedTool('c', '#'), execute: () => ends as never },
      ],
      compensateOnToolErrors: true,
      toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
    });
    const { subscription } = storage.run('mine', () => watch(service.stream('hello')));
    storage.run('of another', () => ends.error(new Error('c failed')));
    expect(seen).toEqual(['mine', 'mine']);
    expect(subscription.closed).toBe(true);
  });

  it('does not leak out: after the subscription the caller has its own', async () => {
    const { storage } = watched();
    const service = aiService({ model: scriptedModel(['z|']) });
    const seen = await storage.run('mine', async () => {
      const before = storage.getStore();
      await last(service.stream('hello'));
      return [before, storage.getStore()];
    });
    expect(seen).toEqual(['mine', 'mine']);
    expect(storage.getStore()).toBeUndefined();
  });

  it('is taken by captureContext, where it is given, once a subscription', async () => {
    const log: string[] = [];
    let depth = 0;
    const captureContext = () => {
      log.push('captured');
      return (work: () => void) => {
        depth++;
        work();
        depth--;
      };
    };
    const a = tool({ name: 'a', execute: () => log.push(depth > 0 ? 'tool inside' : 'tool outside') });
    const service = aiService({ model: scriptedModel(['A|', 'z|', 'z|']), tools: [a], captureContext });
    const stream = service.stream('hello');
    await last(stream);
    await last(stream);
    expect(log).toEqual(['captured', 'tool inside', 'captured']);
    expect(depth).toBe(0);
  });
});

describe('an invocation inside its own turn', () => {
  it('on the same memory fails with an error that says so, instead of waiting for itself', async () => {
    const chatMemory = roomyMemory();
    const inner = aiService({ model: scriptedModel(['y|']), chatMemory });
    const asking = tool({
      name: 'a',
      execute: async () => {
        await tick();
        return firstValueFrom(inner.text('the same?'), { defaultValue: '' });
      },
    });
    const outer = aiService({ model: scriptedModel(['A|', 'z|']), tools: [asking], chatMemory });
    await expect(last(outer.stream('hello'))).rejects.toBeInstanceOf(ChatMemoryBusyError);
  });

  it('on another memory is fine', async () => {
    const inner = aiService({ model: scriptedModel(['y|']), chatMemory: roomyMemory() });
    const asking = tool({ name: 'a', execute: () => firstValueFrom(inner.text('another?'), { defaultValue: '' }) });
    const outer = aiService({ model: scriptedModel(['A|', 'z|']), tools: [asking], chatMemory: roomyMemory() });
    await expect(last(outer.result('hello'))).resolves.toMatchObject({ content: 'z', toolExecutions: [{ result: 'y' }] });
  });
});

describe('tools of promises', () => {
  it('[S7] give their value as the result for the model and for the event', async () => {
    const model = scriptedModel(['A|', 'z|']);
    const a = tool({ name: 'a', execute: () => Promise.resolve({ city: 'Paris' }) });
    const result = await last(aiService({ model, tools: [a] }).result('hello'));
    expect(result?.toolExecutions).toMatchObject([{ result: '{"city":"Paris"}', resultObject: { city: 'Paris' } }]);
    expect(outline(model.requests[1]!.messages)[2]).toBe('A: {"city":"Paris"}');
  });

  it('[S11] stand beside tools that return at once, in request order', async () => {
    const model = scriptedModel(['AB|', 'z|']);
    const tools = [tool({ name: 'a', execute: () => tick().then(() => 'late') }), tool({ name: 'b', execute: () => 'early' })];
    await last(aiService({ model, tools }).stream('hello'));
    expect(outline(model.requests[1]!.messages).slice(2)).toEqual(['A: late', 'B: early']);
  });

  it('[S68] that reject fail the invocation with their own error', async () => {
    const lost = new Error('lost');
    const a = tool({ name: 'a', execute: () => Promise.reject(lost) });
    await expect(last(aiService({ model: scriptedModel(['A|']), tools: [a] }).stream('hello'))).rejects.toBe(lost);
  });

  it('[G16] of an async generator tell their progress, and are ended when the consumer leaves', async () => {
    const log: string[] = [];
    async function* counting() {
      try {
        for (let count = 1; ; count++) {
          await tick();
          yield count;
        }
      } finally {
        log.push('closed');
      }
    }
    const service = aiService({ model: scriptedModel(['A|']), tools: [tool({ name: 'a', execute: counting })] });
    const progress = await last(
      service.stream('hello').pipe(
        filter(({ type }) => type === 'toolProgress'),
        take(2),
      ),
    );
    await tick();
    await tick();
    expect(progress).toMatchObject({ type: 'toolProgress', value: 2 });
    expect(log).toEqual(['closed']);
  });

  it('see their signal aborted when the invocation is cancelled', async () => {
    const controller = new AbortController();
    const reasons: unknown[] = [];
    const a = tool({
      name: 'a',
      execute: (_, { signal }) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.aborted);
            resolve();
          });
          controller.abort('enough');
        }),
    });
    const ended = last(aiService({ model: scriptedModel(['A|']), tools: [a] }).stream('hello', { signal: controller.signal }));
    await expect(ended).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' });
    expect(reasons).toEqual([true]);
  });
});
