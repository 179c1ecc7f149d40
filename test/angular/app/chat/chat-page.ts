import { ChangeDetectionStrategy, Component, inject } from '@angular/core';
import { injectChat } from 'toolstream/angular';
import { WeekPanel } from '../calendar/week-panel';
import { Announcer } from './announcer';
import { Composer } from './composer';
import { Conversation } from './conversation';
import { FailureNote } from './failure-note';
import { KeepFocus } from './keep-focus';
import { MessageList } from './message-list';
import { Starters } from './starters';
import { TimelinePanel } from './timeline-panel';

@Component({
  selector: 'chat-page',
  imports: [Announcer, Composer, FailureNote, KeepFocus, MessageList, Starters, TimelinePanel, WeekPanel],
  changeDetection: ChangeDetectionStrategy.OnPush,
  styleUrl: './chat-page.css',
  host: { '(document:keydown.escape)': 'chat.stop()' },
  template: `
    <main keepFocus>
      <h1 class="visually-hidden">Plan your week</h1>
      <message-list [messages]="chat.messages()" [approvals]="chat.approvals()">
        @if (chat.messages().length === 0) {
          <chat-starters (chosen)="chat.send($event)" />
        }
        @if (chat.error(); as error) {
          <failure-note [error]="error" (retried)="chat.retry()" />
        }
      </message-list>
      <chat-composer
        [status]="chat.status()"
        (asked)="chat.send($event)"
        (stopped)="chat.stop()"
        (begunAnew)="conversation.beginAnew()"
      />
      <chat-announcer [chat]="chat" />
    </main>
    <aside aria-label="Your week, and what happens">
      <week-panel />
      <timeline-panel [invocation]="chat.invocation()" />
    </aside>
  `,
})
export class ChatPage {
  protected readonly conversation = inject(Conversation);
  protected readonly chat = injectChat({ memoryId: this.conversation.id });
}
