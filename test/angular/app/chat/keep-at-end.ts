import { DestroyRef, Directive, ElementRef, afterNextRender, effect, inject, input } from '@angular/core';

/** Keeps the end of what grows in sight, unless somebody has scrolled up to read. */
@Directive({
  selector: '[keepAtEnd]',
  host: { '(scroll)': 'look()' },
})
export class KeepAtEnd {
  /** Shows the end again when it changes. */
  readonly keepAtEnd = input<unknown>();

  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #destroyRef = inject(DestroyRef);
  #isKept = true;
  /** Where it was scrolled to when somebody or something scrolled last, and how high it was. */
  #top = 0;
  #height = 0;

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
    const isAtEnd = scrollTop + clientHeight > scrollHeight - 40;
    // What shrinks scrolls up, too, and that is nobody's wish.
    const isScrolledUp = scrollTop < this.#top && scrollHeight >= this.#height;
    if (isAtEnd || isScrolledUp) this.#isKept = isAtEnd;
    this.#top = scrollTop;
    this.#height = scrollHeight;
  }

  #follow(): void {
    if (this.#isKept) this.#element.scrollTop = this.#element.scrollHeight;
  }
}
