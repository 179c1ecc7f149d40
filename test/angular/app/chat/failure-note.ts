import { ChangeDetectionStrategy, Component, input, output } from '@angular/core';

@Component({
  selector: 'failure-note',
  changeDetection: ChangeDetectionStrategy.OnPush,
  host: { role: 'alert' },
  template: `
    <div>
      <h2>The answer could not be finished</h2>
      <p>{{ error().message }}</p>
    </div>
    <button class="button" type="button" (click)="retried.emit()">Try again</button>
  `,
  styles: `
    :host {
      display: flex;
      align-items: center;
      flex-wrap: wrap;
      gap: var(--space-3);
      padding: var(--space-3) var(--space-4);
      border: 1px solid var(--bad-line);
      border-radius: var(--radius-large);
      background: var(--bad-soft);
      font-size: 14px;
    }
    div {
      flex: 1 1 240px;
    }
    h2 {
      font-size: 14px;
      color: var(--bad);
    }
    p {
      margin: 2px 0 0;
      color: var(--ink-soft);
      overflow-wrap: anywhere;
    }
  `,
})
export class FailureNote {
  readonly error = input.required<Error>();
  readonly retried = output();
}
