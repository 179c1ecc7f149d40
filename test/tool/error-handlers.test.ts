import { describe, expect, it, vi } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { fromValue } from '../../src/chat/value.ts';
import {
  sendExceptionMessageToLlmAndWarn,
  toolArgumentsErrorHandler,
  toolExecutionErrorHandler,
  type ToolErrorHandler,
} from '../../src/tool/error-handlers.ts';
import { ToolArgumentsError, ToolExecutionError, ToolTimeoutError, unwrapped } from '../../src/tool/tool-errors.ts';
import { toolErrorVisibleToLlm, visibleMessage, type ToolErrorVisibleToLlm } from '../../src/tool/visible-to-llm.ts';
import { watch } from '../chat/watch.ts';
import { errorContext } from './call.ts';

class Marked extends Error implements ToolErrorVisibleToLlm {
  readonly #forLlm: string;

  constructor(message: string, forLlm: string) {
    super(message);
    this.#forLlm = forLlm;
  }

  messageForLlm(): string {
    return this.#forLlm;
  }
}

const spied = () => ({ warn: vi.fn(), error: vi.fn(), debug: vi.fn() });

/** What a handler makes of an error: the text for the model, or the error that fails the invocation. */
function handled(handler: ToolErrorHandler, error: Error, rawError: unknown = error) {
  const logger = spied();
  const { values, error: thrown, end } = watch(fromValue(() => handler(error, errorContext(rawError, logger))));
  return { outcome: end === 'error' ? { thrown } : { text: values[0] }, logger };
}

const { failInvocation, failInvocationUnlessVisibleToLlm, sendExceptionMessageToLlm, sendGenericMessageToLlmUnlessVisibleToLlm } =
  toolExecutionErrorHandler;
const generic = sendGenericMessageToLlmUnlessVisibleToLlm('It did not work.');

describe('the ready-made handlers', () => {
  const unmarked = new Error('password wrong for root');
  const visible = new Marked('internal 17', 'There is no such order.');

  it.each<[name: string, handler: ToolErrorHandler, forVisible: object, forUnmarked: object]>([
    ['arguments.failInvocation', toolArgumentsErrorHandler.failInvocation(), { thrown: visible }, { thrown: unmarked }],
    [
      'arguments.sendExceptionMessageToLlm',
      toolArgumentsErrorHandler.sendExceptionMessageToLlm(),
      { text: 'internal 17' },
      { text: 'password wrong for root' },
    ],
    ['execution.failInvocation', failInvocation(), { thrown: visible }, { thrown: unmarked }],
    [
      'execution.failInvocationUnlessVisibleToLlm',
      failInvocationUnlessVisibleToLlm(),
      { text: 'There is no such order.' },
      { thrown: unmarked },
    ],
    [
      'execution.sendExceptionMessageToLlm',
      sendExceptionMessageToLlm(),
      { text: 'There is no such order.' },
      { text: 'password wrong for root' },
    ],
    [
      'execution.sendGenericMessageToLlmUnlessVisibleToLlm',
      generic,
      { text: 'There is no such order.' },
      { text: 'It did not work.' },
    ],
    [
      'the legacy default',
      sendExceptionMessageToLlmAndWarn,
      { text: 'There is no such order.' },
      { text: 'password wrong for root' },
    ],
  ])('[S115][S116] %s', (_, handler, forVisible, forUnmarked) => {
    expect(handled(handler, visible).outcome).toEqual(forVisible);
    expect(handled(handler, unmarked).outcome).toEqual(forUnmarked);
  });

  it('[S122] fail the invocation with the very error', () => {
    const { outcome } = handled(failInvocation(), unmarked);
    expect((outcome as { thrown: unknown }).thrown).toBe(unmarked);
  });

  it('[S109] send the name of an error without a message', () => {
    expect(handled(sendExceptionMessageToLlm(), new RangeError('')).outcome).toEqual({ text: 'RangeError' });
    expect(handled(toolArgumentsErrorHandler.sendExceptionMessageToLlm(), new RangeError(' ')).outcome).toEqual({
      text: 'RangeError',
    });
  });

  it('[S117] log what the generic text hides, and do not send it', () => {
    const { outcome, logger } = handled(generic, unmarked);
    expect(outcome).toEqual({ text: 'It did not work.' });
    expect(logger.warn).toHaveBeenCalledOnce();
    expect(logger.warn.mock.calls[0]![1]).toBe(unmarked);
    expect(handled(generic, visible).logger.warn).not.toHaveBeenCalled();
  });

  it('[S123] log every failure with its cause in the legacy default', () => {
    for (const error of [unmarked, visible])
      expect(handled(sendExceptionMessageToLlmAndWarn, error).logger.warn.mock.calls[0]![1]).toBe(error);
  });

  it('log nothing else', () => {
    const quiet = [
      toolArgumentsErrorHandler.failInvocation(),
      toolArgumentsErrorHandler.sendExceptionMessageToLlm(),
      failInvocation(),
      failInvocationUnlessVisibleToLlm(),
      sendExceptionMessageToLlm(),
    ];
    for (const handler of quiet) {
      for (const error of [unmarked, visible]) {
        const { logger } = handled(handler, error);
        expect([logger.warn, logger.error, logger.debug].flatMap(({ mock }) => mock.calls)).toEqual([]);
      }
    }
  });

  it.each(['', '  \n', undefined, 5])('[S121] do not take %j for a generic message', (text) => {
    expect(() => sendGenericMessageToLlmUnlessVisibleToLlm(text as string)).toThrow(ConfigurationError);
  });
});

describe('the marker of errors that the model may see', () => {
  const plain = new Error('plain');

  it('[S119] is looked for on the error, then on the raw one', () => {
    const raw = new ToolExecutionError('wrapper', { cause: plain });
    const markedRaw = Object.assign(raw, { messageForLlm: () => 'from the raw one' });
    expect(visibleMessage(plain, errorContext(markedRaw))).toBe('from the raw one');
    expect(visibleMessage(new Marked('', 'from the inner one'), errorContext(markedRaw))).toBe('from the inner one');
  });

  it('[S118] is not looked for further down: an error that wraps a marked one has the last word', () => {
    const wrapping = new Error('wrapping', { cause: new Marked('', 'secret') });
    expect(visibleMessage(wrapping, errorContext(wrapping))).toBeUndefined();
    expect(handled(failInvocationUnlessVisibleToLlm(), wrapping).outcome).toEqual({ thrown: wrapping });
    expect(handled(sendExceptionMessageToLlm(), wrapping).outcome).toEqual({ text: 'wrapping' });
  });

  it.each(['', ' \n', undefined])('[S120] with a blank text (%j) is a warning, and the error counts as unmarked', (text) => {
    const blank = new Marked('the message', text as string);
    expect(handled(failInvocationUnlessVisibleToLlm(), blank)).toMatchObject({ outcome: { thrown: blank } });
    expect(handled(sendExceptionMessageToLlm(), blank).outcome).toEqual({ text: 'the message' });
    expect(handled(generic, blank).outcome).toEqual({ text: 'It did not work.' });
    expect(handled(failInvocationUnlessVisibleToLlm(), blank).logger.warn).toHaveBeenCalledOnce();
  });

  it('may be on any error, also on one of another realm or class', () => {
    const foreign = Object.assign(new TypeError('x'), { messageForLlm: () => 'foreign' });
    expect(visibleMessage(foreign, errorContext(foreign))).toBe('foreign');
    expect(visibleMessage(plain, errorContext('a text was thrown'))).toBeUndefined();
    expect(visibleMessage(plain, errorContext(undefined))).toBeUndefined();
  });

  it('is on a timeout', () => {
    const error = new ToolTimeoutError('Tool a took too long.');
    expect(visibleMessage(error, errorContext(error))).toBe('Tool a took too long.');
  });

  it('is on what toolErrorVisibleToLlm makes, which is no ToolExecutionError and keeps its cause to itself', () => {
    const error = toolErrorVisibleToLlm('Ask the user for the number.', { cause: plain });
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(ToolExecutionError);
    expect(error.message).toBe('Ask the user for the number.');
    expect(error.messageForLlm()).toBe('Ask the user for the number.');
    expect(error.cause).toBe(plain);
  });

  it.each(['', ' ', undefined])('[S121] needs a message that is not blank: %j', (message) => {
    expect(() => toolErrorVisibleToLlm(message as string)).toThrow(ConfigurationError);
  });
});

describe('[S127] unwrapping takes off our own wrapper, and one level of it', () => {
  const inner = new Error('inner', { cause: new Error('innermost') });

  it('gives the error behind it, and the wrapper as the raw one', () => {
    for (const wrapper of [new ToolExecutionError('w', { cause: inner }), new ToolArgumentsError('w', { cause: inner })]) {
      expect(unwrapped(wrapper)).toEqual({ error: inner, rawError: wrapper });
      expect(unwrapped(wrapper).error).toBe(inner);
    }
  });

  it('leaves a wrapper inside of a wrapper', () => {
    const own = new ToolExecutionError('own', { cause: inner });
    expect(unwrapped(new ToolExecutionError('outer', { cause: own })).error).toBe(own);
  });

  it("[S110] leaves a user's error with its cause, and a wrapper without one", () => {
    for (const error of [inner, new ToolArgumentsError('w'), new ToolExecutionError('w')]) {
      const { error: same, rawError } = unwrapped(error);
      expect(same).toBe(error);
      expect(rawError).toBe(error);
    }
  });

  it('[G12] makes an error of what is none, and keeps it as the raw one', () => {
    for (const thrown of ['boom', undefined, null, 42]) {
      const bare = unwrapped(thrown);
      expect(bare.error).toBeInstanceOf(ToolExecutionError);
      expect(bare.rawError).toBe(thrown);
      const wrapper = new ToolExecutionError('w', { cause: thrown });
      expect(unwrapped(wrapper)).toEqual({ error: wrapper, rawError: thrown });
    }
  });

  it('knows errors of another realm', () => {
    const foreign = Object.create(Error.prototype) as Error;
    const tagged = { [Symbol.toStringTag]: 'Error', message: 'foreign', name: 'Error' };
    expect(unwrapped(foreign).error).toBe(foreign);
    expect(unwrapped(tagged).error).toBe(tagged);
  });
});
