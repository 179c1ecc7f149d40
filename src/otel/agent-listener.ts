import { SpanKind, type Attributes } from '@opentelemetry/api';
import type { AiServiceEvent } from '../event/ai-service-event.ts';
import type { AiServiceListener } from '../event/event-hub.ts';
import type { AiServiceCompletedEvent, AiServiceErrorEvent, AiServiceStartedEvent } from '../event/lifecycle-events.ts';
import type { ToolCompensatedEvent } from '../event/tool-compensated-event.ts';
import type { Result } from '../service/result.ts';
import type { AgentRun } from './agent-runs.ts';
import { cancelled, endSpan, failureOf, type Failure } from './failure.ts';
import { attribute, errorType, operation, ownAttribute } from './gen-ai.ts';
import { inputMessages, outputMessages, systemInstructions } from './message-parts.ts';
import { conversationAttributes } from './request-attributes.ts';
import { finishReasonOf } from './response-attributes.ts';
import type { Telemetry } from './telemetry.ts';

/** Makes the span of an invocation from its events, of which the last comes however it ends. */
export function agentListener(telemetry: Telemetry): AiServiceListener {
  const { clock, content, runs } = telemetry;
  // By type and not by class: a service may be of another copy of this package, CommonJS beside ESM.
  return (event) => {
    const { invocation } = event;
    switch (event.type) {
      case 'started': {
        const { systemMessage, userMessage } = event as AiServiceStartedEvent;
        const { span } = openRun(telemetry, event);
        content.record(span, 'inputMessages', () => inputMessages([userMessage]));
        content.record(span, 'systemInstructions', () => systemMessage && systemInstructions([systemMessage]));
        break;
      }
      case 'requestIssued':
        // A failed invocation goes on with another subscription.
        if (runs.of(invocation)?.isOver !== false) openRun(telemetry, event);
        break;
      case 'completed':
        return endRun(telemetry, event, undefined, (event as AiServiceCompletedEvent).result as Result<unknown> | undefined);
      case 'error':
        return endRun(telemetry, event, failureOf((event as AiServiceErrorEvent).error, content.mayQuote));
      case 'cancelled':
        return endRun(telemetry, event, cancelled);
      case 'toolCompensated': {
        // Told when it is done, and not when it began; maybe behind the end of the invocation.
        const { execution, reason, error } = event as ToolCompensatedEvent;
        const time = clock.at(clock.now());
        const attributes = {
          [attribute.toolName]: execution.request.name,
          [attribute.toolCallId]: execution.request.id,
          [ownAttribute.compensationReason]: reason,
        };
        const options = { kind: SpanKind.INTERNAL, attributes, ...(time && { startTime: time }) };
        const span = telemetry.startSpan(`compensate_tool ${execution.request.name}`, options, runs.contextOf(invocation));
        endSpan(telemetry.guard, span, error && failureOf(error, content.mayQuote), time);
      }
    }
  };
}

function openRun({ clock, runs, startSpan }: Telemetry, { invocation }: AiServiceEvent): AgentRun {
  const { serviceName } = invocation;
  const startTime = clock.now();
  const time = clock.at(startTime);
  const failed = runs.of(invocation);
  const options = {
    kind: SpanKind.INTERNAL,
    attributes: {
      [attribute.operationName]: operation.agent,
      ...agentAttributes(serviceName),
      ...conversationAttributes(invocation),
    },
    ...(failed && { links: [{ context: failed.span.spanContext() }] }),
    ...(time && { startTime: time }),
  };
  const name = serviceName === undefined ? operation.agent : `${operation.agent} ${serviceName}`;
  return runs.open(invocation, startTime, (outside) => startSpan(name, options, outside));
}

function endRun(telemetry: Telemetry, event: AiServiceEvent, failure: Failure | undefined, result?: Result<unknown>): void {
  const { clock, content, guard, runs } = telemetry;
  const last = runs.of(event.invocation);
  // It may end without a request: when only the memory was still to be written.
  const run = last?.isOver === false ? last : openRun(telemetry, event);
  const { span, startTime, tokenUsage } = run;
  const now = clock.now();
  run.isOver = true;
  const response = result?.finalResponse;
  // Who leaves has no reason of the model's.
  const failed = failure && failure.type !== errorType.cancelled ? 'error' : undefined;
  const reason = failure ? failed : response?.finishReason && finishReasonOf(response.finishReason);
  const attributes = {
    [attribute.finishReasons]: reason && [reason],
    [attribute.usageInputTokens]: tokenUsage?.inputTokens,
    [attribute.usageOutputTokens]: tokenUsage?.outputTokens,
  };
  guard(() => span.setAttributes(attributes));
  if (response) content.record(span, 'outputMessages', () => outputMessages(response));
  endSpan(guard, span, failure, clock.at(now));
  const outcome = {
    ...agentAttributes(event.invocation.serviceName),
    ...(failure && { [attribute.errorType]: failure.type }),
  };
  guard(() => telemetry.instruments()?.agentDuration.record((now - startTime) / 1000, outcome, run.context));
}

const agentAttributes = (serviceName: string | undefined): Attributes =>
  serviceName === undefined ? {} : { [attribute.agentName]: serviceName };
