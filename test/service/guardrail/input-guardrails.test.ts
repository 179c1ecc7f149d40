import { NEVER, defer, delay, finalize, firstValueFrom, of, tap, throwError, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import { guardrail } from '../../../src/chat/guardrail-result.ts';
import type { ChatMessage, UserMessage } from '../../../src/chat/message.ts';
import { InputGuardrailError } from '../../../src/service/guardrail/guardrail-errors.ts';
import type { InputGuardrail, InputGuardrailRequest } from '../../../src/service/guardrail/guardrail.ts';
import { runInputGuardrails, type InputGuardrailOutcome } from '../../../src/service/guardrail/run-input-guardrails.ts';
import { runMarbles } from '../../../src/testing/run-marbles.ts';
import { watch } from '../../chat/watch.ts';
import { invocation, keptWatch, userSays } from './support.ts';

const messages: readonly ChatMessage[] = [{ role: 'system', text: 'be kind' }];

/** Runs guardrails that answer at once. */
function run(guardrails: readonly InputGuardrail[], userMessage: UserMessage = userSays('hello')) {
  const watched = keptWatch<UserMessage>();
  const { values, end } = watch(runInputGuardrails(guardrails, { userMessage, messages, invocation }, watched));
  expect(end).toBe('complete');
  expect(values).toHaveLength(1);
  return { outcome: values[0]!, executions: watched.executions };
}

const failed = ({ outcome }: { readonly outcome: InputGuardrailOutcome }): Error => {
  expect(outcome.type).toBe('failed');
  return (outcome as Extract<InputGuardrailOutcome, { type: 'failed' }>).error;
};

const tooLong: InputGuardrail = () => guardrail.failure('It is too long.');
const tooRude: InputGuardrail = () => guardrail.failure('It is rude.');
const fine: InputGuardrail = () => guardrail.success();
const upperCase: InputGuardrail = ({ text }) => guardrail.rewrite(text.toUpperCase());

describe('input guardrails', () => {
  it('that find nothing leave the message as it is', () => {
    const userMessage = userSays('hello');
    expect(run([fine, fine], userMessage).outcome).toEqual({ type: 'success', userMessage });
    const { outcome } = run([fine], userMessage);
    expect(outcome.type === 'success' && outcome.userMessage).toBe(userMessage);
    expect(run([], userMessage).outcome).toEqual({ type: 'success', userMessage });
  });

  it('[S175] get the message, its text, the history and the invocation', () => {
    const seen: InputGuardrailRequest[] = [];
    const userMessage: UserMessage = {
      role: 'user',
      contents: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', url: 'https://example.org/a.png' },
        { type: 'text', text: 'Passages' },
      ],
    };
    run([(request) => (seen.push(request), guardrail.success())], userMessage);
    expect(seen).toEqual([{ userMessage, text: 'What is this?\nPassages', messages, invocation }]);
  });

  it('[S175] that rewrite change what those behind them see, and what the model gets', () => {
    const exclaim: InputGuardrail = ({ text }) => guardrail.rewrite(`${text}!`);
    expect(run([upperCase, fine, exclaim]).outcome).toEqual({ type: 'success', userMessage: userSays('HELLO!') });
  });

  it('[S175] that rewrite leave images and other media in their place', () => {
    const image = { type: 'image', url: 'https://example.org/a.png' } as const;
    const pdf = { type: 'pdf', url: 'https://example.org/a.pdf' } as const;
    const rewritten = (contents: UserMessage['contents']) => {
      const { outcome } = run([() => guardrail.rewrite('new')], { role: 'user', contents });
      return outcome.type === 'success' && outcome.userMessage.contents;
    };
    const text = (of: string) => ({ type: 'text', text: of }) as const;
    expect(rewritten([image, text('a'), pdf, text('b')])).toEqual([image, text('new'), pdf]);
    expect(rewritten([text('a'), text('b'), image])).toEqual([text('new'), image]);
    expect(rewritten([image])).toEqual([text('new'), image]);
    expect(rewritten([])).toEqual([text('new')]);
  });

  it('are all asked although one has failed, and the error has what each of them found', () => {
    const cause = new Error('list of words');
    const withCause: InputGuardrail = () => guardrail.failure('It has names.', { cause });
    const { outcome, executions } = run([tooLong, fine, tooRude, withCause]);
    const error = failed({ outcome });
    expect(error).toBeInstanceOf(InputGuardrailError);
    expect(error.name).toBe('InputGuardrailError');
    expect(error.message).toBe(
      "The user's message was refused by tooLong: It is too long.; tooRude: It is rude.; withCause: It has names.",
    );
    expect((error as InputGuardrailError).failures).toEqual([
      { guardrail: 'tooLong', message: 'It is too long.' },
      { guardrail: 'tooRude', message: 'It is rude.' },
      { guardrail: 'withCause', message: 'It has names.', cause },
    ]);
    expect(error.cause).toBe(cause);
    expect(executions).toHaveLength(4);
  });

  it('ask no other when one says fatal', () => {
    const spam: InputGuardrail = () => guardrail.fatal('It is spam.');
    const ran = run([tooLong, spam, tooRude]);
    expect(failed(ran).message).toBe("The user's message was refused by tooLong: It is too long.; spam: It is spam.");
    expect(ran.executions.map((execution) => execution.guardrail)).toEqual(['tooLong', 'spam']);
  });

  const down = new Error('down');
  const broken: readonly (readonly [string, InputGuardrail])[] = [
    [
      'throws',
      () => {
        throw down;
      },
    ],
    ['errors', () => throwError(() => down)],
  ];

  it.each(broken)('take it for fatal when one %s, with its error as the cause', (_, check) => {
    const ran = run([check, tooRude]);
    const error = failed(ran) as InputGuardrailError;
    expect(error).toBeInstanceOf(InputGuardrailError);
    expect(error.cause).toBe(down);
    expect(error.failures).toMatchObject([{ message: 'down', cause: down }]);
    expect(ran.executions.map(({ result }) => result)).toEqual([{ type: 'fatal', message: 'down', cause: down }]);
  });

  it('may throw what is no Error', () => {
    const error = failed(
      run([
        () => {
          throw 'enough';
        },
      ]),
    );
    expect(error.message).toBe('The user\'s message was refused by inputGuardrails[0]: It threw "enough".');
  });

  it('may answer with promises, and one that rejects is fatal', async () => {
    const outcomeOf = (check: InputGuardrail) =>
      firstValueFrom(runInputGuardrails([check], { userMessage: userSays('hello'), messages, invocation }, keptWatch()), {
        defaultValue: undefined,
      });
    expect(await outcomeOf(() => Promise.resolve(guardrail.rewrite('hi')))).toEqual({
      type: 'success',
      userMessage: userSays('hi'),
    });
    expect(await outcomeOf(() => Promise.reject(down))).toMatchObject({ type: 'failed', error: { cause: down } });
  });

  it.each<[what: string, returned: unknown, message: RegExp]>([
    ['undefined', undefined, /the input guardrail check: its result is undefined; return guardrail\.success\(\)/],
    ['true', true, /result is true; return guardrail/],
    ['null', null, /result is null; return guardrail/],
    ['a text', 'fine', /result is "fine"; return guardrail/],
    ['an empty Observable', of<never[]>(), /result is undefined; return guardrail/],
    ['an unknown type', { type: 'ok' }, /result is .*type.*; return guardrail/],
    ['a failure without a message', { type: 'failure' }, /it must have a message: return guardrail/],
    ['a fatal one with a blank message', { type: 'fatal', message: ' ' }, /it must have a message: return guardrail/],
    ['a rewritten text that is none', { type: 'success', rewrittenText: 5 }, /rewrittenText must be a text/],
    ['a retry', guardrail.retry('again'), /only an answer can be asked for again: return guardrail\.success\(\)/],
    ['a reprompt', guardrail.reprompt('again', 'please'), /only an answer can be asked for again/],
  ])('fail with a configuration error that names the one that returned %s, and ask no other', (_, returned, message) => {
    const check = (() => returned) as InputGuardrail;
    const ran = run([tooLong, check, tooRude]);
    expect(failed(ran)).toBeInstanceOf(ConfigurationError);
    expect(failed(ran).message).toMatch(message);
    expect(ran.executions.map(({ guardrail: name, result }) => [name, result.type])).toEqual([
      ['tooLong', 'failure'],
      ['check', 'fatal'],
    ]);
  });

  it('are told of by name, or by their place, with their result, their time, and what they judged', () => {
    runMarbles(({ record, at }) => {
      let frame = 0;
      for (let i = 1; i < 10; i++) at(i, () => (frame = i));
      const watched = keptWatch<UserMessage>(() => frame);
      const slow: InputGuardrail = () => of(guardrail.rewrite('new')).pipe(delay(3));
      const guardrails = [slow, fine, [() => of(guardrail.success()).pipe(delay(2))] as const].flat();
      record(runInputGuardrails(guardrails, { userMessage: userSays('old'), messages, invocation }, watched), ({ type }) =>
        type.charAt(0),
      ).toBe('-----(s|)');
      at(9, () => {
        expect(watched.executions).toEqual([
          { guardrail: 'slow', result: guardrail.rewrite('new'), duration: 3, subject: userSays('old') },
          { guardrail: 'fine', result: guardrail.success(), duration: 0, subject: userSays('new') },
          { guardrail: 'inputGuardrails[2]', result: guardrail.success(), duration: 2, subject: userSays('new') },
        ]);
      });
    });
  });

  it('run one after the other, each time they are subscribed to', () => {
    const log: string[] = [];
    const logged =
      (name: string): InputGuardrail =>
      () =>
        of(guardrail.success()).pipe(
          delay(2),
          tap({ subscribe: () => log.push(`${name} begins`), finalize: () => log.push(`${name} ends`) }),
        );
    runMarbles(({ record }) => {
      const outcome$ = runInputGuardrails(
        [logged('a'), logged('b')],
        { userMessage: userSays('x'), messages, invocation },
        keptWatch(),
      );
      expect(log).toEqual([]);
      record(outcome$, ({ type }) => type.charAt(0)).toBe('----(s|)');
    });
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('[S52] stop when they are left: the one that runs is unsubscribed from, and no other is asked', () => {
    let left = 0;
    const watched = keptWatch<UserMessage>();
    const waiting: InputGuardrail = () => NEVER.pipe(finalize(() => left++));
    runMarbles(({ record }) => {
      const outcome$ = runInputGuardrails(
        [fine, waiting, tooRude],
        { userMessage: userSays('x'), messages, invocation },
        watched,
      );
      record(outcome$, ({ type }) => type, '^---!').toBe('');
    });
    expect(left).toBe(1);
    expect(watched.executions.map((execution) => execution.guardrail)).toEqual(['fine']);
  });

  it('run as user code, and nothing else does', () => {
    let isUserCode = false;
    const seen: boolean[] = [];
    const outcome$ = runInputGuardrails(
      [() => (seen.push(isUserCode), guardrail.success())],
      { userMessage: userSays('x'), messages, invocation },
      {
        now: () => 0,
        asUserCode: <T>(source: Observable<T>) =>
          defer(() => {
            isUserCode = true;
            return source.pipe(tap(() => (isUserCode = false)));
          }),
        onExecuted: () => void seen.push(isUserCode),
      },
    );
    expect(watch(outcome$).values).toHaveLength(1);
    expect(seen).toEqual([true, false]);
  });
});
