import { DestroyRef, Directive, ElementRef, afterNextRender, effect, inject, input } from '@angular/core';

/** Keeps the end of what grows in sight, unless somebody has scrolled up to read. */
@Directive({
  selector: '[keepAtEnd]',
  host: {
    '(scroll)': 'look()',
    '(wheel)': 'isMoved = true',
    '(touchmove)': 'isMoved = true',
    '(pointerdown)': 'isMoved = true',
    '(keydown)': 'isMoved = true',
  },
})
export class KeepAtEnd {
  /** Shows the end again when it changes. */
  readonly keepAtEnd = input<unknown>();

  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #destroyRef = inject(DestroyRef);
  #isKept = true;
  /** Somebody may have scrolled. What shrinks scrolls, too, and that is nobody's wish. */
  protected isMoved = false;

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
    else if (this.isMoved) this.#isKept = false;
    this.isMoved = false;
  }

  #follow(): void {
    if (this.#isKept) this.#element.scrollTop = this.#element.scrollHeight;
  }
}
