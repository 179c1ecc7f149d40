import type { $ZodObject } from 'zod/v4/core';
import type { JsonSchema } from '../chat/tool-specification.ts';
import type { AnyMethod } from './decorated-method.ts';
import type { ToolDefinition } from './tool.ts';
import type { Tool } from './types.ts';

export interface DeclaredTools {
  readonly tools: readonly Tool[];
  /** What is wrong with the `@CompensateFor` methods: only those who compensate need to care. */
  readonly problems: readonly string[];
}

/** What decorators have said of one method. */
export interface Marks {
  /** By `@Tool`. */
  readonly tool?: Omit<ToolDefinition<$ZodObject | JsonSchema, unknown>, 'execute' | 'compensate'>;
  /** By `@Tool`: makes tools of an object. Kept here, so that only those who use decorators carry the code for them. */
  readonly declare?: (object: object) => DeclaredTools;
  /** By `@CompensateFor`: the names of the tools that the method undoes. */
  readonly undoes?: readonly string[];
}

// Marks are left on the method itself: only there do both kinds of decorators reach, since those of TC39 see no class, and
// Symbol.metadata is not everywhere. A registered symbol, because another copy of this package may have left them.
const marks = Symbol.for('toolstream.decorated');

export const marksOf = (method: unknown): Marks | undefined =>
  typeof method === 'function' ? (method as { [marks]?: Marks })[marks] : undefined;

export function addMarks(method: AnyMethod, more: Marks): void {
  Object.defineProperty(method, marks, { value: { ...marksOf(method), ...more }, configurable: true });
}

/**
 * The decorated methods of an instance by their names, those of base classes first. What an overriding method is decorated
 * with replaces what its parent's was; where it is not decorated, its parent's decoration holds for it.
 */
export function markedMethods(instance: object): ReadonlyMap<string | symbol, Marks> {
  const found = new Map<string | symbol, Marks>();
  for (const prototype of prototypesOf(instance).reverse()) {
    for (const name of Reflect.ownKeys(prototype)) {
      // Not read as a property: a getter must not run.
      const own = marksOf(Object.getOwnPropertyDescriptor(prototype, name)?.value);
      if (own) found.set(name, own);
    }
  }
  return found;
}

/** What makes tools of the value, where it is an instance with `@Tool` methods. */
export function declarerOf(value: unknown): Marks['declare'] {
  if (typeof value !== 'object' || value === null) return undefined;
  return [...markedMethods(value).values()].find((method) => method.declare)?.declare;
}

function prototypesOf(instance: object): object[] {
  const prototypes: object[] = [];
  const next = (object: object) => Object.getPrototypeOf(object) as object | null;
  for (let prototype = next(instance); prototype; prototype = next(prototype)) prototypes.push(prototype);
  return prototypes;
}
