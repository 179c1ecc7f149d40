import { AsyncLocalStorage } from 'node:async_hooks';
import { firstValueFrom, switchMap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ChatMemoryBusyError } from '../../src/memory/in-turn.ts';
import { ended, selfCalling } from './self-calling.ts';

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a tool that calls its own service on the same memory after a while, where there is an async context', () => {
  it('fails with ChatMemoryBusyError instead of waiting for itself: as an Observable that starts later', async () => {
    const { service } = selfCalling((own) => timer(1).pipe(switchMap(() => own.text('inner'))), ['(A|)']);
    expect(await ended(service, 'outer')).toBeInstanceOf(ChatMemoryBusyError);
  });

  it('fails the same as a promise, behind an await', async () => {
    const { service } = selfCalling(
      async (own) => {
        await Promise.resolve();
        await tick();
        return firstValueFrom(own.result('inner'), { defaultValue: undefined });
      },
      ['(A|)'],
    );
    expect(await ended(service, 'outer')).toBeInstanceOf(ChatMemoryBusyError);
  });
});

describe('an invocation is not busy', () => {
  it('when it was waiting, and the turn was handed on by code of another invocation', async () => {
    const caller = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const { service } = selfCalling(async () => {
      seen.push(caller.getStore());
      await tick();
      seen.push(caller.getStore());
      return 'r';
    }, ['(A|)', '(y|)', '(A|)', '(z|)']);
    expect(await Promise.all(['one', 'two'].map((name) => caller.run(name, () => ended(service, name))))).toEqual([
      'complete',
      'complete',
    ]);
    expect(seen).toEqual(['one', 'one', 'two', 'two']);
  });
});
