import 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { failureOf } from '../../src/otel/failure.ts';
import type { TracingOptions } from '../../src/otel/tracing-options.ts';
import { ToolRoundTripsExceededError } from '../../src/service/service-errors.ts';
import { ToolTimeoutError } from '../../src/tool/tool-errors.ts';
import { modelNamed, played } from './played.ts';
import { keepingContext } from './traced.ts';

let release: () => void;
beforeAll(() => {
  release = keepingContext();
});
afterAll(() => release());

const words = 'my pin is s3cret';

describe('an error that quotes what was said', () => {
  const quoting = (options: TracingOptions) => {
    const details = { kind: 'invalidRequest', provider: 'p', retryable: false, status: 400, requestId: 'r-1' } as const;
    const error = new ChatModelError(`Bad request:\n    at ${words}\n{"content":"${words}"}`, details);
    const ofModel = played(() => ({ model: modelNamed('m', [{ marbles: '-#', error }]) }), options);
    const ofHandler = played(
      ({ tool }) => ({
        model: modelNamed('m', ['A|', 'z|']),
        tools: [tool('a', '-#', { error: new Error('no') })],
        toolExecutionErrorHandler: () => {
          throw new Error(`The tool failed with ${words}`);
        },
      }),
      options,
    );
    return JSON.stringify(
      [...ofModel.spans(), ...ofHandler.spans()].map(({ attributes, events, status }) => [attributes, events, status]),
    );
  };

  it('is told without its words, whether a provider or a handler wrote them', () => {
    for (const options of [{}, { captureContent: () => undefined }]) {
      const told = quoting(options);
      expect(told).not.toContain('s3cret');
      expect(told).toContain('invalidRequest, status 400, request r-1');
      expect(told).toContain('quotes.test.ts');
    }
  });

  it('is told with them where content is recorded', () => {
    expect(quoting({ captureContent: true })).toContain('s3cret');
  });

  it('is told without its words whatever has become of its message, its name and its stack', () => {
    const changed = new Error(`${words}\n    at ${words}`);
    changed.message = 'other';
    const named = Object.assign(new Error('x'), { name: words });
    const posing = Object.assign(new Error(words), { name: 'ConfigurationError' });
    const firefox = Object.assign(new Error(words), { stack: 'ask@http://x/a.js:1:2\n@http://x/b.js:3:4' });
    const odd = Object.assign(new Error('x'), { message: { words }, stack: 7 });
    for (const error of [changed, named, posing, firefox, odd, words])
      expect(JSON.stringify(failureOf(error, false))).not.toContain('s3cret');
    expect(failureOf(firefox, false).exception?.stack).toBe(firefox.stack);
  });
});

it.each([new ConfigurationError('a'), new ToolTimeoutError('b'), new ToolRoundTripsExceededError('c')])(
  'our own $name keeps its message, since it quotes nobody',
  (error) => {
    expect(failureOf(error, false)).toMatchObject({ type: error.name, message: error.message });
  },
);
