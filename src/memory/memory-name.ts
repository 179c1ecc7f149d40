import { jsonText } from '../chat/json-safe.ts';
import type { ChatMemory } from './chat-memory.ts';

/** How errors and logs call a memory: by its id, so that whoever keeps the store finds it there. */
export const memoryName = ({ id }: Pick<ChatMemory, 'id'>): string => `Chat memory ${jsonText(id)}`;
