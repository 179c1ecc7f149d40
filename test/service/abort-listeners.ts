/** Who listens to a signal, from now on: Node could tell by itself, browsers could not. */
export function abortListeners(signal: AbortSignal): ReadonlySet<unknown> {
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (type: string, listener: EventListener, options?: AddEventListenerOptions) => {
    listeners.add(listener);
    add(type, listener, options);
  };
  signal.removeEventListener = (type: string, listener: EventListener, options?: EventListenerOptions) => {
    listeners.delete(listener);
    remove(type, listener, options);
  };
  return listeners;
}
