import { Injectable, inject } from '@angular/core';
import { Location } from '@angular/common';
import { Observable, distinctUntilChanged, map, startWith } from 'rxjs';
import { pageAt } from './pages';

/** Which page is shown. Two pages need no router: to leave one is to destroy its component, all the same. */
@Injectable({ providedIn: 'root' })
export class Navigation {
  readonly #location = inject(Location);

  readonly page$ = new Observable<void>((subscriber) => {
    const unlisten = this.#location.onUrlChange(() => subscriber.next());
    return () => unlisten();
  }).pipe(
    startWith(undefined),
    map(() => pageAt(this.#location.path() || '/')),
    distinctUntilChanged(),
  );

  go(path: string): void {
    if (path !== (this.#location.path() || '/')) this.#location.go(path);
  }
}
