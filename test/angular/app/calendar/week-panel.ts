import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { Panel } from '../panel';
import { Calendar, days, hourText } from './calendar';

@Component({
  selector: 'week-panel',
  imports: [Panel],
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <side-panel title="Your week" [note]="count() + ' appointments'">
      <dl>
        @for (day of week(); track day.name) {
          <div class="day">
            <dt>{{ day.name }}</dt>
            @for (appointment of day.appointments; track appointment.hour) {
              <dd [class.new]="appointment.isNew">
                <time>{{ hourText(appointment.hour) }}</time> {{ appointment.title }}
                @if (appointment.isNew) {
                  <span class="badge">New</span>
                }
              </dd>
            }
          </div>
        }
      </dl>
    </side-panel>
  `,
  styles: `
    dl {
      display: grid;
      margin: 0;
      font-size: 14px;
    }
    .day {
      display: grid;
      grid-template-columns: 96px minmax(0, 1fr);
      padding: 5px 0;
      border-top: 1px solid var(--line);
    }
    dt {
      grid-row: 1 / span 4;
      color: var(--ink-soft);
    }
    dd {
      grid-column: 2;
      margin: 0;
    }
    time {
      margin-right: var(--space-2);
      font-weight: 400;
      color: var(--ink-soft);
      font-variant-numeric: tabular-nums;
    }
    .new {
      font-weight: 600;
    }
    .badge {
      margin-left: var(--space-1);
      padding: 0 6px;
      border-radius: 9px;
      background: var(--accent-soft);
      color: var(--accent-strong);
      font-size: 12px;
    }
  `,
})
export class WeekPanel {
  readonly #calendar = inject(Calendar);

  protected readonly hourText = hourText;
  protected readonly count = computed(() => this.#calendar.appointments().length);
  protected readonly week = computed(() => days.map((name) => ({ name, appointments: this.#calendar.on(name) })));
}
