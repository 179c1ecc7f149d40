import type { Passage } from './passage.ts';

/** Whom the program asks, and what. */
export function opening(description: string, question: string): readonly Passage[] {
  return [
    { type: 'text', tone: 'dim', text: `To ${description}:` },
    { type: 'text', tone: 'bold', text: question },
  ];
}
