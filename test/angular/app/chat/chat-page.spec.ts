import { TestBed } from '@angular/core/testing';
import { provideFakeAiService } from 'toolstream/angular/testing';
import { runMarbles, scriptedModel, type ScriptedAnswer, type ScriptedModel } from 'toolstream/testing';
import { Calendar } from '../calendar/calendar';
import { addAppointment } from '../tools/add-appointment';
import { ChatPage } from './chat-page';

describe('the chat page', () => {
  it('shows a question and its answer', () => {
    const page = pageWith([['Good ', 'morning.']]);
    page.ask('Hello');
    expect(page.messages()).toEqual(['Hello', 'Good morning.']);
    expect(page.draft()).toBe('');
  });

  it('adds an appointment once somebody has approved it', () => {
    const page = pageWith([[addRun], ['Done.']]);
    page.ask('Add it');
    expect(page.calendar()).not.toContain('Run');
    page.press('Approve');
    expect(page.calendar()).toContain('Run');
    expect(page.messages()).toEqual(['Add it', 'Done.']);
  });

  it('leaves the calendar as it is when somebody says no, and tells the model so', () => {
    const model = scriptedModel([[addRun], ['All right.']]);
    const page = pageWith(model);
    page.ask('Add it');
    page.press('Deny');
    expect(page.calendar()).not.toContain('Run');
    expect(page.messages()).toEqual(['Add it', 'The call was not approved: The user does not want that. All right.']);
    expect(model.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: 'tool', isError: true });
  });

  it('shows the text as it streams, and ends the request when it is destroyed: in virtual time', () => {
    runMarbles(({ model, at, expectSubscriptions }) => {
      const answers = model(['--h-e-l-l-o------|']);
      const page = pageWith(answers);
      page.ask('Hello');
      at(1, () => expect(page.messages()).toEqual(['Hello', '']));
      at(2, () => expect(page.messages()).toEqual(['Hello', 'h']));
      at(7, () => expect(page.messages()).toEqual(['Hello', 'hel']));
      at(9, () => page.destroy());
      expectSubscriptions(answers).toBe('^--------!');
    });
  });
});

const addRun = { call: 'add_appointment', arguments: { day: 'Thursday', hour: 18, title: 'Run' } };

/** The page, with a model that follows a script; and what its user sees and does. */
function pageWith(script: readonly ScriptedAnswer[] | ScriptedModel) {
  TestBed.configureTestingModule({ providers: [provideFakeAiService(script, () => ({ tools: [addAppointment()] }))] });
  const fixture = TestBed.createComponent(ChatPage);
  const element = fixture.nativeElement as HTMLElement;
  const all = (selector: string, within: Element = element) => Array.from(within.querySelectorAll<HTMLElement>(selector));
  TestBed.tick();
  return {
    /** The paragraphs of each message. */
    messages(): readonly string[] {
      TestBed.tick();
      return all('article').map((article) => all('p', article).map(textOf).join(' '));
    },
    calendar: () =>
      TestBed.inject(Calendar)
        .appointments()
        .map(({ title }) => title),
    draft: () => element.querySelector('textarea')!.value,
    ask(question: string): void {
      const input = element.querySelector('textarea')!;
      input.value = question;
      input.dispatchEvent(new Event('input'));
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
      TestBed.tick();
    },
    press(button: string): void {
      all('button')
        .find((found) => textOf(found) === button)!
        .click();
      TestBed.tick();
    },
    destroy: () => fixture.destroy(),
  };
}

function textOf({ textContent }: Element): string {
  return textContent.trim();
}
