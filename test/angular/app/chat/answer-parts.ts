import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import type { ToolApproval, UiAssistantMessage } from 'toolstream/angular';
import { ToolCard } from './tool-card';

@Component({
  selector: 'answer-parts',
  imports: [ToolCard],
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    @for (part of answer().parts; track $index) {
      @switch (part.type) {
        @case ('text') {
          <p class="text" [class.growing]="isGrowing() && $last">{{ part.text }}</p>
        }
        @case ('thinking') {
          <details class="thinking">
            <summary>Thoughts</summary>
            <p>{{ part.text }}</p>
          </details>
        }
        @case ('toolCall') {
          <tool-card [call]="part.call" [approval]="approvalOf().get(part.call.id)" />
        }
      }
    }
    @if (answer().status === 'submitted') {
      <p class="dots" aria-hidden="true"><span></span><span></span><span></span></p>
    }
    @if (answer().status === 'stopped') {
      <p class="stopped">Stopped</p>
    }
  `,
  styles: `
    :host {
      display: grid;
      gap: var(--space-3);
    }
    .text {
      margin: 0;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    .growing::after {
      content: '';
      display: inline-block;
      width: 2px;
      height: 1em;
      margin-left: 2px;
      vertical-align: -2px;
      background: var(--accent);
      animation: blink 1s steps(2) infinite;
    }
    .thinking,
    .stopped {
      margin: 0;
      color: var(--ink-soft);
      font-size: 13px;
    }
    .thinking p {
      margin: var(--space-1) 0 0;
      white-space: pre-wrap;
    }
    .dots {
      display: flex;
      gap: 5px;
      margin: var(--space-2) 0;
    }
    .dots span {
      width: 7px;
      height: 7px;
      border-radius: 50%;
      background: var(--line-strong);
      animation: swell 1.2s ease-in-out infinite;
    }
    .dots span:nth-child(2) {
      animation-delay: 0.15s;
    }
    .dots span:nth-child(3) {
      animation-delay: 0.3s;
    }
    @keyframes blink {
      to {
        visibility: hidden;
      }
    }
    @keyframes swell {
      50% {
        opacity: 0.3;
      }
    }
  `,
})
export class AnswerParts {
  readonly answer = input.required<UiAssistantMessage>();
  readonly approvals = input<readonly ToolApproval[]>([]);

  protected readonly isGrowing = computed(() => this.answer().status === 'streaming');
  protected readonly approvalOf = computed(() => new Map(this.approvals().map((approval) => [approval.id, approval])));
}
