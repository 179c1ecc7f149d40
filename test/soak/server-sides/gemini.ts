import type { ModelTurn } from '../model-turn.ts';
import { conversationViolations, type Step } from '../conversation-rules.ts';
import { sse, type ServerSide } from '../server-side.ts';
import { isJsonObject } from './is-json-object.ts';

/** The API of `streamGenerateContent`. It knows calls and results by their order and their names. */
export const geminiSide: ServerSide = {
  contentType: 'text/event-stream',
  frames,
  errorFrame: sse({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
  ping: ': ping\n\n',
  violations: (body) => {
    const { contents } = body as Body;
    return [
      ...conversationViolations(stepsOf(contents), { isRequest: true, userFirst: true }),
      ...contents.flatMap(({ role, parts }, place) => [
        ...(role === 'user' || role === 'model' ? [] : [`content ${place} is of ${role}`]),
        ...(parts.length > 0 ? [] : [`content ${place} has no parts`]),
        ...(parts.some(({ text }) => text === '') ? [`content ${place} has an empty text`] : []),
        ...parts.flatMap(({ functionCall }) =>
          functionCall && !isJsonObject(JSON.stringify(functionCall.args ?? {}))
            ? [`the arguments of a call in ${place} are no object`]
            : [],
        ),
      ]),
    ];
  },
  exchanges: (body) => {
    const { contents } = body as Body;
    return contents.flatMap(({ parts }, place) => {
      const responses = contents[place + 1]?.parts.flatMap((part) => part.functionResponse ?? []) ?? [];
      const calls = parts.flatMap((part) => part.functionCall ?? []);
      return calls.map(({ args }, index) => ({ arguments: args, result: responses[index]?.response }));
    });
  },
};

interface Body {
  readonly contents: readonly { readonly role: string; readonly parts: readonly Part[] }[];
}

interface Part {
  readonly text?: string;
  readonly functionCall?: { readonly name: string; readonly args?: unknown };
  readonly functionResponse?: { readonly name: string; readonly response?: unknown };
}

/** The n-th result in a content answers the n-th call of the content before. */
function stepsOf(contents: Body['contents']): readonly Step[] {
  return contents.map(({ role, parts }, place) => {
    const names = (key: 'functionCall' | 'functionResponse') => parts.flatMap((part) => (part[key] ? [part[key].name] : []));
    const ids = (list: readonly string[], turn: number) => list.map((name, index) => `${name} (${index} of ${turn})`);
    return {
      role: role === 'model' ? 'assistant' : 'user',
      calls: ids(names('functionCall'), place),
      results: ids(names('functionResponse'), place - 1),
      speaks: parts.some(({ functionCall, functionResponse }) => !functionCall && !functionResponse),
    };
  });
}

function frames({ thinking, text, calls, isCut }: ModelTurn): readonly string[] {
  const chunk = (parts: readonly object[], more: object = {}) =>
    sse({ candidates: [{ index: 0, content: { role: 'model', parts }, ...more }], modelVersion: 'soak', responseId: 'r1' });
  return [
    ...(thinking ? [chunk([{ text: thinking, thought: true }])] : []),
    ...text.map((piece) => chunk([{ text: piece }])),
    // Arguments come as objects: what is no JSON object the API can't say.
    ...calls.map(({ id, name, arguments: pieces }) => {
      const written = pieces.join('');
      const args: unknown = isJsonObject(written) ? JSON.parse(written) : {};
      return chunk([{ functionCall: { ...(id && { id }), name, args } }]);
    }),
    sse({
      candidates: [{ index: 0, finishReason: isCut ? 'MAX_TOKENS' : 'STOP' }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: text.length, totalTokenCount: 7 + text.length },
    }),
  ];
}
