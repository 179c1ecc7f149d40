import { ChatModelError, type ChatModelErrorKind } from '../../chat/chat-model-error.ts';
import type { ChatModelEvent } from '../../chat/chat-model.ts';
import type { ChatResponse, FinishReason } from '../../chat/chat-response.ts';
import type { TokenUsage } from '../../chat/token-usage.ts';
import { toolCallAssembler } from '../tool-call-assembler.ts';
import type { Choice, Chunk, ContentPart, Delta, FunctionCall } from './chunk.ts';
import { finishMeaning, type FinishMeaning } from './finish-reasons.ts';
import { tokenUsage } from './usage.ts';

/** One turn of the model, put together from its chunks. */
export interface ChatTurn {
  /** Takes a chunk; throws a `ChatModelError` on one that fails the turn. */
  add(chunk: Chunk): void;
  /** The stream has ended, with its sentinel or without; throws a `ChatModelError` when the turn has no end. */
  end(hasSentinel: boolean): ChatResponse;
}

export function chatTurn(provider: string, idGenerator: () => string, emit: (event: ChatModelEvent) => void): ChatTurn {
  let id: string | undefined;
  let modelName: string | undefined;
  let text = '';
  let thinking = '';
  /** Under which name the thinking came: it goes back under the same. */
  let reasoningField: 'reasoning_content' | 'reasoning' | undefined;
  const reasoningDetails: unknown[] = [];
  let finishWord: string | undefined;
  let usage: TokenUsage | undefined;
  let isRefused = false;
  let hasCalls = false;

  const failed = (kind: ChatModelErrorKind, reason: string, retryable: boolean) =>
    new ChatModelError(`${provider}: ${reason}`, { kind, provider, retryable });
  const calls = toolCallAssembler(emit, idGenerator, (name) => {
    throw failed('malformedResponse', `the stream went on with a call of ${name || 'a tool'} that was complete`, false);
  });

  const addText = (piece: string) => {
    text += piece;
    if (hasCalls) calls.blockBegan();
    emit({ type: 'partialResponse', text: piece });
  };
  const addThinking = (piece: string) => {
    thinking += piece;
    emit({ type: 'partialThinking', text: piece });
  };
  const addPart = (part: ContentPart) => {
    if (typeof part.thinking === 'string') addThinking(part.thinking);
    else if (part.thinking) part.thinking.forEach(({ text: piece }) => piece && addThinking(piece));
    else if (part.text) addText(part.text);
  };
  const addCall = (wire: FunctionCall | null | undefined, index?: number | null, callId?: string | null) => {
    hasCalls = true;
    const written = wire?.arguments;
    const isText = typeof written === 'string' || written === undefined || written === null;
    calls.fragment({ index, id: callId, name: wire?.name, arguments: isText ? written : JSON.stringify(written) });
  };

  const addReasoning = ({ reasoning_content, reasoning, reasoning_details }: Delta) => {
    const thought = reasoning_content || reasoning;
    if (reasoning_details) reasoningDetails.push(...reasoning_details);
    if (!thought) return;
    reasoningField ??= reasoning_content ? 'reasoning_content' : 'reasoning';
    addThinking(thought);
  };
  const addContent = ({ content, refusal }: Delta) => {
    if (typeof content !== 'string') content?.forEach(addPart);
    else if (content) addText(content);
    if (!refusal) return;
    isRefused = true;
    addText(refusal);
  };
  const addCalls = ({ tool_calls, function_call }: Delta) => {
    if (tool_calls) for (const call of tool_calls) if (call) addCall(call.function, call.index, call.id);
    if (function_call) addCall(function_call);
  };
  const addDelta = (delta: Delta) => {
    addReasoning(delta);
    addContent(delta);
    addCalls(delta);
  };

  const finish = (word: string) => {
    finishWord = word;
    const meaning = finishMeaning(word);
    if (meaning === 'error') throw failed('malformedResponse', errorFinish(word), true);
    if (!isCut(meaning)) calls.finish();
  };

  const addChoice = ({ delta, usage: counted, finish_reason }: Choice) => {
    if (delta) addDelta(delta);
    if (counted) usage = tokenUsage(counted);
    if (finish_reason) finish(finish_reason);
  };

  const finishReason = (hasSentinel: boolean): FinishReason | undefined => {
    const hasOutput = Boolean(text || thinking || hasCalls);
    if (finishWord === undefined && !hasSentinel) throw failed('interrupted', 'the stream ended before the model finished', true);
    if (finishWord === undefined && !hasOutput)
      throw failed('malformedResponse', 'the answer has neither output nor a finish reason', true);
    const meaning = finishWord === undefined ? undefined : (finishMeaning(finishWord) as FinishReason);
    if (isRefused) return 'contentFilter';
    if (meaning !== undefined && isCut(meaning)) return meaning;
    // The calls decide, not the word.
    if (calls.requests().length > 0) return 'toolExecution';
    if (meaning !== 'toolExecution') return meaning;
    if (!text) throw failed('malformedResponse', 'the answer announces tool calls and has none', true);
    return 'stop';
  };

  return {
    add(chunk) {
      id ??= chunk.id || undefined;
      modelName ??= chunk.model || undefined;
      const counted = chunk.usage ?? chunk.x_groq?.usage;
      if (counted) usage = tokenUsage(counted);
      const choice = chunk.choices?.[0];
      if (choice) addChoice(choice);
      if (!counted && !hasPlace(choice)) emit({ type: 'raw', event: chunk });
    },
    end(hasSentinel) {
      const reason = finishReason(hasSentinel);
      if (reason === 'toolExecution') calls.finish();
      const toolExecutionRequests = calls.requests();
      if (toolExecutionRequests.some(({ name }) => !name))
        throw failed('malformedResponse', 'the answer has a tool call without a name', true);
      const attributes = {
        ...(reasoningField && { reasoningField }),
        ...(reasoningDetails.length > 0 && { reasoningDetails }),
      };
      return {
        aiMessage: {
          role: 'assistant',
          text: text || null,
          ...(thinking && { thinking }),
          toolExecutionRequests,
          ...(Object.keys(attributes).length > 0 && { attributes }),
        },
        ...(id !== undefined && { id }),
        ...(modelName !== undefined && { modelName }),
        ...(reason && { finishReason: reason }),
        ...(usage && { tokenUsage: usage }),
      };
    },
  };
}

/** Whether anything in it has a place among the events. */
function hasPlace(choice: Choice | undefined): boolean {
  if (!choice) return false;
  // Nearly every chunk is text: don't look further.
  return (
    Boolean(choice.delta?.content || choice.finish_reason || choice.usage) ||
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

function isCut(meaning: FinishMeaning): boolean {
  return meaning === 'length' || meaning === 'contentFilter';
}
