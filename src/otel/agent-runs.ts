import { context, createContextKey, isSpanContextValid, trace, type Context, type Span } from '@opentelemetry/api';
import type { TokenUsage } from '../chat/token-usage.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';
import type { InvocationContext, InvocationParameters } from '../tool/invocation-context.ts';

/** One subscription to an invocation, as a span. */
export interface AgentRun {
  readonly span: Span;
  /** Its span is the active one in here. */
  readonly context: Context;
  readonly startTime: number;
  isOver: boolean;
  /** Of its requests so far. */
  tokenUsage: TokenUsage | undefined;
  /** What the model was last told of tools: an interceptor is not given the tool that it wraps. */
  toolSpecifications: readonly ToolSpecification[] | undefined;
}

/** What the context of a subscription leads to. Made before its run is known, and claimed by it. */
interface Scope {
  /** As it was where the user subscribed. */
  readonly outside: Context;
  inside: Context;
  run: AgentRun | undefined;
  /** Not once it is known that there are no spans: work is then run as it would be without tracing. */
  isEntered: boolean;
}

type CaptureContext = () => (work: () => void) => void;

/** Which span stands for which invocation, and in which context its work runs. */
export interface AgentRuns {
  /** For a service: runs all work of a subscription inside of its span, once that is there. */
  readonly captureContext: CaptureContext;
  /** The last run of an invocation. */
  of(invocation: InvocationContext): AgentRun | undefined;
  /** @param start - Makes the span, as a child of what is active in a context. */
  open(invocation: InvocationContext, startTime: number, start: (outside: Context) => Span): AgentRun;
  /** Where a span of this invocation belongs: inside of what is active, if that is a part of it. */
  contextOf(invocation: InvocationContext): Context;
}

/** @param captured - How the async context is kept otherwise. */
export function agentRuns(captured: CaptureContext): AgentRuns {
  const key = createContextKey('toolstream.otel');
  const scopeOf = (active: Context) => active.getValue(key) as Scope | undefined;
  // By what also a copy of the context has in common with it. Forgotten with the invocation.
  const runs = new WeakMap<InvocationParameters, AgentRun>();

  /** Whoever subscribes when he hears of the end of another invocation stands still inside of that one. */
  const beyondEnded = (active: Context): Context => {
    const scope = scopeOf(active);
    const hasEnded = scope?.run?.isOver && trace.getSpan(active) === scope.run.span;
    return hasEnded ? beyondEnded(scope.outside) : active;
  };

  return {
    of: ({ parameters }) => runs.get(parameters),
    captureContext() {
      const outside = beyondEnded(context.active());
      const scope: Scope = { outside, inside: outside, run: undefined, isEntered: true };
      scope.inside = outside.setValue(key, scope);
      const restore = captured();
      return (work) => restore(scope.isEntered ? () => context.with(scope.inside, work) : work);
    },
    open({ parameters }, startTime, start) {
      const active = context.active();
      const scope = scopeOf(active);
      const isOwn = scope !== undefined && scope.run === undefined;
      const outside = isOwn ? scope.outside : beyondEnded(active);
      const span = start(outside);
      const inside = trace.setSpan(isOwn ? scope.inside : outside, span);
      const run: AgentRun = {
        span,
        context: inside,
        startTime,
        isOver: false,
        tokenUsage: undefined,
        toolSpecifications: undefined,
      };
      if (isOwn) Object.assign(scope, { inside, run, isEntered: isSpanContextValid(span.spanContext()) });
      runs.set(parameters, run);
      return run;
    },
    contextOf({ parameters }) {
      const active = context.active();
      const run = runs.get(parameters);
      return !run || scopeOf(active)?.run === run ? active : run.context;
    },
  };
}
