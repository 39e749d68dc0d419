import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { launchBrowser, openDemo } from './page.js';
import { referenceFor } from './reference.js';

// Attacks: requests that a caller crafts with the token of one tenant.

const demo = inject('demo');
const airport = { ohare: 'ORD', dallas: 'DFW', atlanta: 'ATL' } as const;
type Tenant = keyof typeof airport;

interface Access {
  readonly platformUrl: string;
  readonly dashboard: string;
  readonly embedToken: string;
  readonly dataToken: string;
}

type Json = Record<string, unknown>;

async function json(url: string, init: RequestInit = {}): Promise<{ status: number; body: Json }> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : {} };
}

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

async function signIn(tenant: Tenant): Promise<Access> {
  const { body: config } = await json(`${demo}/api/config`);
  const platformUrl = String(config.platformUrl);
  const { body: session } = await json(`${demo}/api/embed-session`, post({}, { cookie: `tenant=${tenant}` }));
  const { body: exchanged } = await json(
    `${platformUrl}/api/v1/embed/session/token`,
    post({ sessionId: session.sessionId }),
  );
  const embedToken = String(exchanged.token);
  const { body: data } = await json(
    `${platformUrl}/api/v1/deployments/1/token`,
    post({}, { authorization: `Bearer ${embedToken}` }),
  );
  return { platformUrl, dashboard: String(config.dashboard), embedToken, dataToken: String(data.platformApiToken) };
}

const load = (access: Access, query: unknown): Promise<{ status: number; body: Json }> =>
  json(`${access.platformUrl}/data-api/v1/load`, post({ query }, { authorization: access.dataToken }));

const count = 'departures.count';
const origin = 'departures.origin';
const rowsOf = (body: Json): Record<string, string>[] => (Array.isArray(body.data) ? body.data : []);

describe.each(Object.keys(airport) as Tenant[])('token of %s', tenant => {
  let access: Access;
  beforeAll(async () => {
    access = await signIn(tenant);
  });

  it('counts only its own flights', async () => {
    const { body } = await load(access, { measures: [count] });
    expect(Number(rowsOf(body)[0]?.[count])).toBe((await referenceFor(airport[tenant])).flights);
  });

  it('returns no other departure airport', async () => {
    const { body } = await load(access, { dimensions: [origin], measures: [count], limit: 50_000 });
    expect(rowsOf(body).map(row => row[origin])).toEqual([airport[tenant]]);
  });

  it.each([
    { member: origin, operator: 'notEquals', values: [airport[tenant]] },
    {
      or: [
        { member: origin, operator: 'set' },
        { member: origin, operator: 'equals', values: ['LAX'] },
      ],
    },
    { member: origin, operator: 'contains', values: ["' OR 1=1 --"] },
  ])('returns no more rows for a broader filter: %j', async filter => {
    const { body } = await load(access, { dimensions: [origin], measures: [count], filters: [filter] });
    for (const row of rowsOf(body)) expect(row[origin]).toBe(airport[tenant]);
  });

  it.each([
    { measures: ['flights.count'] },
    { dimensions: ['flights.origin'] },
    { dimensions: ['airports.iata'] },
    { measures: [count], subqueryJoins: [{ sql: 'SELECT 1', on: '1=1', joinType: 'LEFT', alias: 'x' }] },
    { measures: [count], timeDimensions: [{ dimension: 'departures.date', granularity: '__proto__' }] },
    { measures: ['departures.__proto__'] },
    { measures: [{ expression: 'return 1' }] },
  ])('rejects hidden members and invalid queries: %j', async query => {
    const { status, body } = await load(access, query);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toMatch(/securityContext|origin = /);
  });

  it('grants no access to other endpoints', async () => {
    const bearer = { authorization: `Bearer ${access.embedToken}` };
    const minted = await json(
      `${access.platformUrl}/api/v1/embed/generate-session`,
      post({ deploymentId: 1, externalId: 'x' }, bearer),
    );
    expect(minted.status).toBe(403);
    const swapped = await json(`${access.platformUrl}/data-api/v1/meta`, {
      headers: { authorization: access.embedToken },
    });
    expect(swapped.status).toBe(403);
    const turned = await json(`${access.platformUrl}/api/v1/deployments/1`, {
      headers: { authorization: `Bearer ${access.dataToken}` },
    });
    expect(turned.status).toBe(401);
  });
});

describe.each(Object.keys(airport) as Tenant[])('page of %s', tenant => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('gets no more rows when its script edits element filters and requests', async () => {
    const { page } = await openDemo(browser, demo, tenant);
    await page.locator('pa-dashboard [part~="figure"]').first().waitFor();
    const queries: Json[] = [];
    const origins: unknown[] = [];
    // biome-ignore lint/suspicious/noExplicitAny: requests of the page have any shape.
    const edit = ({ query, ...others }: any): Json => {
      const { filters: _, dimensions = [], ...rest } = query;
      queries.push(query);
      return { ...others, query: { ...rest, dimensions: [...new Set([...dimensions, origin])], filters: [] } };
    };
    await page.route('**/data-api/v1/load', async route => {
      const response = await route.fetch({ postData: JSON.stringify(edit(route.request().postDataJSON())) });
      origins.push(...rowsOf(await response.json()).map(row => row[origin]));
      await route.fulfill({ response });
    });
    await page.route('**/data-api/v1/load-batch', async route => {
      const requests = route.request().postDataJSON().requests.map(edit);
      const response = await route.fetch({ postData: JSON.stringify({ requests }) });
      const lines = (await response.text()).trim().split('\n');
      origins.push(...lines.flatMap(line => rowsOf(JSON.parse(line).body)).map(row => row[origin]));
      await route.fulfill({ response });
    });
    await page.route('**/data-api/v1/sql', async route => {
      const open = { ...route.request().postDataJSON(), query: 'SELECT origin FROM departures GROUP BY 1' };
      const response = await route.fetch({ postData: JSON.stringify(open) });
      const lines = (await response.text()).trim().split('\n');
      origins.push(...lines.flatMap(line => JSON.parse(line).data ?? []).flat());
      await route.continue();
    });
    const filters = { [origin]: { value: [tenant === 'dallas' ? 'ATL' : 'DFW'] } };
    const [drawn, tiles] = await page.evaluate(editFilters, filters);
    expect(drawn).toEqual(tiles);
    expect(tiles.length).toBeGreaterThan(10);
    // The page actually requested another tenant’s rows.
    expect(JSON.stringify(queries)).toContain(JSON.stringify(filters[origin]?.value));
    expect(origins.length).toBeGreaterThan(tiles.length);
    expect(new Set(origins)).toEqual(new Set([airport[tenant]]));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
  });
});

/**
 * Sets other filters on every element and refreshes it; returns the re-rendered tiles and all tiles. Runs in the page.
 */
async function editFilters(filters: object): Promise<[string[], string[]]> {
  type Board = HTMLElement & { loadAll(): Promise<void>; refresh(): Promise<void>; updateComplete: Promise<unknown> };
  type Tile = Element & { content: { type: string }; widgetId: string | null };
  const drawn = new Set<string>();
  const tiles = new Set<string>();
  for (const board of document.querySelectorAll<Board>('pa-dashboard, pa-report')) {
    await board.loadAll();
    board.addEventListener('pa-timing', ({ detail }) => drawn.add(`${board.localName} ${detail.widgetId}`));
    Object.assign(board, { lockedFilters: null, filters });
    await board.updateComplete;
    await board.refresh();
    await board.loadAll();
    for (const tile of board.shadowRoot?.querySelectorAll<Tile>('pa-tile') ?? [])
      if (tile.content.type === 'report') tiles.add(`${board.localName} ${tile.widgetId}`);
  }
  // If the state was still loading, the tile queries once more.
  while (drawn.size < tiles.size)
    await new Promise(resolve => document.addEventListener('pa-timing', resolve, { once: true }));
  return [[...drawn].sort(), [...tiles].sort()];
}

describe('host', () => {
  it('mints no session without sign-in', async () => {
    expect((await json(`${demo}/api/embed-session`, post({}))).status).toBe(401);
  });

  it('signs a first visit in as the first tenant, but not after signing out', async () => {
    const cookieFor = async (headers: Record<string, string>) =>
      (await fetch(demo, { headers })).headers.get('set-cookie');
    expect(await cookieFor({})).toMatch(/^tenant=ohare;.* HttpOnly;/);
    expect(await cookieFor({ cookie: 'tenant=' })).toBeNull();
  });

  it('mints no session for another site', async () => {
    const headers = { cookie: 'tenant=ohare', origin: 'https://evil.example' };
    expect((await json(`${demo}/api/embed-session`, post({}, headers))).status).toBe(403);
  });

  it('returns a single-use session', async () => {
    const { body: config } = await json(`${demo}/api/config`);
    const { body: session } = await json(`${demo}/api/embed-session`, post({}, { cookie: 'tenant=ohare' }));
    const exchange = (): Promise<{ status: number }> =>
      json(`${String(config.platformUrl)}/api/v1/embed/session/token`, post({ sessionId: session.sessionId }));
    const statuses = await Promise.all([exchange(), exchange(), exchange()]);
    expect(statuses.map(answer => answer.status).sort()).toEqual([200, 401, 401]);
  });
});
