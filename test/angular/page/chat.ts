import type { Locator, Page } from 'playwright-core';
import type { DemoServer } from '../server/server.ts';

/** What a user finds on the page, by the names that a screen reader would say. */
export const run = 'Find a dry hour for a run this week.';
export const long = 'How does this page work?';
const lost = 'Lose the connection halfway.';
export const atlantis = 'How will the weather be in Atlantis?';

export async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Your question').fill(question);
  await page.keyboard.press('Enter');
}

/** Asks something whose answer is lost once its beginning is on the page. */
export async function loseAnswer(page: Page, server: DemoServer, field = 'Your question'): Promise<void> {
  await page.getByLabel(field).fill(lost);
  await page.keyboard.press('Enter');
  await page.getByText('This answer begins well').waitFor();
  server.exchanges.at(-1)!.lose();
}

export function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

export function card(page: Page, tool: string, status: string): Locator {
  return page.getByRole('group', { name: new RegExp(`^Tool ${tool}: ${status}`) });
}

export function answers(page: Page, status: 'submitted' | 'streaming' | 'done' | 'stopped' | 'failed'): Locator {
  return page.locator(`article.assistant[data-status=${status}]`);
}
