import { defer, from, map, mergeMap, toArray, type Observable } from 'rxjs';
import { checkCount, invalidOption } from '../../chat/option-checks.ts';
import type { ToolSpecification } from '../../chat/tool-specification.ts';
import { fromValue } from '../../chat/value.ts';
import { bestOf } from '../search/best-of.ts';
import { checkedAnswers } from './checked-answers.ts';
import type { DecisionModel, DecisionQuestion } from './decision-model.ts';
import { questionTemplate } from './question-template.ts';

/** How a decision model chooses tools. */
export interface ToolSelectionOptions {
  readonly decisionModel: DecisionModel;
  /** How likely it must be that a tool helps, from 0 to 1: 0.5 by default. */
  readonly minProbability?: number | undefined;
  /** How many tools may be chosen. */
  readonly maxResults?: number | undefined;
  /** About how many tools one request to the decision model may ask; by default there is one request for all. */
  readonly maxToolsPerDecisionRequest?: number | undefined;
  /** The question about a tool. Must contain `{{toolName}}` and may contain `{{toolDescription}}`. */
  readonly questionTemplate?: string | undefined;
}

export const toolSelectionOptions: readonly (keyof ToolSelectionOptions)[] = [
  'decisionModel',
  'minProbability',
  'maxResults',
  'maxToolsPerDecisionRequest',
  'questionTemplate',
];

/** How many requests to a decision model are under way at once. */
const requestsAtOnce = 4;

/**
 * Checks the options, and returns what chooses tools: it asks about each whether it helps with the input, and emits the
 * names of those that do, the likeliest first. It errors as soon as one request fails.
 */
export function selectTools(
  where: string,
  options: ToolSelectionOptions,
): (input: string, tools: readonly ToolSpecification[]) => Observable<readonly string[]> {
  const { decisionModel, minProbability = 0.5, maxResults = Infinity, maxToolsPerDecisionRequest = Infinity } = options;
  if (typeof (decisionModel as Partial<DecisionModel> | undefined)?.decide !== 'function')
    throw invalidOption(where, 'decisionModel', decisionModel, 'it must have the method decide, as chatDecisionModel({ … }) has');
  if (typeof minProbability !== 'number' || !(minProbability >= 0 && minProbability <= 1))
    throw invalidOption(where, 'minProbability', minProbability, 'it must be a number from 0 to 1');
  checkCount(where, 'maxResults', maxResults, 1);
  checkCount(where, 'maxToolsPerDecisionRequest', maxToolsPerDecisionRequest, 1);
  const questionAbout = questionTemplate(where, options.questionTemplate);

  const ask = (input: string, questions: readonly DecisionQuestion[]) =>
    fromValue(() => decisionModel.decide({ input, questions })).pipe(map((answers) => checkedAnswers(questions, answers)));

  return (input, tools) =>
    defer(() => {
      // By name: of two tools with one name, which only an odd provider has, both are chosen or none.
      const questions = new Map(tools.map((tool) => [tool.name, { id: tool.name, text: questionAbout(tool) }]));
      return from(inBatches([...questions.values()], maxToolsPerDecisionRequest)).pipe(
        mergeMap((batch) => ask(input, batch), requestsAtOnce),
        toArray(),
        map((answers) => {
          const probabilities = new Map(answers.flatMap((batch) => [...batch]));
          return bestOf([...questions.keys()], (name) => probabilities.get(name)!, { least: minProbability, max: maxResults });
        }),
      );
    });
}

function inBatches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const batches: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size));
  return batches;
}
