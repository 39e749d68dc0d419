import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { patienceMs } from '../soon.js';
import { type DemoPage, openDemo } from './page.js';

// What tests do on any of the demo's dashboards.

/** What tests call of a dashboard. */
export type Board = HTMLElement & {
  filters: unknown;
  lockedFilters: unknown;
  loadAll(): Promise<void>;
  refresh(): Promise<void>;
  print(): Promise<void>;
  getState(): Record<string, Record<string, unknown>>;
  setState(state: object): void;
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

/** The engine that looks for barriers, as a script. */
const axeScript = (): string => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds on a page: each rule that is broken, and the first node that breaks it. The engine comes by the debugger, which no
 * policy of the page holds: that stays as strict as it is.
 */
export async function violationsOn(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript());
  await isStill(page);
  return page.evaluate(async () => {
    type Axe = { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    const { violations } = await (window as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html}`);
  });
}

/** Waits until no colour and nothing else is on its way to what it will be; what moves without end is no such thing. */
async function isStill(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isMoving = (root: Document | ShadowRoot): boolean =>
      root
        .getAnimations()
        .some(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity) ||
      [...root.querySelectorAll('*')].some(({ shadowRoot }) => shadowRoot !== null && isMoving(shadowRoot));
    return !isMoving(document);
  });
}
