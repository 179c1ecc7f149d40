import { ConfigurationError } from './configuration-error.ts';
import { jsonText } from './json-safe.ts';

/** The error for an option that can't work: names the option, shows its value, and says what it must be. */
export function invalidOption(where: string, option: string, value: unknown, remedy: string): ConfigurationError {
  return new ConfigurationError(`${where}: ${option} is ${described(value)}; ${remedy}.`);
}

/** An object may hold secrets, such as the key of a client that was passed as a model: only its properties are named. */
function described(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return jsonText(value);
  if (Array.isArray(value)) return value.every((item) => Object(item) !== item) ? jsonText(value) : 'an array of objects';
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  return `an object with ${keys.slice(0, 5).join(', ')}${keys.length > 5 ? ' …' : ''}`;
}

/** Throws unless `options` is an object that holds only known options: a typing error must not pass for a setting. */
export function checkKnownOptions(where: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigurationError(`${where}: there must be an object of options, not ${jsonText(options)}.`);
  }
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown !== undefined) throw new ConfigurationError(`${where}: unknown option ${unknown}; there are ${known.join(', ')}.`);
}

/** Throws unless these are headers that can be sent. No value is shown, as the platform's own error would do. */
export function checkHeaders(where: string, option: string, headers: Readonly<Record<string, string>> | undefined): void {
  try {
    new Headers(headers);
  } catch {
    throw new ConfigurationError(`${where}: ${option} has a character, such as a line break, that headers must not have.`);
  }
}

/** Throws unless the option is absent or a whole number from `least` up. */
export function checkCount(where: string, option: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === 'number' && value >= least && (Number.isSafeInteger(value) || value === Infinity)))
    return;
  throw invalidOption(where, option, value, `it must be a whole number from ${least} up`);
}

/** Throws unless the option is absent or has all these methods. */
export function checkMethods(where: string, option: string, value: unknown, methods: readonly string[]): void {
  if (value === undefined) return;
  const hasAll = value !== null && methods.every((method) => typeof (value as Record<string, unknown>)[method] === 'function');
  if (!hasAll) throw invalidOption(where, option, value, `it must have the methods ${methods.join(', ')}`);
}

/** Throws unless the option is absent or a positive number of ms. */
export function checkDuration(where: string, option: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && value > 0)) return;
  throw invalidOption(where, option, value, 'it must be a number of ms above 0');
}

/** Throws unless the option is absent, true or false. */
export function checkFlag(where: string, option: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean') throw invalidOption(where, option, value, 'it must be true or false');
}

/** Throws unless the option is absent or a function. */
export function checkFunction(where: string, option: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw invalidOption(where, option, value, 'it must be a function');
}

/** Throws unless the option is a text with something in it. */
export function checkText(where: string, option: string, value: unknown): void {
  if (typeof value !== 'string' || !value.trim())
    throw invalidOption(where, option, value, 'it must be a text that is not empty');
}
