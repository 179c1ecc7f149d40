import type { Tool } from '../tool/types.ts';

/**
 * Finds the tool that a model means. A name that is not known gets a second look without what servers let slip into
 * it: template tokens (`query<|channel|>commentary`) and the namespace `functions.`; see the behaviour [G4].
 */
export function resolveTool(
  tools: ReadonlyMap<string, Tool>,
  name: string,
): { readonly tool: Tool | undefined; readonly name: string } {
  const exact = tools.get(name);
  if (exact) return { tool: exact, name };
  const plain = withoutTokens(name);
  const meant = tools.get(plain);
  return meant ? { tool: meant, name: plain } : { tool: undefined, name };
}

function withoutTokens(name: string): string {
  const token = name.indexOf('<|');
  const plain = (token < 0 ? name : name.slice(0, token)).trim();
  return plain.startsWith('functions.') ? plain.slice('functions.'.length) : plain;
}
