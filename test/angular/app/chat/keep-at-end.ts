import { DestroyRef, Directive, ElementRef, afterNextRender, effect, inject, input } from '@angular/core';

/** Keeps the end of what grows in sight, unless somebody has scrolled up to read. */
@Directive({ selector: '[keepAtEnd]', host: { '(scroll)': 'look()' } })
export class KeepAtEnd {
  /** Shows the end again when it changes. */
  readonly keepAtEnd = input<unknown>();

  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #destroyRef = inject(DestroyRef);
  #isKept = true;
  /** Where it was scrolled to last: only a person scrolls up from there. */
  #top = 0;

  constructor() {
    effect(() => {
      this.keepAtEnd();
      this.#isKept = true;
    });
    afterNextRender(() => {
      // Where nothing is laid out (jsdom), nothing grows.
      if (typeof ResizeObserver === 'undefined') return;
      const sizes = new ResizeObserver(() => this.#follow());
      sizes.observe(this.#element);
      for (const child of Array.from(this.#element.children)) sizes.observe(child);
      this.#destroyRef.onDestroy(() => sizes.disconnect());
    });
  }

  protected look(): void {
    const { scrollTop, clientHeight, scrollHeight } = this.#element;
    if (scrollTop + clientHeight > scrollHeight - 40) this.#isKept = true;
    else if (scrollTop < this.#top) this.#isKept = false;
    this.#top = scrollTop;
  }

  #follow(): void {
    if (!this.#isKept) return;
    this.#element.scrollTop = this.#element.scrollHeight;
    this.#top = this.#element.scrollTop;
  }
}
