import type { Reasoning } from '../../chat/chat-request.ts';

type Effort = NonNullable<Reasoning['effort']>;

/** What differs between the models of Gemini. */
export interface Generation {
  /** Refuses the call of a step that has no signature, also where another model made it. */
  readonly wantsSignatures: boolean;
  /** Takes pictures and documents within the result of a tool; others get them behind the results. */
  readonly nestsMedia: boolean;
  /** Takes a schema for the answer beside tools; others are asked for it in words. */
  readonly formatsBesideTools: boolean;
  /** How an effort is said. */
  readonly thinking: Readonly<Record<Effort, object>>;
}

const gemini2: Generation = {
  wantsSignatures: false,
  nestsMedia: false,
  formatsBesideTools: false,
  // These models know tokens only: the numbers that the provider itself takes for these words.
  thinking: {
    none: { thinkingBudget: 0 },
    minimal: { thinkingBudget: 1024 },
    low: { thinkingBudget: 1024 },
    medium: { thinkingBudget: 8192 },
    high: { thinkingBudget: 24_576 },
    xhigh: { thinkingBudget: 24_576 },
  },
};

const gemini3: Generation = {
  wantsSignatures: true,
  nestsMedia: true,
  formatsBesideTools: true,
  // These think always: there is nothing below minimal.
  thinking: {
    none: { thinkingLevel: 'MINIMAL' },
    minimal: { thinkingLevel: 'MINIMAL' },
    low: { thinkingLevel: 'LOW' },
    medium: { thinkingLevel: 'MEDIUM' },
    high: { thinkingLevel: 'HIGH' },
    xhigh: { thinkingLevel: 'HIGH' },
  },
};

/** Names of the models that came before Gemini 3; any other is taken for a newer one. */
const early = /(^|\/)(gemini-[12]([.-]|$)|gemini-(exp|pro$|pro-vision|robotics-er-1)|gemma|learnlm|tunedModels\/)/;

export function generationOf(modelName = ''): Generation {
  return early.test(modelName) ? gemini2 : gemini3;
}
