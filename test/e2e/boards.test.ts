import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { casesAtDepth } from '../property.js';
import { figureOf, formatNumber, tileOf } from './board-page.js';
import { type DemoPage, launchBrowser, openDemo } from './page.js';
import { flightsBetween } from './reference.js';

const demo = inject('demo');

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A demo page with a dashboard, and the details of each `pa-error`. */
interface BoardPage extends DemoPage {
  readonly failures: readonly string[];
}

/** Opens a demo dashboard and waits until every tile settles. */
async function openPage(path: string, tenant: string): Promise<BoardPage> {
  const prepare = (page: Page): Promise<unknown> =>
    page.addInitScript(() => {
      const failures: string[] = [];
      Object.assign(window, { failures });
      document.addEventListener('pa-error', event => failures.push(JSON.stringify(Object(event).detail)));
    });
  const opened = await openDemo(browser, `${demo}${path}`, tenant, { prepare });
  const { page } = opened;
  await page.locator('pa-dashboard pa-tile').first().waitFor();
  await page.evaluate(() =>
    document.querySelector<HTMLElement & { loadAll(): Promise<void> }>('pa-dashboard')?.loadAll(),
  );
  return { ...opened, failures: await page.evaluate(() => Object(window).failures) };
}

/** Kinds of content in the tiles. */
const kindsOn = async (page: Page): Promise<string[]> => {
  const parts = await Promise.all(
    ['chart', 'table', 'kpi', 'html', 'map', 'sankey'].map(async kind => {
      const count = await page.locator(`pa-dashboard pa-tile-${kind}`).count();
      return count > 0 ? [kind] : [];
    }),
  );
  return parts.flat();
};

/** Returns the names of elements with a perceptible transition or animation, across shadow roots. Runs in the page. */
function movingElements(): string[] {
  const found = new Set<string>();
  const visit = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll('*')) {
      const { transitionDuration, animationDuration } = getComputedStyle(element);
      const seconds = `${transitionDuration}, ${animationDuration}`.split(', ').map(Number.parseFloat);
      if (seconds.some(length => length > 0.01)) found.add(element.localName);
      if (element.shadowRoot) visit(element.shadowRoot);
    }
  };
  visit(document);
  return [...found].sort();
}

const tenants = ['ohare', 'dallas', 'atlanta'];
const boards = [
  { path: '/network', kinds: ['chart', 'kpi', 'html', 'map', 'sankey'] },
  { path: '/analysis', kinds: ['chart', 'table', 'kpi', 'map'] },
];
const cases = tenants
  .slice(0, casesAtDepth(tenants.length))
  .flatMap(tenant => boards.map(board => ({ tenant, ...board })));

const pages = new Map<string, Promise<BoardPage>>();
/** Returns the page of a dashboard and a tenant, which several tests share. */
function pageOf(path: string, tenant: string): Promise<BoardPage> {
  const name = `${path} ${tenant}`;
  const page = pages.get(name) ?? openPage(path, tenant);
  pages.set(name, page);
  return page;
}

describe.each(cases)('$path, signed in as $tenant', ({ tenant, path, kinds }) => {
  it('renders all tiles without errors or policy violations', async () => {
    const { page, failures, problems } = await pageOf(path, tenant);
    expect(failures).toEqual([]);
    expect(await kindsOn(page)).toEqual(kinds);
    expect(await problems()).toEqual([]);
  });

  it('has no motion if the viewer prefers reduced motion', async () => {
    const { page } = await pageOf(path, tenant);
    expect(await page.evaluate(movingElements)).not.toEqual([]);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await page.evaluate(movingElements)).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
  });
});

describe('model links', () => {
  it('open an external page, and another dashboard with a filter', async () => {
    const { page, problems } = await openDemo(browser, demo, 'ohare');
    const cell = (text: string) =>
      page.locator('pa-tile-table').getByRole('gridcell', { name: text, exact: true }).first();
    // A table renders near the viewport.
    await tileOf(page, 'Busiest destinations').scrollIntoViewIfNeeded();
    await cell('Los Angeles').click();
    const outside = page.getByRole('menuitem', { name: /^Look up on OpenStreetMap/ });
    expect(await outside.getAttribute('href')).toBe('https://www.openstreetmap.org/search?query=Los%20Angeles');
    expect(await outside.getAttribute('rel')).toContain('noopener');
    await page.keyboard.press('Escape');
    await cell('CA').click();
    await page.getByRole('menuitem', { name: 'Analyze this state' }).click();
    await page.waitForURL(url => url.pathname === '/analysis');
    await page.locator('pa-dashboard pa-tile').first().waitFor();
    await page.getByRole('button', { name: /^State.*CA/ }).waitFor();
    expect(await problems()).toEqual([]);
    await page.context().close();
  });
});

describe('chart brush', () => {
  it('filters the other tiles by its time span, until an empty brush clears it', async () => {
    const { page, problems } = await pageOf('/analysis', 'ohare');
    const tile = tileOf(page, 'Over time');
    const draw = async (from: number, to: number): Promise<void> => {
      await tile.scrollIntoViewIfNeeded();
      const box = await tile.locator('[part=chart]').boundingBox();
      if (!box) throw new Error('no chart');
      await page.mouse.move(box.x + box.width * from, box.y + box.height / 3);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * to, box.y + box.height / 2, { steps: 5 });
      await page.mouse.up();
    };
    const chip = page.getByRole('button', { name: /^Stop filtering: Departure: / });
    const all = await figureOf(page, 'Flights');
    await draw(0.4, 0.6);
    // For example "Mar 5 – Apr 15, 2001" or "Mar 5 – 9, 2001". The end has the year, and the month if it differs.
    const [, start = '', end = ''] = /: (.+?)\s*–\s*(.+)$/.exec(await chip.innerText()) ?? [];
    const from = /\d{4}$/.test(start) ? start : `${start}, ${end.slice(-4)}`;
    const to = /^\d/.test(end) ? `${start.split(' ')[0]} ${end}` : end;
    const day = (text: string) => new Date(`${text} UTC`).toISOString().slice(0, 10);
    const flights = await flightsBetween('ORD', day(from), day(to));
    expect(flights).toBeGreaterThan(0);
    await expect.poll(() => figureOf(page, 'Flights')).toBe(formatNumber(flights));
    expect(await tile.locator('[part=brush]').count()).toBe(1);
    await draw(0.005, 0.02);
    await expect.poll(() => figureOf(page, 'Flights')).toBe(all);
    expect(await chip.count()).toBe(0);
    expect(await problems()).toEqual([]);
  });
});

describe('page language', () => {
  it('is set by one attribute, mirrors the dashboard and leaves the page unchanged', async () => {
    const { page } = await pageOf('/analysis', 'ohare');
    const direction = () =>
      page
        .locator('pa-dashboard pa-tile')
        .first()
        .evaluate(tile => getComputedStyle(tile).direction);
    expect(await direction()).toBe('ltr');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('ar');
    await expect.poll(direction).toBe('rtl');
    expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('ltr');
    // The language persists on the next page.
    await page.getByRole('link', { name: 'Network' }).click();
    await page.locator('pa-dashboard pa-tile').first().waitFor();
    await expect.poll(direction).toBe('rtl');
  });
});
