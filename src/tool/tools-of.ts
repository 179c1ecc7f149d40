import { ConfigurationError } from '../chat/configuration-error.ts';
import { declaredTools } from './decorated-tools.ts';
import type { Tool } from './types.ts';

/**
 * The tools that an instance's `@Tool` methods are, those of base classes first; each is undone by the method that is
 * `@CompensateFor` it. An overriding method is called in place of its parent's, whose decoration holds unless it has its own.
 *
 * Throws a `ConfigurationError` on what is no instance or has no `@Tool` method, on two tools of one name, and on a
 * `@CompensateFor` without its tool.
 *
 * @example
 * const assistant = aiService({ model, tools: toolsOf(new Weather()) });
 */
export function toolsOf(object: object): readonly Tool[] {
  const {
    tools,
    problems: [problem],
  } = declaredTools(object);
  if (problem !== undefined) throw new ConfigurationError(problem);
  return tools;
}
