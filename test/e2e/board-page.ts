import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { type DemoPage, openDemo } from './page.js';

// What tests do on any of the demo's dashboards.

/** Longest that anything on a page is waited for. */
const patienceMs = 15_000;

/** What tests call of a dashboard. */
export type Board = HTMLElement & {
  loadAll(): Promise<void>;
  print(): Promise<void>;
};

/** Opens a dashboard of the demo as a tenant, and waits until all of its tiles have come to rest. */
export async function openBoard(
  browser: Browser,
  address: string,
  tenant: string,
  options: BrowserContextOptions = {},
): Promise<DemoPage> {
  const opened = await openDemo(browser, address, tenant, options);
  opened.page.setDefaultTimeout(patienceMs);
  await drawBoard(opened.page);
  return opened;
}

/** Waits until every tile has come to rest, those in tabs that were never open included. */
export async function drawBoard(page: Page): Promise<void> {
  await page.locator('pa-dashboard pa-tile').first().waitFor();
  await page.evaluate(() => document.querySelector<Board>('pa-dashboard')?.loadAll());
}

/** A tile, by its heading. */
export const tileOf = (page: Page, name: string): Locator =>
  page.locator('pa-dashboard pa-tile').filter({ has: page.getByRole('heading', { name, exact: true }) });

/** The figure of a KPI, as it is written. */
export const figureOf = async (page: Page, name: string): Promise<string> =>
  (await tileOf(page, name).locator('[part~="figure"]').innerText()).trim();

/** A number as the elements write it in English. */
export const written = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
