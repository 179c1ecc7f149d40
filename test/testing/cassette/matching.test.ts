import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { ChatMessage } from '../../../src/chat/message.ts';
import { aiService } from '../../../src/service/ai-service.ts';
import { CassetteError } from '../../../src/testing/cassette/cassette-error.ts';
import { cassetteModel, type CassetteModelOptions } from '../../../src/testing/cassette/cassette-model.ts';
import { recordCassette } from '../../../src/testing/cassette/record-cassette.ts';
import { scriptedModel } from '../../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../../src/testing/scripted-tool.ts';
import { ask, asked, failureOf, play, recorded, throughJson, user } from './support.ts';

const call = (id: string, name: string) => ({ id, name, arguments: '{}' });

function answer(text: string, calls: readonly ReturnType<typeof call>[], attributes?: Record<string, unknown>): ChatMessage {
  return { role: 'assistant', text, toolExecutionRequests: calls, ...(attributes && { attributes }) };
}

function result(id: string, toolName: string, text: string): ChatMessage {
  return { role: 'tool', id, toolName, contents: [{ type: 'text', text }], isError: false };
}

const weather: ChatRequest = {
  messages: [
    { role: 'system', text: 'Be brief.' },
    user('What is the weather in Rome?'),
    answer('', [call('c1', 'weather')]),
    result('c1', 'weather', 'Sun'),
  ],
  toolSpecifications: [
    { name: 'weather', description: 'Tells it', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
    { name: 'time', parameters: { type: 'object' } },
  ],
  temperature: 0.2,
  seed: 7,
};

const replaying = (options: CassetteModelOptions = {}) => cassetteModel(recorded([[weather, '-a|']]), options);

const failure = (came: ChatRequest, options?: CassetteModelOptions) => failureOf(replaying(options), came);

const fits = (came: ChatRequest, was: ChatRequest = weather, options?: CassetteModelOptions) =>
  asked(cassetteModel(recorded([[was, '-a|']]), options), came).end?.[1] === 'complete';

describe('a request that is not the recorded one', () => {
  it('fails with what differs, and only that: where, what was recorded, what came, and the remedy', () => {
    const messages = weather.messages.map((message) =>
      message.role === 'user' ? user('What is the weather in Oslo?') : message,
    );
    expect(failure({ ...weather, temperature: undefined, messages, seed: 8, topP: 0.5 })).toBe(
      [
        'cassette: request 1 is not recorded request 1:',
        '  messages[1].contents[0].text (user)',
        '    recorded  "What is the weather in Rome?"',
        '    came      "What is the weather in Oslo?"',
        '  temperature',
        '    recorded  0.2',
        '    came      nothing',
        '  seed',
        '    recorded  7',
        '    came      8',
        '  topP',
        '    recorded  nothing',
        '    came      0.5',
        "Record the cassette anew, or name what may differ, as in match: { ignore: ['messages[1].contents[0].text'] }.",
      ].join('\n'),
    );
  });

  it('is an error notification at once, and uses up nothing', () => {
    const model = replaying();
    const { at, end } = asked(model, ask('Hello'));
    expect([at, end?.[0]]).toEqual([[], 0]);
    expect(end?.[2]).toBeInstanceOf(CassetteError);
    expect(asked(model, weather).end?.[1]).toBe('complete');
  });

  it('is told by one message where one was put in, left out or is of another role', () => {
    const [system, question, ...others] = weather.messages as [ChatMessage, ChatMessage, ...ChatMessage[]];
    const told = (...messages: ChatMessage[]) =>
      failure({ ...weather, messages })
        .split('\n')
        .slice(1, -1);
    expect(told(system, user('By the way'), question, ...others)).toEqual([
      '  messages[1]',
      '    recorded  nothing',
      '    came      user: By the way',
    ]);
    expect(told(question, ...others)).toEqual(['  messages[0]', '    recorded  system: Be brief.', '    came      nothing']);
    expect(told(user('Be brief.'), question, ...others)).toEqual([
      '  messages[0]',
      '    recorded  system: Be brief.',
      '    came      user: Be brief.',
    ]);
    expect(
      failure({ ...weather, messages: [question, ...others] })
        .split('\n')
        .at(-1),
    ).toBe('Record the cassette anew.');
  });

  it('shows a long text around the place where it begins to differ', () => {
    const long = (city: string) => ask(`${'Please, '.repeat(40)}tell me of ${city} ${'and more '.repeat(40)}`);
    const [, , was, came] = failureOf(cassetteModel(recorded([[long('Rome'), '-a|']])), long('Oslo')).split('\n');
    expect(was).toMatch(/^ {4}recorded {2}"….{15,40}Rome and more .*…"$/);
    expect(came).toMatch(/^ {4}came {6}"….{15,40}Oslo and more .*…"$/);
    expect(was!.length).toBeLessThan(130);
  });

  it('counts the differences that it has no room for', () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`option_${i}`, i]));
    const came = ask('Hi', { providerOptions: Object.fromEntries(Object.keys(many).map((name) => [name, -1])) });
    const text = failureOf(cassetteModel(recorded([[ask('Hi', { providerOptions: many }), '-a|']])), came);
    expect(text).toContain('providerOptions.option_7\n');
    expect(text).toContain('\n  and 4 more\n');
  });

  it('names a tool by its name, whatever the order of the tools', () => {
    const [first, second] = weather.toolSpecifications!;
    expect(fits({ ...weather, toolSpecifications: [second!, first!] })).toBe(true);
    expect(
      failure({ ...weather, toolSpecifications: [{ ...first!, description: 'Says it' }] })
        .split('\n')
        .slice(1, -1),
    ).toEqual([
      '  toolSpecifications[weather].description',
      '    recorded  "Tells it"',
      '    came      "Says it"',
      '  toolSpecifications[time]',
      '    recorded  {"name":"time","parameters":{"type":"object"}}',
      '    came      nothing',
    ]);
  });

  it('is compared with the recorded one that is most like it', () => {
    const cassette = recorded([
      [ask('Rome?', { seed: 1 }), '-a|'],
      [ask('Oslo?', { seed: 2 }), '-a|'],
    ]);
    expect(failureOf(cassetteModel(cassette), ask('Oslo?', { seed: 3 }))).toContain(
      'request 1 is not recorded request 2:\n  seed\n',
    );
  });
});

describe('what may differ by its nature', () => {
  it('is the id of a call, as long as the result answers the same call', () => {
    const history = (one: string, other: string, answered: string) => ({
      messages: [
        user('Go'),
        answer('', [call(one, 'a'), call(other, 'b')], { parts: [{ type: 'call', id: one, signature: 's' }] }),
        result(answered, 'a', '1'),
      ],
    });
    expect(fits(history('x', 'y', 'x'), history('p', 'q', 'p'))).toBe(true);
    const swapped = failureOf(cassetteModel(recorded([[history('p', 'q', 'p'), '-a|']])), history('x', 'y', 'y'));
    expect(swapped).toContain('  messages[2].id (tool)\n    recorded  "call 1"\n    came      "call 2"\n');
  });

  it('is the id that the service makes up anew for a call that came with a used one', () => {
    const invoke = (model: Parameters<typeof aiService>[0]['model']) =>
      play([aiService({ model, tools: [scriptedTool('a', '-r|')] }).stream('Go')])[0]!.end?.[1];
    const model = recordCassette(scriptedModel(['-A|', '-A|', '-A|', '-z|']));
    expect(invoke(model)).toBe('complete');
    const { exchanges } = model.cassette();
    const ids = exchanges.at(-1)!.request.messages.flatMap((message) => (message.role === 'tool' ? [message.id] : []));
    expect(new Set(ids).size).toBe(3);
    expect(invoke(cassetteModel(throughJson(model.cassette())))).toBe('complete');
  });

  it('is what is undefined, and the order of properties', () => {
    const { seed, temperature, ...others } = weather;
    expect(fits({ seed, ...others, topP: undefined, temperature })).toBe(true);
  });

  it('is what the application keeps with a result, since it never reaches the model', () => {
    const noted = weather.messages.map((message) =>
      message.role === 'tool' ? { ...message, attributes: { took: 5 } } : message,
    );
    expect(fits({ ...weather, messages: noted })).toBe(true);
  });

  it('is not what bytes are: those are compared by their hash', () => {
    const picture = (data: string): ChatRequest => ({
      messages: [{ role: 'user', contents: [{ type: 'image', data, mediaType: 'image/png' }] }],
    });
    expect(fits(picture('QUJD'), picture('QUJD'))).toBe(true);
    const text = failureOf(cassetteModel(recorded([[picture('QUJD'), '-a|']])), picture('QUJE'));
    expect(text).toMatch(
      /messages\[0\]\.contents\[0\]\.data \(user\)\n.*\[4 characters, hash \w{16}\]"\n.*\[4 characters, hash \w{16}\]"/,
    );
  });
});

describe('match', () => {
  it('ignores what it names, and all below it', () => {
    const came = { ...weather, temperature: 1, providerOptions: { user: 'b', deep: { n: 1 } }, seed: 8 };
    const ignore = ['temperature', 'providerOptions', 'seed'];
    expect(fits(came, weather, { match: { ignore } })).toBe(true);
    expect(failure(came, { match: { ignore: ignore.slice(0, 2) } })).toContain('request 1 is not recorded request 1:\n  seed\n');
  });

  it('ignores places in messages, by number, role or star, and tools by name', () => {
    const messages = weather.messages.map((message) =>
      message.role === 'system' ? { ...message, text: 'It is May.' } : message,
    );
    const came = { ...weather, messages };
    for (const path of ['messages[0].text', 'messages[system]', 'messages[*].text', 'messages.*.text', 'messages'])
      expect(fits(came, weather, { match: { ignore: [path] } }), path).toBe(true);
    for (const path of ['messages[1].text', 'messages[user]', 'messages[*].contents'])
      expect(fits(came, weather, { match: { ignore: [path] } }), path).toBe(false);
    const toolSpecifications = [weather.toolSpecifications![0]!];
    expect(fits({ ...weather, toolSpecifications }, weather, { match: { ignore: ['toolSpecifications[time]'] } })).toBe(true);
  });

  it('ignores what is missing on one side together with all that it could hold', () => {
    const options: CassetteModelOptions = { match: { ignore: ['reasoning.effort'] } };
    expect(fits(weather, { ...weather, reasoning: { effort: 'low' } }, options)).toBe(true);
    expect(fits(weather, { ...weather, reasoning: { effort: 'low', budget: 5 } }, options)).toBe(false);
  });

  it('asks a function, which is given both requests as they are compared', () => {
    const sameQuestion = (came: ChatRequest, was: ChatRequest) => came.messages[1]?.role === was.messages[1]?.role;
    expect(fits({ ...weather, seed: 9 }, weather, { match: sameQuestion })).toBe(true);
    expect(failure({ ...weather, seed: 9 }, { match: () => false })).toContain('  seed\n    recorded  7\n    came      9\n');
    expect(failure(weather, { match: () => false })).toBe(
      'cassette: request 1 is like recorded request 1, but match refuses it; correct match, or record the cassette anew.',
    );
  });

  it('is refused where it can match nothing', () => {
    const refused = (match: unknown) => () => replaying({ match: match as never });
    expect(refused({ ignore: ['temprature'] })).toThrow(
      'cassetteModel: match.ignore has "temprature", which is no path into a request; it must begin with one of messages, ',
    );
    expect(refused({ ignore: 'seed' })).toThrow('it must be { ignore: [paths] } or a function');
    expect(refused('seed')).toThrow('it must be { ignore: [paths] } or a function');
    expect(refused({ ignored: [] })).toThrow(
      'cassetteModel: match: unknown option ignored (did you mean ignore?); there are ignore.',
    );
    expect(refused({ ignore: [] })).not.toThrow();
  });
});

describe('options that can not work', () => {
  it('throw a ConfigurationError', () => {
    const speeds: unknown[] = [0, -1, Infinity, NaN, 'fast'];
    for (const speed of speeds) expect(() => replaying({ speed: speed as number })).toThrow(ConfigurationError);
    expect(() => replaying({ speed: 0 })).toThrow("cassetteModel: speed is 0; it must be a number above 0, or 'instant'.");
    expect(() => replaying({ sped: 1 } as never)).toThrow('unknown option sped');
    expect(() => replaying({ scheduler: {} as never })).toThrow('cassetteModel: scheduler is {}; it must have the methods');
  });
});
