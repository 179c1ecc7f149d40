import { DestroyRef, Directive, ElementRef, afterNextRender, inject } from '@angular/core';

/** Keeps the end of what grows in sight, unless somebody has scrolled up to read. */
@Directive({ selector: '[keepAtEnd]', host: { '(scroll)': 'look()' } })
export class KeepAtEnd {
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #destroyRef = inject(DestroyRef);
  #isAtEnd = true;

  constructor() {
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
    this.#isAtEnd = scrollTop + clientHeight > scrollHeight - 40;
  }

  #follow(): void {
    if (this.#isAtEnd) this.#element.scrollTop = this.#element.scrollHeight;
  }
}
