import type { ToolContext } from './types.ts';

interface DecodedArguments {
  readonly value: unknown;
  readonly repaired: boolean;
}

// A tool decodes its own arguments, and its contract has no word for telling them: they are left with the context of the
// call. A registered symbol, because a tool may have been made by another copy of this package.
const decoded = Symbol.for('toolstream.decodedArguments');

export function rememberArguments(context: ToolContext, value: unknown, repaired: boolean): void {
  Object.defineProperty(context, decoded, { value: { value, repaired }, configurable: true });
}

/** What the tool made of its arguments, where it told. */
export const argumentsOf = (context: ToolContext): DecodedArguments | undefined =>
  (context as { [decoded]?: DecodedArguments })[decoded];
