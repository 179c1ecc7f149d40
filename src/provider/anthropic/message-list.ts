import type { ChatMessage } from '../../chat/message.ts';
import { serialisedOnce } from '../serialised-once.ts';
import { wireJson } from '../wire-json.ts';
import { assistantBlocks } from './assistant-blocks.ts';
import { marked } from './prompt-cache.ts';
import { contentBlocks, resultBlock } from './user-blocks.ts';

/** What one side says before the other answers: the API wants the two to take turns. */
interface Side {
  readonly role: 'user' | 'assistant';
  /** Results of calls, as JSON: they must come before all else. */
  readonly results: string[];
  readonly blocks: string[];
}

/** Stands before a history that the assistant begins, such as one with a greeting: the API wants the user first. */
const opening: Side = {
  role: 'user',
  results: [],
  blocks: [wireJson({ type: 'text', text: '(The conversation begins.)' })],
};

/**
 * The messages of a request as JSON text, without those of the system; throws a `ChatModelError` on content that the API
 * does not take. What has nothing to say is left out. `mark` is set into the last block of the user's.
 */
export function messageListJson(messages: readonly ChatMessage[], mark?: string): string {
  const sides: Side[] = [];
  const said = messages.filter(({ role }) => role !== 'system');
  said.forEach((message, index) => {
    const json = messageJson(message, said[index + 1]?.role === 'user');
    if (!json) return;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    if (sides.at(-1)?.role !== role) sides.push({ role, results: [], blocks: [] });
    const { results, blocks } = sides.at(-1)!;
    (message.role === 'tool' ? results : blocks).push(json);
  });
  if (sides[0]?.role === 'assistant') sides.unshift(opening);
  const last = sides.findLastIndex(({ role }) => role === 'user');
  return `[${sides.map((side, index) => sideJson(side, index === last ? mark : undefined)).join(',')}]`;
}

function sideJson({ role, results, blocks }: Side, mark: string | undefined): string {
  return `{"role":"${role}","content":[${marked([...results, ...blocks].join(','), '}', mark)}]}`;
}

function messageJson(message: ChatMessage, isSettled: boolean): string {
  return message.role === 'assistant' && isSettled ? settledJson(message) : openJson(message);
}

const settledJson = serialisedOnce((message: ChatMessage) => blocksJson(message, true));
const openJson = serialisedOnce((message: ChatMessage) => blocksJson(message, false));

/** The blocks of a message, joined; empty where it has none. */
function blocksJson(message: ChatMessage, isSettled: boolean): string {
  switch (message.role) {
    case 'system':
      return '';
    case 'assistant':
      return assistantBlocks(message, isSettled).join(',');
    case 'tool':
      return wireJson(resultBlock(message));
    case 'user':
      return contentBlocks(message.contents)
        .map((block) => wireJson(block))
        .join(',');
  }
}

/** The messages of the system as JSON text, in order, wherever they stand, and what more it says; `undefined` where that is nothing. */
export function systemJson(messages: readonly ChatMessage[], more = '', mark?: string): string | undefined {
  const said = messages.flatMap((message) => (message.role === 'system' ? [message.text] : []));
  const blocks = [...said, more].filter((text) => text.trim()).map((text) => wireJson({ type: 'text', text }));
  return blocks.length > 0 ? `[${marked(blocks.join(','), '}', mark)}]` : undefined;
}
