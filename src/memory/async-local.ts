/** The little that is used of Node's AsyncLocalStorage. */
interface Storage<T> {
  run<R>(value: T, work: () => R): R;
  getStore(): T | undefined;
}

interface AsyncHooks {
  readonly AsyncLocalStorage?: new <T>() => Storage<T>;
  readonly AsyncResource?: new (type: string) => { runInAsyncScope(work: () => void): void };
}

// Asked at run time: a static import of a Node builtin would break browsers.
const { process } = globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } };
const builtin = process?.getBuiltinModule?.('node:async_hooks') as AsyncHooks | undefined;
const { AsyncLocalStorage, AsyncResource } = builtin ?? {};

/** A value that code sees which was started inside of `run`. Where there is no AsyncLocalStorage: as long as it is synchronous. */
export function asyncLocal<T>(): Storage<T> {
  if (AsyncLocalStorage) return new AsyncLocalStorage<T>();
  let current: T | undefined;
  return {
    getStore: () => current,
    run: (value, work) => {
      const outer = current;
      current = value;
      try {
        return work();
      } finally {
        current = outer;
      }
    },
  };
}

/** Takes the async context of now; what it returns runs work in it. */
export function captureAsyncContext(): (work: () => void) => void {
  if (!AsyncResource) return (work) => work();
  // What AsyncLocalStorage.snapshot() does, without the 2.7 kB of deprecated accessors that Node 20 puts on its result.
  const resource = new AsyncResource('toolstream');
  return (work) => resource.runInAsyncScope(work);
}
