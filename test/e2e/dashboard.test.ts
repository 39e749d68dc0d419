import { readFile } from 'node:fs/promises';
import { readXlsx } from 'hucre/xlsx';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { waitTimeoutMs } from '../eventually.js';
import { type DemoOptions, type DemoPage, launchBrowser, openDemo } from './page.js';
import { onTimeBy, referenceFor, runningShares } from './reference.js';
import { visibleText } from './session-page.js';

const demo = inject('demo');
const tenants = [
  { tenant: 'ohare', airport: 'ORD' },
  { tenant: 'dallas', airport: 'DFW' },
  { tenant: 'atlanta', airport: 'ATL' },
] as const;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const tile = (page: Page, name: string): Locator =>
  page.locator('pa-dashboard pa-tile').filter({ has: page.getByRole('heading', { name, exact: true }) });
const figure = async (page: Page, name: string): Promise<string> =>
  (await tile(page, name).locator('[part~="figure"]').innerText()).trim();

/** Returns the rows of a chart, with values in the order of these columns. */
const chartRows = (page: Page, name: string, columns: readonly string[]): Promise<(string | number)[][]> =>
  tile(page, name)
    .locator('pa-tile-chart')
    .evaluate((chart, members) => {
      const { rowSet } = chart as HTMLElement & { rowSet: { rows: Record<string, string>[] } | null };
      return (rowSet?.rows ?? []).map(row => members.map(member => row[member] ?? ''));
    }, columns);
/** Returns the same rows as numbers, except for the first column; a time becomes its day. */
const figures = async (page: Page, name: string, columns: readonly string[]): Promise<(string | number)[][]> =>
  (await chartRows(page, name, columns)).map(([first, ...rest]) => [
    String(first).replace(/T00:00:00\.000$/, ''),
    ...rest.map(Number),
  ]);
const closeTo = (rows: readonly (readonly (string | number)[])[]): unknown[][] =>
  rows.map(row => row.map(value => (typeof value === 'number' ? expect.closeTo(value, 9) : value)));
const selectOption = (page: Page, control: string, value: string): Promise<unknown> =>
  page.getByRole('group', { name: 'Controls' }).getByRole('combobox', { name: control }).selectOption(value);

/** Waits until every tile of the dashboard settles, including distant tiles. */
async function drawAll(page: Page): Promise<void> {
  await tile(page, 'Flights').locator('[part~="figure"]').waitFor();
  await page.evaluate(() =>
    document.querySelector<HTMLElement & { loadAll(): Promise<void> }>('pa-dashboard')?.loadAll(),
  );
}

/** Creates a promise that resolves when `open` is called. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

async function close({ page }: DemoPage): Promise<void> {
  await page.context().close();
}

/** A demo page with all tiles, and a record of its requests and responses. */
interface WatchedPage extends DemoPage {
  readonly urls: readonly string[];
  /** Statements of the requests in SQL. */
  readonly statements: readonly string[];
  /** Session and data tokens. */
  readonly tokens: readonly string[];
}

async function openWatched(tenant: string): Promise<WatchedPage> {
  const [urls, statements, tokens]: [string[], string[], string[]] = [[], [], []];
  const prepare: DemoOptions['prepare'] = async page => {
    page.on('request', request => {
      urls.push(request.url());
      if (request.url().endsWith('/v1/sql')) statements.push(request.postDataJSON()?.query);
    });
    page.on('response', async response => {
      if (/\/token$/.test(response.url())) tokens.push(...Object.values<string>(await response.json()));
    });
  };
  const opened = await openDemo(browser, demo, tenant, { prepare });
  await drawAll(opened.page);
  return { ...opened, urls, statements, tokens };
}

const pages = new Map<string, Promise<WatchedPage>>();
/** Returns the page of a tenant, which several tests share. */
function pageOf(tenant: (typeof tenants)[number]['tenant']): Promise<WatchedPage> {
  const page = pages.get(tenant) ?? openWatched(tenant);
  pages.set(tenant, page);
  return page;
}

/** Lets a page save its dashboard as PNG and XLSX itself, under its content security policy. */
async function saveWithoutServer({ page, problems }: DemoPage): Promise<void> {
  await page.locator('pa-dashboard').evaluate(element => element.removeAttribute('export-url'));
  const requests: string[] = [];
  page.on('request', request => requests.push(request.url()));
  const save = async (format: string): Promise<Buffer> => {
    const saved = page.waitForEvent('download', { timeout: waitTimeoutMs });
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: `Download ${format}`, exact: true }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${format.toLowerCase()}$`));
    return readFile(await download.path());
  };
  const picture = await save('PNG');
  // The header of a PNG file.
  const [width, height] = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
  const box = await page.locator('pa-dashboard section').first().boundingBox();
  expect(width).toBeGreaterThan(box?.width ?? Number.NaN);
  expect(height).toBeGreaterThan(width / 2);
  const { sheets } = await readXlsx(await save('XLSX'));
  expect(sheets.map(({ name }) => name)).toContain('Busiest destinations');
  expect(requests.filter(url => url.includes('/api/export'))).toEqual([]);
  expect(await problems()).toEqual([]);
}

const [onTime, running] = ['On-time share over time', 'Running share of the top ten cities'];
const shares = ['city', 'flights', 'share', 'running_share'];
/** Rows of one report by tenant. */
const shownRows = new Map<string, string>();

describe.each(tenants)('signed in as $tenant', ({ tenant, airport }) => {
  it('shows the same figures as DuckDB over the file, without policy violations', async () => {
    const { page, problems } = await pageOf(tenant);
    const expected = await referenceFor(airport);
    const formatInteger = (value: number): string => value.toLocaleString('en-US');
    expect(await figure(page, 'Flights')).toBe(formatInteger(expected.flights));
    expect(await figure(page, 'Destinations')).toBe(formatInteger(expected.destinations));
    expect(await figure(page, 'Average delay (minutes)')).toBe(expected.averageDelay.toFixed(1));
    expect(await figure(page, 'On-time share')).toBe(`${(expected.onTimeShare * 100).toFixed(1)}%`);
    const row = tile(page, 'Busiest destinations').getByRole('row').nth(1);
    expect(await row.innerText()).toContain(expected.busiest.destination);
    expect(await row.innerText()).toContain(formatInteger(expected.busiest.flights));
    expect(await tile(page, 'Flights over time').locator('pa-tile-chart svg').count()).toBe(1);
    // The rows of a report in SQL.
    const shown = await figures(page, running, shares);
    expect(shown).toEqual(closeTo(await runningShares(airport)));
    shownRows.set(tenant, JSON.stringify(shown));
    expect(await problems()).toEqual([]);
  });

  it('requests only the host and the platform (chatkit-js#57, chatkit-js#187)', async () => {
    const { urls } = await pageOf(tenant);
    const { platformUrl } = await (await fetch(`${demo}/api/config`)).json();
    const hosts = new Set(urls.map(url => new URL(url).host));
    expect([...hosts].sort()).toEqual([new URL(demo).host, new URL(platformUrl).host].sort());
  });

  it('never stores a token in an attribute, a URL or storage', async () => {
    const { page, urls, tokens } = await pageOf(tenant);
    const stored = await page.evaluate(() =>
      JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }]),
    );
    // The page may read its responses before this test does.
    await expect.poll(() => tokens).toHaveLength(2);
    for (const token of tokens) expect([stored, ...urls].some(text => text.includes(token))).toBe(false);
  });
});

it('shows each tenant its own rows', () => {
  expect(new Set(shownRows.values()).size).toBe(tenants.length);
});

describe('SQL reports', () => {
  it('show the same rows as DuckDB over the file; controls apply to one, and the other says that they do not', async () => {
    const { page, problems, statements } = await pageOf('ohare');
    expect(await figures(page, onTime, ['month', 'on_time'])).toEqual(closeTo(await onTimeBy('month', 'ORD')));
    const everywhere = closeTo(await runningShares('ORD'));
    expect(await figures(page, running, shares)).toEqual(everywhere);
    await selectOption(page, 'Granularity', 'week');
    await selectOption(page, 'Destination state', 'CA');
    const weekly = closeTo(await onTimeBy('week', 'ORD', 'CA'));
    await expect.poll(() => figures(page, onTime, ['month', 'on_time'])).toEqual(weekly);
    expect(await figures(page, running, shares)).toEqual(everywhere);
    expect(await tile(page, onTime).getByRole('button', { name: 'Ignores controls' }).count()).toBe(0);
    const mark = tile(page, running).getByRole('button', { name: 'Ignores controls' });
    await mark.focus();
    const said = 'The selection for Destination state and Granularity does not apply to this report.';
    await page.getByRole('tooltip', { name: said }).waitFor();
    expect(await problems()).toEqual([]);
    // The only request in SQL, sent as published.
    expect(statements).toEqual([expect.stringContaining('SUM(flights) OVER')]);
  });
});

describe('page', () => {
  it('makes at most 4 sequential requests from the tag to the first row', async () => {
    // The third step requests two dashboards, the deployment and a data token. Hold its responses until all four
    // requests have arrived, and all other requests until rows are requested. The test passes only if no request waits
    // for another request of its step, or for a request that is not part of a step.
    const [third, fourth] = [gate(), gate()];
    const thirds = new Set<string>();
    const exchanges: string[] = [];
    const prepare = (page: Page): Promise<unknown> =>
      page.route(/\/api\/embed-session$|\/api\/v1\/|\/data-api\//, async route => {
        const { pathname } = new URL(route.request().url());
        if (pathname.endsWith('/session/token')) exchanges.push(pathname);
        else if (/\/embed\/dashboard\/\w+$|\/deployments\/\d+(\/token)?$/.test(pathname)) {
          if (thirds.add(pathname).size === 4) third.open();
          await third.opened;
        } else if (/\/v1\/load(-batch)?$/.test(pathname)) fourth.open();
        else if (!pathname.endsWith('/api/embed-session')) await fourth.opened;
        await route.continue();
      });
    const opened = await openDemo(browser, demo, 'ohare', { prepare });
    await fourth.opened;
    await drawAll(opened.page);
    expect(thirds.size).toBe(4);
    expect(exchanges).toHaveLength(1);
    await close(opened);
  });

  it('does not load distant tiles until they are near the viewport (superset#16224)', async () => {
    const queries: string[] = [];
    const opened = await openDemo(browser, demo, 'ohare', {
      viewport: { width: 1440, height: 330 },
      prepare: async page =>
        page.on('request', request => {
          if (/\/v1\/load(-batch)?$/.test(request.url())) queries.push(request.postData() ?? '');
        }),
    });
    await tile(opened.page, 'Flights').locator('[part~="figure"]').waitFor();
    const next = tile(opened.page, 'On-time share by weekday and hour');
    expect(await next.locator('pa-tile-chart').count()).toBe(0);
    // Scrolling loads the next tile and all others near the viewport.
    await opened.page.mouse.wheel(0, 10);
    await next.locator('pa-tile-chart svg').waitFor();
    const far = tile(opened.page, 'Busiest destinations');
    expect(await far.getByRole('heading').count()).toBe(1);
    expect(queries.some(query => query.includes('destination_city'))).toBe(false);
    await far.scrollIntoViewIfNeeded();
    await far.getByRole('row').nth(1).waitFor();
    expect(queries.some(query => query.includes('destination_city'))).toBe(true);
    await close(opened);
  });

  it('fits its width without scrolling sideways', async () => {
    const { page } = await pageOf('atlanta');
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await drawAll(page);
      // Tables follow a new width with the next frame.
      const scrollWidth = await page.evaluate(async () => {
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
        return document.documentElement.scrollWidth;
      });
      expect({ width, scrollWidth }).toEqual({ width, scrollWidth: width });
    }
  });

  it('is saved as an image and as a workbook without a server', async () => {
    await saveWithoutServer(await pageOf('atlanta'));
  });

  it('is blank after end() and shows rows again after start()', async () => {
    const { page } = await pageOf('atlanta');
    type Session = HTMLElement & { end(): void; start(): Promise<void> };
    expect(await visibleText(page)).toContain(await figure(page, 'Flights'));
    await page.evaluate(() => document.querySelector<Session>('pa-session')?.end());
    await expect.poll(() => page.locator('pa-dashboard [part~="figure"]').count()).toBe(0);
    expect(await visibleText(page)).toBe('');
    await page.evaluate(() => document.querySelector<Session>('pa-session')?.start());
    await tile(page, 'Flights').locator('[part~="figure"]').waitFor();
  });
});
