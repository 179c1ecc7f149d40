import { DestroyRef, Injector, assertInInjectionContext, inject, runInInjectionContext } from '@angular/core';
import type { $ZodObject } from 'zod/v4/core';
import type { JsonSchema } from '../chat/tool-specification.ts';
import { tool, type NoParameters, type ToolDefinition } from '../tool/tool.ts';
import type { Tool } from '../tool/types.ts';

/**
 * A tool whose `execute`, `compensate` and `needsApproval` may `inject()`, up to their first `await`: from the injector of the
 * place where the tool is made. An undo that comes after the end of that place, as when somebody leaves a route that provides the service,
 * can't inject any more: take what it needs while `execute` runs.
 *
 * Throws outside an injection context, and what `tool()` throws.
 *
 * @example
 * const addToCart = injectableTool({
 *   name: 'add_to_cart',
 *   parameters: z.object({ item: z.string() }),
 *   execute: ({ item }) => inject(Cart).add(item),
 * });
 */
export function injectableTool<S extends $ZodObject | JsonSchema = NoParameters, R = unknown>(
  definition: ToolDefinition<S, R>,
): Tool {
  assertInInjectionContext(injectableTool);
  const injector = inject(Injector);
  let isDestroyed = false;
  inject(DestroyRef).onDestroy(() => (isDestroyed = true));
  const within =
    <A extends readonly unknown[], V>(work: (...args: A) => V) =>
    (...args: A): V =>
      // What is to be undone may outlive the page: it is undone, if it needs nothing injected.
      isDestroyed ? work(...args) : runInInjectionContext(injector, () => work(...args));
  const { compensate, needsApproval } = definition;
  return tool<S, R>({
    ...definition,
    execute: within((args, context) => definition.execute(args, context)),
    ...(compensate && { compensate: within((execution, context) => definition.compensate!(execution, context)) }),
    ...(typeof needsApproval === 'function' && { needsApproval: within(needsApproval) }),
  });
}
