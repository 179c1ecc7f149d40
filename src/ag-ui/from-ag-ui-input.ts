import { isObject } from '../chat/is-object.ts';
import type { ChatMessage, UserMessage } from '../chat/message.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';
import type { AgUiMessage, AgUiPart } from './ag-ui-message.ts';
import { chatMessagesOf } from './chat-messages-of.ts';
import { contentsOf } from './contents-of.ts';
import { parseRunAgentInput, type AgUiResume } from './run-agent-input.ts';

/** What a client asks for, in the words of a service. */
export interface AgUiInput {
  readonly threadId: string;
  readonly runId: string;
  /** The question: the last message. Absent where the run answers interrupts and asks nothing. */
  readonly input: UserMessage | undefined;
  /** What was said before the question, as the client tells it: nothing of it is proven. */
  readonly messages: readonly ChatMessage[];
  /** The same with the question, as it came. */
  readonly agUiMessages: readonly AgUiMessage[];
  /** `state`, `context` and `forwardedProps`, each if it is there: for tools, as `context.parameters`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The tools that the client has itself. */
  readonly tools: readonly ToolSpecification[];
  /** Answers to interrupts. */
  readonly resume: readonly AgUiResume[];
}

/**
 * Reads the JSON that an AG-UI client sends, parsed: a `RunAgentInput`.
 *
 * Throws a `TypeError` that says where it stops being one, or that there is nothing to do: no question, and no answer to an interrupt.
 *
 * @example
 * const { input, threadId, parameters } = fromAgUiInput(await request.json());
 * assistant.stream(input!, { memoryId: threadId, parameters });
 */
export function fromAgUiInput(json: unknown): AgUiInput {
  const { threadId, runId, messages, state, context, forwardedProps, tools = [], resume = [] } = parseRunAgentInput(json);
  const said = messages.filter(({ role }) => role !== 'activity');
  const last = said.at(-1);
  const isAsked = last?.role === 'user';
  if (!isAsked && resume.length === 0)
    throw new TypeError(
      `There is nothing to answer: the last message of the input must be of the user, not ${last ? `of the role ${last.role}` : 'missing'}.`,
    );
  if (isAsked && isEmpty(last.content))
    throw new TypeError(`This is no question: input.messages[${messages.lastIndexOf(last)}].content is empty.`);
  return {
    threadId,
    runId,
    input: isAsked ? { role: 'user', contents: contentsOf(last.content) } : undefined,
    messages: chatMessagesOf(isAsked ? said.slice(0, -1) : said),
    agUiMessages: messages,
    parameters: {
      ...(state !== undefined && { state }),
      ...(context !== undefined && { context }),
      ...(forwardedProps !== undefined && { forwardedProps }),
    },
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: isObject(parameters) ? parameters : { type: 'object', properties: {} },
    })),
    resume,
  };
}

function isEmpty(content: string | readonly AgUiPart[]): boolean {
  if (typeof content === 'string') return content === '';
  return content.every((part) => part.type === 'text' && part.text === '');
}
