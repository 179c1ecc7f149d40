import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { checkThinkingTags, thinkingTags, type ThinkingTags } from '../../src/provider/thinking-tags.ts';
import { cutAt } from './cut-at.ts';

const think: ThinkingTags = ['<think>', '</think>'];

interface Told {
  readonly thinking: string;
  readonly text: string;
}

/** What is told of these pieces one by one; the end flushes. */
function toldOf(pieces: readonly string[], tags = think): { readonly all: Told; readonly each: readonly Told[] } {
  const each: { thinking: string; text: string }[] = [];
  const now = () => each.at(-1)!;
  const spoken = thinkingTags(tags, {
    text: (piece) => void (now().text += piece),
    thinking: (piece) => void (now().thinking += piece),
  });
  for (const piece of pieces) {
    each.push({ thinking: '', text: '' });
    spoken.text(piece);
  }
  each.push({ thinking: '', text: '' });
  spoken.flush?.();
  return { each, all: { thinking: each.map((told) => told.thinking).join(''), text: each.map((told) => told.text).join('') } };
}

const allOf = (...pieces: readonly string[]) => toldOf(pieces).all;

/** The same in the plainest way, for a text that is there as a whole. */
function split(text: string, [open, close]: ThinkingTags): Told {
  const told = { thinking: '', text: '' };
  let rest = text;
  let isBeforeText = true;
  for (let isThinking = false; rest; isThinking = !isThinking) {
    const tag = isThinking ? close : open;
    const place = rest.indexOf(tag);
    const piece = place < 0 ? rest : rest.slice(0, place);
    const said = isBeforeText && !isThinking ? piece.trimStart() : piece;
    told[isThinking ? 'thinking' : 'text'] += said;
    if (said && !isThinking) isBeforeText = false;
    if (place < 0) break;
    isBeforeText = true;
    rest = rest.slice(place + tag.length);
  }
  return told;
}

describe('thinkingTags', () => {
  it('[G64] tells thinking from text though the tags are cut, and emits no piece of a tag', () => {
    const { each } = toldOf(['<th', 'ink>a', 'b</thi', 'nk>\nAnswer']);
    expect(each).toEqual([
      { thinking: '', text: '' },
      { thinking: 'a', text: '' },
      { thinking: 'b', text: '' },
      { thinking: '', text: 'Answer' },
      { thinking: '', text: '' },
    ]);
  });

  it('[G64] holds back what may be the beginning of a tag only until it is known', () => {
    const { each } = toldOf(['1 <', ' 2 <t', 'd> <th', 'e']);
    expect(each.map(({ text }) => text)).toEqual(['1 ', '< 2 ', '<td> ', '<the', '']);
  });

  it('[G64] comes to the same, however the text is cut', () => {
    const tags = fc.constantFrom<ThinkingTags>(
      think,
      ['<', '>'],
      ['aab', 'ab'],
      ['[[', ']]'],
      ['◁think▷', '◁/think▷'],
      ['aa', 'a'],
    );
    const piece = (pair: ThinkingTags) =>
      fc.oneof(
        fc.constantFrom(...pair, ...pair.map((tag) => tag.slice(0, -1)), 'a', 'b', '<', '[', ' ', '\n', 'text'),
        fc.string(),
      );
    const texts = tags.chain((pair) => fc.record({ pair: fc.constant(pair), pieces: fc.array(piece(pair), { maxLength: 20 }) }));
    fc.assert(
      fc.property(texts, fc.array(fc.nat(150), { maxLength: 10 }), ({ pair, pieces }, cuts) => {
        const text = pieces.join('');
        expect(toldOf(cutAt(text, cuts), pair).all).toEqual(split(text, pair));
        expect(toldOf([...text], pair).all).toEqual(split(text, pair));
      }),
      { numRuns: 500 },
    );
  });

  it('[G64] never has held back more than a beginning of the tag that may come', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('<', '/', 't', 'think>', '<think', 'x'), { maxLength: 20 }), (pieces) => {
        const { thinking, text } = toldOf(pieces).each.at(-1)!;
        const held = thinking + text;
        expect(think.some((tag) => tag !== held && tag.startsWith(held))).toBe(true);
      }),
    );
  });

  it('leaves out blanks before the text, at its start and behind thinking, and keeps all others', () => {
    expect(allOf('\n', '  ', '<think>\n a \n</think>', '\n\n', ' An ', 'answer. ', '\n')).toEqual({
      thinking: '\n a \n',
      text: 'An answer. \n',
    });
  });

  it('takes an answer without thinking as it is', () => {
    expect(allOf('An', ' answer')).toEqual({ thinking: '', text: 'An answer' });
  });

  it('finds thinking in the middle of the text, and more than once', () => {
    expect(allOf('One. <think>a</think> Two. <think>b</think>Three.')).toEqual({ thinking: 'ab', text: 'One. Two. Three.' });
  });

  it('takes all that follows as thinking when the tag is never closed', () => {
    expect(allOf('<think>', 'a', '</thin')).toEqual({ thinking: 'a</thin', text: '' });
  });

  it('takes a closing tag that closes nothing as text', () => {
    expect(allOf('a</think>b')).toEqual({ thinking: '', text: 'a</think>b' });
  });

  it('takes an opening tag within thinking as thinking', () => {
    expect(allOf('<think>a<think>b</think>c')).toEqual({ thinking: 'a<think>b', text: 'c' });
  });

  it('knows tags of one character, and holds nothing back for them', () => {
    const { each } = toldOf(['a«', 'b', '»c'], ['«', '»']);
    expect(each.map(({ thinking, text }) => [thinking, text])).toEqual([
      ['', 'a'],
      ['b', ''],
      ['', 'c'],
      ['', ''],
    ]);
  });

  it('finds a tag that begins within what looked like one', () => {
    expect(allOf('<<think>a<</think>b')).toEqual({ thinking: 'a<', text: '<b' });
  });

  it('lets go of what is held back when nothing can follow it, and goes on behind it', () => {
    const told: string[] = [];
    const spoken = thinkingTags(think, { text: (piece) => told.push(`text ${piece}`), thinking: (piece) => told.push(piece) });
    spoken.text('a<th');
    spoken.flush?.();
    spoken.flush?.();
    spoken.text('ink>b<think>c');
    expect(told).toEqual(['text a', 'text <th', 'text ink>b', 'c']);
  });
});

describe('checkThinkingTags', () => {
  it.each([[undefined], [['<think>', '</think>']], [['<', '>']]])('takes %j', (tags) => {
    expect(() => checkThinkingTags('openAiChat', tags)).not.toThrow();
  });

  it.each([['<think>'], [['<think>']], [['<think>', '']], [['a', 'a']], [['a', ' ']], [['a', 'b', 'c']], [[1, 2]], [null]])(
    'says what is wrong with %j',
    (tags) => {
      const check = () => checkThinkingTags('openAiChat', tags);
      expect(check).toThrow(ConfigurationError);
      expect(check).toThrow(/^openAiChat: thinkingTags .*two different texts/);
    },
  );
});
