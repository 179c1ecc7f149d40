import { SpanKind, context, trace } from '@opentelemetry/api';
import { Observable } from 'rxjs';
import { textOf } from '../chat/content.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { isError } from '../tool/tool-errors.ts';
import type { ToolContext, ToolExecutionResult, ToolInterceptor } from '../tool/types.ts';
import { cancelled, endSpan, failureOf, type Failure } from './failure.ts';
import { attribute, errorType, operation } from './gen-ai.ts';
import { argumentsOf } from './message-parts.ts';
import type { Telemetry } from './telemetry.ts';

/** Makes a span of each execution of a tool, which runs inside of it. */
export function toolInterceptor(telemetry: Telemetry): ToolInterceptor {
  const { clock, content, guard, runs, startSpan } = telemetry;
  return (request, toolContext, next) =>
    new Observable<ToolExecutionResult>((subscriber) => {
      const { name, id } = request;
      const { invocation } = toolContext;
      const { serviceName } = invocation;
      const common = {
        [attribute.toolName]: name,
        [attribute.toolType]: 'function',
        ...(serviceName !== undefined && { [attribute.agentName]: serviceName }),
      };
      const attributes = {
        ...common,
        [attribute.operationName]: operation.tool,
        [attribute.toolCallId]: id,
        [attribute.toolDescription]: runs.of(invocation)?.toolSpecifications?.find((tool) => tool.name === name)?.description,
      };
      const startTime = clock.now();
      const time = clock.at(startTime);
      const outside = runs.contextOf(invocation);
      const options = { kind: SpanKind.INTERNAL, attributes, ...(time && { startTime: time }) };
      const span = startSpan(`${operation.tool} ${name}`, options, outside);
      const inside = trace.setSpan(outside, span);
      content.record(span, 'toolArguments', () => argumentsOf(request.arguments));
      let result: ToolExecutionResult | undefined;
      let hasEnded = false;

      const end = (failure: Failure | undefined) => {
        if (hasEnded) return;
        hasEnded = true;
        const now = clock.now();
        const { value, contents = [] } = result ?? {};
        if (result) content.record(span, 'toolResult', () => value ?? textOf(contents));
        endSpan(guard, span, failure, clock.at(now));
        const outcome = failure ? { ...common, [attribute.errorType]: failure.type } : common;
        guard(() => telemetry.instruments()?.toolDuration.record((now - startTime) / 1000, outcome, inside));
      };
      const observer = {
        next: (value: ToolExecutionResult) => {
          result = value;
          subscriber.next(value);
        },
        error: (error: unknown) => {
          end(failureOf(error, content.mayQuote));
          subscriber.error(error);
        },
        complete: () => {
          end(result?.isError ? { type: errorType.toolError } : undefined);
          subscriber.complete();
        },
      };
      subscriber.add(() => end(hasEnded ? undefined : stopped(toolContext)));
      context.with(inside, () => subscribeEarly(next(), observer, (subscription) => subscriber.add(subscription)));
    });
}

/** Why a call was left: its time was up, or nobody waits for it any more. */
function stopped({ signal }: ToolContext): Failure {
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  return isError(reason) && reason.name !== 'AbortError' ? failureOf(reason, false) : cancelled;
}
