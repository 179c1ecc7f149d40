import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/chat/message.ts';
import { keptCount } from '../../src/memory/kept-count.ts';

/** `?` asks, `!` answers, `f` calls a tool and `r` is its result; what follows is what is said. */
function message(text: string): ChatMessage {
  const said = text.slice(1);
  switch (text[0]) {
    case '?':
      return { role: 'user', contents: [{ type: 'text', text: said }] };
    case '!':
      return { role: 'assistant', text: said, toolExecutionRequests: [] };
    case 'f':
      return { role: 'assistant', text: null, toolExecutionRequests: [{ id: said, name: 'f', arguments: '{}' }] };
    default:
      return { role: 'tool', id: said.slice(0, 1), toolName: 'f', contents: [{ type: 'text', text: said }], isError: false };
  }
}
const messages = (texts: string) => texts.split(' ').filter(Boolean).map(message);

describe('keptCount', () => {
  it.each([
    ['nothing, where the store is as it was', '?a !b', '?a !b', '?c !d', 0],
    ['all that came behind what was known', '?a !b ?c !d', '?a !b', '?c !d', 2],
    ['the part that came', '?a !b ?c', '?a !b', '?c !d', 1],
    ['all, where others have written behind it', '?a ?c !d ?x !y', '?a', '?c !d', 2],
    ['all, where others have written before it', '?a ?x !y ?c !d', '?a', '?c !d', 2],
    ['an answer alone, in its place', '?a f1 r1 !done ?x !y', '?a f1 r1', '!done', 1],
    ['nothing, where others have answered in the same words', '?a f1 r1 ?x !done', '?a f1 r1', '!done', 0],
    ['nothing, where the same was said before', '?hi !hello ?x !y', '?hi !hello', '?hi !hello', 0],
    ['all, where the window has let go of the beginning', '!b ?c !d', '?a !b', '?c !d', 2],
    ['all, where the window has let go of everything before', '?c !d', '?a !b', '?c !d', 2],
    ['a round whose result has been rewritten since', '?a f1 r1-undone', '?a', 'f1 r1-done', 2],
  ])('is %s', (_, read, known, batch, count) => {
    expect(keptCount(messages(read), messages(known), messages(batch))).toBe(count);
  });
});
