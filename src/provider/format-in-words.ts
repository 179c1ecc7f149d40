import type { ResponseFormat } from '../chat/chat-request.ts';
import { soundSchema } from './schema/sound-schema.ts';

/** The form of an answer as a demand for the system message, where the API has no setting for it. */
export function formatInWords(format: ResponseFormat): string {
  const schema =
    format.type === 'json' && format.schema ? ` that fits this JSON Schema: ${JSON.stringify(soundSchema(format.schema))}` : '';
  return `When you answer rather than call a tool, write one JSON object and nothing else${schema}`;
}
