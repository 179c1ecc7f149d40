import type { ToolExecutionRequest } from '../../src/chat/message.ts';
import type { ScriptedRound } from '../../src/testing/scripted-answer.ts';
import { scriptedModel, type ScriptedModel } from '../../src/testing/scripted-model.ts';

export interface AnsweringOptions {
  /** Whether the model can be held to a JSON Schema. */
  readonly jsonSchema?: boolean;
  readonly calls?: Readonly<Record<string, Partial<ToolExecutionRequest>>>;
}

/** A scripted model whose digits stand for these texts. */
export function answering(
  rounds: readonly (string | ScriptedRound)[],
  texts: readonly string[],
  { jsonSchema, calls = {} }: AnsweringOptions = {},
): ScriptedModel {
  const events = Object.fromEntries(texts.map((text, digit) => [String(digit), { type: 'partialResponse', text } as const]));
  return { ...scriptedModel(rounds, { events, calls }), ...(jsonSchema !== undefined && { supports: { jsonSchema } }) };
}
