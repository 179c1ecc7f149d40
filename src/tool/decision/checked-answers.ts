import { jsonText } from '../../chat/json-safe.ts';
import type { DecisionAnswer, DecisionQuestion } from './decision-model.ts';
import { DecisionModelError } from './decision-model-error.ts';

/** The probabilities by question. Throws a `DecisionModelError` unless each question has its one answer, and nothing else has. */
export function checkedAnswers(
  questions: readonly DecisionQuestion[],
  answers: readonly DecisionAnswer[],
): ReadonlyMap<string, number> {
  if (!Array.isArray(answers))
    throw new DecisionModelError(`The decision model returned ${shown(answers)} and no array of answers.`);
  const asked = new Set(questions.map(({ id }) => id));
  const probabilities = new Map<string, number>();
  for (const answer of answers as readonly (Partial<DecisionAnswer> | null | undefined)[]) {
    const { id, probability } = answer ?? {};
    if (id === undefined || !asked.has(id))
      throw new DecisionModelError(`The decision model answered a question that was not asked: ${shown(answer)}.`);
    if (probabilities.has(id)) throw new DecisionModelError(`The decision model answered question ${shown(id)} twice.`);
    if (typeof probability !== 'number' || !(probability >= 0 && probability <= 1))
      throw new DecisionModelError(`The decision model's answer is no probability from 0 to 1: ${shown(answer)}.`);
    probabilities.set(id, probability);
  }
  const missing = questions.filter(({ id }) => !probabilities.has(id));
  if (missing.length > 0) {
    throw new DecisionModelError(
      `The decision model left ${missing.length} of ${asked.size} questions without an answer, the first of them ${shown(missing[0]!.id)}.`,
    );
  }
  return probabilities;
}

function shown(value: unknown): string {
  const text = jsonText(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
