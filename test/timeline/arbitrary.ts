import fc from 'fast-check';
import type { Timeline } from '../../src/timeline/timeline.ts';

const time = fc.oneof(fc.nat(50), fc.nat(5000), fc.double({ min: 0, max: 1e12, noNaN: true }));

/** Texts as nobody wants to draw them: control and bidi characters, halves of surrogates, accents, emoji, markup, very long ones. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '\u0000',
        '\u001b[31m',
        '\n',
        '\t',
        '\u202e',
        '\u2066',
        '\u200d',
        '\ufeff',
        '\ud800',
        '\udc00',
        '\ufffe',
        '\u0301',
        '\u20e3',
        '👩‍👩‍👧',
        '🇫🇷',
        '天',
        '한',
        'ก้',
        '<',
        '>',
        '&',
        '"',
        "'",
        ']]>',
        '</svg>',
        'a',
        ' ',
        '\u0085',
        '\u1160',
        '\u3164',
        '\u{e0041}',
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join('')),
  fc.constant('x'.repeat(5000)),
);

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const segment = fc.record({
  type: fc.constantFrom('text' as const, 'thought' as const),
  start: time,
  end: time,
  characters: fc.nat(),
  text: hostileText,
  pieces: fc.array(fc.record({ at: time, characters: fc.nat() }), { maxLength: 8 }),
});

const round = fc.record(
  {
    number: fc.nat(20),
    start: time,
    answered: time,
    end: time,
    finishReason: hostileText,
    segments: fc.array(segment, { maxLength: 3 }),
    retries: fc.array(fc.record({ at: time, attempt: fc.nat(), delay: time, reason: hostileText }), { maxLength: 2 }),
    restarted: fc.record({ at: time, reason: hostileText }),
  },
  { requiredKeys: ['number', 'start', 'segments', 'retries'] },
);

const call = fc.record(
  {
    id: hostileText,
    name: hostileText,
    round: fc.nat(20),
    written: fc.record({ start: time, end: time }, { requiredKeys: ['start'] }),
    approval: fc.record({ asked: time, answered: time, approved: fc.boolean() }, { requiredKeys: ['asked'] }),
    start: time,
    end: time,
    isWithin: fc.constant(true as const),
    progress: fc.array(fc.record({ at: time, value: hostileText }), { maxLength: 5 }),
    progressCount: fc.nat(),
    outcome: fc.constantFrom('ok' as const, 'error' as const, 'cancelled' as const, 'denied' as const, 'unfinished' as const),
    arguments: hostileText,
    result: hostileText,
    compensation: fc.record(
      { at: time, reason: fc.constantFrom('toolError' as const, 'cancelled' as const, 'memory' as const), error: hostileText },
      { requiredKeys: ['at', 'reason'] },
    ),
  },
  { requiredKeys: ['id', 'name', 'round', 'written', 'progress', 'progressCount', 'outcome', 'arguments'] },
);

/** Any timeline that can be read, also one that no invocation would make: what ends before it begins, what overlaps. */
export const anyTimeline: fc.Arbitrary<Timeline> = fc
  .record({
    version: fc.constant(1 as const),
    serviceName: optional(hostileText),
    status: fc.constantFrom('running' as const, 'completed' as const, 'failed' as const, 'cancelled' as const),
    end: optional(time),
    error: optional(hostileText),
    duration: time,
    retrieval: optional(fc.record({ at: time, contents: fc.nat() })),
    failures: fc.array(fc.record({ at: time, error: hostileText }), { maxLength: 2 }),
    rounds: fc.array(round, { maxLength: 5 }),
    calls: fc.array(call, { maxLength: 12 }),
  })
  .map((timeline) => JSON.parse(JSON.stringify(timeline)) as Timeline);
