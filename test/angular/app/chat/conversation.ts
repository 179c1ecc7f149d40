import { Injectable, signal } from '@angular/core';

/** Which conversation the chat shows; whoever comes back to the page finds it as it was. */
@Injectable({ providedIn: 'root' })
export class Conversation {
  readonly #number = signal(1);

  /** The id of its memory. */
  readonly id = this.#number.asReadonly();

  beginAnew(): void {
    this.#number.update((number) => number + 1);
  }
}
