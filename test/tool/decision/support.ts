import type { ChatMessage, UserMessage } from '../../../src/chat/message.ts';
import { fromValue, type Value } from '../../../src/chat/value.ts';
import type { DecisionAnswer, DecisionModel, DecisionRequest } from '../../../src/tool/decision/decision-model.ts';
import type { ToolProvider, ToolProviderRequest } from '../../../src/tool/tool-provider.ts';
import { tool } from '../../../src/tool/tool.ts';
import type { SearchBehavior, Tool } from '../../../src/tool/types.ts';
import { watch } from '../../chat/watch.ts';
import { user } from '../../memory/histories.ts';

type Answers = readonly DecisionAnswer[];

/** A decision model that knows a probability for each tool; tells what it was asked. */
export function judge(probabilities: Readonly<Record<string, number>>, answer: (answers: Answers) => Value<Answers> = (a) => a) {
  const requests: DecisionRequest[] = [];
  const decisionModel: DecisionModel = {
    decide: (request) => {
      requests.push(request);
      return answer(
        request.questions.map(({ id }) => ({ id, probability: Object.hasOwn(probabilities, id) ? probabilities[id]! : 0 })),
      );
    },
  };
  return { decisionModel, requests };
}

export const toolNamed = (name: string, searchBehavior?: SearchBehavior): Tool =>
  tool({ name, execute: () => name, ...(searchBehavior && { searchBehavior }) });

/** A provider of these tools. */
export const providing = (...tools: readonly Tool[]): ToolProvider => ({ provideTools: () => tools });

/** What a service would ask a provider for; the user's message is the last one that is not of a later round. */
export function providerRequest(
  messages: readonly ChatMessage[] = [],
  userMessage: UserMessage = user('hello'),
  originalUserMessage: UserMessage = userMessage,
): ToolProviderRequest {
  const parameters = new Map<string, unknown>();
  return {
    userMessage,
    messages: messages.includes(userMessage) ? messages : [...messages, userMessage],
    invocation: { invocationId: 'i1', userMessage, originalUserMessage, parameters, timestamp: 0 },
  };
}

/** The names of what is provided, at once; throws what it errors with, and tells when there is no array. */
export function providedNames(provider: ToolProvider, request: ToolProviderRequest = providerRequest()): readonly string[] {
  const { values, error, end } = watch(fromValue(() => provider.provideTools(request)));
  if (end === 'error') throw error;
  if (end === undefined || values.length !== 1) throw new Error(`There are ${values.length} answers, and the end is ${end}.`);
  return values[0]!.map(({ specification }) => specification.name);
}
