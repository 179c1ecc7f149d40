import * as z from 'zod';
import { ConfigurationError } from '../../chat/configuration-error.ts';
import { cassetteVersion, type Cassette } from './cassette.ts';
import { errorKinds } from './taped-error.ts';

/**
 * Reads a cassette from JSON, as text or parsed.
 *
 * Throws a `ConfigurationError` that says where it stops being a cassette, what was expected there, and what to do.
 *
 * @example
 * cassetteModel(parseCassette(await (await fetch('/weather.cassette.json')).text()));
 */
export function parseCassette(json: unknown): Cassette {
  return checkedCassette(typeof json === 'string' ? parsed(json, 'parseCassette') : json, 'parseCassette');
}

/** Reads the text of a file. `where`: who asks, and which file. */
export function readCassette(text: string, where: string): Cassette {
  return checkedCassette(parsed(text, where), where);
}

export function checkedCassette(json: unknown, where: string): Cassette {
  const fail = (reason: string) => new ConfigurationError(`${where}: ${reason}`);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    const came = Array.isArray(json) ? 'a list' : json === null || json === undefined ? String(json) : `a ${typeof json}`;
    throw fail(`this is ${came} and no cassette; pass what recordCassette has written.`);
  }
  const misfit = versionMisfit((json as { version?: unknown }).version);
  if (misfit) throw fail(misfit);
  const { success, error } = cassetteSchema().safeParse(json);
  // What was read and not what the schema made of it: a schema drops keys such as __proto__.
  const cassette = json as Cassette;
  const problems = success ? disorders(cassette) : error.issues.map(({ path, message }) => `${pathText(path)}: ${message}`);
  if (problems.length === 0) return cassette;
  const shown = problems.slice(0, 5).map((problem) => `  ${problem}`);
  const more = problems.length > 5 ? `\n  and ${problems.length - 5} more` : '';
  throw fail(`this is a broken cassette:\n${shown.join('\n')}${more}\nMend it there, or record it anew.`);
}

function parsed(text: string, where: string): unknown {
  try {
    // With or without the mark of some editors.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const reason = text.trim() ? (cause as Error).message : 'it is empty';
    throw new ConfigurationError(`${where}: this is no JSON (${reason}); record the cassette anew.`, { cause });
  }
}

function versionMisfit(version: unknown): string | undefined {
  if (version === cassetteVersion) return undefined;
  if (version === undefined) return 'there is no version, so this is no cassette; pass what recordCassette has written.';
  const reads = `here version ${cassetteVersion} is read`;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return `${JSON.stringify(version)} is no version of a cassette (${reads}); record it anew.`;
  return version > cassetteVersion
    ? `it has version ${version}, and ${reads}: it was recorded with a newer toolstream; update, or record it anew.`
    : `it has version ${version}, and ${reads}: it was recorded with an older toolstream; record it anew.`;
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '') || 'cassette';
}

/** What a schema has no words for: time goes on, and a place is that of an earlier exchange. */
function disorders({ exchanges }: Cassette): readonly string[] {
  return exchanges.flatMap(({ events, end, beside = [] }, place) => {
    const backwards = [...events, end].flatMap(({ at }, i, all) => {
      const before = all[i - 1]?.at ?? 0;
      if (at >= before) return [];
      const name = i < events.length ? `events[${i}]` : 'end';
      return [`exchanges[${place}].${name}.at: time goes back, from ${before} to ${at}`];
    });
    const later = beside
      .filter((other) => other >= place)
      .map((other) => `exchanges[${place}].beside: ${other} is not the place of an earlier exchange`);
    return [...backwards, ...later];
  });
}

let schema: z.ZodType | undefined;
// Made at the first use: importing the library must not pay for it.
const cassetteSchema = () => (schema ??= createSchema());

function createSchema(): z.ZodType {
  const at = z.number().min(0);
  const text = z.string();
  const object = z.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'Invalid input: expected object',
  });
  const index = z.number().int().min(0);
  const call = z.object({ id: text, name: text, arguments: text });
  const error = z.union(
    [
      z.object({
        name: z.literal('ChatModelError'),
        message: text,
        kind: z.enum(errorKinds),
        provider: text,
        retryable: z.boolean(),
      }),
      z.object({ name: text, message: text, kind: z.undefined().optional() }),
      z.object({ thrown: z.json() }),
    ],
    { error: 'Invalid input: expected an error (name and message; of a ChatModelError also kind, provider and retryable)' },
  );
  const message = z.object({ role: z.enum(['system', 'user', 'assistant', 'tool']) });
  const aiMessage = z.object({
    role: z.literal('assistant'),
    text: text.nullable(),
    thinking: text.optional(),
    toolExecutionRequests: z.array(call),
    attributes: object.optional(),
  });
  const event = z.discriminatedUnion('type', [
    z.object({ at, type: z.enum(['partialThinking', 'partialResponse']), text }),
    z.object({ at, type: z.literal('partialToolCall'), index, id: text, name: text, partialArguments: text }),
    z.object({ at, type: z.literal('completeToolCall'), index, request: call, attributes: object.optional() }),
    z.object({ at, type: z.literal('retry'), attempt: index, delay: z.number().min(0), error }),
    z.object({ at, type: z.literal('raw') }),
    z.object({ at, type: z.literal('completeResponse'), response: z.object({ aiMessage }) }),
  ]);
  const end = z.discriminatedUnion('how', [
    z.object({ at, how: z.enum(['complete', 'unsubscribed']) }),
    z.object({ at, how: z.literal('error'), error }),
  ]);
  return z.object({
    version: z.literal(cassetteVersion),
    provider: text,
    modelName: text.optional(),
    supports: z.object({ jsonSchema: z.boolean().optional() }).optional(),
    recordedAt: text,
    exchanges: z.array(
      z.object({
        request: z.object({ messages: z.array(message) }),
        beside: z.array(index).optional(),
        events: z.array(event),
        end,
      }),
    ),
  });
}
