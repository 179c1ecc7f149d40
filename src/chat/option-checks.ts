import { ConfigurationError } from './configuration-error.ts';
import { jsonText } from './json-safe.ts';

/** Throws a `ConfigurationError` for an option that there is not, so that a typing error can't pass for a setting. */
export function checkKnownOptions(where: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigurationError(`${where} needs an object of options, not ${jsonText(options)}.`);
  }
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown === undefined) return;
  throw new ConfigurationError(`${where} has no option ${JSON.stringify(unknown)}. There are: ${known.join(', ')}.`);
}

/** Throws a `ConfigurationError` unless the option is absent or a whole number from `least` up. */
export function checkCount(where: string, option: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === 'number' && value >= least && (Number.isSafeInteger(value) || value === Infinity))) return;
  throw new ConfigurationError(`${option} of ${where} is ${jsonText(value)}; it must be a whole number of at least ${least}.`);
}

/** Throws a `ConfigurationError` unless the option is absent or a positive number of ms. */
export function checkDuration(where: string, option: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && value > 0)) return;
  throw new ConfigurationError(`${option} of ${where} is ${jsonText(value)}; it must be a number of milliseconds above 0.`);
}

/** Throws a `ConfigurationError` unless the option is absent or a function. */
export function checkFunction(where: string, option: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return;
  throw new ConfigurationError(`${option} of ${where} is ${jsonText(value)}; it must be a function.`);
}

/** Throws a `ConfigurationError` unless the option is a text with something in it. */
export function checkText(where: string, option: string, value: unknown): void {
  if (typeof value === 'string' && value.trim()) return;
  throw new ConfigurationError(`${option} of ${where} is ${jsonText(value)}; it must be a text that is not empty.`);
}
