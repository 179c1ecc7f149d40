import type { ChatRequest } from '../../chat/chat-request.ts';
import { drawMessage } from '../draw-message.ts';

const longest = 200;

/** A request for readers: its messages, a line each, the names of its tools, and its settings. */
export function drawRequest({ messages, toolSpecifications = [], ...settings }: ChatRequest): string {
  const names = toolSpecifications.map(({ name }) => name);
  const lines = [
    ...messages.map(drawMessage),
    ...(names.length > 0 ? [`(tools: ${names.join(', ')})`] : []),
    ...Object.entries(settings).map(([setting, value]) => `(${setting}: ${JSON.stringify(value)})`),
  ];
  return lines.map((line) => `    ${shortened(line.replace(/\s+/g, ' '))}`).join('\n');
}

function shortened(line: string): string {
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
