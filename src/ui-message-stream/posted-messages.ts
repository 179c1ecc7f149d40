import * as z from 'zod';

/** A part as far as it is of use here; only those fields are there that its type asks for. */
export interface PostedPart {
  readonly type: string;
  readonly text?: string | undefined;
  readonly mediaType?: string | undefined;
  readonly filename?: string | undefined;
  readonly url?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly state?: string | undefined;
  readonly input?: unknown;
  readonly rawInput?: unknown;
  readonly output?: unknown;
  readonly errorText?: string | undefined;
  readonly preliminary?: boolean | undefined;
  readonly approval?:
    { readonly id: string; readonly approved?: boolean | undefined; readonly reason?: string | undefined } | undefined;
}

export interface PostedMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly PostedPart[];
}

/** Throws a `TypeError` that says where the value stops being messages of the AI SDK's UI, and what was expected there. */
export function checkedUiMessages(messages: unknown): readonly PostedMessage[] {
  if (typeof messages === 'string')
    throw new TypeError('This is JSON text, not the messages of a UI: pass the property messages of what was parsed.');
  // To check and to write a value takes a call for each of its levels.
  if (isDeeperThan(messages, maxDepth))
    throw new TypeError(`These are no messages of a UI: there are more than ${maxDepth} levels.`);
  const { success, data, error } = messagesSchema().safeParse(messages);
  if (success) return data;
  const problems = error.issues.slice(0, 5).map(({ path, message }) => `  ${pathText(path)}: ${message}`);
  throw new TypeError(`These are no messages of a UI:\n${problems.join('\n')}`);
}

const maxDepth = 500;

function isDeeperThan(value: unknown, depth: number): boolean {
  let level: readonly unknown[] = [value];
  for (let left = depth; left >= 0; left--) {
    level = level.flatMap((item): readonly unknown[] => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return true;
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => text + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`), 'messages');
}

let schema: ReturnType<typeof createSchema> | undefined;
// Made at the first use: importing the library must not pay for it.
const messagesSchema = () => (schema ??= createSchema());

function createSchema() {
  const role = z.enum(['user', 'assistant'], {
    error: ({ input }) =>
      input === 'system' ? 'A system message is not taken from a client: set systemMessage of the service' : undefined,
  });
  const parts = z.array(partSchema()).check(({ value, issues }) => {
    // Within a step only: a later one may use an id again.
    const ids = new Set<string>();
    value.forEach(({ type, toolCallId }, place) => {
      if (type === 'step-start') ids.clear();
      if (toolCallId === undefined) return;
      if (ids.has(toolCallId))
        issues.push({
          code: 'custom',
          path: [place, 'toolCallId'],
          input: toolCallId,
          message: 'Another call of the step has this id',
        });
      ids.add(toolCallId);
    });
  });
  return z.array(z.object({ role, parts })).min(1, 'There must be a message');
}

function partSchema() {
  const part = z.looseObject({ type: z.string() });
  const text = z.object({ type: z.string(), text: z.string() });
  const file = z.object({ type: z.string(), mediaType: z.string(), url: z.string(), filename: z.string().optional() });
  const tool = z.object({
    type: z.string(),
    toolCallId: z.string().min(1),
    toolName: z.string().optional(),
    state: z.enum([
      'input-streaming',
      'input-available',
      'approval-requested',
      'approval-responded',
      'output-available',
      'output-error',
      'output-denied',
    ]),
    input: z.unknown().optional(),
    rawInput: z.unknown().optional(),
    output: z.unknown().optional(),
    errorText: z.string().optional(),
    preliminary: z.boolean().optional(),
    approval: z.object({ id: z.string(), approved: z.boolean().optional(), reason: z.string().optional() }).optional(),
  });
  const dynamicTool = tool.extend({ toolName: z.string().min(1) });
  const typedTool = tool.extend({ type: z.string().min('tool-'.length + 1, 'The name of the tool is missing') });
  const schemaOf = (type: string): z.ZodType<PostedPart> | undefined => {
    if (type === 'text' || type === 'reasoning') return text;
    if (type === 'file') return file;
    if (type === 'dynamic-tool') return dynamicTool;
    return type.startsWith('tool-') ? typedTool : undefined;
  };
  // A union would tell of every branch what is wrong with it.
  return part.transform((value, context): PostedPart => {
    const checked = schemaOf(value.type)?.safeParse(value);
    // All else is for the UI alone.
    if (!checked) return { type: value.type };
    if (checked.success) return checked.data;
    for (const { path, message } of checked.error.issues) context.addIssue({ code: 'custom', path: [...path], message });
    return z.NEVER;
  });
}
