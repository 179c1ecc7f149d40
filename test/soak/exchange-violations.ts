import { argumentIn, isOtherText, isSameCall, workNamed } from './work-text.ts';

/** A call and its result, as a request carries them. */
export interface Exchange {
  /** Absent: the API knows calls by their places. */
  readonly id?: string;
  readonly arguments: unknown;
  /** Absent where the call has none. */
  readonly result: unknown;
}

/** What is wrong with the contents of results: each must be that of its call, or tell why there is none. */
export function exchangeViolations(exchanges: readonly Exchange[]): readonly string[] {
  return exchanges.flatMap(({ id, arguments: written, result }) => {
    const text = textOf(result);
    const named = workNamed(text);
    const call = `${id ?? 'a call'} with ${textOf(written)}`;
    if (!named) return isOtherText(text) ? [] : [`the result of ${call} says ${text.slice(0, 200)}`];
    const n = argumentIn(textOf(written));
    const isOwn = (id === undefined || isSameCall(id, named.id)) && (n === 'unknown' || n === named.n);
    return isOwn ? [] : [`${call} has the result of another call: ${text.slice(0, 200)}`];
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
