import { ChangeDetectionStrategy, Component } from '@angular/core';
import { injectChat } from 'toolstream/angular';

@Component({
  selector: 'quick-chat',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <main>
      <h1>Quick chat</h1>
      @for (message of chat.messages(); track message.id) {
        @if (message.role === 'user') {
          <p><b>You:</b> {{ message.text }}</p>
        } @else {
          @for (part of message.parts; track $index) {
            @switch (part.type) {
              @case ('text') {
                <p>{{ part.text }}</p>
              }
              @case ('toolCall') {
                <p>
                  <code>{{ part.call.name }} {{ part.call.arguments }}</code> {{ part.call.status }}
                </p>
              }
            }
          }
        }
      }
      @for (call of chat.approvals(); track call.id) {
        <button type="button" (click)="call.approve()">Approve {{ call.name }}</button>
        <button type="button" (click)="call.deny('The user said no.')">Deny {{ call.name }}</button>
      }
      @if (chat.error(); as error) {
        <p role="alert">{{ error.message }} <button type="button" (click)="chat.retry()">Try again</button></p>
      }
      <form (submit)="$event.preventDefault(); chat.send(question.value); question.value = ''">
        <label>Question <input #question required /></label>
        <button>Ask</button>
        <button type="button" (click)="chat.stop()">Stop</button>
      </form>
    </main>
  `,
})
export class QuickChat {
  protected readonly chat = injectChat();
}
