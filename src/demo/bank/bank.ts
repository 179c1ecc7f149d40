import { map, timer, type Observable } from 'rxjs';
import * as z from 'zod';
import { CompensateFor, Tool, toolErrorVisibleToLlm } from '../../index.ts';

const booking = z.object({ account: z.string(), euros: z.int().positive() });

type Booking = z.infer<typeof booking>;

/** Accounts in memory. A booking takes 200 ms. */
export class Bank {
  readonly #balances: Map<string, number>;

  constructor(balances: Readonly<Record<string, number>>) {
    this.#balances = new Map(Object.entries(balances));
  }

  get balances(): string {
    return [...this.#balances].map(([account, euros]) => `${account} ${euros}`).join(', ');
  }

  @Tool({ description: 'Puts euros into an account', parameters: booking })
  credit({ account, euros }: Booking) {
    return this.#book(account, euros);
  }

  @Tool({ description: 'Takes euros out of an account', parameters: booking })
  debit({ account, euros }: Booking) {
    return this.#book(account, -euros);
  }

  @CompensateFor('credit')
  takeBack({ account, euros }: Booking) {
    return this.#book(account, -euros);
  }

  @CompensateFor('debit')
  giveBack({ account, euros }: Booking) {
    return this.#book(account, euros);
  }

  #book(account: string, euros: number): Observable<object> {
    return timer(200).pipe(
      map(() => {
        const balance = this.#balances.get(account);
        if (balance === undefined) throw toolErrorVisibleToLlm(`There is no account ${account}.`);
        if (balance + euros < 0) throw toolErrorVisibleToLlm(`${account} has only ${balance} euros.`);
        this.#balances.set(account, balance + euros);
        return { account, balance: balance + euros };
      }),
    );
  }
}
