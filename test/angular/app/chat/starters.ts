import { ChangeDetectionStrategy, Component, output } from '@angular/core';

@Component({
  selector: 'chat-starters',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <div class="welcome">
      <h2>What is your week like?</h2>
      <p>The planner knows your calendar and the weather. It asks before it changes anything.</p>
    </div>
    <ul>
      @for (question of questions; track question) {
        <li>
          <button class="button" type="button" (click)="chosen.emit(question)">{{ question }}</button>
        </li>
      }
    </ul>
  `,
  styles: `
    :host {
      display: grid;
      gap: var(--space-5);
      margin: auto 0;
    }
    h2 {
      font-size: 22px;
      line-height: 1.3;
    }
    p {
      margin: var(--space-1) 0 0;
      color: var(--ink-soft);
    }
    ul {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(240px, 1fr));
      gap: var(--space-2);
      margin: 0;
      padding: 0;
      list-style: none;
    }
    .button {
      justify-content: flex-start;
      width: 100%;
      height: 100%;
      padding: var(--space-3) var(--space-4);
      border-color: var(--line);
      font-weight: 400;
      text-align: left;
    }
  `,
})
export class Starters {
  readonly chosen = output<string>();

  protected readonly questions = [
    'Find a dry hour for a run this week.',
    'How will the weather be in Atlantis?',
    'How does this page work?',
    'Lose the connection halfway.',
  ];
}
