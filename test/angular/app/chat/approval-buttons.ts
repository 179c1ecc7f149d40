import { ChangeDetectionStrategy, Component, input } from '@angular/core';
import type { ToolApproval } from 'toolstream/angular';

@Component({
  selector: 'approval-buttons',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <button class="button primary" type="button" [attr.aria-label]="'Approve ' + approval().name" (click)="approval().approve()">
      Approve
    </button>
    <button
      class="button"
      type="button"
      [attr.aria-label]="'Deny ' + approval().name"
      (click)="approval().deny('The user does not want that.')"
    >
      Deny
    </button>
  `,
  styles: `
    :host {
      display: flex;
      gap: var(--space-2);
      margin-top: var(--space-3);
    }
  `,
})
export class ApprovalButtons {
  readonly approval = input.required<ToolApproval>();
}
