import * as z from 'zod';
import { isObject } from '../chat/is-object.ts';
import type { AgUiMessage } from './ag-ui-message.ts';

/** An answer to an interrupt. */
export interface AgUiResume {
  readonly interruptId: string;
  readonly status: 'resolved' | 'cancelled';
  readonly payload?: unknown;
}

/** What a client sends to begin a run, as AG-UI 1.0 has it. */
export interface RunAgentInput {
  readonly threadId: string;
  readonly runId: string;
  readonly messages: readonly AgUiMessage[];
  readonly state?: unknown;
  readonly tools?: readonly { readonly name: string; readonly description: string; readonly parameters?: unknown }[];
  readonly context?: readonly { readonly description: string; readonly value: string }[];
  readonly forwardedProps?: unknown;
  readonly resume?: readonly AgUiResume[];
}

/** Checks what a client has sent. Throws a `TypeError` that says where it stops being the input of a run. */
export function parseRunAgentInput(json: unknown): RunAgentInput {
  if (typeof json === 'string') throw new TypeError('This is JSON text, not the input of a run: pass JSON.parse(text).');
  if (isPromiseLike(json)) throw new TypeError('This is a promise, not the input of a run: await it.');
  const { success, data, error } = inputSchema().safeParse(json);
  if (success) return data;
  const problems = error.issues.slice(0, 5).map((issue) => `  ${pathText(issue.path)}: ${issue.message}`);
  throw new TypeError(`This is no input of an AG-UI run:\n${problems.join('\n')}`);
}

const isPromiseLike = (value: unknown): boolean => isObject(value) && typeof value['then'] === 'function';

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => text + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`), 'input');
}

let schema: ReturnType<typeof createSchema> | undefined;
// Made at the first use: importing the library must not pay for it.
const inputSchema = () => (schema ??= createSchema());

function createSchema() {
  const id = z.string().min(1);
  const metadata = z.record(z.string(), z.unknown()).optional();
  // Whoever fetches it may reach what the client can't: files, say.
  const url = z.string().regex(/^(https?:\/\/|data:)/i, 'it must be an http(s) or data URL');
  const source = z.discriminatedUnion('type', [
    z.object({ type: z.literal('data'), value: z.string(), mimeType: z.string() }),
    z.object({ type: z.literal('url'), value: url, mimeType: z.string().optional() }),
    z.object({
      type: z.literal('file'),
      value: z.string(),
      provider: z.string().optional(),
      mimeType: z.string().optional(),
    }),
  ]);
  const part = z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.enum(['image', 'audio', 'video', 'document']), source }),
  ]);
  const content = z.union([z.string(), z.array(part)]);
  const toolCall = z.object({
    id,
    type: z.literal('function'),
    function: z.object({ name: z.string(), arguments: z.string() }),
  });
  const message = z.discriminatedUnion('role', [
    z.object({ id, metadata, role: z.enum(['developer', 'system', 'reasoning']), content: z.string() }),
    z.object({ id, metadata, role: z.literal('user'), content }),
    z.object({
      id,
      metadata,
      role: z.literal('assistant'),
      content: z.string().optional(),
      toolCalls: z.array(toolCall).optional(),
    }),
    z.object({ id, metadata, role: z.literal('tool'), toolCallId: id, content, error: z.string().optional() }),
    z.object({
      id,
      metadata,
      role: z.literal('activity'),
      activityType: z.string(),
      content: z.record(z.string(), z.unknown()),
    }),
  ]);
  return z.object({
    threadId: id,
    runId: id,
    messages: z.array(message),
    state: z.unknown().optional(),
    tools: z.array(z.object({ name: z.string().min(1), description: z.string(), parameters: z.unknown().optional() })).optional(),
    context: z.array(z.object({ description: z.string(), value: z.string() })).optional(),
    forwardedProps: z.unknown().optional(),
    resume: z
      .array(z.object({ interruptId: id, status: z.enum(['resolved', 'cancelled']), payload: z.unknown().optional() }))
      .optional(),
  });
}
