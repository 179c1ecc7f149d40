import type { $ZodObject } from 'zod/v4/core';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { checkKnownOptions, checkText } from '../chat/option-checks.ts';
import type { JsonSchema } from '../chat/tool-specification.ts';
import { addMarks, marksOf } from './decorated-marks.ts';
import { declaredTools } from './decorated-tools.ts';
import { decoratedMethod, type MethodContext, type Prototype } from './decorated-method.ts';
import type { Args, NoParameters } from './tool.ts';
import { traitOptions, type TraitOptions } from './tool-traits.ts';
import type { Tool as AnyTool, ToolContext } from './types.ts';

/** Something that the model can call. The decorator of the same name makes one of a method. */
export type Tool = AnyTool;

export interface ToolDecoratorOptions<S extends $ZodObject | JsonSchema> extends Omit<TraitOptions<Args<S>>, 'compensate'> {
  /** By default the name of the method. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** A zod object (classic or mini) or a JSON Schema; none means no arguments. */
  readonly parameters?: S;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Stands on a method that takes these arguments, under TC39's decorators as under `experimentalDecorators`. */
export interface ToolDecorator<A> {
  (method: (args: A, context: ToolContext) => unknown, context: MethodContext): void;
  <M extends (args: A, context: ToolContext) => unknown>(
    prototype: Prototype,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
}

const known = ['name', 'description', 'parameters', 'metadata', ...traitOptions.filter((option) => option !== 'compensate')];

/**
 * Makes a tool of a method: `toolsOf(instance)` finds it, and calls it with `(args, context)`. The method may return a value,
 * a promise, an Observable or an async iterable, as a function that is given to `tool()` may. It stays the method that it was.
 *
 * A text stands for the description alone. Beside decorators that replace the method, this one goes on top.
 *
 * Throws a `ConfigurationError` on unknown options, and on anything but a public method of an instance.
 *
 * @example
 * class Weather {
 *   @Tool({ description: 'Returns the weather', parameters: z.object({ city: z.string() }) })
 *   get_weather({ city }: { city: string }) {
 *     return `sunny in ${city}`;
 *   }
 * }
 * const tools = toolsOf(new Weather());
 */
export function Tool<S extends $ZodObject | JsonSchema = NoParameters>(
  options?: string | ToolDecoratorOptions<S>,
): ToolDecorator<Args<S>>;
export function Tool(...[given = {}, ...more]: readonly unknown[]): (...call: readonly unknown[]) => void {
  if (typeof given === 'function' || more.length > 0)
    throw new ConfigurationError('@Tool stands without parentheses; write @Tool().');
  const options = (typeof given === 'string' ? { description: given } : given) as ToolDecoratorOptions<$ZodObject | JsonSchema>;
  checkKnownOptions('@Tool', options, known);
  if (options.name !== undefined) checkText('@Tool', 'name', options.name);
  return (...call) => {
    const { method, name: methodName } = decoratedMethod('@Tool', call);
    const { name = methodName } = options;
    if (typeof name === 'symbol')
      throw new ConfigurationError(`@Tool stands on the method ${String(name)}; a symbol is no name for a tool, so give it one.`);
    if (marksOf(method)?.tool) throw new ConfigurationError(`@Tool stands twice on the method ${String(methodName)}; keep one.`);
    addMarks(method, { tool: { ...options, name }, declare: declaredTools });
  };
}
