import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import type { Chat } from 'toolstream/angular';

/** Says to a screen reader what the page shows: that something goes on, what has to be decided, and an answer when it is whole. */
@Component({
  selector: 'chat-announcer',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `<p class="visually-hidden" role="status">{{ announcement() }}</p>`,
})
export class Announcer {
  readonly chat = input.required<Chat>();

  protected readonly announcement = computed(() => {
    const { status, approvals, toolCalls, text, invocation } = this.chat();
    const [approval] = approvals();
    if (approval) return `${approval.name} needs your approval.`;
    if (status() === 'idle') return invocation() ? text() : '';
    // An error is announced where it is shown.
    if (status() === 'error') return '';
    const running = toolCalls().filter((call) => call.status === 'running');
    return running.length > 0 ? `Running ${running.map(({ name }) => name).join(' and ')}.` : 'The planner is answering.';
  });
}
