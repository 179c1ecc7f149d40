import { isObject } from './is-object.ts';
import { invalidOption } from './option-checks.ts';

type Check = readonly [fits: (value: unknown) => boolean, remedy: string];

const isText = (value: unknown) => typeof value === 'string';
const isFinite = (value: unknown) => Number.isFinite(value);
const isCount = (least: number) => (value: unknown) => Number.isSafeInteger(value) && (value as number) >= least;
const isOneOf =
  (...values: readonly unknown[]) =>
  (value: unknown) =>
    values.includes(value);

const number: Check = [isFinite, 'it must be a number'];
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'];

/** What the settings of a request must be. */
const checks: Readonly<Record<string, Check>> = {
  toolSpecifications: [Array.isArray, 'it must be an array'],
  toolChoice: [
    (value) => isOneOf('auto', 'required', 'none')(value) || (isObject(value) && isText(value['name'])),
    "it must be 'auto', 'required', 'none' or { name }",
  ],
  responseFormat: [
    (value) => isObject(value) && isOneOf('text', 'json')(value['type']),
    "it must be { type: 'text' } or { type: 'json', schema? }",
  ],
  modelName: [isText, 'it must be a text'],
  temperature: number,
  topP: number,
  topK: number,
  frequencyPenalty: number,
  presencePenalty: number,
  seed: number,
  maxOutputTokens: [isCount(1), 'it must be a whole number from 1 up'],
  stopSequences: [(value) => Array.isArray(value) && value.every(isText), 'it must be an array of texts'],
  parallelToolCalls: [isOneOf(true, false), 'it must be true or false'],
  reasoning: [
    (value) =>
      isObject(value) &&
      (value['effort'] === undefined || isOneOf(...efforts)(value['effort'])) &&
      (value['budget'] === undefined || isCount(0)(value['budget'])),
    `it must be { effort } with one of ${efforts.join(', ')}, or { budget } with tokens`,
  ],
  providerOptions: [isObject, 'it must be an object'],
};

/** Throws a `ConfigurationError` on a setting of a request that no provider could take. */
export function checkRequest(where: string, request: object): void {
  for (const [setting, value] of Object.entries(request)) {
    const [fits, remedy] = checks[setting] ?? [];
    if (value !== undefined && fits && !fits(value)) throw invalidOption(where, setting, value, remedy!);
  }
}
