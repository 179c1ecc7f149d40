import { ChatModelError, type ChatModelErrorKind } from '../chat/chat-model-error.ts';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { FinishReason } from '../chat/chat-response.ts';
import { isCut } from '../chat/is-cut.ts';
import type { AiMessage } from '../chat/message.ts';
import type { TokenUsage } from '../chat/token-usage.ts';
import { toolCallAssembler } from './tool-call-assembler.ts';
import type { Turn } from './turn.ts';
import { turnParts } from './turn-parts.ts';
import type { Wire } from './wire.ts';

/** No answer has as many calls: what each costs grows with those before it. */
const mostCalls = 10_000;

/** Begins the answer of a request: what the wire tells the turn comes out as events. */
export function openTurn(
  { provider, lastEvent, partsKey }: Pick<Wire, 'provider' | 'lastEvent' | 'partsKey'>,
  idGenerator: () => string,
  emit: (event: ChatModelEvent) => void,
): Turn {
  let id: string | undefined;
  let modelName: string | undefined;
  let text = '';
  let thinking = '';
  /** What the finish word means; absent until it comes. */
  let reason: FinishReason | undefined;
  let usage: TokenUsage | undefined;
  let isRefused = false;
  let hasCalls = false;
  let callCount = 0;
  const remembered: Record<string, unknown> = {};
  const growing = new Map<string, () => unknown>();
  const parts = partsKey === undefined ? undefined : turnParts();

  const failure = (kind: ChatModelErrorKind, why: string, retryable: boolean) =>
    new ChatModelError(`${provider}: ${why}`, { kind, provider, retryable });
  const attributes = (): AiMessage['attributes'] => {
    const kept = parts?.kept();
    const all = { ...remembered, ...(kept && { [partsKey!]: kept }) };
    for (const [attribute, soFar] of growing) all[attribute] = soFar();
    return Object.keys(all).length > 0 ? all : undefined;
  };
  const calls = toolCallAssembler({
    emit,
    idGenerator,
    attributes,
    onOpen(callId) {
      if (++callCount > mostCalls) throw failure('malformedResponse', `the answer has more than ${mostCalls} tool calls`, false);
      parts?.call(callId);
    },
    onConflict(toolName) {
      throw failure('malformedResponse', `the stream went on with a call of ${toolName || 'a tool'} that was complete`, false);
    },
  });

  const message = (): AiMessage => {
    const kept = attributes();
    return {
      role: 'assistant',
      text: text || null,
      ...(thinking && { thinking }),
      toolExecutionRequests: calls.requests(),
      ...(kept && { attributes: kept }),
    };
  };
  const checkEnd = ({ toolExecutionRequests, attributes: kept }: AiMessage, isWhole: boolean) => {
    if (reason !== undefined) return;
    if (!isWhole) throw failure('interrupted', `the stream ended before ${lastEvent}`, true);
    // What the provider needs back is output too, be it of tools that run on its side.
    if (text || thinking || toolExecutionRequests.length > 0 || kept) return;
    throw failure('malformedResponse', 'the answer has neither output nor a finish reason', true);
  };
  const finishReason = ({ toolExecutionRequests }: AiMessage): FinishReason | undefined => {
    if (isRefused) return 'contentFilter';
    if (isCut(reason)) return reason;
    // The calls decide, not the word.
    if (toolExecutionRequests.length > 0) return 'toolExecution';
    if (reason !== 'toolExecution') return reason;
    if (!text) throw failure('malformedResponse', 'the answer announces tool calls and has none', true);
    return 'stop';
  };

  return {
    identify(told, name) {
      id ||= told;
      modelName ||= name;
    },
    text(piece) {
      text += piece;
      parts?.text(piece.length);
      if (hasCalls) calls.blockBegan();
      emit({ type: 'partialResponse', text: piece });
    },
    thinking(piece) {
      thinking += piece;
      emit({ type: 'partialThinking', text: piece });
    },
    call(fragment) {
      hasCalls = true;
      return calls.fragment(fragment);
    },
    callEnded: calls.ended,
    blockBegan() {
      parts?.close();
      calls.blockBegan();
    },
    keep: (part) => parts?.keep(part) ?? (() => undefined),
    mark(extra) {
      parts?.mark(extra);
    },
    remember(attribute, value) {
      remembered[attribute] = value;
    },
    rememberGrowing(attribute, soFar) {
      growing.set(attribute, soFar);
    },
    isSilent: () => !text && calls.requests().length === 0,
    counted(told) {
      const counts: Record<string, number> = {};
      for (const [name, count] of Object.entries(told))
        if (Number.isFinite(count) && (count as number) >= 0) counts[name] = count as number;
      if (Object.keys(counts).length > 0) usage = counts;
    },
    refused() {
      isRefused = true;
    },
    finished(told) {
      // A cut stays a cut, whatever word comes behind it.
      if (isCut(reason)) return;
      reason = told;
      if (!isCut(told)) calls.finish();
    },
    raw: (event) => emit({ type: 'raw', event }),
    failure,
    end(isWhole) {
      const aiMessage = message();
      checkEnd(aiMessage, isWhole);
      const ended = finishReason(aiMessage);
      if (ended === 'toolExecution') {
        // Before any call is handed over: what has no name may be the rest of another.
        const isNameless = aiMessage.toolExecutionRequests.some(({ name }) => !name);
        if (isNameless) throw failure('malformedResponse', 'the answer has a tool call without a name', true);
      }
      calls.end(ended !== 'toolExecution');
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
