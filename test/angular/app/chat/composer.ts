import type { ElementRef } from '@angular/core';
import { ChangeDetectionStrategy, Component, computed, input, output, signal, viewChild } from '@angular/core';
import type { ChatStatus } from 'toolstream/angular';

@Component({
  selector: 'chat-composer',
  changeDetection: ChangeDetectionStrategy.OnPush,
  styleUrl: './composer.css',
  template: `
    <form (submit)="ask($event)">
      <label class="visually-hidden" for="question">Your question</label>
      <textarea
        #question
        id="question"
        rows="1"
        placeholder="Ask about your week"
        aria-describedby="keys"
        [value]="draft()"
        (input)="draft.set($any($event.target).value)"
        (keydown.enter)="ask($event)"
      ></textarea>
      @if (isBusy()) {
        <button class="button" type="button" (click)="stopped.emit()">Stop</button>
      }
      <button class="button primary" type="submit" [disabled]="isEmpty()">Send</button>
    </form>
    <div class="foot">
      <p id="keys">Enter sends, Shift+Enter breaks the line, Escape stops.</p>
      <button class="anew" type="button" (click)="begunAnew.emit()">New chat</button>
    </div>
  `,
})
export class Composer {
  readonly status = input.required<ChatStatus>();
  readonly asked = output<string>();
  readonly stopped = output();
  readonly begunAnew = output();

  protected readonly question = viewChild.required<ElementRef<HTMLTextAreaElement>>('question');
  protected readonly draft = signal('');
  protected readonly isEmpty = computed(() => this.draft().trim() === '');
  protected readonly isBusy = computed(() => this.status() === 'submitted' || this.status() === 'streaming');

  protected ask(event: Event): void {
    // Enter that ends a composition (of Japanese, say) is not meant for us.
    if (event instanceof KeyboardEvent && event.isComposing) return;
    event.preventDefault();
    if (this.isEmpty()) return;
    this.asked.emit(this.draft().trim());
    this.draft.set('');
    // What was typed in this very frame is not bound yet: the binding would see no change.
    this.question().nativeElement.value = '';
  }
}
