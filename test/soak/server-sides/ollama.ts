import type { ModelTurn } from '../model-turn.ts';
import { conversationViolations, type Step } from '../conversation-rules.ts';
import type { ServerSide } from '../server-side.ts';
import { exchangesByMessage } from './exchanges-by-message.ts';
import { isJsonObject } from './is-json-object.ts';

/** The chat API of Ollama: lines of JSON. */
export const ollamaSide: ServerSide = {
  contentType: 'application/x-ndjson',
  frames,
  errorFrame: line({ error: 'the model runner has stopped' }),
  // Its framing has no comments: a blank line is none of its own either, and is read over.
  ping: '\n',
  violations: (body) => {
    const { messages } = body as Body;
    return [
      ...conversationViolations(messages.map(stepOf), { isRequest: true }),
      ...messages
        .flatMap(({ tool_calls = [] }) => tool_calls)
        .flatMap(({ id, function: called }) =>
          isJsonObject(JSON.stringify(called.arguments)) ? [] : [`the arguments of ${id} are no object`],
        ),
    ];
  },
  exchanges: (body) => exchangesByMessage((body as Body).messages),
};

interface Body {
  readonly messages: readonly Message[];
}

interface Message {
  readonly role: string;
  readonly content?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: unknown } }[];
  readonly tool_call_id?: string;
}

function stepOf({ role, content, tool_calls = [], tool_call_id }: Message): Step {
  if (role === 'tool') return { role: 'user', results: [tool_call_id ?? ''], speaks: false };
  return { role: role as Step['role'], calls: tool_calls.map(({ id }) => id), speaks: Boolean(content) };
}

function line(json: object): string {
  return `${JSON.stringify(json)}\n`;
}

function frames({ thinking, text, calls, isCut }: ModelTurn): readonly string[] {
  const chunk = (message: object, more: object = { done: false }) =>
    line({ model: 'soak', message: { role: 'assistant', content: '', ...message }, ...more });
  return [
    ...(thinking ? [chunk({ thinking })] : []),
    ...text.map((content) => chunk({ content })),
    ...calls.map(({ id, name, arguments: pieces }) => {
      const written = pieces.join('');
      const called = { name, arguments: isJsonObject(written) ? (JSON.parse(written) as object) : {} };
      return chunk({ tool_calls: [{ ...(id && { id }), function: called }] });
    }),
    chunk({}, { done: true, done_reason: isCut ? 'length' : 'stop', prompt_eval_count: 7, eval_count: text.length }),
  ];
}
