import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import { failure } from '../../src/demo/failure.ts';
import { InvocationCancelledError } from '../../src/service/service-errors.ts';

describe('how the program ends when it does not end well', () => {
  it('with 130 when it was cancelled', () => {
    expect(failure(new InvocationCancelledError('The invocation was cancelled.'))).toEqual({
      message: 'cancelled',
      exitCode: 130,
    });
  });

  it('with 1, in one line and with what to look at', () => {
    const error = new ChatModelError('openai: Wrong key\ngiven (status 401)', {
      kind: 'authentication',
      provider: 'openai',
      retryable: false,
    });
    expect(failure(error)).toEqual({
      message: 'error: openai: Wrong key given (status 401). Is OPENAI_API_KEY right?',
      exitCode: 1,
    });
  });

  it('without a stack, whatever was thrown', () => {
    expect(failure(new TypeError('Something broke.'))).toEqual({ message: 'error: Something broke.', exitCode: 1 });
    expect(failure('text')).toEqual({ message: 'error: text.', exitCode: 1 });
  });
});
