import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolCallFragment } from '../../src/provider/open-call.ts';
import { assembled, completed, type Step } from './assembled.ts';

interface WireCall {
  readonly name: string;
  readonly text: string;
  /** Where the text is cut, from 0 to 1. */
  readonly cuts: readonly number[];
}

const wireCall: fc.Arbitrary<WireCall> = fc.record({
  name: fc.stringMatching(/^[a-z]{1,8}$/),
  text: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()).map((value) => JSON.stringify(value)),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
});
const wireCalls = fc.array(wireCall, { minLength: 1, maxLength: 5 });

/** A call as a wire tells it: id and name first, then the text in pieces. */
function fragments({ name, text, cuts }: WireCall, index: number): readonly ToolCallFragment[] {
  const places = [0, ...cuts.map((cut) => Math.floor(cut * text.length)).sort((a, b) => a - b), text.length];
  const pieces = places.slice(1).map((end, piece) => text.slice(places[piece], end));
  return [{ index, id: `call_${index}`, name, arguments: '' }, ...pieces.map((piece) => ({ index, arguments: piece }))];
}

/** Several lists in one; each keeps its order. `choices` tell whose turn it is. */
function interleaved(lists: readonly (readonly ToolCallFragment[])[], choices: readonly number[]): readonly ToolCallFragment[] {
  const waiting = lists.map((list) => [...list]);
  const result: ToolCallFragment[] = [];
  for (let turn = 0; waiting.some(({ length }) => length > 0); turn++) {
    const open = waiting.filter(({ length }) => length > 0);
    result.push(open[(choices[turn % choices.length] ?? 0) % open.length]!.shift()!);
  }
  return result;
}

const request = ({ name, text }: WireCall, index: number) => ({ id: `call_${index}`, name, arguments: text });

describe('tool calls in pieces', () => {
  it('come together wherever their text is cut and however they are interleaved', () => {
    fc.assert(
      fc.property(wireCalls, fc.array(fc.nat(9), { minLength: 1, maxLength: 40 }), (calls, choices) => {
        const told = interleaved(calls.map(fragments), choices);
        const { requests, events, conflicts } = assembled([...told, 'finish']);
        const inOrderOfSight = [...new Set(told.map(({ index }) => index!))];
        const wanted = inOrderOfSight.map((index) => request(calls[index]!, index));
        expect(requests).toEqual(wanted);
        expect(conflicts).toEqual([]);
        const done = events.flatMap((event) =>
          event.type === 'completeToolCall' ? [[event.index, event.request] as const] : [],
        );
        expect([...done].sort(([a], [b]) => a - b)).toEqual(wanted.map((call, index) => [index, call]));
        const pieces = wanted.map((_, index) =>
          events
            .map((event) => (event.type === 'partialToolCall' && event.index === index ? event.partialArguments : ''))
            .join(''),
        );
        expect(pieces).toEqual(wanted.map(({ arguments: text }) => text));
      }),
    );
  });

  it('are complete exactly when a later call begins', () => {
    fc.assert(
      fc.property(wireCalls, (calls) => {
        const steps: Step[] = [];
        calls.forEach((call, index) => {
          for (const fragment of fragments(call, index)) {
            steps.push(fragment);
            expect(completed(steps)).toEqual(calls.slice(0, index).map(request));
          }
        });
        expect(completed([...steps, 'finish'])).toEqual(calls.map(request));
      }),
      { numRuns: 50 },
    );
  });

  it('are complete exactly when something else begins, such as text', () => {
    fc.assert(
      fc.property(wireCall, (call) => {
        const steps: Step[] = [...fragments(call, 0)];
        expect(completed(steps)).toEqual([]);
        expect(completed([...steps, 'block'])).toEqual([request(call, 0)]);
        expect(completed([...steps, 'block', 'finish'])).toEqual([request(call, 0)]);
      }),
    );
  });

  it('[G11] are never complete while their text is cut, whatever comes behind', () => {
    fc.assert(
      fc.property(wireCall, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (call, cut) => {
        const cutCall = { ...call, text: call.text.slice(0, Math.floor(cut * call.text.length)) };
        const steps: Step[] = [
          ...fragments(cutCall, 0),
          'block',
          { index: 1, id: 'call_1', name: 'later', arguments: '{}' },
          'block',
        ];
        expect(completed(steps)).toEqual([{ id: 'call_1', name: 'later', arguments: '{}' }]);
      }),
    );
  });

  it('are complete at the end of the turn with no text at all, and not before', () => {
    const steps: Step[] = [{ index: 0, id: 'A', name: 's' }, 'block', { index: 1, id: 'B', name: 't' }];
    expect(completed(steps)).toEqual([]);
    expect(completed([...steps, 'finish'])).toEqual([
      { id: 'A', name: 's', arguments: '' },
      { id: 'B', name: 't', arguments: '' },
    ]);
  });

  it('are complete only when they have a name', () => {
    const steps: Step[] = [{ index: 0, id: 'A', arguments: '{}' }, 'block'];
    expect(completed(steps)).toEqual([]);
    expect(completed([...steps, { index: 0, name: 's' }])).toEqual([{ id: 'A', name: 's', arguments: '{}' }]);
  });

  it('are complete as soon as the rest of their text comes, where a later call has begun before', () => {
    const steps: Step[] = [
      { index: 0, id: 'A', name: 's', arguments: '{"q"' },
      { index: 1, id: 'B', name: 't', arguments: '{}' },
      { index: 0, arguments: ':1}' },
    ];
    expect(completed(steps)).toEqual([{ id: 'A', name: 's', arguments: '{"q":1}' }]);
  });

  it('say so when the wire goes on with one that was complete', () => {
    const steps: Step[] = [
      { index: 0, id: 'A', name: 's', arguments: '{}' },
      'block',
      { index: 0, arguments: '{"q":1}' },
      'finish',
    ];
    expect(assembled(steps).conflicts).toEqual(['s']);
    expect(assembled(steps).requests).toEqual([{ id: 'A', name: 's', arguments: '{}' }]);
  });

  it('take blanks behind the end without a word', () => {
    expect(
      assembled([{ index: 0, id: 'A', name: 's', arguments: '{}' }, 'block', { index: 0, arguments: ' \n' }, 'finish']).conflicts,
    ).toEqual([]);
  });
});
