import type { ModelTurn } from '../model-turn.ts';
import { conversationViolations, type Step } from '../conversation-rules.ts';
import { sse, type ServerSide } from '../server-side.ts';

/** The Messages API. */
export const anthropicSide: ServerSide = {
  contentType: 'text/event-stream',
  frames,
  errorFrame: told({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  ping: told({ type: 'ping' }),
  violations: (body) => {
    const { messages, max_tokens } = body as Body;
    return [
      ...conversationViolations(messages.map(stepOf), { isRequest: true, userFirst: true }),
      ...messages.flatMap(({ role, content }, place) => blockViolations(role, blocksOf(content), place)),
      ...(Number(max_tokens) > 0 ? [] : ['no max_tokens']),
      ...messages.flatMap(({ role }, place) =>
        role === messages[place - 1]?.role ? [`message ${place} does not take turns`] : [],
      ),
    ];
  },
  exchanges: (body) => {
    const blocks = (body as Body).messages.flatMap(({ content }) => blocksOf(content));
    return blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id = '', input }) => ({
        id,
        arguments: input,
        result: blocks.find(({ tool_use_id }) => tool_use_id === id)?.content,
      }));
  },
};

interface Body {
  readonly max_tokens: unknown;
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly signature?: string;
}

const blocksOf = (content: string | readonly Block[]): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

function stepOf({ role, content }: Body['messages'][number]): Step {
  const blocks = blocksOf(content);
  const ids = (wanted: string, id: 'id' | 'tool_use_id') =>
    blocks.flatMap((block) => (block.type === wanted ? [block[id] ?? ''] : []));
  return {
    role: role as Step['role'],
    calls: ids('tool_use', 'id'),
    results: ids('tool_result', 'tool_use_id'),
    speaks: blocks.some(({ type }) => type !== 'tool_use' && type !== 'tool_result'),
  };
}

function blockViolations(role: string, blocks: readonly Block[], place: number): readonly string[] {
  const isResult = ({ type }: Block) => type === 'tool_result';
  const misplaced = blocks.slice(1).some((block, before) => isResult(block) && !isResult(blocks[before]!));
  return [
    ...(role === 'user' || role === 'assistant' ? [] : [`message ${place} is of ${role}`]),
    ...(misplaced ? [`results stand behind other blocks in message ${place}`] : []),
    ...blocks.flatMap(({ type, text, id, name, input, signature }) => {
      if (type === 'text') return text?.trim() ? [] : [`a text of message ${place} is blank`];
      if (type === 'thinking') return signature ? [] : [`a thinking block of message ${place} is not signed`];
      if (type !== 'tool_use') return [];
      const isFit = /^[a-zA-Z0-9_-]+$/.test(id ?? '') && /^[a-zA-Z0-9_-]{1,64}$/.test(name ?? '');
      const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
      return isFit && isObject ? [] : [`the call ${id} of message ${place} is not taken`];
    }),
  ];
}

/** The API tells each event's type twice. */
function told(event: { readonly type: string; readonly [field: string]: unknown }): string {
  return sse(event, event.type);
}

function frames({ thinking, text, calls, isCut }: ModelTurn): readonly string[] {
  let index = 0;
  const block = (content_block: object, deltas: readonly object[]): readonly string[] => {
    const at = index++;
    return [
      told({ type: 'content_block_start', index: at, content_block }),
      ...deltas.map((delta) => told({ type: 'content_block_delta', index: at, delta })),
      told({ type: 'content_block_stop', index: at }),
    ];
  };
  const stop_reason = isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'soak', content: [], usage: { input_tokens: 7 } };
  const thoughts = [
    { type: 'thinking_delta', thinking },
    { type: 'signature_delta', signature: 'c2lnbmVk' },
  ];
  return [
    told({ type: 'message_start', message }),
    ...(thinking ? block({ type: 'thinking', thinking: '' }, thoughts) : []),
    ...(text.length > 0
      ? block(
          { type: 'text', text: '' },
          text.map((piece) => ({ type: 'text_delta', text: piece })),
        )
      : []),
    ...calls.flatMap(({ id, name, arguments: pieces }) =>
      block(
        { type: 'tool_use', id: id ?? '', name, input: {} },
        pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      ),
    ),
    told({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: text.length } }),
    told({ type: 'message_stop' }),
  ];
}
