import { describe } from 'vitest';
import { answers, ask, button, long, loseAnswer, run } from './chat.ts';
import { browserTest as it, inBrowser } from './browser-test.ts';
import { untilExchanges } from './until-exchanges.ts';

describe('a chat in a browser', inBrowser, () => {
  it('shows the text while it streams, and the whole of it in the end', async ({ page, expect }) => {
    await ask(page, long);
    const text = answers(page, 'streaming').locator('p.text');
    const first = await text.innerText();
    await page.waitForFunction((known) => document.querySelector('p.text')!.textContent.length > known.length, first);
    await answers(page, 'streaming').waitFor();
    const second = await text.innerText();
    expect(second.startsWith(first)).toBe(true);
    await answers(page, 'done').getByText('It grows while you watch.').waitFor();
  });

  it('closes the HTTP request when it is stopped, by a button or by Escape', async ({ page, server }) => {
    await ask(page, long);
    await answers(page, 'streaming').waitFor();
    await button(page, 'Stop').click();
    await untilExchanges(server, 'left');
    await answers(page, 'stopped').getByText('Stopped').waitFor();
    await ask(page, long);
    await answers(page, 'streaming').waitFor();
    await page.keyboard.press('Escape');
    await untilExchanges(server, 'left', 'left');
    await button(page, 'Stop').waitFor({ state: 'detached' });
  });

  it('ends an answer when something else is asked meanwhile', async ({ page, server }) => {
    await ask(page, long);
    await answers(page, 'streaming').waitFor();
    await ask(page, 'And you?');
    await answers(page, 'stopped').waitFor();
    await answers(page, 'done').getByText("I am a script and can't answer that.").waitFor();
    await untilExchanges(server, 'left', 'whole');
  });

  it('ends all when somebody leaves for another page, and shows what is remembered to who comes back', async ({
    page,
    server,
    expect,
  }) => {
    await ask(page, 'Are you there?');
    await answers(page, 'done').waitFor();
    await ask(page, long);
    await answers(page, 'streaming').waitFor();
    await page.getByRole('link', { name: 'About' }).click();
    await page.getByRole('heading', { name: 'About this page' }).waitFor();
    await page.getByText('ends when you leave.').waitFor();
    await page.goBack();
    await page.getByText('Are you there?').waitFor();
    expect(await page.locator('article').count()).toBe(2);
    await untilExchanges(server, 'whole', 'left', 'whole');
  });

  it('shows an error, and goes on when it is asked to', async ({ page, server, expect }) => {
    await loseAnswer(page, server);
    await page.getByRole('alert').getByText('the connection was lost').waitFor();
    await untilExchanges(server, 'lost');
    await button(page, 'Try again').click();
    await answers(page, 'done').getByText('This time the connection has held, and the answer is whole.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('article').count()).toBe(2);
    await untilExchanges(server, 'lost', 'whole');
  });

  it('keeps the end in sight while it grows, but not from somebody who has scrolled up to read', async ({ page, expect }) => {
    await page.setViewportSize({ width: 800, height: 400 });
    await ask(page, run);
    // Not by the mouse, which would scroll the button into the middle first.
    await button(page, 'Approve add_appointment').evaluate((element) => (element as HTMLElement).click());
    await answers(page, 'done').waitFor();
    const conversation = page.getByRole('region', { name: 'Conversation' });
    const patience = { timeout: 10_000 };
    const top = () => conversation.evaluate(({ scrollTop }) => scrollTop);
    const below = () =>
      conversation.evaluate(({ scrollTop, clientHeight, scrollHeight }) => scrollHeight - clientHeight - scrollTop);
    await expect.poll(below, patience).toBeLessThan(2);
    await ask(page, long);
    await answers(page, 'streaming').waitFor();
    await expect.poll(below, patience).toBeLessThan(2);
    await conversation.hover();
    await page.mouse.wheel(0, -5000);
    await expect.poll(top, patience).toBe(0);
    await answers(page, 'done').getByText('It grows while you watch.').waitFor({ state: 'attached' });
    expect(await top()).toBe(0);
  });

  it('begins anew with another memory', async ({ page, expect }) => {
    await ask(page, 'Are you there?');
    await answers(page, 'done').waitFor();
    await button(page, 'New chat').click();
    await page.getByRole('heading', { name: 'What is your week like?' }).waitFor();
    expect(await page.locator('article').count()).toBe(0);
  });

  it('runs without zone.js', async ({ page, expect }) => {
    expect(await page.evaluate(() => 'Zone' in globalThis)).toBe(false);
  });
});
