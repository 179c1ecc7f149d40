import { expect, vi } from 'vitest';
import type { Exchange } from '../server/forward.ts';
import type { DemoServer } from '../server/server.ts';

/** Resolves when the server has seen these ends of the requests to the model. */
export function untilExchanges(server: DemoServer, ...statuses: readonly Exchange['status'][]): Promise<void> {
  return vi.waitFor(() => expect(server.exchanges.map(({ status }) => status)).toEqual(statuses), {
    timeout: 10_000,
    interval: 20,
  });
}
