import { catchError, defer, map, of, retry, tap, throwError, timeout, timer, type MonoTypeOperatorFunction } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { ToolArgumentsError, ToolExecutionError } from '../../src/tool/tool-errors.ts';
import { tool } from '../../src/tool/tool.ts';
import type { ToolContext, ToolExecutionResult } from '../../src/tool/types.ts';
import { watch } from '../chat/watch.ts';
import { contextFor, executed, execution, failureOf, textIn } from './call.ts';

/** Fails as often as told, then succeeds; keeps the contexts it was given. */
function flaky(failures: number) {
  const contexts: ToolContext[] = [];
  const made = tool({
    name: 'flaky',
    parameters: z.object({ n: z.number() }),
    execute: ({ n }, context) => {
      contexts.push(context);
      if (contexts.length <= failures) throw new Error(`failure ${contexts.length}`);
      return n;
    },
  });
  return { contexts, made };
}

const append = (text: string): MonoTypeOperatorFunction<ToolExecutionResult> =>
  map((result) => ({ ...result, contents: [{ type: 'text', text: textIn(result) + text }] }));

describe('a piped tool', () => {
  it('is a new tool with the same specification; the old one stays as it was', () => {
    const a = tool({ name: 'a', description: 'd', execute: () => 'r' });
    const piped = a.pipe(append('1'), append('2')).pipe(append('3'));
    expect(piped).not.toBe(a);
    expect(piped.specification).toBe(a.specification);
    expect(textIn(executed(piped))).toBe('r123');
    expect(textIn(executed(a))).toBe('r');
    expect(textIn(executed(a.pipe()))).toBe('r');
  });

  it('retries a failure, with the same arguments', () => {
    const { made, contexts } = flaky(2);
    expect(textIn(executed(made.pipe(retry(2)), { n: 7 }))).toBe('7');
    expect(contexts).toHaveLength(3);
  });

  it('never retries an argument error: the model has to write other arguments', () => {
    const attempts = vi.fn();
    const { made, contexts } = flaky(0);
    const piped = made.pipe(tap({ subscribe: attempts }), retry(5));
    expect(failureOf(piped, { n: 'x' })).toBeInstanceOf(ToolArgumentsError);
    expect(failureOf(piped, '{"n":')).toBeInstanceOf(ToolArgumentsError);
    expect(attempts).not.toHaveBeenCalled();
    expect(contexts).toEqual([]);
  });

  it("has operators that see the tool's own error, and what they let through is wrapped once", () => {
    const { made } = flaky(9);
    const seen: unknown[] = [];
    const error = failureOf(made.pipe(tap({ error: (caught: unknown) => seen.push(caught) }), retry(1)), { n: 1 });
    expect(seen.map(String)).toEqual(['Error: failure 1', 'Error: failure 2']);
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error.cause).toBe(seen[1]);
  });

  it('gives each attempt a context and a signal of its own; the signal of a failed one stays quiet', () => {
    const { made, contexts } = flaky(1);
    const context = contextFor(made, { n: 1 });
    const seen: AbortSignal[] = [];
    const watched = tool({
      name: 'watched',
      execute: (_, own) => {
        seen.push(own.signal);
        return defer(() => execution(made, { n: 1 }, own));
      },
    });
    watch(execution(watched.pipe(retry(1)), {}, context));
    expect(new Set(seen).size).toBe(2);
    expect(new Set(contexts).size).toBe(2);
    expect(seen.map(({ aborted }) => aborted)).toEqual([false, false]);
    expect(contexts[0]!.request).toBe(context.request);
  });

  it('has its progress beside the pipe: operators see the result alone', () => {
    const progress: unknown[] = [];
    const results: unknown[] = [];
    const a = tool({ name: 'a', execute: () => of('p', 'q', 'r') });
    const piped = a.pipe(tap((result) => results.push(textIn(result))));
    watch(
      execution(
        piped,
        {},
        contextFor(piped, {}, (value) => progress.push(value)),
      ),
    );
    expect(progress).toEqual(['p', 'q', 'r']);
    expect(results).toEqual(['r']);
  });

  it('can be given a time limit by an operator, which stops the tool', () => {
    const slow = scriptedTool('a', '-p--------r|');
    const quick = scriptedTool('b', '--r|');
    runMarbles(({ record }) => {
      record(execution(slow.pipe(timeout(5))), textIn).toBe('-----#');
      record(execution(quick.pipe(timeout(5))), textIn).toBe('---(r|)');
    });
    expect(slow.subscriptions()).toEqual(['^----!']);
    expect(slow.contexts[0]!.signal.aborted).toBe(true);
    expect(quick.contexts[0]!.signal.aborted).toBe(false);
  });

  it('can wait between attempts, in virtual time', () => {
    const { made } = flaky(2);
    runMarbles(({ record }) => {
      record(execution(made.pipe(retry({ count: 2, delay: (_, attempt) => timer(attempt * 2) })), { n: 1 }), textIn).toBe(
        '------(1|)',
      );
    });
  });

  it('may replace an error by a result', () => {
    const { made } = flaky(9);
    const rescued = made.pipe(
      catchError(() => of<ToolExecutionResult>({ contents: [{ type: 'text', text: 'none' }], isError: false })),
    );
    expect(textIn(executed(rescued, { n: 1 }))).toBe('none');
  });

  it('is wrapped as the tool is when an operator fails', () => {
    const cause = new Error('from the operator');
    const a = tool({ name: 'a', execute: () => 'r' });
    expect(failureOf(a.pipe(() => throwError(() => cause)))).toMatchObject({ name: 'ToolExecutionError', cause });
  });
});
