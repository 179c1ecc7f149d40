import { ChangeDetectionStrategy, Component, input } from '@angular/core';

/** A part of the side that can be folded; where there is little room, it is folded at first. */
@Component({
  selector: 'side-panel',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <details [open]="hasRoom">
      <summary>
        <h2>{{ title() }}</h2>
        <span>{{ note() }}</span>
      </summary>
      <div class="content"><ng-content /></div>
    </details>
  `,
  styles: `
    details {
      border: 1px solid var(--line);
      border-radius: var(--radius-large);
      background: var(--raised);
    }
    summary {
      display: flex;
      align-items: center;
      gap: var(--space-2);
      min-height: 44px;
      padding: 0 var(--space-4);
      border-radius: var(--radius-large);
      cursor: pointer;
      list-style: none;
    }
    summary::-webkit-details-marker {
      display: none;
    }
    summary::after {
      content: '';
      width: 7px;
      height: 7px;
      border: solid var(--ink-soft);
      border-width: 0 1.5px 1.5px 0;
      transform: rotate(-45deg);
      transition: transform 0.15s;
    }
    details[open] > summary::after {
      transform: translateY(-3px) rotate(45deg);
    }
    summary:focus-visible {
      outline-offset: -2px;
    }
    span {
      margin-left: auto;
      color: var(--ink-soft);
      font-size: 13px;
    }
    .content {
      padding: 0 var(--space-4) var(--space-4);
    }
    @media (max-width: 1000px) {
      details {
        border-width: 1px 0 0;
        border-radius: 0;
      }
      .content {
        padding: 0 var(--space-3) var(--space-3);
      }
      summary {
        padding: 0 var(--space-3);
      }
    }
  `,
})
export class Panel {
  readonly title = input.required<string>();
  readonly note = input('');

  protected readonly hasRoom = globalThis.matchMedia?.('(min-width: 1001px)').matches ?? true;
}
