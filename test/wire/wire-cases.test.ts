import { describe, expect, it } from 'vitest';
import { byteByByte, bytesOf, cutInTwo, fetchOf, quickFetchOf, wireCases } from './wire-case.ts';
import { checkOutcome, outcomeOf, told } from './wire-outcome.ts';

/** What the message of the error must say, for each case that must fail. */
const facts: Readonly<Record<string, RegExp>> = {
  'anthropic-cut-before-message-stop': /the stream ended before message_stop/,
  'anthropic-http-529': /Overloaded \(status 529, type overloaded_error/,
  'anthropic-overloaded-first': /Overloaded \(type overloaded_error\)/,
  'chat-comments-only': /the stream carried no event/,
  'chat-cut-mid-arguments': /the connection was lost/,
  'chat-cut-mid-text': /the stream ended before the model finished/,
  'chat-error-first-then-done': /quota exceeded/,
  'chat-error-object-after-text': /Worker local total request limit reached \(code 502\)/,
  'chat-function-call-filter': /the provider rejected its own function call/,
  'chat-named-error-event': /tool_use_failed/,
  'gemini-http-400-array-body': /missing a thought_signature .*\(status 400, type INVALID_ARGUMENT/,
  'gemini-malformed-function-call': /MALFORMED_FUNCTION_CALL/,
  'http-200-html-body': /the body is not an event stream \(content type text\/html\); it begins: <!DOCTYPE html>/,
  'http-429-retry-after': /Rate limit reached \(status 429, .*retry after 2 s\)/,
  'ollama-cut': /the connection was lost/,
  'ollama-error-line': /an error was encountered while running the model/,
  'responses-failed': /The model had an error \(code server_error\)/,
};

describe('a stream of a provider comes to the same, however its bytes are cut', () => {
  it('has a case for each fact that an error must tell', () => {
    const failing = wireCases.filter(({ expect: { finishReason } }) => finishReason === 'error').map(({ name }) => name);
    expect(Object.keys(facts)).toEqual(failing);
  });

  describe.each(wireCases.map((wireCase) => [wireCase.name, wireCase] as const))('%s', (_, wireCase) => {
    const answered = (chunks: readonly Uint8Array[]) => outcomeOf(fetchOf(chunks, wireCase), wireCase.provider);
    const chunks = bytesOf(wireCase);

    it('as the chunks stand', async () => {
      checkOutcome(await answered(chunks), wireCase.expect, facts[wireCase.name]);
    });

    it('byte by byte', async () => {
      checkOutcome(await answered(byteByByte(chunks)), wireCase.expect, facts[wireCase.name]);
    });

    it('cut in two, anywhere', async () => {
      const uncut = told(await answered(chunks));
      for (const { offset, chunks: halves } of cutInTwo(chunks)) {
        expect(told(await outcomeOf(quickFetchOf(halves, wireCase), wireCase.provider)), `cut at byte ${offset}`).toBe(uncut);
      }
    });
  });
});
