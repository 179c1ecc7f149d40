import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import type { ToolApproval, UiToolCall } from 'toolstream/angular';
import { ApprovalButtons } from './approval-buttons';
import { fieldsOf } from './fields-of';
import { progressOf } from './progress-of';
import { statusText } from './status-text';

@Component({
  selector: 'tool-card',
  imports: [ApprovalButtons],
  changeDetection: ChangeDetectionStrategy.OnPush,
  styleUrl: './tool-card.css',
  host: { role: 'group', '[attr.aria-label]': 'label()', '[attr.data-status]': 'call().status' },
  template: `
    <div class="head">
      <span class="sign" aria-hidden="true"></span>
      <h3>{{ call().name }}</h3>
      <span class="status">{{ status() }}</span>
    </div>
    @if (fields(); as fields) {
      @if (fields.length > 0) {
        <dl aria-label="Arguments">
          @for (field of fields; track field.name) {
            <div>
              <dt>{{ field.name }}</dt>
              <dd>{{ field.text }}</dd>
            </div>
          }
        </dl>
      }
    } @else {
      <pre>{{ call().arguments }}</pre>
    }
    @if (progress(); as progress) {
      <progress [value]="progress.done" [max]="progress.total" [attr.aria-label]="'Progress of ' + call().name"></progress>
    }
    @if (approval(); as approval) {
      <approval-buttons [approval]="approval" />
    }
    @if (call().result; as result) {
      @if (call().status === 'done') {
        <details>
          <summary>Result</summary>
          <pre>{{ result }}</pre>
        </details>
      } @else {
        <p class="problem">{{ result }}</p>
      }
    }
  `,
})
export class ToolCard {
  readonly call = input.required<UiToolCall>();
  readonly approval = input<ToolApproval>();

  protected readonly fields = computed(() => fieldsOf(this.call().arguments));
  protected readonly status = computed(() => statusText(this.call()));
  protected readonly label = computed(() => `Tool ${this.call().name}: ${this.status()}`);
  protected readonly progress = computed(() => (this.call().status === 'running' ? progressOf(this.call().progress) : undefined));
}
