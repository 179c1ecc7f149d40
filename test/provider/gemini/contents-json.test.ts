import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { Content } from '../../../src/chat/content.ts';
import { geminiBody } from '../../../src/provider/gemini/gemini-body.ts';
import { assistant, call, contentsOf, early, result, user } from './bodies.ts';
import type { PublishedContent } from './published.ts';

const foreign = 'skip_thought_signature_validator';
const image: Content = { type: 'image', data: 'QUJD', mediaType: 'image/png' };
const inlineImage = { inlineData: { mimeType: 'image/png', data: 'QUJD' } };
const partsOf = (...contents: readonly (string | Content)[]) => (contentsOf([user(...contents)]) as [PublishedContent])[0].parts;

describe('the contents of a request to Gemini', () => {
  it('are turns of user and model', () => {
    expect(contentsOf([user('Hello'), assistant('Hi'), user('How are you?')])).toEqual([
      { role: 'user', parts: [{ text: 'Hello' }] },
      { role: 'model', parts: [{ text: 'Hi' }] },
      { role: 'user', parts: [{ text: 'How are you?' }] },
    ] satisfies PublishedContent[]);
  });

  it('begin with the user, also where the history has lost its beginning', () => {
    const opening = { role: 'user', parts: [{ text: '(The conversation begins.)' }] };
    expect(contentsOf([assistant(null, [call('a', 'add', '{}')]), result('a', 'add', '2')])).toMatchObject([
      opening,
      { role: 'model' },
      { role: 'user' },
    ]);
    expect(contentsOf([assistant('Hi'), user('Hello')])).toMatchObject([opening, { role: 'model' }, { role: 'user' }]);
  });

  it('join what one of them says in several messages', () => {
    expect(contentsOf([user('a'), user('b', 'c'), assistant('d'), assistant('e')])).toEqual([
      { role: 'user', parts: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] },
      { role: 'model', parts: [{ text: 'd' }, { text: 'e' }] },
    ] satisfies PublishedContent[]);
  });

  it('[G51] have no empty parts, and no turn without any', () => {
    expect(contentsOf([user('a', ''), assistant(''), assistant(null), user('b')])).toEqual([
      { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
    ] satisfies PublishedContent[]);
  });

  it('have all results of a turn in one content, in the order of the calls, and nothing else in it', () => {
    const turn = assistant('Let me see.', [call('a', 'add', '{"x":1}'), call('b', 'now', '')]);
    expect(
      contentsOf([user('Go'), turn, result('b', 'now', 'it failed', true), result('a', 'add', '2'), user('Go on')], early),
    ).toEqual([
      { role: 'user', parts: [{ text: 'Go' }] },
      {
        role: 'model',
        parts: [
          { text: 'Let me see.' },
          { functionCall: { name: 'add', args: { x: 1 } } },
          { functionCall: { name: 'now', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'add', response: { output: '2' } } },
          { functionResponse: { name: 'now', response: { error: 'it failed' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'Go on' }] },
    ] satisfies PublishedContent[]);
  });

  it.each(['', 'null', '[]', '0', 'false', 'Success'])('[G13] have the result of a tool as it is: %j', (text) => {
    const contents = contentsOf([
      user('Go'),
      assistant(null, [call('a', 'add')]),
      result('a', 'add', text),
    ]) as PublishedContent[];
    expect(contents[2]!.parts).toEqual([{ functionResponse: { name: 'add', response: { output: text } } }]);
  });

  it.each([
    ['{"x":', { INVALID_JSON: '{"x":' }],
    ['[1]', { INVALID_JSON: '[1]' }],
    ['"x"', { INVALID_JSON: '"x"' }],
    [' ', {}],
  ])('have the arguments %j, which are no object, as what they are', (written, args) => {
    const contents = contentsOf([user('Go'), assistant(null, [call('a', 'add', written)])], early) as PublishedContent[];
    expect(contents[1]!.parts).toEqual([{ functionCall: { name: 'add', args } }]);
  });

  it('have the arguments as the model wrote them, with all digits of long numbers', () => {
    const written = '{"id": 12345678901234567890}';
    const body = geminiBody({ modelName: early, messages: [user('Go'), assistant(null, [call('a', 'add', written)])] });
    expect(body).toContain(`{"functionCall":{"name":"add","args":${written}}}`);
  });

  it('[G4] never have a name that the API rejects, the same in call and result', () => {
    const name = 'query<|channel|>commentary';
    const contents = contentsOf([user('Go'), assistant(null, [call('a', name)]), result('a', name, 'no')]) as PublishedContent[];
    const sent = contents[1]!.parts![0]!.functionCall!.name;
    expect(sent).toMatch(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/);
    expect(contents[2]!.parts![0]!.functionResponse!.name).toBe(sent);
  });
});

describe('a history that another model wrote', () => {
  const history = [
    user('Go'),
    assistant(null, [call('toolu_1', 'add'), call('toolu_2', 'add')], {
      thinking: 'I should add.',
      attributes: { anthropic: [{ type: 'kept', part: { type: 'thinking', signature: 'x' } }], reasoningDetails: [{ a: 1 }] },
    }),
    result('toolu_1', 'add', '1'),
    result('toolu_2', 'add', '2'),
  ];

  it('has no thinking, no attributes and no ids of it', () => {
    expect(JSON.stringify(contentsOf(history))).not.toMatch(/think|signature"?:"x|toolu|reasoning/);
  });

  it('has the documented stand-in for a signature on the first call of each step, where the model wants one', () => {
    const parts = (contentsOf(history) as PublishedContent[])[1]!.parts;
    expect(parts).toEqual([
      { functionCall: { name: 'add', args: {} }, thoughtSignature: foreign },
      { functionCall: { name: 'add', args: {} } },
    ] satisfies PublishedContent['parts']);
  });

  it.each([early, 'models/gemini-2.0-flash', 'publishers/google/models/gemini-1.5-pro', 'tunedModels/mine'])(
    'has none for %s, which does not know it',
    (modelName) => {
      expect(JSON.stringify(contentsOf(history, modelName))).not.toContain(foreign);
    },
  );

  it.each(['gemini-3-flash-preview', 'gemini-flash-latest', 'publishers/google/models/gemini-4-pro'])(
    'has one for %s',
    (modelName) => {
      expect(JSON.stringify(contentsOf(history, modelName))).toContain(foreign);
    },
  );
});

describe("the provider's own ids", () => {
  const signed = (id: string, providerId: string) =>
    assistant(null, [call(id, 'add')], {
      attributes: { gemini: [{ type: 'call', id, extra: { id: providerId, thoughtSignature: 'sig' } }] },
    });
  const idsOf = (contents: unknown) =>
    (contents as PublishedContent[]).flatMap(({ parts }) =>
      parts!.flatMap((part) => (part.text === undefined ? [part.functionCall?.id ?? part.functionResponse?.id] : [])),
    );

  it('go back on call and result', () => {
    expect((contentsOf([user('Go'), signed('a', 'p1'), result('a', 'add', '1')]) as PublishedContent[]).at(-1)).toEqual({
      role: 'user',
      parts: [{ functionResponse: { id: 'p1', name: 'add', response: { output: '1' } } }],
    } satisfies PublishedContent);
  });

  it('do not go back when they repeat within the history', () => {
    const contents = contentsOf([
      user('Go'),
      signed('a', 'p'),
      result('a', 'add', '1'),
      signed('b', 'p'),
      result('b', 'add', '2'),
    ]);
    expect(idsOf(contents)).toEqual(['p', 'p', undefined, undefined]);
  });
});

describe('what a message to Gemini may hold', () => {
  it('is text and media in order', () => {
    expect(partsOf('Look:', image, 'Well?')).toEqual([
      { text: 'Look:' },
      inlineImage,
      { text: 'Well?' },
    ] satisfies PublishedContent['parts']);
  });

  it.each<[Content, object]>([
    [{ type: 'audio', data: 'QUJD', mediaType: 'audio/wav' }, { inlineData: { mimeType: 'audio/wav', data: 'QUJD' } }],
    [{ type: 'video', data: 'QUJD', mediaType: 'video/mp4' }, { inlineData: { mimeType: 'video/mp4', data: 'QUJD' } }],
    [{ type: 'pdf', data: 'QUJD', name: 'bill.pdf' }, { inlineData: { mimeType: 'application/pdf', data: 'QUJD' } }],
    [{ type: 'pdf', url: 'https://x/y.pdf' }, { fileData: { fileUri: 'https://x/y.pdf', mimeType: 'application/pdf' } }],
    [{ type: 'image', url: 'gs://x/y', mediaType: 'image/png' }, { fileData: { fileUri: 'gs://x/y', mimeType: 'image/png' } }],
    [{ type: 'video', url: 'https://youtu.be/x' }, { fileData: { fileUri: 'https://youtu.be/x' } }],
    [{ type: 'image', url: 'data:image/png;base64,QUJD' }, inlineImage],
  ])('is %j', (content, part) => {
    expect(partsOf(content)).toEqual([part]);
  });

  it('is no data without its type, and no media without data', () => {
    expect(() => partsOf({ type: 'image', data: 'QUJD' })).toThrow(ChatModelError);
    expect(() => partsOf({ type: 'image', data: 'QUJD' })).toThrow(
      'gemini: the Gemini API does not take data without a mediaType: set mediaType, as in image/png.',
    );
    expect(() => partsOf({ type: 'image', mediaType: 'image/png' })).toThrow('media without data and url: set one of them');
  });
});

describe('media in the result of a tool', () => {
  const video: Content = { type: 'video', data: 'QUJD', mediaType: 'video/mp4' };
  const history = (...contents: readonly Content[]) => [
    user('Go'),
    assistant(null, [call('a', 'draw'), call('b', 'add')]),
    result('a', 'draw', contents),
    result('b', 'add', '2'),
    user('Well?'),
  ];
  const text: Content = { type: 'text', text: 'Look:' };

  it('is within the result', () => {
    expect((contentsOf(history(text, image)) as PublishedContent[]).slice(2)).toEqual([
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'draw', response: { output: 'Look:\n[image]' }, parts: [inlineImage] } },
          { functionResponse: { name: 'add', response: { output: '2' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'Well?' }] },
    ] satisfies PublishedContent[]);
  });

  it.each<[string, Content, object, string]>([
    ['before Gemini 3', image, inlineImage, early],
    ['where it is a film', video, { inlineData: { mimeType: 'video/mp4', data: 'QUJD' } }, 'gemini-3-pro-preview'],
  ])('stands behind all results %s', (_, content, part, modelName) => {
    expect((contentsOf(history(content), modelName) as PublishedContent[]).slice(2)).toEqual([
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'draw', response: { output: `[${content.type}]` } } },
          { functionResponse: { name: 'add', response: { output: '2' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'What tool draw returned beside its result:' }, part, { text: 'Well?' }] },
    ]);
  });
});
