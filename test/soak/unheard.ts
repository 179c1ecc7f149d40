/** What nobody has caught, and what Node warns of, from now until `stop`. */
export interface Unheard {
  /** What came since it was asked last. */
  take(): readonly string[];
  stop(): void;
}

export function unheard(): Unheard {
  const complaints: string[] = [];
  const note = (what: string) => (reason: unknown) =>
    void complaints.push(`${what}: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`);
  const listeners = [
    ['unhandledRejection', note('unhandled rejection')],
    ['uncaughtException', note('uncaught exception')],
    // Such as of more listeners on one signal than there should be.
    ['warning', note('warning')],
  ] as const;
  for (const [event, listener] of listeners) process.on(event, listener);
  return {
    take: () => complaints.splice(0),
    stop() {
      for (const [event, listener] of listeners) process.off(event, listener);
    },
  };
}
