import { ToolArgumentsError } from './tool-errors.ts';
import { repairJson } from './repair-json.ts';

export interface ParsedArguments {
  readonly value: Record<string, unknown>;
  readonly repaired: boolean;
}

/** Reads the JSON text that a model wrote as a tool's arguments. Empty text is `{}`; throws a `ToolArgumentsError`. */
export function parseArguments(toolName: string, text: string): ParsedArguments {
  if (!text.trim()) return { value: {}, repaired: false };
  const plain = parsed(text);
  const value = isObject(plain) ? plain : repairJson(text);
  if (!isObject(value)) throw new ToolArgumentsError(problem(toolName, text, plain));
  return { value: withoutPrototypeKeys(text, value), repaired: value !== plain };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problem(toolName: string, text: string, plain: unknown): string {
  const shown = text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
  const reason = plain === undefined ? 'are not valid JSON (or were cut off)' : 'are not a JSON object';
  return `The arguments of ${toolName} ${reason}. Call it again with one JSON object. They were: ${shown}`;
}

// Escapes may spell a key in another way, so a text with \u is looked through as well.
const suspicious = /__proto__|constructor|\\u/;

/** Takes out the keys by which parsed JSON could change the prototype of an object that it is merged into. */
function withoutPrototypeKeys<T>(text: string, value: T): T {
  if (!suspicious.test(text)) return value;
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, '__proto__')) delete (next as Record<string, unknown>)['__proto__'];
    const { constructor } = Object.hasOwn(next, 'constructor') ? (next) : {};
    // A racing team is a fine value for `constructor`; an object with a prototype is an attack.
    if (typeof constructor === 'object' && constructor !== null && Object.hasOwn(constructor, 'prototype')) {
      delete (next as Record<string, unknown>)['constructor'];
    }
    for (const inner of Object.values(next)) if (typeof inner === 'object' && inner !== null) waiting.push(inner);
  }
  return value;
}
