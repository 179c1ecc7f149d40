import { NEVER, Subject, of, take, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import type { Tool, ToolContext, ToolExecutionResult } from '../../src/tool/types.ts';
import { watch } from '../chat/watch.ts';
import { contextFor, execution } from './call.ts';

const result: ToolExecutionResult = { contents: [], isError: false };

/** A tool of either kind, and the context that it was given. */
function made(kind: 'tool' | 'executorTool', work: () => Observable<unknown>) {
  const contexts: ToolContext[] = [];
  const keep = (context: ToolContext) => {
    contexts.push(context);
    return work();
  };
  const built: Tool =
    kind === 'tool'
      ? tool({ name: 'a', execute: (_, context) => keep(context) })
      : executorTool(
          { name: 'a', parameters: { type: 'object' } },
          (_, context) => keep(context) as Observable<ToolExecutionResult>,
        );
  return { built, context: () => contexts[0]! };
}

describe.each(['tool', 'executorTool'] as const)('the signal that %s gives', (kind) => {
  it('is aborted when the call is left before it has ended', () => {
    const { built, context } = made(kind, () => NEVER);
    const running = watch(execution(built));
    const { signal } = context();
    expect(signal.aborted).toBe(false);
    running.subscription.unsubscribe();
    expect(signal.aborted).toBe(true);
    expect((signal.reason as Error).name).toBe('AbortError');
  });

  it('is aborted as well where the tool looks at it only afterwards', () => {
    const { built, context } = made(kind, () => NEVER);
    watch(execution(built)).subscription.unsubscribe();
    expect(context().signal.aborted).toBe(true);
  });

  it('stays quiet when the call has completed', () => {
    const { built, context } = made(kind, () => of(result));
    const { subscription, end } = watch(execution(built));
    const { signal } = context();
    subscription.unsubscribe();
    expect(end).toBe('complete');
    expect(signal.aborted).toBe(false);
  });

  it('stays quiet when the call has failed', () => {
    const work = new Subject<unknown>();
    const { built, context } = made(kind, () => work);
    const running = watch(execution(built));
    const { signal } = context();
    work.error(new Error('failed'));
    running.subscription.unsubscribe();
    expect(running.end).toBe('error');
    expect(signal.aborted).toBe(false);
  });

  it('stays quiet for a consumer that leaves with the result', () => {
    const { built, context } = made(kind, () => of(result));
    const { values } = watch(execution(built).pipe(take(1)));
    expect(values).toHaveLength(1);
    expect(context().signal.aborted).toBe(false);
  });

  it('is the same each time it is asked for, and another one for each subscription', () => {
    const { built, context } = made(kind, () => NEVER);
    const call = execution(built);
    const first = watch(call);
    const { signal } = context();
    expect(context().signal).toBe(signal);
    const second = watch(call);
    first.subscription.unsubscribe();
    expect(signal.aborted).toBe(true);
    second.subscription.unsubscribe();
  });

  it('tells the reason that the service had', () => {
    const { built, context } = made(kind, () => NEVER);
    const outer = new AbortController();
    const running = watch(execution(built, {}, { ...contextFor(built), signal: outer.signal }));
    const { signal } = context();
    const reason = new Error('too slow');
    outer.abort(reason);
    running.subscription.unsubscribe();
    expect(signal.reason).toBe(reason);
  });
});
