import { ConfigurationError } from '../chat/configuration-error.ts';
import { checkKnownOptions } from '../chat/option-checks.ts';
import { jsonText } from '../chat/json-safe.ts';
import { parseMarbles } from './marbles.ts';

/** Throws a `ConfigurationError` on a script that no model could follow. */
export function checkScript(answers: unknown, options: object): void {
  checkKnownOptions('scriptedModel', options, ['calls', 'events']);
  if (!Array.isArray(answers))
    throw misfit('the answers are', answers, "it must be an array with one for each request, as in ['-A|', '-z|']");
  answers.forEach((answer: unknown, place) => checkAnswer(answer, `answer ${place + 1} is`));
}

function checkAnswer(answer: unknown, what: string): void {
  if (Array.isArray(answer)) return answer.forEach((item: unknown) => checkItem(item, what));
  const marbles = typeof answer === 'string' ? answer : (answer as { readonly marbles?: unknown } | null | undefined)?.marbles;
  if (typeof marbles !== 'string')
    throw misfit(what, answer, 'it must be a diagram, a list, or { marbles, response?, error?, expects? }');
  if (typeof answer === 'object')
    checkKnownOptions(`scriptedModel: ${what}`, answer, ['marbles', 'response', 'error', 'expects']);
  parseMarbles(marbles);
}

function checkItem(item: unknown, what: string): void {
  const { call, type } = (item ?? {}) as { readonly call?: unknown; readonly type?: unknown };
  if (typeof item === 'string' || typeof call === 'string' || typeof type === 'string') return;
  throw misfit(
    `${what} a list with`,
    item,
    "it must hold texts, { call: 'name' } (of a tool: tool.specification.name), or events",
  );
}

function misfit(what: string, value: unknown, remedy: string): ConfigurationError {
  return new ConfigurationError(`scriptedModel: ${what} ${jsonText(value)}; ${remedy}.`);
}
