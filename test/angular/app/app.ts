import { NgComponentOutlet } from '@angular/common';
import { Component, ChangeDetectionStrategy, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { Title } from '@angular/platform-browser';
import { switchMap, tap } from 'rxjs';
import { Navigation } from './navigation';
import { pages } from './pages';

@Component({
  selector: 'planner-app',
  imports: [NgComponentOutlet],
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <header>
      <p class="name">
        <svg viewBox="0 0 16 16" width="22" height="22" aria-hidden="true">
          <rect width="16" height="16" rx="4" />
          <path d="M4 5.5h8M4 8h6M4 10.5h4" />
        </svg>
        Week planner
      </p>
      <nav aria-label="Pages">
        @for (page of pages; track page.path) {
          <a [href]="page.path" [attr.aria-current]="page === current() ? 'page' : null" (click)="open($event, page.path)">{{
            page.title
          }}</a>
        }
      </nav>
    </header>
    <ng-container *ngComponentOutlet="component() ?? null" />
  `,
  styles: `
    :host {
      display: grid;
      grid-template-rows: auto minmax(0, 1fr);
      height: 100dvh;
    }
    header {
      display: flex;
      align-items: center;
      justify-content: space-between;
      gap: var(--space-4);
      padding: 0 var(--space-5);
      min-height: 52px;
      border-bottom: 1px solid var(--line);
      background: var(--raised);
    }
    .name {
      display: flex;
      align-items: center;
      gap: var(--space-2);
      margin: 0;
      font-weight: 600;
      letter-spacing: -0.01em;
    }
    rect {
      fill: var(--accent);
    }
    path {
      stroke: var(--on-accent);
      stroke-width: 1.5;
      stroke-linecap: round;
    }
    nav {
      display: flex;
      gap: var(--space-1);
    }
    a {
      display: flex;
      align-items: center;
      min-height: var(--target);
      padding: 0 var(--space-3);
      border-radius: var(--radius);
      color: var(--ink-soft);
      text-decoration: none;
    }
    a:hover {
      color: var(--ink);
      background: var(--hover);
    }
    a[aria-current] {
      color: var(--ink);
      font-weight: 600;
    }
    @media (max-width: 720px) {
      header {
        gap: var(--space-2);
        padding: 0 var(--space-3);
      }
      nav {
        gap: 0;
      }
      a {
        padding: 0 var(--space-2);
      }
    }
  `,
})
export class App {
  readonly #navigation = inject(Navigation);
  readonly #title = inject(Title);

  protected readonly pages = pages;
  protected readonly current = toSignal(
    this.#navigation.page$.pipe(tap(({ title }) => this.#title.setTitle(`${title} · Week planner`))),
  );
  protected readonly component = toSignal(this.#navigation.page$.pipe(switchMap(({ load }) => load())));

  protected open(event: MouseEvent, path: string): void {
    // To open a link in another tab is the browser's business.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#navigation.go(path);
  }
}
