import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { waitTimeoutMs } from '../eventually.js';
import { violationsOn } from './board-page.js';
import { launchBrowser, openDemo } from './page.js';

const demo = inject('demo');
const waiting = { timeout: waitTimeoutMs };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const openDialog = async (page: Page) => {
  const subscribe = page.locator('pa-subscribe');
  await subscribe.getByRole('button', { name: 'Subscribe' }).click(waiting);
  const dialog = subscribe.getByRole('dialog');
  await dialog.getByText('Your subscriptions').waitFor(waiting);
  return dialog;
};

describe('a subscription', () => {
  it('is made on the dashboard, arrives on the mail page, and ends', async () => {
    const { page, problems } = await openDemo(browser, `${demo}/network`, 'atlanta');
    const dialog = await openDialog(page);
    await dialog.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await dialog.getByRole('button', { name: /^Send now/ }).click(waiting);
    // A busy machine may need more time to render the message than the dialog waits.
    const result = dialog.getByText(/^(?:Sent|The message is still being sent\.)$/);
    await result.waitFor({ state: 'attached', timeout: 2 * waitTimeoutMs });
    expect(await violationsOn(page)).toEqual([]);
    await page.goto(`${demo}/mail`);
    const message = page.getByRole('article').first();
    await message.getByText('to ada@atl.example').waitFor({ timeout: 2 * waitTimeoutMs });
    const picture = message.getByRole('img');
    await picture.scrollIntoViewIfNeeded(waiting);
    await page.waitForFunction(() => (document.querySelector('article img') as HTMLImageElement).naturalWidth > 0);
    expect(await message.locator('pre').textContent()).toContain('Unsubscribe: ');
    expect(await violationsOn(page)).toEqual([]);

    await page.goto(`${demo}/network`);
    const again = await openDialog(page);
    await again.getByRole('button', { name: /^Unsubscribe/ }).click();
    await again.getByText('You have no subscriptions').waitFor(waiting);
    expect(await problems()).toEqual([]);
    await page.context().close();
  });

  it('is not offered to users of the account, and its messages are not shown to other tenants', async () => {
    const { page } = await openDemo(browser, demo, 'analyst');
    await page.locator('pa-dashboard pa-export').waitFor({ state: 'attached', timeout: waitTimeoutMs });
    expect(await page.locator('pa-subscribe').count()).toBe(0);
    await page.context().close();
    const other = await openDemo(browser, `${demo}/mail`, 'dallas');
    const messages = await other.page.evaluate(async () => (await fetch('/api/mail')).json());
    expect(JSON.stringify(messages)).not.toContain('ada@atl.example');
    await other.page.context().close();
  });
});
