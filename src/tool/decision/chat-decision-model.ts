import { defer, filter, map, of, takeLast, throwIfEmpty, type Observable } from 'rxjs';
import { checkedStream } from '../../chat/checked-stream.ts';
import type { ChatModel } from '../../chat/chat-model.ts';
import type { ChatRequest } from '../../chat/chat-request.ts';
import type { ChatResponse } from '../../chat/chat-response.ts';
import { checkModel } from '../../chat/check-model.ts';
import { ConfigurationError } from '../../chat/configuration-error.ts';
import { checkKnownOptions, invalidOption } from '../../chat/option-checks.ts';
import { jsonInText } from '../json-in-text.ts';
import { checkedAnswers } from './checked-answers.ts';
import type { DecisionModel } from './decision-model.ts';
import { DecisionModelError } from './decision-model-error.ts';
import { decisionPrompt, numbered } from './decision-prompt.ts';

export interface ChatDecisionModelOptions {
  /** Who answers; a small and fast model will do. */
  readonly model: ChatModel;
  /** Settings for its requests, such as `temperature` or `maxOutputTokens`. */
  readonly chatRequest?: Partial<Omit<ChatRequest, OwnParts>> | undefined;
}

type OwnParts = (typeof ownParts)[number];

const ownParts = ['messages', 'toolSpecifications', 'toolChoice'] as const;

/**
 * Answers yes-or-no questions with a chat model: one request for all questions of a decision, at subscription. Models that
 * support JSON Schemas are held to one; others are told it.
 *
 * Throws a `ConfigurationError` on options that can't work. A decision errors with the model's own error, and with a
 * `DecisionModelError` when the model refuses, or answers something else than a probability for each question.
 *
 * @example
 * const decisionModel = chatDecisionModel({ model: openAiChat({ modelName: 'gpt-5-nano', apiKey }) });
 */
export function chatDecisionModel(options: ChatDecisionModelOptions): DecisionModel {
  const where = 'chatDecisionModel';
  checkKnownOptions(where, options, ['model', 'chatRequest']);
  const { model, chatRequest = {} } = options;
  checkModel(where, model);
  if (typeof chatRequest !== 'object' || chatRequest === null)
    throw invalidOption(where, 'chatRequest', chatRequest, 'it must be an object');
  const taken = ownParts.find((part) => part in chatRequest);
  if (taken) throw new ConfigurationError(`${where}: chatRequest.${taken} is what the decision model itself sets; leave it out.`);
  return {
    decide({ input, questions }) {
      if (questions.length === 0) return of([]);
      const asked = numbered(questions);
      const request = { ...chatRequest, ...decisionPrompt({ input, questions: asked }, model.supports?.jsonSchema === true) };
      return answerOf(model, request).pipe(
        map((answer) => {
          const answers = Object.entries(answer).map(([id, probability]) => ({ id, probability: probability as number }));
          const probabilities = checkedAnswers(asked, answers);
          return questions.map(({ id }, place) => ({ id, probability: probabilities.get(asked[place]!.id)! }));
        }),
      );
    },
  };
}

function answerOf(model: ChatModel, request: ChatRequest): Observable<object> {
  return defer(() => checkedStream('chatDecisionModel', 'model.chat', model.chat(request))).pipe(
    filter((event) => event.type === 'completeResponse'),
    // Not the first: to leave before the end would abort the request.
    takeLast(1),
    throwIfEmpty(() => new DecisionModelError('The chat model ended without an answer to the questions.')),
    map(({ response }) => objectIn(response)),
  );
}

function objectIn({ aiMessage, finishReason }: ChatResponse): object {
  const text = aiMessage.text ?? '';
  const came = text.trim() ? `it wrote: ${text.length > 200 ? `${text.slice(0, 200)}…` : text}` : 'it wrote nothing';
  if (finishReason === 'contentFilter') throw new DecisionModelError(`The chat model refused to answer the questions; ${came}`);
  if (finishReason === 'length') throw new DecisionModelError(`The chat model's answer was cut at its length limit; ${came}`);
  const value = jsonInText(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new DecisionModelError(`The chat model answered no JSON object; ${came}`);
}
