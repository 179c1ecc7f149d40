import type { ModelTurn } from '../model-turn.ts';
import { conversationViolations, type Step } from '../conversation-rules.ts';
import { sse, type ServerSide } from '../server-side.ts';

/** OpenAI's Responses API. */
export const openAiResponsesSide: ServerSide = {
  contentType: 'text/event-stream',
  frames,
  errorFrame: told({ type: 'error', error: { message: 'The server had an error.', type: 'server_error' } }),
  ping: ': ping\n\n',
  violations: (body) => {
    const { input } = body as Body;
    const ids = input.flatMap(({ id }) => (id === undefined ? [] : [id]));
    return [
      ...conversationViolations(stepsOf(input), { isRequest: true }),
      ...input.flatMap((item, place) => (isWhole(item) ? [] : [`item ${place} (${item.type ?? item.role}) is not whole`])),
      ...(new Set(ids).size === ids.length ? [] : ['the id of an item comes twice']),
    ];
  },
  exchanges: (body) => {
    const { input } = body as Body;
    const outputs = input.filter(({ type }) => type === 'function_call_output');
    return input
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id = '', arguments: written }) => ({
        id: call_id,
        arguments: written,
        result: outputs.find((output) => output.call_id === call_id)?.output,
      }));
  },
};

interface Body {
  readonly input: readonly Item[];
}

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly id?: string;
  readonly content?: string | readonly unknown[];
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: unknown;
  readonly output?: unknown;
}

/** The items of one answer stand one by one: its calls follow each other, and then come their results. */
function stepsOf(items: readonly Item[]): readonly Step[] {
  const steps: Step[] = [];
  items.forEach(({ type, role, content, call_id = '' }, place) => {
    const before = steps.at(-1);
    if (type === 'function_call_output') steps.push({ role: 'user', results: [call_id], speaks: false });
    else if (type === 'function_call' && items[place - 1]?.type === type)
      steps[steps.length - 1] = { ...before!, calls: [...(before?.calls ?? []), call_id] };
    else if (type === 'function_call') steps.push({ role: 'assistant', calls: [call_id], speaks: false });
    // Reasoning, and what else the server has given: that goes back as it came.
    else if (role === undefined) steps.push({ role: 'assistant', speaks: true });
    else steps.push({ role: role as Step['role'], speaks: Boolean(content?.length) });
  });
  return steps;
}

function isWhole({ type, call_id, name, arguments: written, output }: Item): boolean {
  if (type === 'function_call') return Boolean(call_id && name) && typeof written === 'string';
  return type !== 'function_call_output' || (Boolean(call_id) && output !== undefined);
}

function told(event: { readonly type: string; readonly [field: string]: unknown }): string {
  return sse(event, event.type);
}

function frames({ thinking, text, calls, isCut }: ModelTurn): readonly string[] {
  const output: object[] = [];
  const framesOf = (item: object, more: object, pieces: (at: object) => readonly string[]) => {
    const output_index = output.length;
    const whole = { ...item, ...more, status: 'completed' };
    output.push(whole);
    return [
      told({ type: 'response.output_item.added', output_index, item }),
      ...pieces({ output_index }),
      told({ type: 'response.output_item.done', output_index, item: whole }),
    ];
  };
  const reasoning = { type: 'reasoning', id: `rs_${thinking.length}`, summary: [] };
  const summary = [{ type: 'summary_text', text: thinking }];
  const parts = [{ type: 'output_text', text: text.join('') }];
  const items = [
    ...(thinking ? framesOf(reasoning, { summary, encrypted_content: 'c2VhbGVk' }, () => []) : []),
    ...(text.length > 0
      ? framesOf({ type: 'message', id: 'msg_1', role: 'assistant', content: [] }, { content: parts }, (at) =>
          text.map((delta) => told({ type: 'response.output_text.delta', ...at, content_index: 0, delta })),
        )
      : []),
    ...calls.flatMap(({ id = '', name, arguments: pieces }, place) =>
      framesOf(
        { type: 'function_call', id: `fc_${place}`, call_id: id, name, arguments: '' },
        { arguments: pieces.join('') },
        (at) => pieces.map((delta) => told({ type: 'response.function_call_arguments.delta', ...at, delta })),
      ),
    ),
  ];
  const usage = { input_tokens: 7, output_tokens: text.length, total_tokens: 7 + text.length };
  const response = { object: 'response', id: 'resp_1', model: 'soak', output, usage, status: isCut ? 'incomplete' : 'completed' };
  const end = isCut ? { ...response, incomplete_details: { reason: 'max_output_tokens' } } : response;
  return [
    told({ type: 'response.created', response: { id: 'resp_1', model: 'soak', status: 'in_progress', output: [] } }),
    ...items,
    told({ type: `response.${end.status}`, response: end }),
  ];
}
