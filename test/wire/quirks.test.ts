import { describe, expect, it } from 'vitest';
import { bytesOf, fetchOf, type Expectation } from './wire-case.ts';
import { checkOutcome, outcomeOf } from './wire-outcome.ts';

type Event = object | string;
type Quirk = readonly [title: string, events: readonly Event[], expected: Expectation, fact?: RegExp];

const said = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
const ended = (finish_reason: string, native_finish_reason: string) => ({
  choices: [{ index: 0, delta: {}, finish_reason, native_finish_reason }],
});
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
    'arguments at another place than their call',
    [
      calls(call({ index: 0, id: 'a' }, '')),
      calls(piece({ index: 1 }, '{"n":')),
      calls(piece({ index: 1 }, '1}')),
      said({}, 'tool_calls'),
    ],
    answer([x(1)]),
  ],
  [
    'two calls at the first place, and the arguments of the second at the second',
    [
      calls(call({ index: 0, id: 'a' }, '{"n":1}')),
      calls(call({ index: 0, id: 'b' }, '{"n"')),
      calls(piece({ index: 1 }, ':2}')),
      said({}, 'tool_calls'),
    ],
    answer([x(1), x(2, 'b')]),
  ],
  [
    'arguments that may be those of a call without any',
    [calls(call({ index: 0, id: 'a' }, '')), calls(piece({ index: 1, id: 'z' }, '{"n":1}')), said({}, 'tool_calls')],
    failure,
    /a tool call without a name/,
  ],
  [
    'an empty object before the arguments',
    [
      calls(call({ index: 0, id: 'a' }, {})),
      calls(piece({ index: 0 }, '{"n":')),
      calls(piece({ index: 0 }, '1}')),
      said({}, 'tool_calls'),
    ],
    answer([x(1)]),
  ],
  [
    'one id for calls of several tools',
    [
      calls(call({ id: 'a' }, '{"n":1}')),
      calls({ id: 'a', function: { name: 'y', arguments: '{"n":1}' } }),
      said({}, 'tool_calls'),
    ],
    answer([x(1), { id: null, name: 'y', arguments: { n: 1 } }]),
  ],
  [
    'a name in pieces',
    [
      calls({ index: 0, id: 'a', function: { name: 'get_', arguments: '' } }),
      calls({ index: 0, function: { name: 'weather', arguments: '' } }),
      calls(piece({ index: 0 }, '{"n":1}')),
      said({}, 'tool_calls'),
    ],
    answer([{ id: 'a', name: 'get_weather', arguments: { n: 1 } }]),
  ],
  [
    'a call that the gateway could not read, which it calls a stop',
    [said({ content: '' }), ended('stop', 'MALFORMED_FUNCTION_CALL')],
    failure,
    /rejected its own function call: MALFORMED_FUNCTION_CALL/,
  ],
  [
    "an error that only the model's own word explains",
    [said({ content: '' }), ended('error', 'MALFORMED_FUNCTION_CALL')],
    failure,
    /MALFORMED_FUNCTION_CALL/,
  ],
  [
    "an answer, whatever the model's own word",
    [said({ content: 'a' }), ended('stop', 'MALFORMED_FUNCTION_CALL')],
    { text: 'a', toolCalls: [], finishReason: 'stop' },
  ],
  [
    "an answer that was filtered away by the model's own word",
    [said({ content: '' }), ended('stop', 'SAFETY')],
    { text: '', toolCalls: [], finishReason: 'content_filter' },
  ],
  ['words instead of the last event', [said({ content: 'a' }), 'error: engine died'], { ...failure, text: 'a' }, /engine died/],
  ['words instead of all events', ['upstream connect error'], failure, /upstream connect error/],
  [
    'an error whose key is half of its words',
    [said({ content: 'a' }), { 'error parsing tool call': 'raw={x}' }],
    { ...failure, text: 'a' },
    /error parsing tool call: raw=\{x\}/,
  ],
  ['a list of errors', [{ success: false, errors: [{ code: 7000, message: 'No route' }] }], failure, /No route \(code 7000\)/],
  [
    'a status beside an answer that is none',
    [{ id: 'i', choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }],
    failure,
    /insufficient balance \(code 1008\)/,
  ],
  [
    'a status that is none of failure',
    [said({ content: 'a' }), { ...said({}, 'stop'), base_resp: { status_code: 0, status_msg: '' } }],
    { text: 'a', toolCalls: [], finishReason: 'stop' },
  ],
  [
    'thinking that is told in the details alone',
    [
      said({ reasoning_details: [{ type: 'reasoning.text', text: 'Let', index: 0 }] }),
      said({ reasoning_details: [{ type: 'reasoning.summary', summary: ' me', index: 1 }] }),
      said({ content: 'a' }, 'stop'),
    ],
    { text: 'a', thinking: 'Let me', toolCalls: [], finishReason: 'stop' },
  ],
  [
    'thinking that is told twice',
    [
      said({ reasoning: 'Let', reasoning_details: [{ type: 'reasoning.text', text: 'Let', index: 0 }] }),
      said({ reasoning: ' me', reasoning_details: [{ type: 'reasoning.text', text: ' me', index: 0 }] }),
      said({ content: 'a' }, 'stop'),
    ],
    { text: 'a', thinking: 'Let me', toolCalls: [], finishReason: 'stop' },
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
