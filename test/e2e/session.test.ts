import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { launchBrowser } from './page.js';
import { referenceFor } from './reference.js';
import {
  accessibleText,
  countTrackedNodes,
  drawAll,
  holdRequests,
  launchCachingBrowser,
  open,
  recordEvents,
  recordedEvents,
  type Traffic,
  trackNodes,
  visibleText,
  watchTraffic,
} from './session-page.js';

// The session and the rendered content over the life of a page.

const demo = inject('demo');
const minute = 60_000;
const hour = 60 * minute;

const expectedFlights = { ohare: '', dallas: '' };
let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  expectedFlights.ohare = (await referenceFor('ORD')).flights.toLocaleString('en-US');
  expectedFlights.dallas = (await referenceFor('DFW')).flights.toLocaleString('en-US');
});
afterAll(() => browser.close());
afterEach(() => page.context().close());

const signIn = (tenant: string): Promise<void> =>
  page.context().addCookies([{ name: 'tenant', value: tenant, url: demo }]);
const signOut = (): Promise<void> => page.context().clearCookies();
/** Waits until the page has read its responses. Sends one more request, which completes after the others. */
const drainResponses = (): Promise<unknown> => page.evaluate(async () => (await fetch('/api/config')).text());

describe('page restored from the back/forward cache', () => {
  let cachingBrowser: Browser;
  beforeAll(async () => {
    cachingBrowser = await launchCachingBrowser();
  });
  afterAll(() => cachingBrowser.close());

  /** Leaves the page and returns to it from the cache. */
  async function leaveAndReturn(between: () => Promise<void> = async () => {}): Promise<void> {
    await page.evaluate(() => {
      addEventListener('pageshow', event => document.documentElement.toggleAttribute('data-cached', event.persisted));
    });
    await page.goto(`${demo}/page.css`);
    await between();
    await page.goBack({ waitUntil: 'commit' });
    await page.locator('html[data-cached]').waitFor();
  }

  beforeEach(async () => {
    ({ page } = await open(cachingBrowser, demo, 'ohare'));
    await drawAll(page);
  });

  it('is blank until the same identity is confirmed, then restores its content', async () => {
    const before = await visibleText(page);
    expect(before).toContain(expectedFlights.ohare);
    const nodeCount = await trackNodes(page);
    expect(nodeCount).toBeGreaterThan(10);
    const gate = await holdRequests(page, '**/api/embed-session');
    const traffic = watchTraffic(page);
    await leaveAndReturn();
    await gate.reached;
    expect(await visibleText(page)).toBe('');
    // Ignore single digits, which are heading levels.
    expect(await accessibleText(page)).not.toMatch(/\d{2}/);
    gate.open();
    await expect.poll(() => visibleText(page)).toBe(before);
    expect(await countTrackedNodes(page)).toBe(nodeCount);
    expect(traffic.mints).toHaveLength(1);
    expect(traffic.loads).toEqual([]);
  });

  it('shows a new user only their own rows', async () => {
    const gate = await holdRequests(page, '**/api/embed-session');
    await leaveAndReturn(() => signIn('dallas'));
    await gate.reached;
    expect(await visibleText(page)).toBe('');
    await page.evaluate(() => {
      const seen: string[] = [];
      const look = (): void => {
        for (const tile of document.querySelector('pa-dashboard')?.shadowRoot?.querySelectorAll('pa-tile') ?? []) {
          const kpi = tile.shadowRoot?.querySelector('pa-tile-kpi')?.shadowRoot?.querySelector('[part~="figure"]');
          if (kpi?.checkVisibility({ visibilityProperty: true })) seen.push(kpi.textContent ?? '');
        }
        requestAnimationFrame(look);
      };
      look();
      Object.assign(window, { seen });
    });
    gate.open();
    await expect.poll(() => visibleText(page)).toContain(expectedFlights.dallas);
    await drawAll(page);
    const seen = await page.evaluate(() => String(Object(window).seen));
    expect(seen).toContain(expectedFlights.dallas);
    expect(seen).not.toContain(expectedFlights.ohare);
  });

  it('shows no rows and an error if the user is signed out', async () => {
    await leaveAndReturn(signOut);
    await page.getByText('The session could not be started').first().waitFor();
    expect(await visibleText(page)).not.toMatch(/\d{3},\d{3}/);
    expect(await countTrackedNodes(page)).toBe(0);
  });
});

describe('session of 24 hours', () => {
  beforeEach(async () => {
    ({ page } = await open(browser, demo, 'ohare', { prepare: opened => opened.clock.install() }));
    await drawAll(page);
    await recordEvents(page);
  });

  it('renews before it expires, without a layout shift (powerbi-report-component#6, metabase#69010, superset#20817)', async () => {
    await page.setViewportSize({ width: 1440, height: 400 });
    await page.mouse.wheel(0, 200);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(200);
    await page.evaluate(() => {
      Object.assign(window, { shifts: 0 });
      new PerformanceObserver(list => {
        Object(window).shifts += list.getEntries().length;
      }).observe({ type: 'layout-shift' });
    });
    const before = await visibleText(page);
    const nodeCount = await trackNodes(page);
    const traffic = watchTraffic(page);
    await page.clock.fastForward(23 * hour - 5 * minute);
    expect(traffic.mints).toEqual([]);
    const exchanged = page.waitForResponse(/\/embed\/session\/token$/);
    await page.clock.fastForward(6 * minute);
    await (await exchanged).finished();
    await drainResponses();
    await expect.poll(() => recordedEvents(page)).toEqual(['pa-session-expiring']);
    // After the first token has expired, the session is valid only because of the second token.
    await page.clock.fastForward(2 * hour);
    expect(await visibleText(page)).toBe(before);
    expect(await countTrackedNodes(page)).toBe(nodeCount);
    expect(await page.evaluate(() => [scrollY, Object(window).shifts])).toEqual([200, 0]);
    expect(await recordedEvents(page)).toEqual(['pa-session-expiring']);
    expect(traffic.mints).toHaveLength(1);
    expect(traffic.exchanges).toHaveLength(1);
    expect(traffic.loads).toEqual([]);
  });

  it.each([
    ['the tab becomes visible', () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))],
    [
      'the network is back',
      () =>
        page
          .context()
          .setOffline(true)
          .then(() => page.context().setOffline(false)),
    ],
  ])('renews when %s, if it is due', async (_what, wake) => {
    const traffic = watchTraffic(page);
    // After sleep, the clock has advanced but timers have not.
    await page.clock.setSystemTime(Date.now() + 22 * hour);
    await wake();
    expect(await recordedEvents(page)).toEqual([]);
    await page.clock.setSystemTime(Date.now() + 23.5 * hour);
    await Promise.all([page.waitForResponse(/\/embed\/session\/token$/), wake()]);
    expect(await recordedEvents(page)).toEqual(['pa-session-expiring']);
    expect(traffic.mints).toHaveLength(1);
    expect(traffic.loads).toEqual([]);
  });

  it('retries with increasing delays while the host fails (superset PR 40870)', async () => {
    const traffic = watchTraffic(page);
    await page.route('**/api/embed-session', route =>
      traffic.mints.length > 3 ? route.continue() : route.fulfill({ status: 503, body: '' }),
    );
    for (const pause of [23 * hour + minute, 2_000, 4_000, 8_000]) {
      const answered = page.waitForResponse(/\/api\/embed-session$/);
      await page.clock.fastForward(pause);
      await (await answered).finished();
    }
    await expect.poll(() => traffic.exchanges.length).toBe(1);
    expect(traffic.mints).toHaveLength(4);
    expect(await recordedEvents(page)).toEqual(['pa-session-expiring']);
    expect(await visibleText(page)).toContain(expectedFlights.ohare);
  });

  it('shows its expiry while offline and recovers when online (superset#29902)', async () => {
    const traffic = watchTraffic(page);
    await page.context().setOffline(true);
    await page.clock.fastForward(25 * hour);
    await page.getByText('Your session has ended').first().waitFor();
    expect(await recordedEvents(page)).toContain('pa-session-expired');
    await page.context().setOffline(false);
    await expect.poll(() => recordedEvents(page)).toContain('pa-session-ready');
    await expect.poll(() => visibleText(page)).not.toContain('Your session has ended');
    await expect.poll(() => visibleText(page)).toContain(expectedFlights.ohare);
    expect(traffic.loads).toEqual([]);
    expect(traffic.exchanges).toHaveLength(1);
  });

  it('fires events while the host denies access, and recovers after sign-in (superset#20817, quicksight#164)', async () => {
    await signOut();
    await page.clock.fastForward(23 * hour + minute);
    await expect.poll(() => recordedEvents(page)).toEqual(['pa-session-expiring', 'pa-error 401']);
    expect(await visibleText(page)).toContain(expectedFlights.ohare);
    await page.clock.fastForward(hour);
    await page.getByText('Your session has ended').first().waitFor();
    expect(await recordedEvents(page)).toContain('pa-session-expired');
    await signIn('ohare');
    await page.locator('pa-dashboard').getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => visibleText(page)).not.toContain('Your session has ended');
    await expect.poll(() => visibleText(page)).toContain(expectedFlights.ohare);
  });

  it('shows the rows of a new user after renewal', async () => {
    await signIn('dallas');
    await page.clock.fastForward(23 * hour + minute);
    await expect.poll(() => visibleText(page)).toContain(expectedFlights.dallas);
    expect(await visibleText(page)).not.toContain(expectedFlights.ohare);
  });
});

describe('rejected requests', () => {
  /** Rejects the first request to a URL and passes the rest. A route with `times: 1` would hide some requests. */
  async function rejectOnce(opened: Page, address: string, status: number, json: unknown): Promise<void> {
    let isRejected = false;
    await opened.route(address, route => {
      if (isRejected) return route.continue();
      isRejected = true;
      return route.fulfill({ status, json });
    });
  }

  it.each([
    ['a dashboard', '**/embed/dashboard/*'],
    ['a deployment', '**/deployments/1'],
    ['a data token', '**/deployments/*/token'],
  ])('renews the session after 401 from %s and retries', async (_what, address) => {
    let traffic: Traffic | undefined;
    const prepare = async (opened: Page): Promise<void> => {
      traffic = watchTraffic(opened);
      await rejectOnce(opened, address, 401, { message: 'Unauthorized' });
    };
    ({ page } = await open(browser, demo, 'ohare', { prepare }));
    await drawAll(page);
    expect(await visibleText(page)).toContain(expectedFlights.ohare);
    expect(traffic?.mints).toHaveLength(2);
    expect(traffic?.exchanges).toHaveLength(2);
  });

  it('renews the data token after Invalid token and retries', async () => {
    ({ page } = await open(browser, demo, 'ohare'));
    await drawAll(page);
    const nodeCount = await trackNodes(page);
    const traffic = watchTraffic(page);
    await rejectOnce(page, '**/data-api/v1/load*', 403, { error: 'Invalid token' });
    const queryCount = await refresh();
    expect(await visibleText(page)).toContain(expectedFlights.ohare);
    expect(await countTrackedNodes(page)).toBe(nodeCount);
    expect(traffic.mints).toEqual([]);
    expect(traffic.dataTokens).toHaveLength(1);
    // The rejected request had the queries of all tiles.
    expect(traffic.loads).toHaveLength(2 * queryCount);
  });

  it('shows any other 403 in the tile without retries', async () => {
    ({ page } = await open(browser, demo, 'ohare'));
    await drawAll(page);
    await recordEvents(page);
    const traffic = watchTraffic(page);
    await page.route('**/data-api/v1/load-batch', route => route.fulfill({ status: 404, json: { error: 'No.' } }));
    await rejectOnce(page, '**/data-api/v1/load', 403, { error: 'Forbidden' });
    const queryCount = await refresh();
    await page.getByText('You don’t have access to this').waitFor();
    expect(await recordedEvents(page)).toEqual(['pa-error 403']);
    expect(traffic.mints).toEqual([]);
    expect(traffic.dataTokens).toEqual([]);
    // Each query is in the batch that the service does not know, and then sent alone.
    expect(traffic.loads).toHaveLength(2 * queryCount);
  });

  it('shows an error instead of rows after revocation, until the user signs in again', async () => {
    ({ page } = await open(browser, demo, 'ohare'));
    await drawAll(page);
    await recordEvents(page);
    await signOut();
    await page.route('**/api/v1/**', route => route.fulfill({ status: 401, json: { message: 'Unauthorized' } }));
    await page.route('**/data-api/**', route => route.fulfill({ status: 403, json: { error: 'Invalid token' } }));
    const traffic = watchTraffic(page);
    const queryCount = await refresh();
    await page.locator('pa-dashboard').getByText('Your session has ended').waitFor();
    expect(await recordedEvents(page)).toContain('pa-session-expired');
    expect(await visibleText(page)).not.toContain(expectedFlights.ohare);
    expect(traffic.mints).toHaveLength(1);
    expect(traffic.loads).toHaveLength(queryCount);
    await page.unroute('**/api/v1/**');
    await page.unroute('**/data-api/**');
    await signIn('ohare');
    await page.locator('pa-dashboard .banner').getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => visibleText(page)).toContain(expectedFlights.ohare);
    expect(await visibleText(page)).not.toContain('session');
  });

  it('shows a sign-in error on the signed-out page and recovers after sign-in', async () => {
    ({ page } = await open(browser, demo, 'unknown'));
    await page.getByText('The session could not be started').first().waitFor();
    await recordEvents(page);
    await signIn('ohare');
    await page.locator('pa-dashboard').getByRole('button', { name: 'Try again' }).click();
    await drawAll(page);
    expect(await visibleText(page)).toContain(expectedFlights.ohare);
    expect(await visibleText(page)).not.toContain('session');
    expect(await recordedEvents(page)).toEqual(['pa-session-ready']);
  });
});

/** Refreshes all tiles; resolves with the number of tiles that query. */
function refresh(): Promise<number> {
  return page.evaluate(async () => {
    const dashboard = document.querySelector<HTMLElement & { refresh(): Promise<void> }>('pa-dashboard');
    await dashboard?.refresh();
    const tiles = [...(dashboard?.shadowRoot?.querySelectorAll('pa-tile') ?? [])];
    return tiles.filter(tile => Object(tile).content.type === 'report').length;
  });
}
