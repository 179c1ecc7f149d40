import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { answers, ask, button, card, loseAnswer, run } from './chat.ts';
import { browserTest, inBrowser } from './browser-test.ts';

const devices = [
  ['a desktop, light', { colorScheme: 'light' }],
  ['a phone, dark', { colorScheme: 'dark', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
] as const;

describe.each(devices)('on %s, everybody can use the page', inBrowser, (_, options) => {
  const it = browserTest.extend({ device: options });

  it('in each of its states', async ({ page, server, expect }) => {
    const found: string[] = [];
    const check = async (state: string) => found.push(...(await violations(page)).map((violation) => `${state}: ${violation}`));
    await button(page, run).waitFor();
    await check('empty');
    await ask(page, run);
    await card(page, 'weather_forecast', 'Running').waitFor();
    await check('tools');
    await button(page, 'Approve add_appointment').waitFor();
    await check('approval');
    await button(page, 'Approve add_appointment').click();
    await answers(page, 'done').waitFor();
    for (const summary of await page.locator('tool-card summary').all()) await summary.click();
    await check('finished');
    await loseAnswer(page, server);
    await button(page, 'Try again').waitFor();
    await check('error');
    await page.getByRole('link', { name: 'About' }).click();
    await page.getByText('ends when you leave.').waitFor();
    await check('about');
    expect(found).toEqual([]);
  });
});

describe('with the keyboard alone', inBrowser, () => {
  const it = browserTest;

  it('one can ask, approve and read on, and what is pressed for the last time does not lose the focus', async ({
    page,
    expect,
  }) => {
    await button(page, run).focus();
    await page.keyboard.press('Enter');
    await button(page, 'Approve add_appointment').waitFor();
    await expectFocusIn(page, 'main');
    await button(page, 'Approve add_appointment').focus();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Deny add_appointment');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    await card(page, 'add_appointment', 'Done').waitFor();
    await expectFocusIn(page, 'main');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Conversation');
  });

  it('a line can be broken with Shift+Enter', async ({ page, expect }) => {
    const input = page.getByLabel('Your question');
    await input.fill('one');
    await input.press('Shift+Enter');
    await input.pressSequentially('two');
    expect(await input.inputValue()).toBe('one\ntwo');
    await input.press('Enter');
    expect(await input.inputValue()).toBe('');
    expect(await page.locator('article.user p').innerText()).toBe('one\ntwo');
  });
});

describe('with a screen reader', inBrowser, () => {
  const it = browserTest;

  it('one hears what goes on and what is to decide, and the answer once it is whole', async ({ page }) => {
    const heard = page.getByRole('status');
    await ask(page, run);
    await heard.getByText('Running find_free_hours and weather_forecast.').waitFor();
    await heard.getByText('add_appointment needs your approval.').waitFor();
    await button(page, 'Approve add_appointment').click();
    await heard.getByText('Your run is on Thursday at 18:00').waitFor();
    await answers(page, 'done').waitFor();
  });
});

describe.each([320, 390])('on a phone that is %i pixels wide', inBrowser, (width) => {
  const it = browserTest.extend({ device: { viewport: { width, height: 700 }, isMobile: true, hasTouch: true } });

  it('nothing is cut off, and a finger hits every button', async ({ page, expect }) => {
    await ask(page, run);
    await button(page, 'Approve add_appointment').waitFor();
    await page.getByText('Timeline', { exact: true }).click();
    await page.getByRole('img', { name: /^Timeline/ }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const small = await page
      .locator('button, summary, nav a')
      .evaluateAll((elements) =>
        elements.filter((element) => element.getBoundingClientRect().height < 44).map(({ textContent }) => textContent.trim()),
      );
    expect(small).toEqual([]);
  });
});

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
  });
}

function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement!.getAttribute('aria-label') ?? document.activeElement!.tagName.toLowerCase());
}

async function expectFocusIn(page: Page, tag: string): Promise<void> {
  await page.waitForFunction((wanted) => document.activeElement?.closest(wanted), tag);
}
