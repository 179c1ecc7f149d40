import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import { addTokenUsage } from '../chat/token-usage.ts';
import type { AgentRun } from './agent-runs.ts';
import { endSpan, failureOf, type Failure } from './failure.ts';
import { attribute, errorType, ownAttribute } from './gen-ai.ts';
import type { Instruments } from './instruments.ts';
import { outputMessages } from './message-parts.ts';
import { inclusive, responseAttributes } from './response-attributes.ts';
import type { Telemetry } from './telemetry.ts';

interface WatchedChat {
  readonly span: Span;
  readonly inside: Context;
  /** Of all metrics of this request. */
  readonly common: Attributes;
  readonly startTime: number;
  readonly instruments: Instruments | undefined;
  readonly run: AgentRun | undefined;
  readonly provider: string;
}

/** Gathers what a model says, of which only the first piece and the whole answer are looked at, and ends the span with it. */
export function chatWatch(
  telemetry: Telemetry,
  chat: WatchedChat,
): { see(event: ChatModelEvent): void; end(failure?: Failure): void } {
  const { clock, content, guard } = telemetry;
  const { span, inside, common, startTime, instruments, run, provider } = chat;
  const chunkTimes = telemetry.timePerOutputChunk ? instruments?.timePerOutputChunk : undefined;
  let firstChunk: number | undefined;
  /** Kept only where the time between chunks is measured. */
  let lastChunk = 0;
  let response: ChatResponse | undefined;
  let hasEnded = false;

  const seeChunk = () => {
    if (firstChunk !== undefined && !chunkTimes) return;
    const now = clock.now();
    if (firstChunk === undefined) firstChunk = now;
    else guard(() => chunkTimes?.record((now - lastChunk) / 1000, common, inside));
    lastChunk = now;
  };
  const seeRetry = ({ attempt, delay, error }: Extract<ChatModelEvent, { type: 'retry' }>) => {
    const attributes = {
      [ownAttribute.retryAttempt]: attempt,
      [ownAttribute.retryDelay]: delay / 1000,
      [attribute.errorType]: failureOf(error, content.mayQuote).type,
    };
    guard(() => span.addEvent('toolstream.retry', attributes, clock.at(clock.now())));
  };
  const measure = (timeToFirstChunk: number | undefined, now: number, failure: Failure | undefined) => {
    if (!instruments) return;
    const told = { ...common, ...(response?.modelName !== undefined && { [attribute.responseModel]: response.modelName }) };
    if (timeToFirstChunk !== undefined) guard(() => instruments.timeToFirstChunk.record(timeToFirstChunk, told, inside));
    const outcome = failure ? { ...told, [attribute.errorType]: failure.type } : told;
    guard(() => instruments.chatDuration.record((now - startTime) / 1000, outcome, inside));
  };
  return {
    see(event) {
      if (event.type === 'completeResponse') response ??= event.response;
      else if (event.type === 'retry') seeRetry(event);
      else seeChunk();
    },
    end(given) {
      if (hasEnded) return;
      hasEnded = true;
      const now = clock.now();
      // Whoever leaves when the answer is there misses nothing; who completes without one has failed.
      const failure = response ? undefined : (given ?? { type: errorType.malformed });
      const timeToFirstChunk = firstChunk === undefined ? undefined : (firstChunk - startTime) / 1000;
      if (timeToFirstChunk !== undefined)
        guard(() => span.setAttributes({ [attribute.stream]: true, [attribute.timeToFirstChunk]: timeToFirstChunk }));
      if (response) {
        const answer = response;
        guard(() => span.setAttributes(responseAttributes(answer, provider)));
        content.record(span, 'outputMessages', () => outputMessages(answer));
        if (run && answer.tokenUsage) run.tokenUsage = addTokenUsage(run.tokenUsage, inclusive(answer.tokenUsage, provider));
      } else {
        // Who leaves has no reason of the model's.
        if (failure?.type !== errorType.cancelled) guard(() => span.setAttribute(attribute.finishReasons, ['error']));
      }
      endSpan(guard, span, failure, clock.at(now));
      measure(timeToFirstChunk, now, failure);
    },
  };
}
