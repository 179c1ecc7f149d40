import { isObject } from '../chat/is-object.ts';
import { parseJson } from '../chat/parse-json.ts';
import { withoutPrototypeKeys } from './prototype-keys.ts';
import { repairJson } from './repair-json.ts';
import { ToolArgumentsError } from './tool-errors.ts';

export interface ParsedArguments {
  readonly value: Record<string, unknown>;
  readonly repaired: boolean;
}

/** Reads the JSON text that a model wrote as a tool's arguments. Empty text is `{}`; throws a `ToolArgumentsError`. */
export function parseArguments(toolName: string, text: string): ParsedArguments {
  // No arguments, and `null` for none.
  if (!text.trim() || text.trim() === 'null') return { value: {}, repaired: false };
  const plain = parseJson(text);
  const value = isObject(plain) ? plain : repairJson(text);
  if (!isObject(value)) throw new ToolArgumentsError(problem(toolName, text, plain));
  return { value: withoutPrototypeKeys(text, value), repaired: value !== plain };
}

function problem(toolName: string, text: string, plain: unknown): string {
  const shown = text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
  const reason = plain === undefined ? 'are not valid JSON (or were cut off)' : 'are not a JSON object';
  return `The arguments of ${toolName} ${reason}. Call it again with one JSON object. They were: ${shown}`;
}
