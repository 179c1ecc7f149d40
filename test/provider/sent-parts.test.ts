import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AiMessage, ToolExecutionRequest } from '../../src/chat/message.ts';
import { sentParts, type SentPart } from '../../src/provider/sent-parts.ts';
import { turnParts } from '../../src/provider/turn-parts.ts';

const request = (id: string, name = `tool of ${id}`): ToolExecutionRequest => ({ id, name, arguments: '{}' });

const message = (text: string | null, requests: readonly ToolExecutionRequest[], parts?: unknown): AiMessage => ({
  role: 'assistant',
  text,
  toolExecutionRequests: requests,
  attributes: { parts },
});

const text = (length: number, extra?: object) => ({ type: 'text', length, ...(extra && { extra }) });
const call = (id: string, extra?: object) => ({ type: 'call', id, ...(extra && { extra }) });
const kept = (part: unknown) => ({ type: 'kept', part });

/** Each part in short: its text, the id of its call, or what was kept. */
const short = (parts: readonly SentPart[]) =>
  parts.map((part) => (part.type === 'text' ? part.text : part.type === 'call' ? part.request : part.part));

describe('sentParts', () => {
  it('has the text before the calls where no parts are kept', () => {
    const [a, b] = [request('a'), request('b')];
    expect(short(sentParts(message('hi', [a, b]), 'parts'))).toEqual(['hi', a, b]);
    expect(sentParts({ role: 'assistant', text: null, toolExecutionRequests: [] }, 'parts')).toEqual([]);
  });

  it('has the parts in the order in which the model wrote them, each with what was kept beside it', () => {
    const [a, b] = [request('a'), request('b')];
    const parts = [kept({ thought: 1 }), text(2), call('b', { signature: 's' }), text(3, { id: 'x' }), call('a')];
    expect(sentParts(message('12345', [a, b], parts), 'parts')).toEqual([
      { type: 'kept', part: { thought: 1 } },
      { type: 'text', text: '12' },
      { type: 'call', request: b, extra: { signature: 's' } },
      { type: 'text', text: '345', extra: { id: 'x' } },
      { type: 'call', request: a },
    ]);
  });

  it('sends a text that was changed as a whole, where the first text was', () => {
    const parts = [kept(1), text(2, { id: 'x' }), call('a'), text(3)];
    const a = request('a');
    expect(short(sentParts(message('shorter now', [a], parts), 'parts'))).toEqual([1, 'shorter now', a, '']);
    expect(short(sentParts(message(null, [a], parts), 'parts'))).toEqual([1, '', a, '']);
  });

  it('sends a text that was added, before the first call', () => {
    const a = request('a');
    expect(short(sentParts(message('added', [a], [kept(1), call('a')]), 'parts'))).toEqual([1, 'added', a]);
    expect(short(sentParts(message('added', [], [kept(1)]), 'parts'))).toEqual([1, 'added']);
  });

  it('leaves out a call that was taken out, and adds one that came new', () => {
    const [a, b, c] = [request('a'), request('b'), request('c')];
    expect(short(sentParts(message(null, [b], [call('a'), call('b')]), 'parts'))).toEqual([b]);
    expect(short(sentParts(message(null, [a, b, c], [call('a'), call('b')]), 'parts'))).toEqual([a, b, c]);
  });

  it('finds a call whose id was changed by its place among those', () => {
    const [a, renamed, c] = [request('a'), request('new'), request('c')];
    const parts = [call('c'), kept(1), call('b', { signature: 'of b' }), call('a')];
    expect(sentParts(message(null, [a, renamed, c], parts), 'parts')).toEqual([
      { type: 'call', request: c },
      { type: 'kept', part: 1 },
      { type: 'call', request: renamed, extra: { signature: 'of b' } },
      { type: 'call', request: a },
    ]);
  });

  it('sends every call once, also where ids repeat', () => {
    const [one, other] = [request('a', 'one'), request('a', 'other')];
    expect(short(sentParts(message(null, [one, other], [call('a')]), 'parts'))).toEqual([one, other]);
    expect(short(sentParts(message(null, [one], [call('a'), call('a')]), 'parts'))).toEqual([one]);
  });

  it.each([
    [null],
    ['text'],
    [{ type: 'text', length: 2 }],
    [
      [
        null,
        1,
        'a',
        [],
        {},
        { type: 'text' },
        { type: 'text', length: -1 },
        { type: 'text', length: 0.5 },
        { type: 'call', id: 1 },
      ],
    ],
    [
      [
        { type: 'kept' },
        { type: 'other', part: 1 },
        { type: 'text', length: 2, extra: 'x' },
        { type: 'call', id: 'a', extra: null },
      ],
    ],
  ])('makes nothing of attributes that hold no parts: %j', (parts) => {
    const a = request('a');
    expect(short(sentParts(message('hi', [a], parts), 'parts'))).toEqual(['hi', a]);
  });

  it('looks under its own key only', () => {
    expect(short(sentParts(message('hi', [], [kept(1)]), 'others'))).toEqual(['hi']);
  });

  it('says again what the model said, whatever that was, and through JSON', () => {
    const piece = fc.oneof(
      fc.record({ type: fc.constant('text' as const), text: fc.string({ minLength: 1 }) }),
      fc.record({ type: fc.constant('call' as const), id: fc.uuid() }),
      fc.record({ type: fc.constant('kept' as const), part: fc.jsonValue() }),
      fc.constant({ type: 'close' as const }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const parts = turnParts();
        let said = '';
        const order: unknown[] = [];
        const requests: ToolExecutionRequest[] = [];
        for (const told of pieces) {
          if (told.type === 'text') {
            parts.text(told.text.length);
            said += told.text;
          } else if (told.type === 'call') {
            parts.call(told.id);
            requests.push(request(told.id));
            order.push(requests.at(-1));
          } else if (told.type === 'kept') {
            parts.keep(told.part);
            order.push(told.part);
          } else parts.close();
        }
        const stored = JSON.parse(JSON.stringify(message(said, requests, parts.kept()))) as AiMessage;
        const sent = sentParts(stored, 'parts');
        expect(sent.map((part) => (part.type === 'text' ? part.text : '')).join('')).toBe(said);
        const others = short(sent.filter(({ type }) => type !== 'text'));
        expect(others).toEqual(JSON.parse(JSON.stringify(order)));
      }),
    );
  });
});
