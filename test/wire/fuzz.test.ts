import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import { parseJson } from '../../src/chat/parse-json.ts';
import { bytesOf, joined, quickFetchOf, wireCases } from './wire-case.ts';
import { wireModels, type WireProvider } from './wire-models.ts';
import { outcomeOf, type Outcome } from './wire-outcome.ts';

/** One thing that may go wrong with a stream; places are told as a share of its length. */
type Harm =
  | { readonly type: 'drop'; readonly at: number }
  | { readonly type: 'double'; readonly at: number }
  | { readonly type: 'swap'; readonly at: number; readonly from: number }
  | { readonly type: 'splice'; readonly at: number; readonly from: number }
  | { readonly type: 'garble'; readonly at: number; readonly within: number; readonly text: string };

const share = fc.double({ min: 0, max: 0.999, noNaN: true });

const harm: fc.Arbitrary<Harm> = fc.oneof(
  fc.record({ type: fc.constant('drop' as const), at: share }),
  fc.record({ type: fc.constant('double' as const), at: share }),
  fc.record({ type: fc.constant('swap' as const), at: share, from: share }),
  fc.record({ type: fc.constant('splice' as const), at: share, from: share }),
  fc.record({
    type: fc.constant('garble' as const),
    at: share,
    within: share,
    text: fc.oneof(fc.constantFrom('"', '}', '{', 'null', '[]', '\n', '\\', '\0', '0'), fc.string({ maxLength: 3 })),
  }),
);

const cases = wireCases.filter(({ status }) => status === 200);

/** The events of all handed streams of a provider, each with its framing. */
function streamsOf(provider: WireProvider): readonly (readonly string[])[] {
  const end = provider === 'ollama' ? /(?<=\n)/ : /(?<=\n\n)/;
  return cases
    .filter((wireCase) => wireCase.provider === provider)
    .map((wireCase) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(joined(bytesOf(wireCase))).split(end));
}

function harmed(events: readonly string[], all: readonly string[], harms: readonly Harm[]): string[] {
  const result = [...events];
  for (const done of harms) {
    const at = Math.floor(done.at * result.length);
    const found = result[at] ?? '';
    if (done.type === 'drop') result.splice(at, 1);
    else if (done.type === 'double') result.splice(at, 0, found);
    else if (done.type === 'splice') result.splice(at, 0, all[Math.floor(done.from * all.length)]!);
    else if (done.type === 'garble') {
      const within = Math.floor(done.within * found.length);
      result[at] = found.slice(0, within) + done.text + found.slice(within + done.text.length);
    } else {
      const other = Math.floor(done.from * result.length);
      [result[at], result[other]] = [result[other] ?? '', found];
    }
  }
  return result;
}

/** What holds for every stream, however broken. */
function checkInvariants({ events, error }: Outcome): void {
  const responses = events.flatMap((event) => (event.type === 'completeResponse' ? [event.response] : []));
  const complete = events.flatMap((event) => (event.type === 'completeToolCall' ? [event] : []));
  if (error !== undefined) {
    expect(error).toBeInstanceOf(ChatModelError);
    expect(responses).toEqual([]);
  } else {
    expect(responses).toHaveLength(1);
    expect(events.at(-1)?.type).toBe('completeResponse');
  }
  const [response] = responses;
  const isWhole = response?.finishReason === 'toolExecution';
  for (const { request } of complete) {
    expect(request.name).not.toBe('');
    // Only a turn that came to its end may hand over what is no whole JSON: the model is told so.
    if (!isWhole && request.arguments.trim()) expect(parseJson(request.arguments)).toBeInstanceOf(Object);
  }
  const places = complete.map(({ index }) => index);
  expect(new Set(places).size).toBe(places.length);
  if (!response) return;
  const { toolExecutionRequests, text } = response.aiMessage;
  for (const { index, request } of complete) expect(request).toEqual(toolExecutionRequests[index]);
  if (isWhole) expect(complete).toHaveLength(toolExecutionRequests.length);
  expect(events.map((event) => (event.type === 'partialResponse' ? event.text : '')).join('')).toBe(text ?? '');
  expect(new Set(toolExecutionRequests.map(({ id }) => id)).size).toBe(toolExecutionRequests.length);
}

describe.each(Object.keys(wireModels) as WireProvider[])('a broken stream of %s', (provider) => {
  const streams = streamsOf(provider);
  const all = streams.flat();

  it('[G11] ends, fails with a typed error or not at all, and never hands over a call that was cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(streams.length - 1),
        fc.array(harm, { minLength: 1, maxLength: 4 }),
        fc.option(share, { nil: 1 }),
        fc.constantFrom('close' as const, 'cut' as const),
        async (stream, harms, kept, endsBy) => {
          const body = new TextEncoder().encode(harmed(streams[stream]!, all, harms).join(''));
          const bytes = body.subarray(0, Math.ceil(kept * body.length));
          const answer = { status: 200, headers: { 'content-type': 'text/event-stream' }, endsBy };
          checkInvariants(await outcomeOf(quickFetchOf([bytes], answer), provider));
        },
      ),
      { numRuns: 500 },
    );
  });
});
