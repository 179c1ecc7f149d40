import { isContent } from '../chat/content.ts';
import { isObject } from '../chat/is-object.ts';
import type { ChatMessage } from '../chat/message.ts';
import type { ChatMemory } from './chat-memory.ts';
import { memoryName } from './memory-name.ts';

type Named = Pick<ChatMemory, 'id'>;

/** What a memory returned, as messages; throws a `TypeError` that says where it is something else, and what to do. */
export function readableHistory(memory: Named, loaded: unknown): readonly ChatMessage[] {
  const messages = listOfMessages(memory, loaded);
  messages.forEach((message, place) => {
    const odd = oddField(message);
    if (odd !== undefined) throw unreadable(memory, `messages[${place}]${odd} is wrong`);
  });
  return messages;
}

/** A copy of the array that was returned, whatever is in it; throws a `TypeError` when it is none. */
export function listOfMessages(memory: Named, loaded: unknown): readonly ChatMessage[] {
  if (Array.isArray(loaded)) return [...(loaded as readonly ChatMessage[])];
  throw unreadable(memory, `it is ${loaded === null ? 'null' : typeof loaded}`);
}

function unreadable(memory: Named, problem: string): TypeError {
  return new TypeError(
    `${memoryName(memory)} did not return an array of chat messages: ${problem}. Mend it in the store, and read JSON with parseMessages.`,
  );
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isTextOrNone: Check = (value) => value === undefined || value === null || isText(value);
const isContents: Check = (value) => Array.isArray(value) && value.every(isContent);
const isCall: Check = (value) => isObject(value) && isText(value['id']) && isText(value['name']) && isText(value['arguments']);
const isCalls: Check = (value) => Array.isArray(value) && value.every(isCall);

/** What requests are made of. What is missing and does no harm, such as `isError`, may be missing. */
const checks = new Map<unknown, Readonly<Record<string, Check>>>([
  ['system', { text: isText }],
  ['user', { contents: isContents }],
  ['assistant', { text: isTextOrNone, thinking: isTextOrNone, toolExecutionRequests: isCalls }],
  ['tool', { id: isText, toolName: isText, contents: isContents }],
]);

/** Where a message is none: the place behind it, empty for the whole; `undefined` where it is one. */
function oddField(message: unknown): string | undefined {
  if (!isObject(message)) return '';
  const fields = checks.get(message['role']);
  if (!fields) return '.role';
  const odd = Object.keys(fields).find((field) => !fields[field]!(message[field]));
  return odd && `.${odd}`;
}
