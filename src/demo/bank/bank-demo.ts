import { concat, defer, of, type Observable } from 'rxjs';
import { withChosenModel } from '../chosen-model.ts';
import { narrated } from '../narrated.ts';
import { opening } from '../opening.ts';
import type { Watch } from '../demo.ts';
import type { Passage } from '../passage.ts';
import { Bank } from './bank.ts';
import { clerk } from './clerk.ts';
import { transfer } from './script.ts';

/** Asks for a transfer that fails half-way, and tells how it is undone, between the balances before and after it. */
export function bankDemo(env: NodeJS.ProcessEnv, signal: AbortSignal, watch: Watch): Observable<Passage> {
  return withChosenModel(env, ({ model, description }) => {
    const bank = new Bank({ Ada: 30, Ben: 5 });
    const balances$ = defer(() => of<Passage>({ type: 'line', title: 'balances', detail: bank.balances }));
    const told$ = clerk(model, bank).stream(transfer, { signal }).pipe(watch, narrated());
    return concat(opening(description, transfer), balances$, told$, balances$);
  });
}
