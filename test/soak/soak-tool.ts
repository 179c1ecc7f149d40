import { Observable } from 'rxjs';
import * as z from 'zod';
import { tool } from '../../src/tool/tool.ts';
import type { Tool, ToolContext } from '../../src/tool/types.ts';
import { toolErrorVisibleToLlm } from '../../src/tool/visible-to-llm.ts';
import { isDistorted } from './distorted.ts';
import type { ToolRun } from './ledger.ts';
import { crowdViolations, undoOrderViolations } from './order-violations.ts';
import { placeOfCall } from './place-of-call.ts';
import type { Plan } from './plan.ts';
import { clockFactor } from './quick-clock.ts';
import { SoakError } from './soak-error.ts';
import type { ToolPlan } from './tool-plan.ts';
import { watchOf } from './watch.ts';
import { workText } from './work-text.ts';

const parameters = z.object({ n: z.number().optional() });

/**
 * A tool that behaves as planned, and writes down each of its executions.
 *
 * @param all - the plan of which its own is a part.
 */
export function soakTool(plan: ToolPlan, all: Pick<Plan, 'tools' | 'service'>): Tool {
  const { name, undo, execution, returnBehavior, needsApproval } = plan;
  return tool<typeof parameters, unknown>({
    name,
    parameters,
    execution,
    returnBehavior,
    ...(needsApproval && { needsApproval }),
    execute: ({ n }, context) => executed(plan, n, context, all),
    ...(undo !== 'none' && {
      compensate: ({ request }, context) => undone(plan, request.id, context),
    }),
  });
}

function executed(plan: ToolPlan, n: number | undefined, context: ToolContext, all: Pick<Plan, 'tools' | 'service'>): unknown {
  const { name, behaviour, form, ms, undo } = plan;
  const { signal, request } = context;
  // In ms of the world.
  const timeLimit = all.service.toolTimeout / clockFactor;
  const { ledger, client, meddles, onToolStart } = watchOf(context.parameters)!;
  const taken = new Set(ledger.runs.flatMap(({ place }) => place ?? []));
  const place = placeOfCall(client, { id: request.id, name, n }, taken);
  const text = workText(request.id, n);
  if (place === undefined && !isDistorted(client))
    ledger.violations.push(`${name} runs for a call that nobody has written: ${text}`);
  const start = performance.now();
  const run: ToolRun = {
    tool: name,
    callId: request.id,
    place,
    text,
    round: ledger.rounds.length,
    isUndoable: undo !== 'none',
    signal,
    lateFrom: start + timeLimit * 0.7,
    isLate: false,
    isTooLate: false,
    isStopped: false,
    outcome: 'running',
    undos: 0,
  };
  ledger.runs.push(run);
  if (!meddles) ledger.violations.push(...crowdViolations(run, ledger.runs, all));
  onToolStart();
  const settle = (): unknown => {
    // Also where the machine was too busy to look at the clock.
    run.isLate = performance.now() > run.lateFrom;
    // Its time limit, and as much again to settle.
    run.isTooLate = performance.now() > start + timeLimit * 1.8;
    run.outcome = behaviour === 'throws' || behaviour === 'visible' || behaviour === 'hangs' ? 'failed' : 'succeeded';
    if (behaviour === 'visible') throw toolErrorVisibleToLlm('The tool can not do that today.');
    if (run.outcome === 'failed') throw new SoakError(`${name} has failed`);
    return behaviour === 'huge' ? `${text} ${'x'.repeat(200_000)}` : text;
  };
  /** Calls back when it is time, unless that never comes; returns how to give that up. */
  const whenDue = (due: () => void): (() => void) => {
    const isDue = behaviour !== 'hangs' && behaviour !== 'deaf';
    // Within the time that is given once more to what may have to be undone.
    const timer = isDue ? setTimeout(due, behaviour === 'late' ? timeLimit * 1.4 : ms) : undefined;
    if (behaviour === 'hangs') signal.addEventListener('abort', due, { once: true });
    return () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', due);
    };
  };
  const settled = () => new Promise<void>((resolve) => whenDue(resolve)).then(settle);
  switch (form) {
    case 'value':
      return settle();
    case 'promise':
      return settled();
    case 'iterable':
      return steps(run, settled);
    case 'stream':
      return new Observable<unknown>((subscriber) => {
        subscriber.add(() => {
          if (run.outcome === 'running') run.outcome = 'left';
        });
        if (behaviour === 'progress') subscriber.next('half');
        const due = () => {
          try {
            subscriber.next(settle());
            subscriber.complete();
          } catch (error) {
            subscriber.error(error);
          }
        };
        subscriber.add(whenDue(due));
      });
  }
}

async function* steps(run: ToolRun, settled: () => Promise<unknown>): AsyncGenerator<unknown> {
  try {
    yield 'begun';
    yield await settled();
  } finally {
    if (run.outcome === 'running') run.outcome = 'left';
  }
}

function undone({ undo, ms }: ToolPlan, callId: string, context: ToolContext): unknown {
  const { ledger, meddles } = watchOf(context.parameters)!;
  const runs = ledger.runs.filter((run) => run.callId === callId);
  if (runs.length !== 1) ledger.violations.push(`${callId} is to be undone, and has run ${runs.length} times`);
  for (const run of runs) {
    run.undos++;
    if (!meddles) ledger.violations.push(...undoOrderViolations(run, ledger.runs));
    if (run.outcome !== 'succeeded') ledger.violations.push(`${run.tool} (${callId}) is undone, but has ${run.outcome}`);
  }
  if (undo === 'fails') throw new SoakError('It can not be undone.');
  return undo === 'takesTime' ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined;
}
