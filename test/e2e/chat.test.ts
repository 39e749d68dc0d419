import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { casesAtDepth } from '../property.js';
import { type DemoPage, launchBrowser, openDemo } from './page.js';
import { referenceFor } from './reference.js';

// The demo chat per tenant: next to the dashboard in the page session, and through the host, which holds the key.

const demo = inject('demo');
const airport = { ohare: 'ORD', dallas: 'DFW', atlanta: 'ATL' } as const;
type Tenant = keyof typeof airport;
/** Two tenants show that each sees its own rows. A deep run tests all. */
const tenants = (Object.keys(airport) as Tenant[]).slice(0, casesAtDepth(3, 2));

/** Sends a question in the page’s chat and returns the complete answer text. */
async function ask(page: Page, question: string): Promise<string> {
  const chat = page.locator('pa-chat');
  const turns = await chat.locator('pa-chat-turn').count();
  await chat.locator('textarea').fill(question);
  await chat.locator('textarea').press('Enter');
  const turn = chat.locator('pa-chat-turn').nth(turns);
  // The tools below an answer appear when it is complete.
  await turn.locator('.answer .tools').waitFor({ state: 'attached' });
  return (await turn.locator('.text').allInnerTexts()).join('\n');
}

/** Sets a control of the dashboard by a chat message, and then restores the control. */
async function setAndUndo(page: Page): Promise<void> {
  const filters = () => page.evaluate(() => document.querySelector('pa-dashboard')?.getState().filters);
  expect(await ask(page, 'Show only NY on the dashboard')).toBe('');
  await page.locator('pa-chat-control-change').getByText('Set Destination state to NY', { exact: true }).waitFor();
  expect(Object.values((await filters()) ?? {})).toEqual([{ operator: 'equals', value: ['NY'] }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undone' }).waitFor();
  expect(await filters()).toEqual({});
}

/** Sends a question about a tile, which its menu selects, and returns the answer. */
async function explainTile(page: Page, title: string): Promise<string> {
  await page.locator('pa-chat .frame').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: `Menu of ${title}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Ask about this tile' }).click();
  await page.locator('pa-chat-context').getByRole('button', { name: title }).waitFor();
  return ask(page, 'Explain this tile');
}

/** Loads all tiles, including those below the viewport. */
const loadTiles = (page: Page) => page.evaluate(() => document.querySelector('pa-dashboard')?.loadAll());

/** Returns the tile of the demo's AI widget while it shows an answer with this title. */
const answerTile = (page: Page, title: string) =>
  page.locator('pa-dashboard pa-tile').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

/** Returns the text of an element with that of the elements in its shadow root. Runs in the page. */
function textOf(element: Element): string {
  const inner = [...(element.shadowRoot?.querySelectorAll('*') ?? [])].filter(({ shadowRoot }) => shadowRoot);
  const texts = [element, ...inner].map(({ shadowRoot }) => shadowRoot?.textContent ?? '');
  return texts.join(' ').replace(/\s+/g, ' ');
}

/** Filters the dashboard by a mark of an answer with the keyboard, and removes the filter. */
async function filterByMark(page: Page): Promise<void> {
  await ask(page, 'Flights by day of week');
  const chart = page.locator('pa-chat-result').last().locator('pa-tile-chart');
  await chart.locator('[tabindex="0"]').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Filter dashboard by this' }).waitFor();
  await page.keyboard.press('Enter');
  const chip = page.locator('pa-mark-chip').getByRole('button');
  await chip.waitFor();
  expect(await chip.innerText()).toMatch(/^Day of week is \w+day/);
  await chip.click();
  await chip.waitFor({ state: 'detached' });
}

/** Saves the chart of an answer. Rejects if a content security policy blocks it. */
async function saveChart(page: Page): Promise<string> {
  await ask(page, 'Flights by month');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download PNG' }).last().click(),
  ]);
  return download.suggestedFilename();
}

const formatNumber = (figure: number): string => new Intl.NumberFormat('en').format(figure);

describe('demo chat next to a dashboard', () => {
  const unpinned = 'Average delay (minutes) · Departure, Time of day';
  const pinned = 'Longest delay (minutes)';
  let browser: Browser;
  let analyst: DemoPage;
  let references: ReadonlyMap<Tenant, Awaited<ReturnType<typeof referenceFor>>>;
  beforeAll(async () => {
    browser = await launchBrowser();
    // The analyst sees the rows of all tenants, also of those that this depth does not test.
    const all = Object.keys(airport) as Tenant[];
    references = new Map(await Promise.all(all.map(async id => [id, await referenceFor(airport[id])] as const)));
    analyst = await openDemo(browser, demo, 'analyst');
  });
  afterAll(() => browser.close());

  it('explains a tile, and pins an answer of the analyst', async () => {
    const { page } = analyst;
    await loadTiles(page);
    await answerTile(page, unpinned).locator('pa-tile-chart').waitFor();
    await page.locator('pa-chat .launcher').click();
    expect(await explainTile(page, unpinned)).toContain('Average delay');
    const delays = [...references.values()].map(({ maxDelay }) => maxDelay);
    expect(new Set(delays).size).toBe(delays.length);
    expect(await ask(page, 'What is the longest delay?')).toContain(formatNumber(Math.max(...delays)));
    await page.getByRole('button', { name: 'Pin to dashboard' }).last().click();
    await page.locator('pa-chat-pin').getByText('with their own data').waitFor();
    await answerTile(page, pinned)
      .locator('pa-tile-kpi', { hasText: formatNumber(Math.max(...delays)) })
      .waitFor();
  });

  it.each(tenants)(
    'shows %s the pinned answer and its own answers with the tenant’s figures, equal to the Data API',
    async tenant => {
      const { page, problems } = await openDemo(browser, demo, tenant);
      const { flights, busiest, maxDelay } = references.get(tenant) ?? (await referenceFor(airport[tenant]));
      await loadTiles(page);
      // The whole text of the tile, so that a failure shows what the tenant saw instead.
      await expect
        .poll(() => answerTile(page, pinned).evaluate(textOf), { timeout: 30_000 })
        .toContain(formatNumber(maxDelay));
      await page.locator('pa-chat .launcher').click();
      expect(await ask(page, 'How many flights were there?')).toContain(formatNumber(flights));
      // The dashboard tile shows the same number from the Data API.
      await page
        .locator('pa-tile-kpi', { hasText: formatNumber(flights) })
        .first()
        .waitFor();
      expect(await ask(page, 'Which destination has the most flights?')).toContain(formatNumber(busiest.flights));
      if (tenant === 'ohare') {
        await setAndUndo(page);
        await filterByMark(page);
        expect(await saveChart(page)).toMatch(/\.png$/);
      }
      // Viewers of tenants cannot pin.
      expect(await page.getByRole('button', { name: 'Pin to dashboard' }).count()).toBe(0);
      expect(await problems()).toEqual([]);
      await page.context().close();
    },
  );

  it('restores the previous answer when the analyst undoes the pin', async () => {
    const { page, problems } = analyst;
    await page.locator('pa-chat-pin').getByRole('button', { name: 'Undo' }).last().click();
    await answerTile(page, unpinned).locator('pa-tile-chart').waitFor();
    expect(await problems()).toEqual([]);
  });
});

describe('demo chat through the host', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it.each(tenants)('gives %s the same answer through the host, without requests to other origins', async tenant => {
    const context = await browser.newContext({ viewport: { width: 1024, height: 800 } });
    await context.addCookies([{ name: 'tenant', value: tenant, url: demo }]);
    const page = await context.newPage();
    const otherOrigins: string[] = [];
    const credentials: string[] = [];
    page.on('request', request => {
      if (!request.url().startsWith(demo) && !request.url().startsWith('data:')) otherOrigins.push(request.url());
      const { authorization } = request.headers();
      if (authorization) credentials.push(request.url());
    });
    await page.goto(`${demo}/ask`);
    const reference = await referenceFor(airport[tenant]);
    expect(await ask(page, 'How many flights were there?')).toContain(formatNumber(reference.flights));
    expect(otherOrigins).toEqual([]);
    expect(credentials).toEqual([]);
    await context.close();
  });

  it('shows an error with Retry if the code of a result or its table cannot be loaded', async () => {
    let failing = 'result-element';
    const { page } = await openDemo(browser, `${demo}/ask`, 'ohare', {
      prepare: async opened => {
        await opened.route(/pa-embed\/[^/]+\.js$/, route =>
          failing && route.request().url().includes(failing) ? route.abort() : route.continue(),
        );
      },
    });
    await ask(page, 'Flights by month as a table');
    const retry = page.locator('pa-chat-step').getByRole('button', { name: 'Retry' });
    await retry.waitFor();
    failing = 'table-element';
    await retry.click();
    await page.locator('pa-chat-result .notice', { hasText: 'Can’t reach' }).waitFor();
    failing = '';
    await retry.click();
    await page.locator('pa-chat-result pa-tile-table tbody tr').first().waitFor();
    expect(await page.locator('pa-chat .notice').count()).toBe(0);
    await page.context().close();
  });

  it('renders the chart of an answer and a follow-up', async () => {
    const { page, problems } = await openDemo(browser, `${demo}/ask`, 'ohare');
    await ask(page, 'Flights by month');
    await page.locator('pa-chat-result pa-tile-chart svg').first().waitFor();
    await ask(page, 'as a table');
    await page.locator('pa-chat-turn').nth(1).locator('pa-tile-table tbody tr').first().waitFor();
    expect(await problems()).toEqual([]);
    await page.context().close();
  });

  it('stores a thread for its owner: listed, reopened and hidden from other tenants', async () => {
    const { page } = await openDemo(browser, `${demo}/ask`, 'dallas');
    const reference = await referenceFor('DFW');
    await ask(page, 'What is the number of destinations?');
    const id = await page.evaluate(() => document.querySelector('pa-chat')?.threadId ?? '');
    await page.reload();
    await page.getByRole('button', { name: 'Earlier chats' }).click();
    await page.locator('pa-chat-threads .open').first().click();
    await page
      .locator('pa-chat-turn .text', { hasText: formatNumber(reference.destinations) })
      .first()
      .waitFor();
    for (const [tenant, status] of [
      ['dallas', 200],
      ['atlanta', 404],
    ] as const) {
      const read = await fetch(`${demo}/api/assistant/chat/stream-chat-state`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: `tenant=${tenant}` },
        body: JSON.stringify({ chatId: id, sessionSettings: { externalId: 'sam@dfw.example' } }),
      });
      expect(read.status).toBe(status);
      await read.body?.cancel();
    }
    await page.context().close();
  });

  it('requests clarification of an ambiguous question and invents nothing', async () => {
    const { page } = await openDemo(browser, `${demo}/ask`, 'ohare');
    const answer = await ask(page, 'What was our revenue in 2001?');
    expect(answer).not.toMatch(/\$\s?\d/);
    expect(await page.locator('pa-chat-result').count()).toBe(0);
    await page.context().close();
  });
});
