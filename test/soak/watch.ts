import type { InvocationParameters } from '../../src/tool/invocation-context.ts';
import type { Client } from './fault-server.ts';
import type { Ledger } from './ledger.ts';

/** What goes with an invocation to its tools and events, as one of its parameters. */
export interface Watch {
  readonly ledger: Ledger;
  /** Who asks the server. */
  readonly client: Client;
  /** Whether calls are cancelled one by one: those go on where they may have to be undone, and count no more. */
  readonly meddles: boolean;
  /** A tool begins: here it may be too much. */
  onToolStart(): void;
}

const key = 'watch';

export const watched = (watch: Watch): InvocationParameters => new Map<string, unknown>([[key, watch]]);

export const watchOf = (parameters: InvocationParameters): Watch | undefined => parameters.get(key) as Watch | undefined;
