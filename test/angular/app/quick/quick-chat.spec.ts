import { TestBed } from '@angular/core/testing';
import { provideFakeAiService } from 'toolstream/angular/testing';
import { runMarbles } from 'toolstream/testing';
import { QuickChat } from './quick-chat';

describe('QuickChat', () => {
  it('shows the text while it streams', () => {
    runMarbles(({ model, at, expectSubscriptions }) => {
      const answers = model(['-y-e-s---|']);
      TestBed.configureTestingModule({ providers: [provideFakeAiService(answers)] });
      const fixture = TestBed.createComponent(QuickChat);
      fixture.componentInstance['chat'].send('Are you there?');
      at(4, () => {
        fixture.detectChanges();
        expect((fixture.nativeElement as HTMLElement).textContent).toContain('ye');
      });
      at(6, () => fixture.destroy());
      expectSubscriptions(answers).toBe('^-----!'); // the request is closed with the component
    });
  });
});
