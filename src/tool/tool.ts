import type { Observable, Subscribable } from 'rxjs';
import type { $ZodObject, output } from 'zod/v4/core';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { checkKnownOptions, checkText, requireFunction } from '../chat/option-checks.ts';
import type { JsonSchema } from '../chat/tool-specification.ts';
import { thenValue } from '../chat/value.ts';
import type { Checked, CheckedArguments } from './check-arguments.ts';
import { createTool } from './create-tool.ts';
import { parseArguments } from './parse-arguments.ts';
import { runExecute } from './run-execute.ts';
import { toolSchema } from './tool-schema.ts';
import { toolTraits, traitOptions, type TraitOptions } from './tool-traits.ts';
import type { Tool, ToolContext, ToolTraits } from './types.ts';

/** Stands for a definition without `parameters`. */
export interface NoParameters extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, never>>;
}

/** What `execute` gets: the output side of a zod object, plain properties for a JSON Schema, nothing without parameters. */
export type Args<S> = S extends $ZodObject
  ? output<S>
  : S extends NoParameters
    ? Readonly<Record<never, never>>
    : Readonly<Record<string, unknown>>;

/** What a tool's result comes to: what a promise holds, and the last value of a stream. */
export type Settled<R> = R extends Observable<infer V> | Subscribable<infer V>
  ? V
  : R extends AsyncIterable<infer V>
    ? V
    : R extends PromiseLike<infer V>
      ? Settled<V>
      : R;

export interface ToolDefinition<S extends $ZodObject | JsonSchema, R> extends TraitOptions<Args<S>, Settled<R>> {
  readonly name: string;
  readonly description?: string | undefined;
  /** A zod object (classic or mini) or a JSON Schema; none means no arguments. */
  readonly parameters?: S;
  /**
   * May return a value, a promise, an Observable or an async iterable. Of the latter two each value is progress when it
   * arrives, and the last is also the result.
   */
  execute(args: Args<S>, context: ToolContext): R;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

const options = ['name', 'description', 'parameters', 'execute', 'metadata', ...traitOptions];

/**
 * Makes a tool of a function. The model's arguments are checked before `execute` sees them.
 *
 * Throws a `ConfigurationError` when the definition can't work: no name, no function, parameters that are no object.
 *
 *     execute  --p--p--r|
 *     result   ---------(r|)     progress goes beside it
 *
 * @example
 * const weather = tool({
 *   name: 'get_weather',
 *   parameters: z.object({ city: z.string() }),
 *   execute: ({ city }) => weatherOf(city),
 * });
 */
export function tool<S extends $ZodObject | JsonSchema = NoParameters, R = unknown>(definition: ToolDefinition<S, R>): Tool {
  return toolWith(definition, {});
}

/** How errors name the tool, as far as its definition says. */
function whereOf(definition: { readonly name?: unknown } | null | undefined): string {
  const name = definition?.name;
  return typeof name === 'string' && name ? `tool ${name.slice(0, 80)}` : 'tool';
}

/** The same with traits, and a way to run, that only this package gives. */
export function toolWith<S extends $ZodObject | JsonSchema, R>(
  definition: ToolDefinition<S, R>,
  more: ToolTraits,
  runWith: typeof runExecute = runExecute,
): Tool {
  checkKnownOptions(whereOf(definition), definition, options);
  checkText('tool', 'name', definition.name);
  const { name, description, parameters, metadata } = definition;
  requireFunction(`tool ${name}`, 'execute', definition.execute);
  const schema = toolSchema(name, parameters);
  const decode = (request: ToolExecutionRequest): Checked => {
    const parsed = parseArguments(name, request.arguments);
    const checked = schema.check(parsed.value);
    if (!parsed.repaired) return checked;
    return checked instanceof Promise ? checked.then(({ value }) => ({ value, repaired: true })) : { ...checked, repaired: true };
  };
  return createTool({
    specification: {
      name,
      ...(description !== undefined && { description }),
      parameters: schema.parameters,
      ...(metadata && { metadata }),
    },
    traits: {
      ...toolTraits(name, definition, (request) =>
        thenValue<CheckedArguments, Args<S>>(decode(request), ({ value }) => value as Args<S>),
      ),
      ...more,
    },
    decode,
    run: (args, context) => runWith((scoped) => definition.execute(args as Args<S>, scoped), context),
  });
}
