import { Directive, ElementRef, afterEveryRender, inject } from '@angular/core';

/** Takes the focus over from what has it and goes: a button that was pressed for the last time. */
@Directive({ selector: '[keepFocus]', host: { tabindex: '-1', '(focusin)': 'focused = $any($event.target)' } })
export class KeepFocus {
  protected focused: HTMLElement | undefined;

  constructor() {
    const host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
    afterEveryRender(() => {
      if (!this.focused || this.focused.isConnected) return;
      this.focused = undefined;
      if (document.activeElement === document.body) host.focus({ preventScroll: true });
    });
  }
}
