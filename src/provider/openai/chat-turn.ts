import { ChatModelError, type ChatModelErrorKind } from '../../chat/chat-model-error.ts';
import type { ChatModelEvent } from '../../chat/chat-model.ts';
import type { ChatResponse, FinishReason } from '../../chat/chat-response.ts';
import { isCut } from '../../chat/is-cut.ts';
import type { AiMessage } from '../../chat/message.ts';
import type { TokenUsage } from '../../chat/token-usage.ts';
import { chatContent } from './chat-content.ts';
import type { Choice, Chunk } from './chunk.ts';
import { finishMeaning } from './finish-reasons.ts';
import { tokenUsage } from './usage.ts';
import { wireText } from './wire-values.ts';

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
  /** What the finish word means; absent until it comes. */
  let reason: FinishReason | undefined;
  let usage: TokenUsage | undefined;

  const failed = (kind: ChatModelErrorKind, why: string, retryable: boolean) =>
    new ChatModelError(`${provider}: ${why}`, { kind, provider, retryable });
  const content = chatContent(emit, idGenerator, (toolName) => {
    throw failed('malformedResponse', `the stream went on with a call of ${toolName || 'a tool'} that was complete`, false);
  });

  const finish = (word: string) => {
    // A cut stays a cut, whatever word comes behind it.
    if (isCut(reason)) return;
    const meaning = finishMeaning(word);
    if (meaning === 'error') throw failed('malformedResponse', errorFinish(word), true);
    reason = meaning;
    if (!isCut(meaning)) content.completeWholeCalls();
  };
  const addChoice = ({ delta, message, usage: counted, finish_reason }: Choice) => {
    const said = delta ?? message;
    if (said) content.add(said);
    if (counted) usage = tokenUsage(counted) ?? usage;
    if (finish_reason) finish(finish_reason);
  };

  const checkEnd = ({ text, thinking, toolExecutionRequests }: AiMessage, hasSentinel: boolean) => {
    if (reason !== undefined) return;
    if (!hasSentinel) throw failed('interrupted', 'the stream ended before the model finished', true);
    if (text || thinking || toolExecutionRequests.length > 0) return;
    throw failed('malformedResponse', 'the answer has neither output nor a finish reason', true);
  };
  const finishReason = ({ text, toolExecutionRequests }: AiMessage): FinishReason | undefined => {
    if (content.isRefused()) return 'contentFilter';
    if (isCut(reason)) return reason;
    // The calls decide, not the word.
    if (toolExecutionRequests.length > 0) return 'toolExecution';
    if (reason !== 'toolExecution') return reason;
    if (!text) throw failed('malformedResponse', 'the answer announces tool calls and has none', true);
    return 'stop';
  };

  return {
    add(chunk) {
      id ||= wireText(chunk.id);
      modelName ||= wireText(chunk.model);
      const counted = chunk.usage ?? chunk.x_groq?.usage;
      if (counted) usage = tokenUsage(counted) ?? usage;
      // Of several answers the first: they must not be mixed.
      const choice = chunk.choices?.[0]?.index ? chunk.choices.find(({ index }) => !index) : chunk.choices?.[0];
      if (choice) addChoice(choice);
      if (!counted && !hasPlace(choice)) emit({ type: 'raw', event: chunk });
    },
    end(hasSentinel) {
      const aiMessage = content.message();
      checkEnd(aiMessage, hasSentinel);
      const ended = finishReason(aiMessage);
      if (ended === 'toolExecution') {
        content.completeCalls();
        const isNameless = aiMessage.toolExecutionRequests.some(({ name }) => !name);
        if (isNameless) throw failed('malformedResponse', 'the answer has a tool call without a name', true);
      }
      return {
        aiMessage,
        ...(id !== undefined && { id }),
        ...(modelName !== undefined && { modelName }),
        ...(ended && { finishReason: ended }),
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
