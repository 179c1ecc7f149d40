import { isJsonObject } from './server-sides/is-json-object.ts';

/** What a tool says that has worked: which call it was, and with which argument. It fits into the shortest result that a plan allows. */
export const workText = (id: string, n: number | undefined): string => `${isPlain(id) ? id : oddId} n=${n ?? 'none'}`;

/** In the place of an id that was garbled: APIs take it only in another form. */
const oddId = 'odd';

const isPlain = (id: string): boolean => /^[\w-]+$/.test(id);

/** What stands in the results of calls whose tools have not worked, or whose work stands no more. */
const otherTexts: readonly RegExp[] = [
  /did not complete/,
  /rolled back|may still stand/,
  /has failed|can not do that today/,
  /The (tool|call) was (not|stopped)|The call of .* was cancelled|took longer than/,
  /The arguments of|There is no such tool|needs an approval/,
  // Of a long one too little is left.
  /characters are missing here/,
];

/** The id and the argument that a result names. `undefined`: it is a text that names none. */
export function workNamed(text: string): { readonly id: string; readonly n: number | undefined } | undefined {
  const [, id, n] = /([\w-]+) n=(-?\d+|none)/.exec(text) ?? [];
  return id === undefined ? undefined : { id, n: n === 'none' ? undefined : Number(n) };
}

export const isOtherText = (text: string): boolean => otherTexts.some((pattern) => pattern.test(text));

/** The argument in the JSON that a model has written. `unknown`: it was no whole object, and how it is mended is not asked here. */
export function argumentIn(json: string): number | 'unknown' | undefined {
  if (!isJsonObject(json)) return 'unknown';
  const [, n] = /"n"\s*:\s*(-?\d+)/.exec(json) ?? [];
  return n === undefined ? undefined : Number(n);
}

/** Whether one id comes of the other: what comes twice, in one history, is given a number. */
export const isSameCall = (one: string, other: string): boolean =>
  [one, other].includes(oddId) || withoutNumber(one) === withoutNumber(other);

const withoutNumber = (id: string): string => id.replace(/(-\d+)+$/, '');
