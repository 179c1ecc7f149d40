import { ConfigurationError } from '../chat/configuration-error.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a method of whatever class
export type AnyMethod = (...args: any[]) => unknown;

/** The method that a decorator stands on. */
export interface DecoratedMethod {
  readonly method: AnyMethod;
  readonly name: string | symbol;
}

/** What TC39 decorators are told, as far as it matters here. It is also what the compiler checks: no static, no #private method. */
export interface MethodContext {
  readonly kind: 'method';
  readonly name: string | symbol;
  readonly static: false;
  readonly private: false;
}

/** What legacy decorators are given first: the prototype of an instance's method, and not the class of a static one. */
export type Prototype = object & { readonly prototype?: never };

interface Place {
  readonly kind: string;
  readonly name?: string | symbol | undefined;
  readonly static?: boolean;
  readonly private?: boolean;
  readonly value?: unknown;
}

/**
 * Reads both ways in which a method decorator is called: `(method, context)` by TC39's decorators, and
 * `(prototype, name, descriptor)` under TypeScript's `experimentalDecorators`.
 *
 * Throws a `ConfigurationError` where the decorator does not stand on a public method of an instance.
 */
export function decoratedMethod(decorator: string, [target, second, third]: readonly unknown[]): DecoratedMethod {
  const place = isContext(second) ? { ...second, value: target } : legacyPlace(target, second, third);
  const { kind, name, value } = place;
  const told = name === undefined ? '' : ` ${String(name)}`;
  if (kind !== 'method' || name === undefined || typeof value !== 'function')
    throw new ConfigurationError(`${decorator} stands on the ${kind}${told}; it must stand on a method.`);
  if (place.static)
    throw new ConfigurationError(
      `${decorator} stands on the static method${told}; tools belong to an instance, so take static away.`,
    );
  if (place.private)
    throw new ConfigurationError(
      `${decorator} stands on the private method${told}; it can't be called from outside, so give it a name without #.`,
    );
  return { method: value as AnyMethod, name };
}

function isContext(second: unknown): second is Place {
  return typeof second === 'object' && second !== null && typeof (second as Partial<Place>).kind === 'string';
}

function legacyPlace(target: unknown, second: unknown, third: unknown): Place {
  const name = second as string | symbol | undefined;
  if (typeof third === 'number') return { kind: 'parameter', name };
  if (name === undefined) return { kind: 'class', name: (target as { name?: string } | undefined)?.name };
  const descriptor = third as PropertyDescriptor | undefined;
  if (descriptor?.get ?? descriptor?.set) return { kind: 'accessor', name };
  if (typeof descriptor?.value !== 'function') return { kind: 'field', name };
  return { kind: 'method', name, static: typeof target === 'function', value: descriptor.value };
}
