import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import { isContent, textOf } from '../../src/chat/content.ts';
import { anyContent } from './arbitrary-messages.ts';

describe('contents', () => {
  it('are told from data that happens to be an object', () => {
    fc.assert(
      fc.property(anyContent, (content) => isContent(content)),
      { numRuns: 100 },
    );
  });

  it.each([
    null,
    undefined,
    'text',
    5,
    [],
    {},
    { type: 'text' },
    { type: 'text', text: 5 },
    { type: 'image' },
    { type: 'image', data: 5 },
    { type: 'gif', url: 'a' },
    { text: 'a' },
  ])('%j is none', (value) => {
    expect(isContent(value)).toBe(false);
  });

  it('are one text, with a short mark for media', () => {
    expect(
      textOf([
        { type: 'text', text: 'Look:' },
        { type: 'image', url: 'a' },
        { type: 'pdf', data: 'b' },
        { type: 'text', text: 'Well?' },
      ]),
    ).toBe('Look:\n[image]\n[pdf]\nWell?');
    expect(textOf([])).toBe('');
  });
});

describe("a model's error", () => {
  it('has what the provider told, and nothing where it told nothing', () => {
    const cause = new Error('socket');
    const full = new ChatModelError('Slow down.', {
      kind: 'rateLimit',
      provider: 'acme',
      status: 429,
      requestId: 'r1',
      retryable: true,
      retryAfter: 2000,
      cause,
    });
    expect(full).toMatchObject({
      name: 'ChatModelError',
      message: 'Slow down.',
      kind: 'rateLimit',
      provider: 'acme',
      status: 429,
      requestId: 'r1',
      retryable: true,
      retryAfter: 2000,
      cause,
    });
    const bare = new ChatModelError('Lost.', { kind: 'network', provider: 'acme', retryable: true });
    for (const field of ['status', 'requestId', 'retryAfter', 'cause'])
      expect(field in bare && bare[field as 'cause'] !== undefined).toBe(false);
    expect(bare).toBeInstanceOf(Error);
  });
});
