import { NEVER, finalize, type Observable } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ChatResponse } from '../../../src/chat/chat-response.ts';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import { guardrail, type GuardrailResult, type InputGuardrailResult } from '../../../src/chat/guardrail-result.ts';
import { OutputGuardrailError } from '../../../src/service/guardrail/guardrail-errors.ts';
import type {
  InputGuardrail,
  InputGuardrailRequest,
  OutputGuardrail,
  OutputGuardrailRequest,
} from '../../../src/service/guardrail/guardrail.ts';
import { runOutputGuardrails, type OutputGuardrailOutcome } from '../../../src/service/guardrail/run-output-guardrails.ts';
import { runMarbles } from '../../../src/testing/run-marbles.ts';
import { watch } from '../../chat/watch.ts';
import { answer, invocation, keptWatch, userSays } from './support.ts';

const request = { messages: [userSays('hello')], invocation, attempt: 1 };

/** Runs guardrails that answer at once. */
function run(guardrails: readonly OutputGuardrail[], response: ChatResponse = answer('hi')) {
  const watched = keptWatch<ChatResponse>();
  const { values, end } = watch(runOutputGuardrails(guardrails, { ...request, response }, watched));
  expect(end).toBe('complete');
  expect(values).toHaveLength(1);
  return { outcome: values[0]!, names: watched.executions.map((execution) => execution.guardrail) };
}

function errorOf(outcome: OutputGuardrailOutcome): Error {
  expect(outcome).toHaveProperty('error');
  return (outcome as { readonly error: Error }).error;
}

const fine: OutputGuardrail = () => guardrail.success();
const noNames: OutputGuardrail = () => guardrail.failure('It has names.');
const noLinks: OutputGuardrail = () => guardrail.failure('It has links.');
const again: OutputGuardrail = () => guardrail.retry('It is too short.');
const polite: OutputGuardrail = () => guardrail.reprompt('It is rude.', 'Please be polite.');

describe('output guardrails', () => {
  it('[S45] that find nothing leave the response as it is', () => {
    const response = answer('hi');
    const { outcome } = run([fine, fine], response);
    expect(outcome.type === 'success' && outcome.response).toBe(response);
    expect(run([], response).outcome).toEqual({ type: 'success', response });
  });

  it('get the response, its text, what was sent, the invocation, and how many answers were judged', () => {
    const seen: OutputGuardrailRequest[] = [];
    const response = answer(null);
    run([(asked) => (seen.push(asked), guardrail.success())], response);
    expect(seen).toEqual([{ ...request, response, text: null }]);
  });

  it('[S46] that rewrite change the text alone, for those behind them and for the user', () => {
    const seen: (string | null)[] = [];
    const upperCase: OutputGuardrail = ({ text }) => guardrail.rewrite(String(text).toUpperCase());
    const exclaim: OutputGuardrail = ({ text, response }) => {
      seen.push(text, response.aiMessage.text);
      return guardrail.rewrite(`${text}!`);
    };
    expect(run([upperCase, exclaim]).outcome).toEqual({ type: 'success', response: answer('HI!') });
    expect(seen).toEqual(['HI', 'HI']);
    expect(run([() => guardrail.rewrite('')]).outcome).toEqual({ type: 'success', response: answer('') });
  });

  it('are all asked although one has failed, and the error has what each of them found', () => {
    const { outcome, names } = run([noNames, fine, noLinks]);
    expect(outcome.type).toBe('failed');
    expect(errorOf(outcome)).toBeInstanceOf(OutputGuardrailError);
    expect(errorOf(outcome)).toMatchObject({
      name: 'OutputGuardrailError',
      message: 'The answer was refused by noNames: It has names.; noLinks: It has links.',
      failures: [
        { guardrail: 'noNames', message: 'It has names.' },
        { guardrail: 'noLinks', message: 'It has links.' },
      ],
    });
    expect(names).toEqual(['noNames', 'fine', 'noLinks']);
  });

  it('[S47] ask no other when one says fatal', () => {
    const cause = new Error('list');
    const never: OutputGuardrail = () => guardrail.fatal('It is forbidden.', { cause });
    const { outcome, names } = run([fine, never, noLinks]);
    expect(outcome.type).toBe('failed');
    expect(errorOf(outcome).message).toBe('The answer was refused by never: It is forbidden.');
    expect(errorOf(outcome).cause).toBe(cause);
    expect(names).toEqual(['fine', 'never']);
  });

  it('ask no other when one wants a new answer, and have the error for when there may be none', () => {
    const { outcome, names } = run([fine, again, noLinks]);
    expect(outcome.type).toBe('retry');
    expect(errorOf(outcome)).toBeInstanceOf(OutputGuardrailError);
    expect(errorOf(outcome).message).toBe('The answer was refused by again: It is too short.');
    expect(names).toEqual(['fine', 'again']);
  });

  it('[S50] ask no other when one wants the model to be asked again, and hand on its prompt', () => {
    const { outcome, names } = run([polite, noLinks]);
    expect(outcome).toMatchObject({ type: 'reprompt', prompt: 'Please be polite.' });
    expect(errorOf(outcome).message).toBe('The answer was refused by polite: It is rude.');
    expect(names).toEqual(['polite']);
  });

  it('tell of earlier failures as well when one wants a new answer', () => {
    const { outcome } = run([noNames, polite]);
    expect(outcome.type).toBe('reprompt');
    expect((errorOf(outcome) as OutputGuardrailError).failures).toHaveLength(2);
  });

  it('take it for fatal when one throws, with its error as the cause', () => {
    const cause = new Error('down');
    const { outcome, names } = run([
      () => {
        throw cause;
      },
      noLinks,
    ]);
    expect(outcome.type).toBe('failed');
    expect(errorOf(outcome)).toBeInstanceOf(OutputGuardrailError);
    expect(errorOf(outcome).cause).toBe(cause);
    expect(names).toEqual(['outputGuardrails[0]']);
  });

  it.each<[what: string, returned: unknown, message: RegExp]>([
    [
      'undefined',
      undefined,
      /the output guardrail check: its result is undefined; return guardrail\.success\(\).*retry\(message\)/,
    ],
    ['true', true, /result is true/],
    ['a retry without a message', { type: 'retry' }, /it must have a message/],
    ['a reprompt without a prompt', { type: 'reprompt', message: 'rude' }, /it must have a prompt/],
    ['a reprompt with a blank prompt', guardrail.reprompt('rude', ' '), /it must have a prompt/],
  ])('fail with a configuration error that names the one that returned %s', (_, returned, message) => {
    const check = (() => returned) as OutputGuardrail;
    const { outcome } = run([check, again]);
    expect(outcome.type).toBe('failed');
    expect(errorOf(outcome)).toBeInstanceOf(ConfigurationError);
    expect(errorOf(outcome).message).toMatch(message);
  });

  it('[S52] stop when they are left during a validation', () => {
    let left = 0;
    const waiting: OutputGuardrail = () => NEVER.pipe(finalize(() => left++));
    runMarbles(({ record }) => {
      const outcome$ = runOutputGuardrails([waiting, fine], { ...request, response: answer('hi') }, keptWatch());
      record(outcome$, ({ type }) => type, '^---!').toBe('');
    });
    expect(left).toBe(1);
  });
});

it('guardrails may return a result, a promise of it or an Observable, and nothing else', () => {
  expectTypeOf<() => InputGuardrailResult>().toExtend<InputGuardrail>();
  expectTypeOf<() => GuardrailResult>().not.toExtend<InputGuardrail>();
  expectTypeOf<(request: InputGuardrailRequest) => Promise<InputGuardrailResult>>().toExtend<InputGuardrail>();
  expectTypeOf<(request: OutputGuardrailRequest) => Observable<GuardrailResult>>().toExtend<OutputGuardrail>();
  expectTypeOf<() => boolean>().not.toExtend<OutputGuardrail>();
  expectTypeOf<() => void>().not.toExtend<InputGuardrail>();
  expect(run([() => Object.freeze(guardrail.success())]).outcome.type).toBe('success');
});
