import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { casesAtDepth } from '../property.js';
import { launchBrowser } from './page.js';
import { referenceFor } from './reference.js';
import {
  countTrackedNodes,
  drawAll,
  flights,
  holdRequests,
  open,
  trackNodes,
  visibleText,
  watchTraffic,
} from './session-page.js';

// Tests the state that elements share, and memory leaks.

const demo = inject('demo');
let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
afterEach(() => page.context().close());

describe('added and removed elements', () => {
  beforeEach(async () => {
    ({ page } = await open(browser, demo, 'ohare'));
    await drawAll(page);
  });

  it.each(['pa-dashboard', 'pa-session'])('do not leak %s after many cycles (powerbi-client-react#120)', async name => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    const measure = async (): Promise<Record<string, number>> => {
      await devtools.send('HeapProfiler.collectGarbage');
      const { metrics } = await devtools.send('Performance.getMetrics');
      const read = (name: string): number => metrics.find(metric => metric.name === name)?.value ?? Number.NaN;
      return { nodes: read('Nodes'), listeners: read('JSEventListeners') };
    };
    // In every second cycle, the element is still loading.
    const cycle = (times: number): Promise<void> =>
      page.evaluate(
        async ([count, name]) => {
          type Dashboard = HTMLElement & { loadAll(): Promise<void> };
          for (let time = 0; time < count; time += 1) {
            const last = document.querySelector(name);
            const parent = last?.parentElement;
            const next = last?.cloneNode(true);
            last?.remove();
            if (next) parent?.prepend(next);
            const isComplete = time % 2 === 0 || time === count - 1;
            if (isComplete) await document.querySelector<Dashboard>('pa-dashboard')?.loadAll();
            else await new Promise(requestAnimationFrame);
          }
        },
        [times, name] as const,
      );
    await cycle(3);
    const before = await measure();
    await cycle(casesAtDepth(30, 8));
    const after = await measure();
    expect(after.nodes).toBeLessThan((before.nodes ?? 0) * 1.1);
    expect(after.listeners).toBeLessThan((before.listeners ?? 0) * 1.1);
  });

  it('keep their state if moved', async () => {
    const nodeCount = await trackNodes(page);
    const before = await visibleText(page);
    const traffic = watchTraffic(page);
    await page.evaluate(async () => {
      const move = async (name: string): Promise<void> => {
        const element = document.querySelector(name);
        const box = document.createElement('div');
        element?.after(box);
        if (element) box.append(element);
        await new Promise(resolve => setTimeout(resolve));
      };
      await move('pa-dashboard');
      await move('pa-session');
    });
    await drawAll(page);
    expect(await visibleText(page)).toBe(before);
    expect(await countTrackedNodes(page)).toBe(nodeCount);
    expect(traffic).toEqual({ mints: [], exchanges: [], dataTokens: [], dashboards: [], loads: [] });
  });

  it('abort their requests on removal', async () => {
    const gate = await holdRequests(page, '**/data-api/v1/load*');
    const failed: string[] = [];
    page.on('requestfailed', request =>
      failed.push(`${new URL(request.url()).pathname} ${request.failure()?.errorText}`),
    );
    await page.evaluate(() => {
      const element = document.querySelector<HTMLElement & { refresh(): Promise<void> }>('pa-dashboard');
      void element?.refresh();
    });
    await gate.reached;
    await page.evaluate(() => document.querySelector('pa-dashboard')?.remove());
    await expect.poll(() => failed.length).toBeGreaterThan(0);
    expect(failed.filter(line => !/^\/data-api\/v1\/(load|load-batch|sql|meta) net::ERR_ABORTED$/.test(line))).toEqual(
      [],
    );
  });
});

describe('separate elements', () => {
  it('share one session with the same session URL', async () => {
    ({ page } = await open(browser, demo, 'ohare'));
    // Wait until all tiles are loaded, so that requests before the reload are not counted.
    await drawAll(page);
    const traffic = watchTraffic(page);
    await page.route('**/page.js', route => route.fulfill({ contentType: 'text/javascript', body: '' }));
    await page.reload();
    await page.evaluate(async () => {
      const { platformUrl, dashboard } = await (await fetch('/api/config')).json();
      const shared = { sessionUrl: '/api/embed-session', baseUrl: platformUrl };
      const whole = Object.assign(document.createElement('pa-dashboard'), { ...shared, publicId: dashboard });
      const part = Object.assign(document.createElement('pa-report'), { ...shared, dashboard, report: 'SmallByState' });
      document.querySelector('main')?.replaceChildren(whole, part);
    });
    await drawAll(page);
    expect(await flights(page).innerText()).toBe((await referenceFor('ORD')).flights.toLocaleString('en-US'));
    expect([traffic.mints.length, traffic.exchanges.length, traffic.dataTokens.length]).toEqual([1, 1, 1]);
    expect(traffic.dashboards).toHaveLength(1);
  });
});

describe('two sessions on one page', () => {
  it('show only the rows of their user (metabase#81021)', async () => {
    ({ page } = await open(browser, demo, 'unknown'));
    await page.evaluate(async () => {
      const { platformUrl, dashboard } = await (await fetch('/api/config')).json();
      const mint = async (tenant: string): Promise<string> => {
        await fetch('/api/sign-in', { method: 'POST', body: tenant });
        return (await (await fetch('/api/embed-session', { method: 'POST' })).json()).sessionId;
      };
      document.querySelector('main')?.replaceChildren();
      for (const tenant of ['ohare', 'dallas']) {
        const id = await mint(tenant);
        const session = Object.assign(document.createElement('pa-session'), {
          id: tenant,
          baseUrl: platformUrl,
          session: async () => id,
        });
        const element = document.createElement('pa-dashboard');
        element.setAttribute('public-id', dashboard);
        session.append(element);
        document.querySelector('main')?.append(session);
      }
    });
    for (const [tenant, airport] of [
      ['ohare', 'ORD'],
      ['dallas', 'DFW'],
    ] as const) {
      const { flights } = await referenceFor(airport);
      const tile = page
        .locator(`#${tenant} pa-tile`)
        .filter({ has: page.getByRole('heading', { name: 'Flights', exact: true }) });
      await tile.scrollIntoViewIfNeeded();
      const figure = tile.locator('[part~="figure"]');
      await expect.poll(() => figure.innerText()).toBe(flights.toLocaleString('en-US'));
    }
  });
});
