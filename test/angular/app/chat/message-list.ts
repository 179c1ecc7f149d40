import { ChangeDetectionStrategy, Component, input } from '@angular/core';
import type { ToolApproval, UiMessage } from 'toolstream/angular';
import { AnswerParts } from './answer-parts';
import { KeepAtEnd } from './keep-at-end';

@Component({
  selector: 'message-list',
  imports: [AnswerParts, KeepAtEnd],
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <!-- What is said is announced elsewhere, and not token by token. A region that scrolls must be reached by the keyboard. -->
    <div class="scroller" [keepAtEnd]="messages().length" role="region" aria-label="Conversation" tabindex="0">
      <div class="column">
        @for (message of messages(); track message.id) {
          <article [class]="message.role" [attr.data-status]="message.status">
            <h2 class="visually-hidden">{{ message.role === 'user' ? 'You' : 'Planner' }}</h2>
            @if (message.role === 'user') {
              <p class="question">{{ message.text }}</p>
              @if (message.status !== 'sent') {
                <p class="note">{{ message.status === 'queued' ? 'Waits for the answer before' : 'Not sent' }}</p>
              }
            } @else {
              <answer-parts [answer]="message" [approvals]="approvals()" />
            }
          </article>
        }
        <ng-content />
      </div>
    </div>
  `,
  styles: `
    :host {
      min-height: 0;
    }
    .scroller {
      height: 100%;
      overflow-y: auto;
      overscroll-behavior: contain;
    }
    .scroller:focus-visible {
      outline-offset: -3px;
    }
    .column {
      display: flex;
      flex-direction: column;
      gap: var(--space-4);
      max-width: 760px;
      min-height: 100%;
      margin: 0 auto;
      padding: var(--space-5);
    }
    .user {
      align-self: flex-end;
      max-width: min(85%, 560px);
      text-align: right;
    }
    .question {
      margin: 0;
      padding: var(--space-2) var(--space-4);
      border-radius: var(--radius-large) var(--radius-large) 4px var(--radius-large);
      background: var(--accent-soft);
      text-align: left;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    .note {
      margin: var(--space-1) var(--space-1) 0;
      color: var(--ink-soft);
      font-size: 13px;
    }
    @media (max-width: 720px) {
      .column {
        padding: var(--space-4) var(--space-3);
      }
    }
  `,
})
export class MessageList {
  readonly messages = input.required<readonly UiMessage[]>();
  readonly approvals = input.required<readonly ToolApproval[]>();
}
