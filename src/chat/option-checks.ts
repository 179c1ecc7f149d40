import { closestName } from './closest-name.ts';
import { ConfigurationError } from './configuration-error.ts';
import { shownValue } from './shown-value.ts';

/** The error for an option that can't work: names the option, shows its value, and says what it must be. */
export function invalidOption(where: string, option: string, value: unknown, remedy: string): ConfigurationError {
  return new ConfigurationError(`${where}: ${option} is ${shownValue(value)}; ${remedy}.`);
}

/** Throws unless `options` is an object that holds only known options: a typing error must not pass for a setting. */
export function checkKnownOptions(where: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    // A text may be the key itself.
    throw new ConfigurationError(
      `${where}: there must be an object of options, not ${typeof options === 'string' ? 'a text' : shownValue(options)}.`,
    );
  }
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown === undefined) return;
  const meant = meantBy(unknown, known);
  throw new ConfigurationError(
    `${where}: unknown option ${unknown.slice(0, 80)}${meant ? ` (did you mean ${meant}?)` : ''}; there are ${known.join(', ')}.`,
  );
}

/** The option that was probably meant: one spelt nearly so, or one whose name holds that word. */
function meantBy(unknown: string, known: readonly string[]): string | undefined {
  const word = unknown.toLowerCase();
  // A letter or two are in nearly every name.
  return (
    closestName(unknown, known) ?? (word.length > 2 ? known.find((option) => option.toLowerCase().includes(word)) : undefined)
  );
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
  if (value !== undefined) requireFunction(where, option, value);
}

/** Throws unless it is a function. */
export function requireFunction(where: string, option: string, value: unknown): void {
  if (typeof value !== 'function') throw invalidOption(where, option, value, 'it must be a function');
}

/** A generator of ids that throws a `ConfigurationError` when it returns none. */
export function checkedIds(where: string, makeId: () => string): () => string {
  return () => {
    const id = makeId();
    checkText(where, 'what idGenerator returned', id);
    return id;
  };
}

/** Throws unless the option is a text with something in it. */
export function checkText(where: string, option: string, value: unknown): void {
  if (typeof value !== 'string' || !value.trim())
    throw invalidOption(where, option, value, 'it must be a text that is not empty');
}
