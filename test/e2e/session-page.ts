import { type Browser, chromium, type Locator, type Page, type Request } from 'playwright-core';
import { inject } from 'vitest';
import { browserFlags, findBrowser } from '../browser.js';
import { waitTimeoutMs } from '../eventually.js';
import { type DemoOptions, type DemoPage, openDemo } from './page.js';

/** Starts a browser with the back/forward cache enabled, like a regular browser. */
export function launchCachingBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser(),
    args: browserFlags,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
}

/** Requests of a page by kind, in order. */
export interface Traffic {
  readonly mints: Request[];
  readonly exchanges: Request[];
  readonly dataTokens: Request[];
  readonly dashboards: Request[];
  /** One item per query; a batch counts for each of its queries. */
  readonly loads: Request[];
}

const kinds: Readonly<Record<keyof Traffic, RegExp>> = {
  mints: /\/api\/embed-session$/,
  exchanges: /\/embed\/session\/token$/,
  dataTokens: /\/deployments\/\d+\/token$/,
  dashboards: /\/embed\/dashboard\//,
  loads: /\/data-api\/v1\/(load|load-batch|sql)$/,
};

/** Records the page’s requests from now on. */
export function watchTraffic(page: Page): Traffic {
  const traffic: Traffic = { mints: [], exchanges: [], dataTokens: [], dashboards: [], loads: [] };
  page.on('request', request => {
    if (request.method() === 'OPTIONS') return;
    for (const [kind, pattern] of Object.entries(kinds)) {
      const { pathname } = new URL(request.url());
      if (!pattern.test(pathname)) continue;
      const count = pathname.endsWith('/load-batch') ? request.postDataJSON().requests.length : 1;
      traffic[kind as keyof Traffic].push(...Array.from({ length: count }, () => request));
    }
  });
  return traffic;
}

/** Opens the demo signed in as a tenant, with a small dashboard instead of the demo's and a timeout for every wait. */
export async function open(
  browser: Browser,
  origin: string,
  tenant: string,
  { prepare, ...options }: DemoOptions = {},
): Promise<DemoPage> {
  const small = inject('smallBoard');
  const opened = await openDemo(browser, origin, tenant, {
    ...options,
    prepare: async page => {
      await page.addInitScript(showInstead, small);
      await prepare?.(page);
    },
  });
  opened.page.setDefaultTimeout(waitTimeoutMs);
  return opened;
}

/**
 * Changes the dashboard that the demo's configuration names. Runs in the page, because a route would slow down all
 * requests.
 */
function showInstead(dashboard: string): void {
  const original = window.fetch;
  window.fetch = async (input, init) => {
    const response = await original(input, init);
    if (input !== '/api/config') return response;
    const { dashboards, ...config } = await response.json();
    return Response.json({ ...config, dashboard, dashboards: { ...dashboards, departures: dashboard } });
  };
}

/** Returns the number in the tile "Flights", which differs between tenants. */
export const flights = (page: Page): Locator =>
  page
    .locator('pa-dashboard pa-tile')
    .filter({ has: page.getByRole('heading', { name: 'Flights', exact: true }) })
    .locator('[part~="figure"]');

/** Waits until every tile settles, including the report next to the dashboard. */
export async function drawAll(page: Page): Promise<void> {
  await flights(page).waitFor();
  await page.evaluate(async () => {
    const elements = document.querySelectorAll<HTMLElement & { loadAll(): Promise<void> }>('pa-dashboard, pa-report');
    await Promise.all(Array.from(elements, element => element.loadAll()));
  });
  await page.locator('pa-report pa-tile-chart svg').waitFor();
}

/** Returns the visible text of all elements, including shadow roots and charts. */
export function visibleText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const texts: string[] = [];
    const visit = (node: Node): void => {
      if (node instanceof Text) {
        const isShown =
          node.parentElement?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ?? true;
        const isStyle = node.parentElement?.localName === 'style';
        if (isShown && !isStyle && node.data.trim()) texts.push(node.data.trim());
      }
      if (node instanceof Element && node.shadowRoot) visit(node.shadowRoot);
      for (const child of node.childNodes) visit(child);
    };
    for (const element of document.querySelectorAll('pa-dashboard, pa-report')) visit(element);
    return texts.join('\n');
  });
}

/** Returns the accessible text of the elements. */
export function accessibleText(page: Page): Promise<string> {
  return page.locator('main').ariaSnapshot();
}

/** Holds requests until opened. */
export interface Gate {
  /** Resolves when a request arrives. */
  readonly reached: Promise<void>;
  open(): void;
}

/** Holds all requests to a URL until the gate opens. */
export async function holdRequests(page: Page, address: string): Promise<Gate> {
  let arrive = (): void => {};
  let open = (): void => {};
  const reached = new Promise<void>(resolve => {
    arrive = resolve;
  });
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  await page.route(address, async route => {
    arrive();
    await opened;
    await route.continue();
  });
  return { reached, open };
}

/** Returns the names of the `pa-` events since `noteEvents`, with the status of errors. */
export const recordedEvents = (page: Page): Promise<string[]> => page.evaluate(() => window.paEvents ?? []);

/** Records the element events from now on. */
export async function recordEvents(page: Page): Promise<void> {
  await page.evaluate(() => {
    const noted: string[] = [];
    window.paEvents = noted;
    for (const name of ['pa-session-ready', 'pa-session-expiring', 'pa-session-expired', 'pa-error']) {
      document.addEventListener(name, event => {
        const detail: { status: number | null } | undefined = 'detail' in event ? Object(event.detail) : undefined;
        noted.push(detail ? `${name} ${detail.status}` : name);
      });
    }
  });
}

declare global {
  interface Window {
    paEvents?: string[];
    /** Nodes that a test compares later. */
    trackedNodes?: Element[];
  }
}

/** Records the rendered nodes: tiles, their content, and the report next to them. */
export async function trackNodes(page: Page): Promise<number> {
  return page.evaluate(() => {
    const nodes: Element[] = [];
    const visit = (root: ParentNode): void => {
      for (const element of root.querySelectorAll('*')) {
        if (element.matches('pa-tile, pa-report, svg, table, [part~="figure"]')) nodes.push(element);
        if (element.shadowRoot) visit(element.shadowRoot);
      }
    };
    visit(document);
    window.trackedNodes = nodes;
    return nodes.length;
  });
}

/** Returns the number of recorded nodes that are still on the page. */
export const countTrackedNodes = (page: Page): Promise<number> =>
  page.evaluate(() => (window.trackedNodes ?? []).filter(node => node.isConnected).length);
