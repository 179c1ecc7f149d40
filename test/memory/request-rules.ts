import type { ChatMessage } from '../../src/chat/message.ts';
import { bodyOf as anthropicBody } from '../provider/anthropic/bodies.ts';
import { bodyOf as geminiBody } from '../provider/gemini/bodies.ts';
import { bodyOf as ollamaBody } from '../provider/ollama/bodies.ts';
import { bodyOf as responsesBody } from '../provider/openai-responses/bodies.ts';
import { bodyOf as chatBody } from '../provider/openai/bodies.ts';

type Json = Readonly<Record<string, unknown>>;

const list = (value: unknown) => value as readonly Json[];
const isText = (value: unknown): value is string => typeof value === 'string';

/** What the APIs refuse of a list of messages, from their documentation: what is wrong, or nothing. */
type Rules = (body: Json) => readonly string[];

/** What was found wrong, as it is looked for. */
function findings() {
  const found: string[] = [];
  const ids = new Set<unknown>();
  const must = (holds: boolean, what: string) => {
    if (!holds) found.push(what);
  };
  const mustBeNew = (id: unknown) => {
    must(isText(id) && id !== '' && !ids.has(id), `the id ${String(id)} is empty or taken`);
    ids.add(id);
  };
  return { found, must, mustBeNew };
}

const chat: Rules = ({ messages }) => {
  const { found, must, mustBeNew } = findings();
  let open: unknown[] = [];
  for (const { role, content, tool_calls: calls, tool_call_id: id } of list(messages)) {
    must(['system', 'user', 'assistant', 'tool'].includes(role as string), `role ${String(role)}`);
    must(isText(content) || (Array.isArray(content) ? content.length > 0 : content === null && calls !== undefined), 'content');
    if (role === 'tool') {
      must(open.shift() === id, 'a result without its call');
      continue;
    }
    must(open.length === 0, 'a call without its result');
    open = list(calls ?? []).map(({ id: callId, function: called }) => {
      mustBeNew(callId);
      must(isText((called as Json)['arguments']) && isText((called as Json)['name']), 'a call');
      return callId;
    });
    must(calls === undefined || open.length > 0, 'an empty list of calls');
  }
  must(open.length === 0, 'a call without its result');
  return found;
};

const responses: Rules = ({ input }) => {
  const { found, must, mustBeNew } = findings();
  const open = new Set<unknown>();
  for (const { type, role, content, call_id: id, arguments: written, output } of list(input)) {
    if (type === 'function_call') {
      mustBeNew(id);
      open.add(id);
      must(isText(written), 'arguments');
    } else if (type === 'function_call_output') {
      must(open.delete(id), 'a result without its call');
      must(isText(output) || list(output).length > 0, 'output');
    } else {
      must(['system', 'user', 'assistant'].includes(role as string), `role ${String(role)}`);
      must(isText(content) || list(content).length > 0, 'content');
    }
  }
  must(open.size === 0, 'a call without its result');
  return found;
};

const anthropic: Rules = ({ messages, system }) => {
  const { found, must, mustBeNew } = findings();
  let open: unknown[] = [];
  list(messages).forEach(({ role, content }, place) => {
    must(role === (place % 2 === 0 ? 'user' : 'assistant'), 'the turns');
    must(list(content).length > 0, 'an empty message');
    const results = list(content).filter(({ type }) => type === 'tool_result');
    must(
      list(content)
        .slice(0, results.length)
        .every(({ type }) => type === 'tool_result'),
      'results behind something else',
    );
    must(
      JSON.stringify(results.map(({ tool_use_id: id }) => id).sort()) === JSON.stringify([...open].sort()),
      'other results than calls',
    );
    open = [];
    for (const { type, text, id, input } of list(content)) {
      if (type === 'text') must(isText(text) && text.trim() !== '', 'a blank text');
      if (type !== 'tool_use') continue;
      mustBeNew(id);
      must(/^[a-zA-Z0-9_-]+$/.test(String(id)), `the id ${String(id)}`);
      must(typeof input === 'object' && input !== null && !Array.isArray(input), 'input');
      open.push(id);
    }
  });
  must(open.length === 0, 'a call without its result');
  must(system === undefined || list(system).length > 0, 'system');
  return found;
};

const gemini: Rules = ({ contents }) => {
  const { found, must } = findings();
  let open = 0;
  list(contents).forEach(({ role, parts }, place) => {
    if (place === 0) must(role === 'user', 'the first turn');
    must(list(parts).length > 0, 'an empty content');
    must(
      list(parts).every((part) => part['text'] !== ''),
      'an empty part',
    );
    const count = (kind: string) => list(parts).filter((part) => part[kind] !== undefined).length;
    must(count('functionResponse') === open, 'other results than calls');
    open = count('functionCall');
    if (role === 'user') must(open === 0, 'a call of the user');
  });
  must(open === 0, 'a call without its result');
  return found;
};

const ollama: Rules = ({ messages }) => {
  const { found, must } = findings();
  let open = 0;
  for (const { role, content, images, tool_calls: calls, tool_name: name } of list(messages)) {
    must(['system', 'user', 'assistant', 'tool'].includes(role as string) && isText(content), 'a message');
    must(images === undefined || list(images).every(isText), 'images');
    if (role === 'tool') {
      must(isText(name) && --open >= 0, 'a result without its call');
      continue;
    }
    must(open === 0, 'a call without its result');
    open = list(calls ?? []).length;
    for (const { function: called } of list(calls ?? [])) {
      const written = (called as Json)['arguments'];
      must(typeof written === 'object' && written !== null && !Array.isArray(written), 'arguments');
    }
  }
  must(open === 0, 'a call without its result');
  return found;
};

/** For each provider, what its API would find wrong with a request that holds these messages. */
export const refusals: Readonly<Record<string, (messages: readonly ChatMessage[]) => readonly string[]>> = {
  openAiChat: (messages) => chat(chatBody({ messages })),
  openAiResponses: (messages) => responses(responsesBody({ messages })),
  anthropic: (messages) => anthropic(anthropicBody({ messages })),
  gemini: (messages) => gemini(geminiBody({ messages })),
  ollama: (messages) => ollama(ollamaBody({ messages })),
};
