import type { ToolContext } from './types.ts';

interface DecodedArguments {
  readonly value: unknown;
  readonly repaired: boolean;
}

// A tool decodes its own arguments, and its contract has no word for telling them: the call's context is the thread that
// leads from the tool to the record of its execution.
const decoded = new WeakMap<ToolContext, DecodedArguments>();

export const rememberArguments = (context: ToolContext, value: unknown, repaired: boolean): void => {
  decoded.set(context, { value, repaired });
};

/** What the tool made of its arguments, where it told. */
export const argumentsOf = (context: ToolContext): DecodedArguments | undefined => decoded.get(context);
