import { catchError, defaultIfEmpty, defer, from, map, mergeScan, takeLast, takeWhile, tap, type Observable } from 'rxjs';
import type { ConfigurationError } from '../../chat/configuration-error.ts';
import type { GuardrailResult } from '../../chat/guardrail-result.ts';
import { fromValue, type Value } from '../../chat/value.ts';
import type { GuardrailFailure } from './guardrail-errors.ts';
import { verdictOn, verdictOnThrown, type GuardrailKind, type Verdict } from './guardrail-verdict.ts';

/** What the guardrails of an invocation run in, and who looks on. `S` is what they judge. */
export interface GuardrailWatch<S> {
  /** ms. */
  now(): number;
  /** Runs a guardrail in the context of the user's subscription. */
  asUserCode<T>(source: Observable<T>): Observable<T>;
  /** Called when a guardrail has said what it thinks of a subject, before the next is asked. `duration` is in ms. */
  onExecuted(guardrail: string, result: GuardrailResult, duration: number, subject: S): void;
}

/** What the two kinds of guardrails differ in. */
export interface GuardrailChain<S> {
  readonly kind: GuardrailKind;
  readonly guardrails: readonly GuardrailOf<S>[];
  rewritten(subject: S, text: string): S;
}

/** One guardrail, with the rest of its request filled in. */
interface GuardrailOf<S> {
  readonly name: string;
  judge(subject: S): Value<GuardrailResult>;
}

/** How far the guardrails have come. */
export interface Judged<S> {
  readonly subject: S;
  readonly failures: readonly GuardrailFailure[];
  /** Why no further guardrail is asked. */
  readonly end?: GuardrailResult;
  readonly misuse?: ConfigurationError;
}

/**
 * Asks guardrails one after the other, each about what those before it have made of the subject, and emits what came of it.
 *
 *     success, rewrite, failure  the next is asked
 *     fatal, retry, reprompt     no other is asked
 */
export function guardrailChain<S>(chain: GuardrailChain<S>, first: S, watch: GuardrailWatch<S>): Observable<Judged<S>> {
  const start: Judged<S> = { subject: first, failures: [] };
  return from(chain.guardrails).pipe(
    mergeScan((judged, guardrail) => execution(chain, guardrail, judged, watch), start, 1),
    takeWhile(({ end }) => end === undefined, true),
    takeLast(1),
    defaultIfEmpty(start),
  );
}

function execution<S>(
  chain: GuardrailChain<S>,
  { name, judge }: GuardrailOf<S>,
  judged: Judged<S>,
  { now, asUserCode, onExecuted }: GuardrailWatch<S>,
): Observable<Judged<S>> {
  const { subject } = judged;
  return defer(() => {
    const startTime = now();
    return asUserCode(fromValue(() => judge(subject))).pipe(
      map((returned) => verdictOn(chain.kind, name, returned)),
      catchError((thrown: unknown) => [verdictOnThrown(thrown)]),
      tap(({ result }) => onExecuted(name, result, now() - startTime, subject)),
      map((verdict) => next(chain, name, judged, verdict)),
    );
  });
}

function next<S>(chain: GuardrailChain<S>, name: string, judged: Judged<S>, { result, misuse }: Verdict): Judged<S> {
  if (result.type === 'success') {
    const { rewrittenText } = result;
    return rewrittenText === undefined ? judged : { ...judged, subject: chain.rewritten(judged.subject, rewrittenText) };
  }
  const { message, cause } = result as { message: string; cause?: unknown };
  const failures = [...judged.failures, { guardrail: name, message, ...(cause !== undefined && { cause }) }];
  if (result.type === 'failure') return { ...judged, failures };
  return { ...judged, failures, end: result, ...(misuse && { misuse }) };
}

/** What a guardrail is called in events and errors. */
export function guardrailName(guardrail: { readonly name: string }, option: string, place: number): string {
  return guardrail.name || `${option}[${place}]`;
}
