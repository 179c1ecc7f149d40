import { ConfigurationError } from '../../chat/configuration-error.ts';
import { jsonText } from '../../chat/json-safe.ts';
import { invalidOption } from '../../chat/option-checks.ts';

/** A text that must not be on the tape, a pattern of such texts, or a function that takes them out of a text. */
export type Redact = string | RegExp | ((text: string) => string);

/** What stands in the place of a secret; in a recorded request it stands for any text. */
export const redacted = '[redacted]';

/** Takes all that is to be redacted out of a text. Throws a `ConfigurationError` for what can't be redacted. */
export function redaction(where: string, redact: Redact | readonly Redact[] = []): (text: string) => string {
  const steps = (isList(redact) ? redact : [redact]).map((one) => stepOf(where, one));
  return (text) => steps.reduce((rest, step) => step(rest), text);
}

function isList(redact: Redact | readonly Redact[]): redact is readonly Redact[] {
  return Array.isArray(redact);
}

function stepOf(where: string, redact: Redact): (text: string) => string {
  if (typeof redact === 'function') return (text) => checked(where, redact(text));
  if (redact instanceof RegExp) {
    const everywhere = new RegExp(redact.source, `${redact.flags.replace(/[gy]/g, '')}g`);
    return (text) => text.replace(everywhere, (found) => found && redacted);
  }
  if (typeof redact !== 'string' || redact === '')
    throw invalidOption(
      where,
      'redact',
      redact,
      'it must hold texts that are not empty, patterns, or functions from text to text',
    );
  // Within the arguments of a call the text stands as JSON.
  const escaped = JSON.stringify(redact).slice(1, -1);
  return (text) => text.replaceAll(redact, redacted).replaceAll(escaped, redacted);
}

function checked(where: string, text: unknown): string {
  if (typeof text === 'string') return text;
  throw new ConfigurationError(`${where}: the function redact returned ${jsonText(text)}; it must return the text.`);
}
