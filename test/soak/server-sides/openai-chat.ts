import type { ModelTurn } from '../model-turn.ts';
import { conversationViolations, type Step } from '../conversation-rules.ts';
import { sse, type ServerSide } from '../server-side.ts';
import { exchangesByMessage } from './exchanges-by-message.ts';
import { isJsonObject } from './is-json-object.ts';

/** The API of chat completions. */
export const openAiChatSide: ServerSide = {
  contentType: 'text/event-stream',
  frames,
  errorFrame: sse({ error: { message: 'The server had an error.', type: 'server_error' } }),
  ping: ': ping\n\n',
  violations: (body) => {
    const { messages, stream } = body as Body;
    return [
      ...conversationViolations(messages.map(stepOf), { isRequest: true }),
      ...messages.flatMap(({ tool_calls = [] }) => tool_calls).flatMap(callViolations),
      ...messages.flatMap((message, place) =>
        message.tool_calls?.length === 0 ? [`message ${place} has an empty tool_calls`] : [],
      ),
      ...(stream === true ? [] : ['no stream was asked for']),
    ];
  },
  exchanges: (body) => exchangesByMessage((body as Body).messages),
};

interface Body {
  readonly stream: unknown;
  readonly messages: readonly Message[];
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly Call[];
  readonly tool_call_id?: string;
}

interface Call {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

function stepOf({ role, content, tool_calls = [], tool_call_id }: Message): Step {
  if (role === 'tool') return { role: 'user', results: [tool_call_id ?? ''], speaks: false };
  const speaks = Array.isArray(content) ? content.length > 0 : Boolean(content);
  return { role: role as Step['role'], calls: tool_calls.map(({ id }) => id), speaks };
}

function callViolations({ id, type, function: { name, arguments: written } }: Call): readonly string[] {
  return [
    ...(id && type === 'function' ? [] : [`the call ${id} is no function with an id`]),
    ...(/^[a-zA-Z0-9_-]{1,64}$/.test(name) ? [] : [`the name ${name} is not taken`]),
    // The API itself does not look into them; servers that put them into a template do.
    ...(typeof written === 'string' && (isJsonObject(written) || written.length > 0)
      ? []
      : [`the arguments of ${id} are no text`]),
  ];
}

function frames({ thinking, text, calls, isCut }: ModelTurn): readonly string[] {
  const chunk = (delta: object, finish: string | null = null) =>
    sse({ id: 'chatcmpl-1', model: 'soak', choices: [{ index: 0, delta, finish_reason: finish }] });
  const word = isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(thinking ? [chunk({ reasoning_content: thinking })] : []),
    ...text.map((piece) => chunk({ content: piece })),
    ...calls.flatMap(({ id, name, arguments: pieces }, index) => [
      chunk({ tool_calls: [{ index, ...(id && { id }), type: 'function', function: { name, arguments: '' } }] }),
      ...pieces.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    chunk({}, word),
    sse({
      id: 'chatcmpl-1',
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: text.length, total_tokens: 7 + text.length },
    }),
    sse('[DONE]'),
  ];
}
