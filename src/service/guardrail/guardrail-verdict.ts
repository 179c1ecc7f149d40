import type { ConfigurationError } from '../../chat/configuration-error.ts';
import type { GuardrailResult } from '../../chat/guardrail-result.ts';
import { jsonText } from '../../chat/json-safe.ts';
import { invalidOption } from '../../chat/option-checks.ts';
import { isError, messageOf } from '../../tool/tool-errors.ts';

/** What a guardrail judges. */
export type GuardrailKind = 'input' | 'output';

/** What a guardrail said, or what stands for it where it said nothing that can be used. */
export interface Verdict {
  readonly result: GuardrailResult;
  /** It returned something else, and no message is to blame. */
  readonly misuse?: ConfigurationError;
}

const makers: Readonly<Record<GuardrailKind, string>> = {
  input: 'success(), rewrite(text), failure(message) or fatal(message)',
  output: 'success(), rewrite(text), failure(message), fatal(message), retry(message) or reprompt(message, prompt)',
};

/** What a guardrail returned, checked. */
export function verdictOn(kind: GuardrailKind, name: string, returned: unknown): Verdict {
  const problem = problemOf(kind, returned);
  if (problem === undefined) return { result: returned as GuardrailResult };
  const misuse = invalidOption(
    `the ${kind} guardrail ${name}`,
    'its result',
    returned,
    `${problem}return guardrail.${makers[kind]}`,
  );
  return { result: fatal(misuse), misuse };
}

/** What a guardrail threw. */
export const verdictOnThrown = (thrown: unknown): Verdict => ({ result: fatal(thrown) });

function fatal(cause: unknown): GuardrailResult {
  return { type: 'fatal', message: isError(cause) ? messageOf(cause) : `It threw ${jsonText(cause)}.`, cause };
}

function problemOf(kind: GuardrailKind, returned: unknown): string | undefined {
  const { type, message, prompt, rewrittenText } = (returned ?? {}) as Readonly<Record<string, unknown>>;
  const lacks = (field: unknown) => typeof field !== 'string' || !field.trim();
  switch (type) {
    case 'success':
      return rewrittenText === undefined || typeof rewrittenText === 'string' ? undefined : 'its rewrittenText must be a text: ';
    case 'failure':
    case 'fatal':
      return lacks(message) ? 'it must have a message: ' : undefined;
    case 'retry':
    case 'reprompt':
      if (kind === 'input') return 'only an answer can be asked for again: ';
      if (type === 'reprompt' && lacks(prompt)) return 'it must have a prompt: ';
      return lacks(message) ? 'it must have a message: ' : undefined;
    default:
      return '';
  }
}
