import type { Value } from '../../chat/value.ts';

/** A question about the input that can be answered with yes or no. */
export interface DecisionQuestion {
  /** By which the answer names it. */
  readonly id: string;
  readonly text: string;
}

/** Questions about one text. */
export interface DecisionRequest {
  /** What is judged, such as a conversation. */
  readonly input: string;
  readonly questions: readonly DecisionQuestion[];
}

export interface DecisionAnswer {
  readonly id: string;
  /** How likely the answer is yes, from 0 to 1. */
  readonly probability: number;
}

/** Answers yes-or-no questions: a classifier, a reranker, or any chat model by `chatDecisionModel`. */
export interface DecisionModel {
  /** One answer for each question, in any order. A model that can't or won't answer throws. */
  decide(request: DecisionRequest): Value<readonly DecisionAnswer[]>;
}
