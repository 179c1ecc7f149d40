import { describe, expect, it } from 'vitest';
import { turnParts, type TurnParts } from '../../src/provider/turn-parts.ts';

/** The parts that are kept after this. */
function keptOf(tell: (parts: TurnParts) => void) {
  const parts = turnParts();
  tell(parts);
  return parts.kept();
}

describe('turnParts', () => {
  it.each<[string, (parts: TurnParts) => void]>([
    ['nothing', () => undefined],
    ['text', (parts) => parts.text(3)],
    [
      'text in many pieces, then calls',
      (parts) => {
        for (let i = 0; i < 10; i++) parts.text(1);
        parts.call('a');
        parts.call('b');
      },
    ],
    ['a text that was closed', (parts) => (parts.text(3), parts.close(), parts.close())],
    ['a mark of nothing', (parts) => parts.mark({ signature: 's' })],
  ])('keeps nothing of %s, which the message tells as well', (_, tell) => {
    expect(keptOf(tell)).toBeUndefined();
  });

  it('makes one part of a text that goes on, and a new one of what comes after it was closed', () => {
    const tell = (parts: TurnParts) => {
      parts.text(2);
      parts.text(3);
      parts.close();
      parts.text(4);
      parts.text(0);
    };
    expect(keptOf(tell)).toEqual([
      { type: 'text', length: 5 },
      { type: 'text', length: 4 },
    ]);
  });

  it('tells in which order texts and calls came', () => {
    const tell = (parts: TurnParts) => {
      parts.call('a');
      parts.text(2);
      parts.call('b');
    };
    expect(keptOf(tell)).toEqual([
      { type: 'call', id: 'a' },
      { type: 'text', length: 2 },
      { type: 'call', id: 'b' },
    ]);
  });

  it('keeps a part as it is, in its place', () => {
    const tell = (parts: TurnParts) => {
      parts.text(1);
      parts.keep({ type: 'thinking', signature: 's' });
      parts.text(2);
    };
    expect(keptOf(tell)).toEqual([
      { type: 'text', length: 1 },
      { type: 'kept', part: { type: 'thinking', signature: 's' } },
      { type: 'text', length: 2 },
    ]);
  });

  it('keeps a mark with the text or call that came last, and closes it', () => {
    const tell = (parts: TurnParts) => {
      parts.text(1);
      parts.mark({ id: 'x' });
      parts.mark({ signature: 's' });
      parts.text(2);
      parts.call('a');
      parts.mark({ signature: 't' });
    };
    expect(keptOf(tell)).toEqual([
      { type: 'text', length: 1, extra: { id: 'x', signature: 's' } },
      { type: 'text', length: 2 },
      { type: 'call', id: 'a', extra: { signature: 't' } },
    ]);
  });

  it('keeps a mark of an empty text', () => {
    const tell = (parts: TurnParts) => {
      parts.text(0);
      parts.mark({ signature: 's' });
    };
    expect(keptOf(tell)).toEqual([{ type: 'text', length: 0, extra: { signature: 's' } }]);
  });

  it('leaves a kept part as it is when it is marked', () => {
    const tell = (parts: TurnParts) => {
      parts.keep({ type: 'thinking' });
      parts.mark({ signature: 's' });
    };
    expect(keptOf(tell)).toEqual([{ type: 'kept', part: { type: 'thinking' } }]);
  });

  it('tells the parts so far, which do not change when more come', () => {
    const parts = turnParts();
    parts.keep(1);
    parts.text(2);
    const soFar = parts.kept();
    parts.text(3);
    parts.call('a');
    expect(soFar).toEqual([
      { type: 'kept', part: 1 },
      { type: 'text', length: 2 },
    ]);
    expect(parts.kept()).toEqual([
      { type: 'kept', part: 1 },
      { type: 'text', length: 5 },
      { type: 'call', id: 'a' },
    ]);
  });

  it('replaces a kept part in its place, and changes nothing of what was told before', () => {
    const parts = turnParts();
    const replace = parts.keep({});
    parts.call('a');
    parts.mark({ id: 'x' });
    const soFar = parts.kept();
    replace({ type: 'reasoning' });
    parts.text(1);
    expect(soFar).toEqual([
      { type: 'kept', part: {} },
      { type: 'call', id: 'a', extra: { id: 'x' } },
    ]);
    expect(parts.kept()).toEqual([
      { type: 'kept', part: { type: 'reasoning' } },
      { type: 'call', id: 'a', extra: { id: 'x' } },
      { type: 'text', length: 1 },
    ]);
  });
});
