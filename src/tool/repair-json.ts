import { parseJson } from '../chat/parse-json.ts';

/**
 * One attempt to mend JSON that a model wrote nearly right; `undefined` when it can't be mended or when it was cut.
 *
 * Mends: a code fence or template tokens around it, JSON inside a JSON string, trailing commas, and raw line breaks in
 * strings. Never adds what is missing: half a command must not be run.
 */
export function repairJson(text: string): unknown {
  const core = withoutWrapping(text);
  return parsed(core) ?? parsed(withoutSlips(core));
}

function parsed(text: string): unknown {
  const value = parseJson(text);
  return typeof value === 'string' ? parseJson(value) : value;
}

function withoutWrapping(text: string): string {
  let core = withoutTokens(text);
  if (core.startsWith('```')) core = core.slice(core.indexOf('\n') + 1);
  if (core.endsWith('```')) core = core.slice(0, -3);
  return withoutTokens(core);
}

/** Without the template tokens, such as <|im_end|>, that a server let through behind the text. */
function withoutTokens(text: string): string {
  let core = text.trim();
  while (core.endsWith('|>')) {
    const start = core.lastIndexOf('<|');
    if (start < 0) break;
    core = core.slice(0, start).trimEnd();
  }
  return core;
}

const controlCharacters: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Drops commas before a closing bracket and escapes raw control characters in strings, in one pass. */
function withoutSlips(text: string): string {
  let mended = '';
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (inString && character === '\\') {
      mended += character + text.charAt(++i);
      continue;
    }
    if (character === '"') inString = !inString;
    if (inString) {
      mended += controlCharacters[character] ?? character;
    } else if (character !== ',' || !closesNext(text, i + 1)) {
      mended += character;
    }
  }
  return mended;
}

function closesNext(text: string, from: number): boolean {
  let next = from;
  while (next < text.length && ' \n\r\t'.includes(text.charAt(next))) next++;
  return text.charAt(next) === '}' || text.charAt(next) === ']';
}
