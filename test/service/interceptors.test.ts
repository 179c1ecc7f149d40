import { concatMap, map, of, retry, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { aiService } from '../../src/service/ai-service.ts';
import type { ModelInterceptor } from '../../src/service/options.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import type { ToolInterceptor } from '../../src/tool/types.ts';
import { toolErrorVisibleToLlm } from '../../src/tool/visible-to-llm.ts';
import { outline, play } from './support.ts';

const refused = new Error('refused');

describe('interceptors of the model', () => {
  const logging =
    (log: string[], name: string): ModelInterceptor =>
    (request, _, next) => {
      log.push(`${name} asks with ${request.messages.length}`);
      return next(request);
    };

  it('see every request, the first of them outermost', () => {
    const log: string[] = [];
    play({
      rounds: ['A|', '-z|'],
      tools: [scriptedTool('a', 'r|')],
      interceptors: { model: [logging(log, 'outer'), logging(log, 'inner')] },
    });
    expect(log).toEqual(['outer asks with 1', 'inner asks with 1', 'outer asks with 3', 'inner asks with 3']);
  });

  it('[S91] can change the request, those after tools included', () => {
    const warmer: ModelInterceptor = (request, _, next) => next({ ...request, temperature: 1 });
    const played = play({ rounds: ['A|', '-z|'], tools: [scriptedTool('a', 'r|')], interceptors: { model: [warmer] } });
    expect(played.model.requests.map(({ temperature }) => temperature)).toEqual([1, 1]);
  });

  it('can ask again before anything was emitted, as next is cold', () => {
    const stubborn: ModelInterceptor = (request, _, next) => next(request).pipe(retry(1));
    const played = play({ rounds: ['-#', '-z|'], interceptors: { model: [stubborn] } });
    expect(played.marbles).toBe('--z($|)');
    expect(played.firedTypes).toEqual(['started', 'requestIssued', 'responseReceived', 'completed']);
  });

  it('can change what the model says', () => {
    const shouting: ModelInterceptor = (request, _, next) =>
      next(request).pipe(
        map((event) => (event.type === 'partialResponse' ? { ...event, text: event.text.toUpperCase() } : event)),
      );
    expect(play({ rounds: ['-t|'], interceptors: { model: [shouting] } }).marbles).toBe('-T($|)');
  });

  it('can answer without the model', () => {
    const cached: ModelInterceptor = () =>
      of({ type: 'completeResponse', response: { aiMessage: { role: 'assistant', text: 'known', toolExecutionRequests: [] } } });
    const played = play({ rounds: [], interceptors: { model: [cached] } });
    expect(played.model.requests).toEqual([]);
    expect(played.history).toEqual(['user: hello', 'assistant: known']);
  });

  it.each([
    [
      'throws',
      () => {
        throw refused;
      },
    ],
    ['errors', () => throwError(() => refused)],
  ] as const)('that %s fails the invocation with its error', (_, interceptor: ModelInterceptor) => {
    const played = play({ rounds: [], interceptors: { model: [interceptor] } });
    expect(played.marbles).toBe('#');
    expect(played.error).toBe(refused);
    expect(played.model.requests).toEqual([]);
    expect(played.firedTypes).toEqual(['started', 'requestIssued', 'error']);
  });

  it('are given the context of the invocation', () => {
    const contexts: unknown[] = [];
    const watching: ModelInterceptor = (request, context, next) => {
      contexts.push(context);
      return next(request);
    };
    const played = play({ rounds: ['-t|'], interceptors: { model: [watching] } });
    expect(contexts[0]).toBe(played.values[0]!.invocation);
  });

  it('are told which model is asked, also where an invocation has one of its own', () => {
    const asked: unknown[] = [];
    const watching: ModelInterceptor = (request, _, next, model) => {
      asked.push(model);
      return next(request);
    };
    const [usual, other] = [scriptedModel([['z']]), scriptedModel([['z']])];
    const service = aiService({ model: usual, interceptors: { model: [watching] } });
    service.stream('hello').subscribe();
    service.stream('hello', { model: other }).subscribe();
    expect(asked.map((model) => [usual, other].indexOf(model as typeof usual))).toEqual([0, 1]);
  });
});

describe('interceptors of tools', () => {
  const run = (interceptor: ToolInterceptor | readonly ToolInterceptor[], tool = scriptedTool('a', '-r|')) =>
    play({
      rounds: ['A|', '-z|'],
      tools: [tool],
      interceptors: { tool: typeof interceptor === 'function' ? [interceptor] : interceptor },
    });

  it('see every call with its context, the first of them outermost', () => {
    const log: string[] = [];
    const logging =
      (name: string): ToolInterceptor =>
      ({ id }, { request }, next) => {
        log.push(`${name} before ${id} ${request.id}`);
        return next().pipe(
          map((result) => {
            log.push(`${name} after`);
            return result;
          }),
        );
      };
    run([logging('outer'), logging('inner')]);
    expect(log).toEqual(['outer before A A', 'inner before A A', 'inner after', 'outer after']);
  });

  it('can change the result', () => {
    const played = run((_, __, next) =>
      next().pipe(map((result) => ({ ...result, contents: [{ type: 'text', text: 'better' }] }))),
    );
    expect(played.history[2]).toBe('A: better');
  });

  it('can answer without the tool', () => {
    const a = scriptedTool('a', '-r|');
    const played = run(() => of({ contents: [{ type: 'text', text: 'cached' }], isError: false }), a);
    expect(a.contexts).toEqual([]);
    expect(played.history[2]).toBe('A: cached');
  });

  it('can run the tool again, as next is cold', () => {
    const flaky = scriptedTool('a', '-#');
    const played = run((_, __, next) => next().pipe(retry(2)), flaky);
    expect(flaky.subscriptions()).toEqual(['^!', '-^!', '--^!']);
    expect(played.error).toEqual(new Error('a failed'));
  });

  it('can delay the execution', () => {
    const a = scriptedTool('a', '-r|');
    run((_, __, next) => timer(3).pipe(concatMap(next)), a);
    expect(a.subscriptions()).toEqual(['---^-!']);
  });

  it('that fail are handled like a tool that failed', () => {
    expect(run(() => throwError(() => toolErrorVisibleToLlm('not now'))).history[2]).toBe('A! not now');
    expect(
      run(() => {
        throw refused;
      }).error,
    ).toBe(refused);
  });

  it('that end without a result are an error that names the tool', () => {
    const played = run(() => of());
    expect((played.error as Error).message).toContain('Tool a ended without a result');
  });

  it('do not see calls of tools that there are not', () => {
    const seen: string[] = [];
    const played = play({
      rounds: ['B|', '-z|'],
      interceptors: { tool: [({ name }, _, next) => (seen.push(name), next())] },
      hallucinatedToolNameStrategy: () => 'no such tool',
    });
    expect(seen).toEqual([]);
    expect(outline(played.model.requests[1]!.messages)[2]).toBe('B! no such tool');
  });
});
