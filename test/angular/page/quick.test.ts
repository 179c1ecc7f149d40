import { describe } from 'vitest';
import { browserTest as it, inBrowser } from './browser-test.ts';
import { button, loseAnswer, run } from './chat.ts';

describe("the README's component, in a browser", inBrowser, () => {
  it('asks, shows tools at work, lets one approve, and answers', async ({ page }) => {
    await page.getByRole('link', { name: 'Quick' }).click();
    await page.getByLabel('Question').fill(run);
    await button(page, 'Ask').click();
    await page.getByText('find_free_hours {}').waitFor();
    await page.getByText('weather_forecast {"city":"Lisbon"}').waitFor();
    await button(page, 'Approve add_appointment').click();
    await page.getByText('Your run is on Thursday at 18:00').waitFor();
  });

  it('stops, and tries again what failed', async ({ page, server }) => {
    await page.getByRole('link', { name: 'Quick' }).click();
    await loseAnswer(page, server, 'Question');
    await button(page, 'Try again').click();
    await page.getByText('This time the connection has held').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});
