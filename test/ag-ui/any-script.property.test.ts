import fc from 'fast-check';
import { asyncScheduler, takeUntil, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { AgUiEvent } from '../../src/ag-ui/ag-ui-event.ts';
import { agUiRuns } from '../../src/ag-ui/ag-ui-runs.ts';
import { toAgUi } from '../../src/ag-ui/to-ag-ui.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolScheduler } from '../../src/testing/tool-scheduler.ts';
import { expectVerified, watched } from './verified.ts';

/** An answer of the model: text, thoughts and calls in any order, which may break. */
const answer = fc
  .tuple(fc.array(fc.constantFrom('t', 'u', '~', 'A', 'B', 'C', '-'), { maxLength: 8 }), fc.constantFrom('|', '|', '|', '#'))
  .map(([symbols, end]) => `-${symbols.join('')}${end}`);
const toolMarbles = fc.constantFrom('r|', '--r|', '-p-r|', '-----r|', '--#', '#');

const script = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
  a: toolMarbles,
  b: toolMarbles,
  c: toolMarbles,
  isGuarded: fc.boolean(),
  isTold: fc.boolean(),
  roundRetries: fc.nat(2),
  toolConcurrency: fc.constantFrom(1, Infinity),
  cancelAt: fc.option(fc.nat(20), { nil: undefined }),
  decisions: fc.array(fc.tuple(fc.nat(20), fc.boolean()), { maxLength: 3 }),
  interrupts: fc.boolean(),
  knowsMessages: fc.boolean(),
});

describe('whoever answers the interrupts of an invocation', () => {
  it('has each of its runs whole, and every call of them answered in the end', () => {
    let most = 0;
    const given = fc.record({
      answers: fc.array(fc.array(fc.constantFrom('t', 'A', 'B', 'C'), { minLength: 1, maxLength: 4 }), {
        minLength: 1,
        maxLength: 5,
      }),
      answersOf: fc.infiniteStream(fc.constantFrom('yes', 'no', 'cancelled')),
      a: toolMarbles,
    });
    fc.assert(
      fc.property(given, ({ answers, answersOf, a }) => {
        toolScheduler().run(({ flush }) => {
          const service = aiService({
            model: scriptedModel([...answers.map((symbols) => `-${symbols.join('')}|`), 'z|']),
            tools: [
              scriptedTool('a', a),
              scriptedTool('b', 'r|', { needsApproval: true }),
              scriptedTool('c', '-r|', { needsApproval: true }),
            ],
            toolExecutionErrorHandler: () => 'It failed.',
          });
          const runs = agUiRuns(service, { waitingTime: Infinity });
          const input = { threadId: 't', runId: 'r', messages: [{ id: 'u', role: 'user', content: 'hello' }] };
          let resume: readonly object[] = [];
          const calls = { begun: 0, answered: 0 };
          for (let number = 1; ; number++) {
            const events = watched(runs.run(resume.length > 0 ? { ...input, messages: [], resume } : input));
            flush();
            expectVerified(events);
            for (const { type } of events) {
              if (type === 'TOOL_CALL_START') calls.begun++;
              if (type === 'TOOL_CALL_RESULT') calls.answered++;
            }
            most = Math.max(most, number);
            const last = events.at(-1)!;
            if (last.type !== 'RUN_FINISHED' || last.outcome.type !== 'interrupt') {
              expect(last).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
              break;
            }
            resume = last.outcome.interrupts.map(({ id: interruptId }) => {
              const decision: unknown = answersOf.next().value;
              if (decision === 'cancelled') return { interruptId, status: 'cancelled' };
              return { interruptId, status: 'resolved', payload: { approved: decision === 'yes' } };
            });
          }
          expect(calls.answered).toBe(calls.begun);
        });
      }),
      { numRuns: 200 },
    );
    expect(most).toBeGreaterThan(2);
  });
});

describe('whatever happens in an invocation', () => {
  it('its events are those of one whole run, by the verifier and the schemas of the protocol', () => {
    const ends = new Map<string, number>();
    fc.assert(
      fc.property(script, (given) => {
        const events: AgUiEvent[] = [];
        let isComplete = false;
        toolScheduler().run(({ flush }) => {
          const { toolConcurrency, roundRetries, isGuarded } = given;
          const service = aiService({
            model: scriptedModel(given.answers),
            tools: [
              scriptedTool('a', given.a),
              scriptedTool('b', given.b),
              scriptedTool('c', given.c, { needsApproval: isGuarded }),
            ],
            toolConcurrency,
            roundRetries,
            ...(given.isTold && { toolExecutionErrorHandler: () => 'It failed.' }),
            logger: { warn: () => undefined, error: () => undefined, debug: () => undefined },
          });
          const started = service.start('hello');
          const { knowsMessages, interrupts } = given;
          // A run that is left open for ever is one that waits for somebody, and was told to.
          started.events$
            .pipe(toAgUi({ interrupts, ...(knowsMessages && { messages: [{ id: 'u', role: 'user', content: 'hello' }] }) }))
            .pipe(takeUntil(timer(1000)))
            .subscribe({
              next: (event) => events.push(event),
              error: (error: unknown) => {
                throw error;
              },
              complete: () => (isComplete = true),
            });
          const asked = new Set<string>();
          started.events$.subscribe({
            next: (event) => event.type === 'toolApprovalRequested' && asked.add(event.request.id),
            error: () => undefined,
          });
          for (const [frame, decision] of given.decisions)
            asyncScheduler.schedule(() => [...asked].forEach((id) => started.decideToolCall(id, decision)), frame);
          if (given.cancelAt !== undefined) asyncScheduler.schedule(() => started.cancel(), given.cancelAt);
          asyncScheduler.schedule(() => started.cancel(), 500);
          flush();
        });
        expect(isComplete).toBe(true);
        expectVerified(events);
        const last = events.at(-1)!;
        const end = last.type === 'RUN_FINISHED' ? last.outcome.type : last.type;
        ends.set(end, (ends.get(end) ?? 0) + 1);
        const begun = events.filter(({ type }) => type === 'TOOL_CALL_START').length;
        const answered = events.filter(({ type }) => type === 'TOOL_CALL_RESULT').length;
        const waiting = last.type === 'RUN_FINISHED' && last.outcome.type === 'interrupt' ? last.outcome.interrupts.length : 0;
        expect(answered + waiting).toBe(begun);
      }),
      { numRuns: 400 },
    );
    // All ways to end have been tried.
    expect([...ends.keys()].sort()).toEqual(['RUN_ERROR', 'cancelled', 'interrupt', 'success']);
  });
});
