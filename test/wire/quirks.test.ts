import { describe, expect, it } from 'vitest';
import { bytesOf, fetchOf, type Expectation } from './wire-case.ts';
import { checkOutcome, outcomeOf } from './wire-outcome.ts';

type Event = object | string;
type Quirk = readonly [title: string, events: readonly Event[], expected: Expectation, fact?: RegExp];

const said = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
const calls = (...tool_calls: object[]) => said({ tool_calls });
const call = (fields: object, args?: unknown) => ({ ...fields, function: { name: 'x', arguments: args } });
const piece = (fields: object, args: string) => ({ ...fields, function: { arguments: args } });
const answer = (toolCalls: Expectation['toolCalls'], text = ''): Expectation => ({ text, toolCalls, finishReason: 'tool_calls' });
const failure = { text: '', toolCalls: [], finishReason: 'error' };
const x = (n: number, id: string | null = 'a') => ({ id, name: 'x', arguments: { n } });

/** What servers do that no handed case shows: events, what they come to, and what an error says. */
const quirks: readonly Quirk[] = [
  [
    'a cut is not promoted by the finish word behind it',
    [said({ content: 'ha' }), said({}, 'length'), said({}, 'stop'), '[DONE]'],
    { text: 'ha', toolCalls: [], finishReason: 'length' },
  ],
  [
    'an error told by its object',
    [said({ content: 'a' }), { object: 'error', message: 'engine dead', code: 500 }, '[DONE]'],
    { ...failure, text: 'a' },
    /engine dead/,
  ],
  ['an error that is only a detail', [{ detail: 'not allowed' }], failure, /not allowed/],
  [
    'an error within the choice',
    [{ choices: [{ delta: { content: '' }, finish_reason: 'error', error: { code: 502, message: 'upstream reset' } }] }],
    failure,
    /upstream reset.*502/,
  ],
  [
    'places as text, with interleaved pieces',
    [
      calls(call({ index: '0', id: 'a' }, ''), call({ index: '1', id: 'b' }, '')),
      calls(piece({ index: '0' }, '{"n":')),
      calls(piece({ index: '1' }, '{"n":2}')),
      calls(piece({ index: '0' }, '1}')),
      said({}, 'tool_calls'),
    ],
    answer([x(1), x(2, 'b')]),
  ],
  [
    'an id that comes behind the name',
    [calls(call({}, '')), calls(piece({ id: 'late' }, '{"n":1}')), said({}, 'tool_calls')],
    answer([x(1, null)]),
  ],
  ['an id that is a number', [calls(call({ index: 0, id: 7 }, '{"n":1}')), said({}, 'tool_calls')], answer([x(1, '7')])],
  [
    'a finish word before the last arguments',
    [calls(call({ index: 0, id: 'a' }, '{"n":')), said({}, 'tool_calls'), calls(piece({ index: 0 }, '1}')), '[DONE]'],
    answer([x(1)]),
  ],
  [
    'a sentinel with blanks',
    [said({ content: 'a' }), said({}, 'stop'), ' [DONE] ', said({ content: 'LATE' })],
    { text: 'a', toolCalls: [], finishReason: 'stop' },
  ],
  [
    'finish words in capitals',
    [calls(call({ index: 0, id: 'a' }, '{"n":')), said({}, 'MAX_TOKENS')],
    { text: '', toolCalls: [{ id: 'a', name: 'x', arguments: '{"n":' }], finishReason: 'length' },
  ],
  [
    'a generation that the server broke off',
    [calls(call({ index: 0, id: 'a' })), said({}, 'insufficient_system_resource')],
    failure,
    /insufficient_system_resource/,
  ],
  [
    'null as a keep-alive',
    ['null', said({ content: 'a' }), 'null', said({}, 'stop')],
    { text: 'a', toolCalls: [], finishReason: 'stop' },
  ],
  [
    'several answers at once, of which the first counts',
    [
      {
        choices: [
          { index: 1, delta: { content: 'Z' } },
          { index: 0, delta: { content: 'a' } },
        ],
      },
      said({}, 'stop'),
    ],
    { text: 'a', toolCalls: [], finishReason: 'stop' },
  ],
  [
    'a message instead of a delta',
    [{ choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }] }],
    { text: 'whole', toolCalls: [], finishReason: 'stop' },
  ],
  [
    'a call told in the old and the new form',
    [
      said({ tool_calls: [call({ index: 0, id: 'a' }, '{"n":1}')], function_call: { name: 'x', arguments: '{"n":1}' } }),
      said({}, 'stop'),
    ],
    answer([x(1)]),
  ],
  [
    'values of other types than the wire has',
    [
      said({ content: { type: 'text', text: 'a' }, reasoning: { odd: 1 }, tool_calls: {} }),
      said({ content: [null, 5] }),
      said({}, 'stop'),
    ],
    { text: 'a', toolCalls: [], finishReason: 'stop' },
  ],
];

describe('a server of its own kind', () => {
  it.each(quirks.map(([title, events, expected, fact]) => ({ title, events, expected, fact })))(
    '$title',
    async ({ events, expected, fact }) => {
      checkOutcome(await outcomeOf(fetchFor(events)), expected, fact);
    },
  );

  it('is told to be overloaded by an event that holds no JSON', async () => {
    const { error } = await outcomeOf(
      fetchOf(bytesOf({ chunks: ['event: error\ndata: overloaded\n\n'], encoding: 'utf8' }), open),
    );
    expect(error).toMatchObject({ message: 'openai: overloaded' });
  });
});

const open = { status: 200, headers: { 'content-type': 'text/event-stream' }, endsBy: 'close' } as const;

function fetchFor(events: readonly Event[]): typeof fetch {
  const chunks = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  return fetchOf(bytesOf({ chunks, encoding: 'utf8' }), open);
}
