import { SpanKind, context, trace } from '@opentelemetry/api';
import { Observable } from 'rxjs';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import type { ModelInterceptor } from '../service/options.ts';
import { chatWatch } from './chat-watch.ts';
import { cancelled, failureOf } from './failure.ts';
import { operation } from './gen-ai.ts';
import { inputMessages, systemInstructions, toolDefinitions } from './message-parts.ts';
import { conversationAttributes, modelAttributes, settingAttributes } from './request-attributes.ts';
import type { Telemetry } from './telemetry.ts';

/** Makes a span of each request to a model, from the subscription to its end, and sends the request from inside of it. */
export function chatInterceptor(telemetry: Telemetry): ModelInterceptor {
  const { clock, content, guard, runs, startSpan } = telemetry;
  return (request, invocation, next, model) =>
    new Observable<ChatModelEvent>((subscriber) => {
      const modelName = request.modelName ?? model.modelName;
      const common = modelAttributes(model, modelName);
      const startTime = clock.now();
      const time = clock.at(startTime);
      const outside = runs.contextOf(invocation);
      const attributes = { ...common, ...settingAttributes(request), ...conversationAttributes(invocation) };
      const options = { kind: SpanKind.CLIENT, attributes, ...(time && { startTime: time }) };
      const name = modelName === undefined ? operation.chat : `${operation.chat} ${modelName}`;
      const span = startSpan(name, options, outside);
      const inside = trace.setSpan(outside, span);
      const run = runs.of(invocation);
      if (run) run.toolSpecifications = request.toolSpecifications;
      const instruments = telemetry.instruments();
      if (!guard(() => span.isRecording()) && !instruments) {
        // Nobody looks on: what the model says does not pass here.
        subscriber.add(() => guard(() => span.end()));
        return context.with(inside, () => next(request).subscribe(subscriber));
      }
      content.record(span, 'systemInstructions', () => systemInstructions(request.messages));
      content.record(span, 'inputMessages', () => inputMessages(request.messages));
      content.record(span, 'toolDefinitions', () => toolDefinitions(request.toolSpecifications));
      const watch = chatWatch(telemetry, { span, inside, common, startTime, instruments, run, provider: model.provider });
      const observer = {
        next: (event: ChatModelEvent) => {
          watch.see(event);
          subscriber.next(event);
        },
        error: (error: unknown) => {
          watch.end(failureOf(error, content.mayQuote));
          subscriber.error(error);
        },
        complete: () => {
          watch.end();
          subscriber.complete();
        },
      };
      subscriber.add(() => watch.end(cancelled));
      return context.with(inside, () => subscribeEarly(next(request), observer, (subscription) => subscriber.add(subscription)));
    });
}
