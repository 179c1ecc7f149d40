import type { ChatModelEvent } from '../../chat/chat-model.ts';
import type { AiMessage } from '../../chat/message.ts';
import { toolCallAssembler } from '../tool-call-assembler.ts';
import type { ContentPart, Delta, FunctionCall } from './chunk.ts';

/** What the model has said in a turn: told piece by piece, kept for the message. */
export interface ChatContent {
  add(delta: Delta): void;
  /** The turn is over and was not cut: its calls are complete. */
  completeCalls(): void;
  isRefused(): boolean;
  message(): AiMessage;
}

export function chatContent(
  emit: (event: ChatModelEvent) => void,
  idGenerator: () => string,
  onConflict: (toolName: string) => void,
): ChatContent {
  let text = '';
  let thinking = '';
  /** Under which name the thinking came: it goes back under the same. */
  let reasoningField: 'reasoning_content' | 'reasoning' | undefined;
  const reasoningDetails: unknown[] = [];
  let isRefused = false;
  let hasCalls = false;
  const calls = toolCallAssembler(emit, idGenerator, onConflict);

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
  const addCall = (wire: FunctionCall | null | undefined, index?: number | null, id?: string | null) => {
    hasCalls = true;
    const written = wire?.arguments;
    const isText = typeof written === 'string' || written === undefined || written === null;
    calls.fragment({ index, id, name: wire?.name, arguments: isText ? written : JSON.stringify(written) });
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

  return {
    add(delta) {
      addReasoning(delta);
      addContent(delta);
      addCalls(delta);
    },
    completeCalls: calls.finish,
    isRefused: () => isRefused,
    message() {
      const attributes = { ...(reasoningField && { reasoningField }), ...(reasoningDetails.length > 0 && { reasoningDetails }) };
      return {
        role: 'assistant',
        text: text || null,
        ...(thinking && { thinking }),
        toolExecutionRequests: calls.requests(),
        ...(Object.keys(attributes).length > 0 && { attributes }),
      };
    },
  };
}
