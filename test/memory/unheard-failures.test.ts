import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { of } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChatModel } from '../../src/chat/chat-model.ts';
import type { ChatMemoryStore } from '../../src/memory/chat-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { keptLogs } from '../service/support.ts';
import { faultyStore } from './faulty-store.ts';
import { answer } from './histories.ts';

const down = new Error('connection terminated unexpectedly');
const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

beforeEach(() => void process.on('unhandledRejection', note));
afterEach(() => void process.off('unhandledRejection', note));

describe('a store whose promise is rejected when the consumer has left', () => {
  it.each<[what: string, faults: Partial<ChatMemoryStore>, logs: number]>([
    ['a read', { getMessages: () => Promise.reject(down) }, 0],
    ['a write', { updateMessages: () => Promise.reject(down) }, 1],
  ])('ends no process by an unhandled rejection: %s', async (_, faults, count) => {
    const { memory } = faultyStore([], () => faults);
    const logger = keptLogs();
    const model: ChatModel = {
      provider: 'test',
      chat: () => of({ type: 'completeResponse', response: { aiMessage: answer('z') } }),
    };
    const onError = (error: unknown) => unhandled.push(error);
    const subscription = aiService({ model, chatMemory: memory(), logger }).text('hello').subscribe({ error: onError });
    subscription.unsubscribe();
    await setImmediate();
    expect(unhandled).toEqual([]);
    expect(logger.logs).toHaveLength(count);
  });
});
