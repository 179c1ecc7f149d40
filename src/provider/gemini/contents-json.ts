import type { AiMessage, ChatMessage, ToolExecutionResultMessage, UserMessage } from '../../chat/message.ts';
import { notTaken } from '../request-error.ts';
import { serialisedOnce } from '../serialised-once.ts';
import { wireJson } from '../wire-json.ts';
import { geminiApi } from './gemini-api.ts';
import type { Generation } from './generation.ts';
import { mediaPart } from './media-part.ts';
import { modelTurn, rendered, type ModelTurn } from './model-turn.ts';
import { toolResult } from './tool-result.ts';

type Kind = 'user' | 'model' | 'results';

/** The contents of a request as JSON text; throws a `ChatModelError` when there are none. */
export function contentsJson(messages: readonly ChatMessage[], generation: Generation): string {
  const contents: { readonly kind: Kind; parts: string }[] = [];
  const providerIds = new Set<string>();
  let asked: AskedTurn | undefined;
  let results: ToolExecutionResultMessage[] = [];

  const add = (kind: Kind, parts: string) => {
    const last = contents.at(-1);
    if (!parts) return;
    // Of results there must be as many as of calls: nothing else stands among them.
    if (last?.kind === kind) last.parts += `,${parts}`;
    else contents.push({ kind, parts });
  };
  const addResults = () => {
    const told = inOrder(results, asked?.message).map((message) => ({
      ...toolResult[generation.nestsMedia ? 'nested' : 'flat'](message),
      id: asked?.turn.providerIds.get(message.id),
    }));
    results = [];
    for (const { part, id } of told) add('results', part(id));
    for (const { behind } of told) add('user', behind);
  };
  const addModel = (message: AiMessage) => {
    const turn = withoutRepeated(message, generation, providerIds);
    asked = { message, turn };
    add('model', turn.parts);
  };
  for (const message of messages) {
    if (message.role === 'tool') results.push(message);
    else addResults();
    if (message.role === 'user') add('user', userParts(message));
    if (message.role === 'assistant') addModel(message);
  }
  addResults();
  if (contents.length === 0) throw notTaken(geminiApi, 'a request without contents', 'say something in a user message');
  // A call must come behind something of the user's.
  if (contents[0]!.kind !== 'user') contents.unshift({ kind: 'user', parts: opening });
  return `[${contents.map(({ kind, parts }) => `{"role":"${kind === 'model' ? 'model' : 'user'}","parts":[${parts}]}`).join(',')}]`;
}

/** Stands before a history that the model begins, such as one that was cut. */
const opening = wireJson({ text: '(The conversation begins.)' });

interface AskedTurn {
  readonly message: AiMessage;
  readonly turn: ModelTurn;
}

const userParts = serialisedOnce(({ contents }: UserMessage) =>
  contents
    // An empty part is refused.
    .filter((content) => content.type !== 'text' || content.text !== '')
    .map((content) => wireJson(content.type === 'text' ? { text: content.text } : mediaPart(content)))
    .join(','),
);

/** An answer of the model; an id that the provider gave before is not told again. */
function withoutRepeated(message: AiMessage, { wantsSignatures }: Generation, known: Set<string>): ModelTurn {
  const turn = modelTurn[wantsSignatures ? 'signed' : 'plain'](message);
  const ids = [...turn.providerIds.values()];
  const hidden = new Set(ids.filter((id, i) => known.has(id) || ids.indexOf(id) < i));
  for (const id of ids) known.add(id);
  return hidden.size > 0 ? rendered(message, wantsSignatures, hidden) : turn;
}

/** Results as the model asked for them; one that it did not ask for comes last. */
function inOrder(
  results: readonly ToolExecutionResultMessage[],
  message: AiMessage | undefined,
): readonly ToolExecutionResultMessage[] {
  if (results.length < 2) return results;
  const places = new Map(message?.toolExecutionRequests.map(({ id }, place) => [id, place]));
  const place = ({ id }: ToolExecutionResultMessage) => places.get(id) ?? Infinity;
  return [...results].sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}
