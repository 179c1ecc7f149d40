/** What promises were rejected with and nobody handled, from now until `stop`, on Node and in browsers. */
export function unhandled(): { readonly reasons: readonly unknown[]; stop(): void } {
  const reasons: unknown[] = [];
  if ('process' in globalThis) {
    const listener = (reason: unknown) => reasons.push(reason);
    process.on('unhandledRejection', listener);
    return { reasons, stop: () => process.off('unhandledRejection', listener) };
  }
  const listener = ({ reason }: PromiseRejectionEvent) => reasons.push(reason);
  addEventListener('unhandledrejection', listener);
  return { reasons, stop: () => removeEventListener('unhandledrejection', listener) };
}
