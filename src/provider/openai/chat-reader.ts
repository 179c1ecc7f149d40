import { thinkingTags, type SpokenText, type ThinkingTags } from '../thinking-tags.ts';
import type { Turn } from '../turn.ts';
import type { WireReader } from '../wire.ts';
import { isText, list, wireIndex, wireText } from '../wire-values.ts';
import { keptCallExtras } from './call-extras.ts';
import { chatFailure } from './chat-failure.ts';
import type { Choice, Chunk, ContentPart, Delta, ToolCall } from './chunk.ts';
import { finishFailure, finishOf } from './finish-reasons.ts';
import { reasoningDetails, type ReasoningDetail } from './reasoning-details.ts';
import { chatCounts } from './usage.ts';

/** Reads the chunks of a chat-completions stream. `tags`: between which the model puts its thinking into the text; `server`: where they come from. */
export function chatReader(turn: Turn, tags: ThinkingTags | undefined, server: string): WireReader {
  const details = reasoningDetails();
  const keepExtra = keptCallExtras(turn);
  /** Whether the thinking is told in a field of its own: the details only say it once more. */
  let hasThought = false;
  const said: SpokenText = tags ? thinkingTags(tags, turn) : turn;

  /** The answer and its model are known: nearly every chunk says both once more. */
  let isIdentified = false;
  const identify = ({ id, model }: Chunk) => {
    turn.identify(wireText(id), wireText(model));
    isIdentified = Boolean(id && model);
  };
  const addPart = ({ thinking, text }: ContentPart) => {
    if (isText(thinking)) turn.thinking(thinking);
    for (const inner of list<ContentPart>(thinking)) if (isText(inner.text)) turn.thinking(inner.text);
    if (isText(text)) said.text(text);
  };
  const addCall = ({ function: wire, index, id, extra_content }: ToolCall) => {
    const written = wire?.arguments;
    const isPlain = typeof written === 'string' || written === undefined || written === null;
    const call = turn.call({
      index: wireIndex(index),
      id: wireText(id),
      name: wireText(wire?.name),
      arguments: isPlain ? written : JSON.stringify(written),
      nameMayGrow: true,
    });
    if (call && keepExtra(call, extra_content)) turn.remember('reasoningServer', server);
  };
  const addDetails = (pieces: unknown) => {
    for (const piece of list<ReasoningDetail>(pieces)) {
      if (details.isEmpty()) turn.rememberGrowing('reasoningDetails', details.blocks);
      const thought = details.add(piece);
      if (thought && !hasThought) turn.thinking(thought);
    }
  };
  const addReasoning = ({ reasoning_content, reasoning, reasoning_details }: Delta) => {
    const thought = reasoning_content || reasoning;
    if (reasoning_details || thought) turn.remember('reasoningServer', server);
    hasThought ||= isText(thought);
    if (reasoning_details) addDetails(reasoning_details);
    if (!isText(thought)) return;
    // It goes back under the name under which it came.
    turn.remember('reasoningField', reasoning_content ? 'reasoning_content' : 'reasoning');
    turn.thinking(thought);
  };
  const addContent = ({ content, refusal }: Delta) => {
    if (isText(content)) said.text(content);
    else if (content) list<ContentPart>(content).forEach(addPart);
    if (!isText(refusal)) return;
    said.flush?.();
    turn.refused();
    turn.text(refusal);
  };
  const addCalls = ({ tool_calls, function_call }: Delta) => {
    const called = list<ToolCall>(tool_calls);
    said.flush?.();
    for (const call of called) addCall(call);
    // Told twice by servers that still speak the old form.
    if (function_call && called.length === 0) addCall({ function: function_call });
  };
  const add = (delta: Delta) => {
    addReasoning(delta);
    addContent(delta);
    // Looked at for nearly every token in vain: 0.1 us of 2 (bench: tokens).
    if (delta.tool_calls || delta.function_call) addCalls(delta);
  };
  const finish = (told: string, native: unknown) => {
    said.flush?.();
    const { meaning, word } = finishOf(told, native, turn.isSilent());
    if (meaning === 'error') throw turn.failure('malformedResponse', finishFailure(word), true);
    turn.finished(meaning);
  };
  const addChoice = ({ delta, message, usage, finish_reason, native_finish_reason }: Choice) => {
    const spoken = delta ?? message;
    if (spoken) add(spoken);
    if (usage) turn.counted(chatCounts(usage));
    if (isText(finish_reason)) finish(finish_reason, native_finish_reason);
  };

  return {
    read(chunk: Chunk) {
      if (!isIdentified) identify(chunk);
      const counted = chunk.usage ?? chunk.x_groq?.usage;
      if (counted) turn.counted(chatCounts(counted));
      // Of several answers the first: they must not be mixed.
      const choice = chunk.choices?.[0]?.index ? chunk.choices.find(({ index }) => !index) : chunk.choices?.[0];
      if (choice) addChoice(choice);
      if (!counted && !hasPlace(choice)) turn.raw(chunk);
      return false;
    },
    failureIn: chatFailure,
    end: () => said.flush?.(),
  };
}

/** Whether anything in it has a place among the events. */
function hasPlace(choice: Choice | undefined): boolean {
  if (!choice) return false;
  // Nearly every chunk is text: don't look further.
  return (
    Boolean(choice.delta?.content || choice.message || choice.finish_reason || choice.usage) ||
    Object.keys(choice.delta ?? {}).some((key) => knownDeltas.has(key))
  );
}

const knownDeltas: ReadonlySet<string> = new Set([
  'role',
  'content',
  'refusal',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'tool_calls',
  'function_call',
]);
