import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import type { Result } from '../../src/service/result.ts';
import { InvocationCancelledError } from '../../src/service/service-errors.ts';
import type { Ask } from './ask.ts';
import type { Ledger } from './ledger.ts';
import type { InvocationPlan } from './plan.ts';
import { unexpected } from './expected-errors.ts';

export interface Invoked {
  /** When it has ended for good: the last subscriber was told so, or has left. */
  readonly ended: Promise<void>;
  /** To be told of each tool that starts. */
  onToolStart(): void;
}

/**
 * Asks, goes on after failures as often as planned, and gives up where that is planned. What the subscribers are told is written
 * into the ledger.
 */
export function invoke(ask: Ask, plan: InvocationPlan, ledger: Ledger, abort: () => void): Invoked {
  const { stop, resumes, mode } = plan;
  const limit = <K extends string>(key: K) => (key in stop.after ? (stop.after as Record<K, number>)[key] : Infinity);
  let leave: (() => void) | undefined;
  let events = 0;
  let toolStarts = 0;
  let isStopped = stop.how === 'never';
  let wantsToLeave = false;
  const stopNow = () => {
    if (isStopped) return;
    isStopped = true;
    if (stop.how === 'abort') abort();
    else if (leave) leave();
    else wantsToLeave = true;
  };
  const attempt = (): Promise<'again' | 'over'> =>
    new Promise((resolve) => {
      let isOver = false;
      const end = (how: Ledger['notified'][number]) => {
        if (isOver) return void ledger.violations.push(`${how} came behind the end`);
        isOver = true;
        leave = undefined;
        ledger.notified.push(how);
        // A cancelled invocation does not go on, and a token stream starts once.
        const goesOn = how === 'error' && ledger.notified.length <= resumes && mode !== 'tokenStream';
        resolve(goesOn ? 'again' : 'over');
      };
      const giveUp = ask({
        next: (value) => {
          if (isOver) return void ledger.violations.push('something came behind the end');
          noteAnswer(value, mode, ledger);
          if (++events >= limit('events')) stopNow();
        },
        error: (error) => {
          const violation = unexpected(error);
          if (violation) ledger.violations.push(violation);
          end(error instanceof InvocationCancelledError ? 'cancelled' : 'error');
        },
        complete: () => end('completed'),
      });
      if (isOver) return;
      leave = () => {
        giveUp();
        // What was started tells of its cancel; all others are told nothing more.
        if (mode !== 'start' && !isOver) end('left');
      };
      if (wantsToLeave) leave();
    });
  const run = async (): Promise<void> => {
    if (limit('ms') === 0 || limit('events') === 0) stopNow();
    const timer = setTimeout(stopNow, Math.min(limit('ms'), 2 ** 31 - 1));
    for (let goesOn: 'again' | 'over' = 'again'; goesOn === 'again';) goesOn = await attempt();
    clearTimeout(timer);
  };
  return {
    ended: run(),
    onToolStart() {
      if (++toolStarts >= limit('toolStarts')) stopNow();
    },
  };
}

function noteAnswer(value: unknown, mode: InvocationPlan['mode'], ledger: Ledger): void {
  if (mode === 'result') {
    const { content, limit, finishReason } = value as Result<string>;
    ledger.answer = content;
    ledger.isAnswerBent ||= limit !== undefined || finishReason === 'toolExecution';
  } else if (mode === 'stream' || mode === 'start') {
    const event = value as AiServiceStreamingEvent;
    if (event.type !== 'finalResponse') return;
    ledger.answer = event.response.aiMessage.text;
    ledger.isAnswerBent ||= event.response.finishReason === 'toolExecution';
  }
}
