import { ChangeDetectionStrategy, Component } from '@angular/core';
import { aiServiceResource } from 'toolstream/angular';

@Component({
  selector: 'about-page',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <main>
      <h1>About this page</h1>
      <p class="text" [attr.aria-busy]="summary.isStreaming()">{{ summary.value() }}</p>
      @if (summary.error()) {
        <p role="alert">The text could not be loaded.</p>
      }
      <button class="button" type="button" [disabled]="summary.isStreaming()" (click)="summary.reload()">Say it again</button>
    </main>
  `,
  styles: `
    main {
      max-width: 640px;
      margin: 0 auto;
      padding: var(--space-6) var(--space-5);
    }
    h1 {
      font-size: 22px;
    }
    .text {
      min-height: 6em;
      white-space: pre-wrap;
    }
  `,
})
export class AboutPage {
  protected readonly summary = aiServiceResource({
    service: 'plain',
    params: () => 'Say in two sentences what this page is for.',
  });
}
