import { describe } from 'vitest';
import { answers, ask, atlantis, button, card, run } from './chat.ts';
import { browserTest as it, inBrowser } from './browser-test.ts';

describe('tools in a browser', inBrowser, () => {
  it('run at the same time, while the page shows their arguments and progress, and draws when they ran', async ({
    page,
    expect,
  }) => {
    await ask(page, run);
    await page.waitForFunction(() => document.querySelectorAll('tool-card[data-status=running]').length === 2);
    await card(page, 'weather_forecast', 'Running').getByText('Lisbon').waitFor();
    await page.getByRole('progressbar', { name: 'Progress of find_free_hours' }).waitFor();
    await page.getByRole('img', { name: 'Timeline, running' }).waitFor();
    await card(page, 'find_free_hours', 'Done in 1.').getByText('Result').click();
    await page.getByText('Friday 09:00, 12:00, 18:00').waitFor();
    const timeline = page.getByRole('img', { name: 'find_free_hours ok, weather_forecast ok' });
    expect(await timeline.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)).toBeGreaterThan(0);
  });

  it('that change something run once they are approved', async ({ page, expect }) => {
    await ask(page, run);
    await card(page, 'add_appointment', 'Needs your approval').getByText('Thursday').waitFor();
    expect(await page.getByText('6 appointments').count()).toBe(1);
    await button(page, 'Approve add_appointment').click();
    await page.getByText('7 appointments').waitFor();
    await card(page, 'add_appointment', 'Done').waitFor();
    await answers(page, 'done').getByText('Your run is on Thursday at 18:00').waitFor();
  });

  it('that are denied do not run, and the model is told', async ({ page, expect }) => {
    await ask(page, run);
    await button(page, 'Deny add_appointment').click();
    await card(page, 'add_appointment', 'Denied').getByText('The user does not want that.').waitFor();
    await answers(page, 'done').getByText('I have left your calendar as it is.').waitFor();
    expect(await page.getByText('6 appointments').count()).toBe(1);
  });

  it('that fail say why, and the model goes on', async ({ page }) => {
    await ask(page, atlantis);
    await card(page, 'weather_forecast', 'Failed').getByText('There is no weather station in Atlantis.').waitFor();
    await answers(page, 'done').getByText('Shall I look for another city?').waitFor();
  });

  it('that run are ended with what they wait for when the answer is stopped', async ({ page }) => {
    await ask(page, run);
    await card(page, 'weather_forecast', 'Running').waitFor();
    await button(page, 'Stop').click();
    await card(page, 'find_free_hours', 'Stopped').waitFor();
    await card(page, 'weather_forecast', 'Stopped').waitFor();
    await page.getByRole('img', { name: 'Timeline, cancelled' }).waitFor();
  });
});
