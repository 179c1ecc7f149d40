import * as z from 'zod';
import type { ChatMessage } from './message.ts';

/**
 * Reads a history from JSON that was parsed, as it comes from a store.
 *
 * Throws a `TypeError` that says where the value stops being a history and what was expected there.
 *
 * @example
 * parseMessages(JSON.parse('[{"role":"user","contents":[{"type":"text","text":"Hello"}]}]'));
 */
export function parseMessages(json: unknown): readonly ChatMessage[] {
  if (typeof json === 'string') throw new TypeError('This is JSON text, not a history: pass JSON.parse(text) to parseMessages.');
  const { success, data, error } = historySchema().safeParse(json);
  if (success) return data;
  const problems = error.issues.slice(0, 5).map((issue) => `  ${pathText(issue.path)}: ${issue.message}`);
  throw new TypeError(`This is no history of chat messages:\n${problems.join('\n')}`);
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => text + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`), 'messages');
}

let schema: ReturnType<typeof createSchema> | undefined;
// Made at the first use: importing the library must not pay for it.
const historySchema = () => (schema ??= createSchema());

function createSchema() {
  const attributes = z.record(z.string(), z.unknown()).optional();
  const media = { data: z.string().optional(), url: z.string().optional(), mediaType: z.string().optional() };
  const located = <T extends { data?: string | undefined; url?: string | undefined }>(content: T) =>
    content.data !== undefined || content.url !== undefined;
  const needsData = 'Invalid input: expected data or a url';
  const contents = z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string() }),
      z
        .object({ type: z.literal('image'), ...media, detail: z.enum(['auto', 'low', 'high']).optional() })
        .refine(located, needsData),
      z.object({ type: z.literal('audio'), ...media }).refine(located, needsData),
      z.object({ type: z.literal('video'), ...media }).refine(located, needsData),
      z.object({ type: z.literal('pdf'), ...media, name: z.string().optional() }).refine(located, needsData),
    ]),
  );
  const toolExecutionRequest = z.object({ id: z.string().min(1), name: z.string(), arguments: z.string() });
  return z.array(
    z.discriminatedUnion('role', [
      z.object({ role: z.literal('system'), text: z.string() }),
      z.object({ role: z.literal('user'), contents }),
      z.object({
        role: z.literal('assistant'),
        text: z.string().nullable(),
        thinking: z.string().optional(),
        toolExecutionRequests: z.array(toolExecutionRequest),
        attributes,
      }),
      z.object({
        role: z.literal('tool'),
        id: z.string().min(1),
        toolName: z.string(),
        contents,
        isError: z.boolean(),
        attributes,
      }),
    ]),
  );
}
