import { thinkingTags, type SpokenText, type ThinkingTags } from '../thinking-tags.ts';
import type { Turn } from '../turn.ts';
import type { WireReader } from '../wire.ts';
import { isText, list, wireIndex, wireText } from '../wire-values.ts';
import type { Choice, Chunk, ContentPart, Delta, FunctionCall, ToolCall } from './chunk.ts';
import { finishMeaning } from './finish-reasons.ts';
import { tokenUsage } from './usage.ts';

/** Reads the chunks of a chat-completions stream. `tags`: between which the model puts its thinking into the text. */
export function chatReader(turn: Turn, tags: ThinkingTags | undefined): WireReader {
  const reasoningDetails: unknown[] = [];
  const said: SpokenText = tags ? thinkingTags(tags, turn) : turn;

  const addPart = ({ thinking, text }: ContentPart) => {
    if (isText(thinking)) turn.thinking(thinking);
    for (const inner of list<ContentPart>(thinking)) if (isText(inner.text)) turn.thinking(inner.text);
    if (isText(text)) said.text(text);
  };
  const addCall = (wire: FunctionCall | null | undefined, index?: unknown, id?: unknown) => {
    const written = wire?.arguments;
    const isPlain = typeof written === 'string' || written === undefined || written === null;
    turn.call({
      index: wireIndex(index),
      id: wireText(id),
      name: wireText(wire?.name),
      arguments: isPlain ? written : JSON.stringify(written),
    });
  };
  const addReasoning = ({ reasoning_content, reasoning, reasoning_details }: Delta) => {
    const thought = reasoning_content || reasoning;
    if (reasoning_details) {
      reasoningDetails.push(...list(reasoning_details));
      turn.remember('reasoningDetails', reasoningDetails);
    }
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
    for (const call of called) addCall(call.function, call.index, call.id);
    // Told twice by servers that still speak the old form.
    if (function_call && called.length === 0) addCall(function_call);
  };
  const add = (delta: Delta) => {
    addReasoning(delta);
    addContent(delta);
    // Looked at for nearly every token in vain: 0.1 us of 2 (bench: tokens).
    if (delta.tool_calls || delta.function_call) addCalls(delta);
  };
  const finish = (word: string) => {
    said.flush?.();
    const meaning = finishMeaning(word);
    if (meaning === 'error') throw turn.failure('malformedResponse', errorFinish(word), true);
    turn.finished(meaning);
  };
  const addChoice = ({ delta, message, usage, finish_reason }: Choice) => {
    const spoken = delta ?? message;
    if (spoken) add(spoken);
    if (usage) turn.counted(tokenUsage(usage));
    if (finish_reason) finish(finish_reason);
  };

  return {
    read(chunk: Chunk) {
      turn.identify(wireText(chunk.id), wireText(chunk.model));
      const counted = chunk.usage ?? chunk.x_groq?.usage;
      if (counted) turn.counted(tokenUsage(counted));
      // Of several answers the first: they must not be mixed.
      const choice = chunk.choices?.[0]?.index ? chunk.choices.find(({ index }) => !index) : chunk.choices?.[0];
      if (choice) addChoice(choice);
      if (!counted && !hasPlace(choice)) turn.raw(chunk);
      return false;
    },
    failureIn,
    end: () => said.flush?.(),
  };
}

/** An error where only servers of this API put it. */
function failureIn(chunk: Chunk): unknown {
  const inside = chunk.x_groq?.error ?? chunk.choices?.[0]?.error;
  if (inside) return { error: inside };
  const isAnswer = chunk.choices !== undefined || chunk.usage !== undefined;
  return !isAnswer && (isText(chunk.message) || isText(chunk.detail)) ? chunk : undefined;
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

function errorFinish(word: string): string {
  return word === 'error'
    ? 'the provider ended the turn with an error and did not say which'
    : `the provider rejected its own function call: ${word}`;
}
