import type { $ZodType } from 'zod/v4/core';
import type { ResponseFormat } from '../../chat/chat-request.ts';
import { thenValue, type Value } from '../../chat/value.ts';
import { jsonInText } from '../../tool/json-in-text.ts';
import { withoutPrototypeKeys } from '../../tool/prototype-keys.ts';
import { checkOutput, type ParsedOutput } from './check-output.ts';
import { outputSchema } from './output-schema.ts';
import { partialJson, type PartialJson } from './partial-json.ts';

/** What a service's `output` makes of the request, and of the answer. */
export interface OutputFormat {
  readonly responseFormat: ResponseFormat;
  /** For models that know no JSON Schema: what is added to the user's message. */
  readonly instructions: string;
  /** Reads the answer; at once unless the type is asynchronous. Neither throws nor rejects. */
  parse(text: string | null): Value<ParsedOutput>;
  /** Makes a reader for one answer that streams. What it shows is as the model writes it: not checked, not transformed. */
  reader(): PartialJson;
}

/**
 * Makes the format of a service's answers; throws a `ConfigurationError` when the type can't be told as JSON Schema.
 *
 * The model always writes an object: for a type that is none, `{ value: … }`, and nobody else gets to see that.
 */
export function outputFormat(output: $ZodType): OutputFormat {
  const { json, type, isWrapped } = outputSchema(output);
  return {
    responseFormat: { type: 'json', name: 'answer', schema: json },
    instructions: `Answer with one JSON object and nothing else: no text around it, no code fence. It must fit this JSON Schema:\n${JSON.stringify(json)}`,
    parse(text) {
      if (!text?.trim()) return { ok: false, problem: 'The answer is empty; it must be one JSON object.' };
      const value = withoutPrototypeKeys(text, jsonInText(text));
      if (value === undefined) return { ok: false, problem: 'The answer is not one JSON object, or it was cut off.' };
      if (!isWrapped) return checkOutput(type, value);
      return thenValue(checkOutput(type, isWrapper(value) ? value : { value }), (parsed) =>
        parsed.ok ? { ok: true, value: unwrapped(parsed.value) } : parsed,
      );
    },
    reader() {
      // A bracket in the text before an object is no beginning of it.
      const json = partialJson(isWrapped ? 'any' : 'object');
      return isWrapped ? { push: (text) => unwrapped(json.push(text)) } : json;
    },
  };
}

/** Models without JSON Schema may leave the wrapper out. */
function isWrapper(value: unknown): value is { readonly value?: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.hasOwn(value, 'value') || Object.keys(value).length === 0;
}

function unwrapped(value: unknown): unknown {
  return isWrapper(value) ? value.value : value;
}
