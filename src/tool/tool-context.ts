import type { ToolContext } from './types.ts';

const makeSignal = Symbol('makeSignal');

/** One getter for all contexts: one in each gives each a hidden class of its own, which keeps some 5 kB of a call until a full collection. */
const signal: PropertyDescriptor = {
  get(this: { readonly [makeSignal]: () => AbortSignal }) {
    return this[makeSignal]();
  },
  enumerable: true,
  configurable: true,
};

/** The context of a call; its signal is made only if something looks at it, which most calls do not. */
export function toolContext(
  { request, invocation, memoryId, parameters }: Omit<ToolContext, 'signal' | 'progress'>,
  progress: (value: unknown) => void,
  lazySignal: () => AbortSignal,
): ToolContext {
  const context = { request, invocation, ...(memoryId !== undefined && { memoryId }), parameters, progress };
  Object.defineProperty(context, makeSignal, { value: lazySignal, configurable: true });
  return Object.defineProperty(context, 'signal', signal) as ToolContext;
}
