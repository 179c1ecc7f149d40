import type { Observable } from 'rxjs';
import type { AiService } from '../../src/service/ai-service.ts';
import type { InvocationOptions } from '../../src/service/options.ts';
import { meddle } from './meddle.ts';
import type { InvocationPlan } from './plan.ts';

/** What somebody hears who asks a service. */
interface Hearer {
  next(value: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

/** Begins, or goes on behind a failure; what it returns gives it up. */
export type Ask = (hearer: Hearer) => () => void;

/** One of the ways to ask a service. */
export function ask(service: AiService, input: string, options: InvocationOptions, plan: InvocationPlan): Ask {
  switch (plan.mode) {
    case 'stream':
    case 'text':
    case 'result':
      return subscribing(service[plan.mode](input, options));
    case 'start':
      return starting(service, input, options, plan.meddles);
    case 'tokenStream':
      return calledBack(service, input, options);
  }
}

function subscribing(source: Observable<unknown>): Ask {
  return (hearer) => {
    // Nothing but the end can come while it is subscribed to: the first event has crossed the network.
    const subscription = source.subscribe(hearer);
    return () => subscription.unsubscribe();
  };
}

function starting(service: AiService, input: string, options: InvocationOptions, meddles: boolean): Ask {
  let invocation: ReturnType<AiService['start']> | undefined;
  return (hearer) => {
    const current = invocation ? invocation.resume() : service.start(input, options);
    invocation = current;
    current.events$.subscribe({
      next: (event) => {
        meddle(current, event, meddles);
        hearer.next(event);
      },
      error: (error: unknown) => hearer.error(error),
      complete: () => hearer.complete(),
    });
    // Those who come late, and leave, must change nothing.
    setTimeout(() => current.text$.subscribe({ error: () => undefined }).unsubscribe(), 5);
    return () => current.cancel('enough');
  };
}

function calledBack(service: AiService, input: string, options: InvocationOptions): Ask {
  return (hearer) => {
    const { cancel } = service
      .tokenStream(input, options)
      .onPartialResponse((text) => hearer.next(text))
      .onToolExecuted((execution) => hearer.next(execution))
      .onCompleteResponse(() => hearer.complete())
      .onError((error) => hearer.error(error))
      .start();
    return cancel;
  };
}
