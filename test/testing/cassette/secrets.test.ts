import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import { openAiChat } from '../../../src/provider/openai/open-ai-chat.ts';
import type { Cassette } from '../../../src/testing/cassette/cassette.ts';
import { cassetteModel } from '../../../src/testing/cassette/cassette-model.ts';
import { recordCassette } from '../../../src/testing/cassette/record-cassette.ts';
import type { Redact } from '../../../src/testing/cassette/redaction.ts';
import { scriptedModel } from '../../../src/testing/scripted-model.ts';
import { lastOf } from '../../provider/last-of.ts';
import { ask, asked, failureOf, recorded } from './support.ts';

const requestOf = (request: ChatRequest, redact: Redact | readonly Redact[] = []) =>
  recorded([[request, '-a|']], { redact }).exchanges[0]!.request;

/** What a model says in these events, recorded. */
function recordedEvents(events: readonly ChatModelEvent[], redact: Redact | readonly Redact[]) {
  const model = recordCassette(scriptedModel([events]), { redact });
  model.chat(ask('Hi')).subscribe({ error: () => undefined });
  return model.cassette().exchanges[0]!.events;
}

const said = (text: string): ChatModelEvent => ({ type: 'partialResponse', text });

const written = (partialArguments: string, index = 0): ChatModelEvent => {
  return { type: 'partialToolCall', index, id: 'c', name: 'a', partialArguments };
};

const texts = (events: Cassette['exchanges'][number]['events']) =>
  events.flatMap((event) =>
    event.type === 'partialResponse' ? [event.text] : event.type === 'partialToolCall' ? [event.partialArguments] : [],
  );

describe('what is never on a tape', () => {
  it('is the key of a provider and its headers, also where the server quotes them', async () => {
    const model = recordCassette(
      openAiChat({
        modelName: 'gpt-x',
        apiKey: 'sk-live-key',
        headers: { 'x-team-token': 'team-secret' },
        maxRetries: 0,
        fetch: () => Promise.resolve(new Response('{"error":{"message":"Bad key sk-live-key of team-secret"}}', { status: 401 })),
      }),
    );
    await expect(lastOf(model.chat(ask('Hi')))).rejects.toThrow('Bad key');
    const text = JSON.stringify([model, model.cassette()]);
    expect(text).toContain('Bad key');
    expect(text).not.toMatch(/sk-live-key|team-secret|x-team-token/i);
  });

  it('is what stands in providerOptions under names of secrets, at any depth', () => {
    const providerOptions = {
      apiKey: 's1',
      api_key: 's2',
      'X-Access-Token': 's3',
      extra_headers: { Authorization: 's4', Other: 's5' },
      tools: [{ type: 'mcp', authorization: 's6', credentials: ['s7'] }],
      password: 's8',
      nested: { clientSecret: 's9', user: 'kept' },
    };
    const request = requestOf(ask('Hi', { providerOptions }));
    expect(request.providerOptions).toEqual({
      apiKey: '[redacted]',
      api_key: '[redacted]',
      'X-Access-Token': '[redacted]',
      extra_headers: '[redacted]',
      tools: [{ type: 'mcp', authorization: '[redacted]', credentials: '[redacted]' }],
      password: '[redacted]',
      nested: { clientSecret: '[redacted]', user: 'kept' },
    });
  });

  it('is a secret in the metadata of a tool or in what an answer keeps; a schema stays as it is', () => {
    const parameters = { type: 'object', properties: { token: { type: 'string' } } };
    const request = requestOf({
      messages: [{ role: 'assistant', text: 'Hi', toolExecutionRequests: [], attributes: { sessionToken: 's1', id: 'r1' } }],
      toolSpecifications: [{ name: 'a', parameters, metadata: { apiKey: 's2', area: 'x' } }],
    });
    expect(request.messages).toMatchObject([{ attributes: { sessionToken: '[redacted]', id: 'r1' } }]);
    expect(request.toolSpecifications).toEqual([{ name: 'a', parameters, metadata: { apiKey: '[redacted]', area: 'x' } }]);
  });

  it('is not a number, which counts tokens and opens nothing', () => {
    const providerOptions = { max_completion_tokens: 500, logprobs: true, top_logprobs: 2, monkey: 1 };
    expect(requestOf(ask('Hi', { providerOptions })).providerOptions).toEqual(providerOptions);
  });

  it('is the signature and the login of a URL', () => {
    const urls = [
      'https://me:pw@x.org/a.png?w=5&X-Amz-Signature=abc&token=def#t',
      'data:image/png;base64,QUJD',
      'https://x.org/a?b=c',
    ];
    const [first, second, third] = requestOf({
      messages: [{ role: 'user', contents: urls.map((url) => ({ type: 'image', url })) }],
    }).messages.flatMap((message) => (message.role === 'user' ? message.contents : []));
    expect(first).toEqual({
      type: 'image',
      url: 'https://[redacted]@x.org/a.png?w=5&X-Amz-Signature=[redacted]&token=[redacted]#t',
    });
    expect(second).toMatchObject({ url: expect.stringMatching(/^\[26 characters, hash \w{16}\]$/) as unknown });
    expect(third).toEqual({ type: 'image', url: urls[2] });
  });

  it('is the data of media, in the results of tools, too', () => {
    const image = { type: 'image', data: 'QUJDREVG', mediaType: 'image/png', detail: 'low' } as const;
    const { messages } = requestOf({
      messages: [
        { role: 'user', contents: [image, { type: 'pdf', data: 'UERG', name: 'a.pdf' }] },
        { role: 'tool', id: 'c', toolName: 'a', contents: [image], isError: false, attributes: { internal: 'kept here' } },
      ],
    });
    const mark = (length: number) => expect.stringMatching(new RegExp(`^\\[${length} characters, hash \\w{16}\\]$`)) as unknown;
    expect(messages).toEqual([
      {
        role: 'user',
        contents: [
          { ...image, data: mark(8) },
          { type: 'pdf', data: mark(4), name: 'a.pdf' },
        ],
      },
      { role: 'tool', id: 'c', toolName: 'a', contents: [{ ...image, data: mark(8) }], isError: false },
    ]);
  });
});

describe('redact', () => {
  it('takes texts, patterns and functions out of the request, the events and the errors', () => {
    const error = new ChatModelError('Ada (4711) is locked', {
      kind: 'permission',
      provider: 'x',
      requestId: 'r-4711',
      retryable: false,
    });
    const model = recordCassette(scriptedModel([{ marbles: '-E-#', error }], { events: { E: said('Hello Ada, 4711') } }), {
      redact: ['Ada', /\d{4}/, (text) => text.replaceAll('locked', '***')],
    });
    asked(model, ask('I am Ada, 4711', { providerOptions: { user: 'Ada' } }));
    expect(JSON.stringify(model.cassette())).not.toMatch(/Ada|4711|locked/);
    expect(model.cassette().exchanges[0]).toMatchObject({
      request: { messages: [{ contents: [{ text: 'I am [redacted], [redacted]' }] }], providerOptions: { user: '[redacted]' } },
      events: [{ text: 'Hello [redacted], [redacted]' }],
      end: { error: { message: '[redacted] ([redacted]) is ***', requestId: 'r-[redacted]' } },
    });
  });

  it('leaves the answer that is passed through as it is', () => {
    const { at } = asked(recordCassette(scriptedModel(['-a|']), { redact: 'a' }), ask('a'));
    expect(at[0]).toEqual([1, said('a')]);
  });

  it('finds a text that came in pieces, and keeps the times of the pieces', () => {
    const events = recordedEvents([said('The key is sk'), said('-12'), said('34'), said('5. Keep it.')], 'sk-12345');
    expect(texts(events)).toEqual(['The key is [redacted]', '', '', '. Keep it.']);
  });

  it('finds it in the pieces of a call, each call by itself', () => {
    const events = recordedEvents([written('{"a":"sk'), written('{"a":"no', 1), written('-1"}'), written('t"}', 1)], 'sk-1');
    expect(texts(events)).toEqual(['{"a":"[redacted]', '{"a":"no', '"}', 't"}']);
  });

  it('finds a text with quotes where it is JSON within arguments', () => {
    const secret = 'a "b" \\c';
    expect(texts(recordedEvents([written(JSON.stringify({ secret }))], secret))).toEqual(['{"secret":"[redacted]"}']);
  });

  it('leaves pieces whose join is what the whole answer has, wherever they are cut', () => {
    const cut = fc.array(fc.constantFrom('s', 'k', '-', '1', 'sk', 'sk-1', '[', 'x', 'ed]', ''), { maxLength: 12 });
    fc.assert(
      fc.property(
        cut,
        fc.constantFrom<Redact>('sk-1', /[sk]+-?/, (text) => text.replace(/k./g, '')),
        (pieces, redact) => {
          const text = pieces.join('');
          const events = recordedEvents(pieces.map(said), redact);
          const last = events.at(-1)!;
          const whole = last.type === 'completeResponse' ? last.response.aiMessage.text : '';
          expect(texts(events)).toHaveLength(pieces.length);
          expect(texts(events).join('')).toBe(whole ?? '');
          if (redact === 'sk-1') expect(whole ?? '').toBe(text.replaceAll('sk-1', '[redacted]'));
        },
      ),
    );
  });

  it('never touches what tells the form, even where a pattern would', () => {
    const { request, events } = recorded([[ask('Hi'), '-a|']], { redact: /\w+/ }).exchanges[0]!;
    expect(request).toEqual({ messages: [{ role: 'user', contents: [{ type: 'text', text: '[redacted]' }] }] });
    expect(events.map(({ type }) => type)).toEqual(['partialResponse', 'completeResponse']);
  });

  it('lets a replay go on with whatever stands in the place of a secret, or nothing', () => {
    const cassette = recorded([[ask('I am Ada of Rome', { providerOptions: { apiKey: 'k1' } }), '-a|']], { redact: 'Ada' });
    const model = () => cassetteModel(cassette);
    expect(asked(model(), ask('I am Ben of Rome', { providerOptions: { apiKey: 'k2' } })).end?.[1]).toBe('complete');
    expect(asked(model(), ask('I am Ada of Rome')).end?.[1]).toBe('complete');
    expect(failureOf(model(), ask('I am Ben of Oslo', { providerOptions: { apiKey: 'k2' } }))).toContain('"I am Ben of Oslo"');
    expect(failureOf(model(), ask('He is Ben of Rome', { providerOptions: { apiKey: 'k2' } }))).toContain('"He is Ben of Rome"');
  });

  it('of a replay keeps secrets out of its errors', () => {
    const cassette = recorded([[ask('I am Ada'), '-a|']], { redact: 'Ada' });
    const text = failureOf(cassetteModel(cassette, { redact: 'Ada' }), ask('Hi, Ada', { providerOptions: { apiKey: 'k' } }));
    expect(text).toContain('"Hi, [redacted]"');
    expect(text).toContain('{"apiKey":"[redacted]"}');
    expect(text).not.toMatch(/Ada/);
  });

  it('is refused where it can redact nothing', () => {
    const refused = (redact: unknown) => () => recordCassette(scriptedModel([]), { redact: redact as Redact });
    const remedy = 'it must hold texts that are not empty, patterns, or functions from text to text';
    expect(refused('')).toThrow(`recordCassette: redact is ""; ${remedy}.`);
    expect(refused(['ok', 5])).toThrow(`recordCassette: redact is 5; ${remedy}.`);
    expect(() => cassetteModel(recorded([]), { redact: '' })).toThrow(`cassetteModel: redact is ""; ${remedy}.`);
    const silent = recordCassette(scriptedModel(['-a|']), { redact: (() => undefined) as never });
    expect(failureOf(silent, ask('Hi'))).toBe('recordCassette: the function redact returned undefined; it must return the text.');
  });
});
