import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { violationsOn } from './board-page.js';
import { launchBrowser, openDemo } from './page.js';

// The documentation site, served by the demo under its content security policy.

const site = `${inject('demo')}/docs`;
/** The event that shows that the example of an element works. */
const examples = [
  ['pa-session', 'pa-session-ready'],
  ['pa-dashboard', 'pa-load'],
  ['pa-report', 'pa-load'],
  ['pa-chat', 'pa-session-ready'],
] as const;

let browser: Browser;
beforeAll(async () => {
  // `npm test` has already run the Node tests of the site, which build the site.
  if (process.env.PA_TEST_BUILT !== '1') await (await import('../../site/build.js')).buildSite();
  browser = await launchBrowser();
}, 120_000);
afterAll(() => browser.close());

/** Opens a page of the site, runs a test on it, and expects no error and no policy violation. */
async function onPage(path: string, test: (page: Page) => Promise<void>): Promise<void> {
  // No tenant has this id, so the page must sign in itself.
  const { page, problems } = await openDemo(browser, `${site}${path}`, 'unknown');
  await test(page);
  expect(await problems()).toEqual([]);
  await page.context().close();
}

describe('a live example', () => {
  it.each(examples)('of %s runs without errors and fires %s', (tag, event) =>
    onPage(`/elements/${tag}/`, async page => {
      await page.locator('.log code', { hasText: event }).first().waitFor();
      expect(await page.locator(`.live ${tag}`).count()).toBe(1);
    }),
  );
});

describe('axe finds no violations', () => {
  it.each(['/', '/data-api/', '/api/embed-sessions-and-dashboards/generate-session/'])('on %s', path =>
    onPage(path, async page => expect(await violationsOn(page)).toEqual([])),
  );
});

it('is searched by keyboard, and keeps the color scheme of the reader', () =>
  onPage('/security/', async page => {
    await page.keyboard.press('/');
    await page.keyboard.type('url-state');
    await page.locator('.results a').first().waitFor();
    expect(await page.locator('.search [role=status]').innerText()).toMatch(/^\d+ results?$/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/.+/);
    await page.getByText('url-state').first().waitFor();
    // The color scheme persists across pages.
    await page.getByRole('button', { name: 'Dark mode' }).click();
    await page.reload();
    expect(await page.locator('html').getAttribute('data-scheme')).toBe('dark');
  }));
