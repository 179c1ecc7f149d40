import fc from 'fast-check';
import { delay, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { runMarbles } from '../../../src/testing/run-marbles.ts';
import { drawSpan, logged, type SubscriptionSpan } from '../../../src/testing/subscription-log.ts';
import { DecisionModelError } from '../../../src/tool/decision/decision-model-error.ts';
import { selectTools, type ToolSelectionOptions } from '../../../src/tool/decision/select-tools.ts';
import { watch } from '../../chat/watch.ts';
import { spec } from '../search/support.ts';
import { judge } from './support.ts';

const names = (count: number) => Array.from({ length: count }, (_, place) => `t${place}`);

describe('the selection of tools', () => {
  it('never exceeds maxResults or goes below minProbability, and has the likeliest first, whatever the batches', () => {
    const probability = fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10);
    fc.assert(
      fc.property(
        fc.array(probability, { maxLength: 12 }),
        probability,
        fc.integer({ min: 1, max: 14 }),
        fc.integer({ min: 1, max: 14 }),
        (all, minProbability, maxResults, maxToolsPerDecisionRequest) => {
          const { decisionModel, requests } = judge(Object.fromEntries(all.map((value, place) => [`t${place}`, value])));
          const options = { decisionModel, minProbability, maxResults, maxToolsPerDecisionRequest };
          const { values } = watch(
            selectTools('test', options)(
              'input',
              names(all.length).map((name) => spec(name)),
            ),
          );
          const ranked = names(all.length)
            .map((name, place) => ({ name, value: all[place]!, place }))
            .filter(({ value }) => value >= minProbability)
            .sort((one, other) => other.value - one.value || one.place - other.place);
          expect(values).toEqual([ranked.slice(0, maxResults).map(({ name }) => name)]);
          expect(requests.length).toBe(Math.ceil(all.length / maxToolsPerDecisionRequest));
          expect(
            requests.every(({ input, questions }) => input === 'input' && questions.length <= maxToolsPerDecisionRequest),
          ).toBe(true);
          expect(requests.flatMap(({ questions }) => questions.map(({ id }) => id))).toEqual(names(all.length));
        },
      ),
    );
  });

  it('has all that reach 0.5 by default, exactly 0.5 too', () => {
    const { decisionModel } = judge({ a: 0.5, b: 0.4999, c: 1 });
    const { values } = watch(
      selectTools('test', { decisionModel })(
        'input',
        ['a', 'b', 'c'].map((name) => spec(name)),
      ),
    );
    expect(values).toEqual([['c', 'a']]);
  });

  it('asks once about a name, and about any name', () => {
    const { decisionModel, requests } = judge({ a: 1 });
    const { values } = watch(
      selectTools('test', { decisionModel })(
        'input',
        ['a', '__proto__', 'a'].map((name) => spec(name)),
      ),
    );
    expect(requests[0]!.questions.map(({ id }) => id)).toEqual(['a', '__proto__']);
    expect(values).toEqual([['a']]);
  });

  /** Requests that take 3 frames, one tool each. */
  function slow(options: Partial<ToolSelectionOptions> = {}) {
    const spans: SubscriptionSpan[] = [];
    const { decisionModel, requests } = judge({ t0: 0.6, t1: 0.7, t2: 0.8, t3: 0.9, t4: 1 }, (answers) =>
      logged(of(answers).pipe(delay(3)), spans),
    );
    const select = selectTools('test', { decisionModel, maxToolsPerDecisionRequest: 1, ...options });
    return { spans, requests, select };
  }

  it('sends four requests at once, and the others when these have ended', () => {
    const { spans, select } = slow();
    runMarbles(({ record }) => {
      record(
        select(
          'input',
          names(5).map((name) => spec(name)),
        ),
        (all) => all.join('').replaceAll('t', ''),
      ).toBe('------(43210|)');
    });
    expect(spans.map(drawSpan)).toEqual(['^--!', '^--!', '^--!', '^--!', '---^--!']);
  });

  it('stops its requests when it is given up', () => {
    const { spans, select } = slow();
    runMarbles(({ record }) => {
      record(
        select(
          'input',
          names(5).map((name) => spec(name)),
        ),
        String,
        '^-!',
      ).toBe('');
    });
    expect(spans.map(drawSpan)).toEqual(['^-!', '^-!', '^-!', '^-!']);
  });

  it('begins nothing before it is subscribed to', () => {
    const { requests, select } = slow();
    void select('input', [spec('t0')]);
    expect(requests).toEqual([]);
  });

  it('fails as a whole when one request fails, and stops the others', () => {
    const spans: SubscriptionSpan[] = [];
    const failure = new Error('no quota');
    let count = 0;
    const { decisionModel } = judge({}, (answers) =>
      count++ === 1 ? throwError(() => failure) : logged(of(answers).pipe(delay(3)), spans),
    );
    const { error } = watch(
      selectTools('test', { decisionModel, maxToolsPerDecisionRequest: 1 })(
        'input',
        names(3).map((name) => spec(name)),
      ),
    );
    expect(error).toBe(failure);
    expect(spans.map(({ to }) => to === undefined)).not.toContain(true);
  });
});

describe('what a decision model answers', () => {
  const failing = (answers: unknown) => {
    const decisionModel = { decide: () => answers as never };
    return watch(selectTools('test', { decisionModel })('input', [spec('a'), spec('b')])).error;
  };
  const a = { id: 'a', probability: 1 };
  const b = { id: 'b', probability: 0 };

  it.each<[what: string, answers: unknown, message: RegExp]>([
    ['nothing', undefined, /returned undefined and no array/],
    ['no array', { a: 1, b: 0 }, /returned \{"a":1,"b":0\} and no array/],
    ['too few answers', [a], /left 1 of 2 questions without an answer, the first of them "b"/],
    ['an answer to another question', [a, b, { id: 'c', probability: 1 }], /not asked: \{"id":"c","probability":1\}/],
    ['an answer without a question', [a, b, null], /not asked: null/],
    ['one answer twice', [a, b, a], /answered question "a" twice/],
    ['a probability above 1', [a, { id: 'b', probability: 1.01 }], /no probability from 0 to 1: \{"id":"b","probability":1.01\}/],
    ['a probability below 0', [a, { id: 'b', probability: -0.01 }], /no probability from 0 to 1/],
    ['NaN', [a, { id: 'b', probability: Number.NaN }], /no probability from 0 to 1/],
    ['a yes', [a, { id: 'b', probability: 'yes' }], /no probability from 0 to 1: \{"id":"b","probability":"yes"\}/],
    ['no probability', [a, { id: 'b' }], /no probability from 0 to 1/],
  ])('must fit the questions: %s', (_, answers, message) => {
    const error = failing(answers);
    expect(error).toBeInstanceOf(DecisionModelError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).name).toBe('DecisionModelError');
  });

  it('may be in any order', () => {
    expect(failing([b, a])).toBeUndefined();
  });
});
