import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { createEmbedSession } from '../../src/node/create-embed-session.js';
import { startDemo } from '../e2e/demo.js';
import { launchBrowser, openDemo } from '../e2e/page.js';
import { type Bench, type Figure, median, millis } from './figures.js';

const tileCount = 40;
const maxTileCount = 300;
const nameOf = (count: number): string => `${count} tiles`;

/** Creates workbooks with 40 and 300 tiles, as the user of the demo's page. */
async function createWorkbooks(platform: { readonly origin: string; readonly keyFile: string }): Promise<void> {
  const connection = { baseUrl: platform.origin, apiKey: readFileSync(platform.keyFile, 'utf8').trim() };
  const { sessionId } = await createEmbedSession(connection, {
    deploymentId: 1,
    externalId: 'rosa@ohare.example',
    embedTenantName: 'ohare',
    securityContext: { airport: 'ORD' },
    creatorMode: true,
  });
  let token = '';
  const call = async (method: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${platform.origin}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  token = (await call('POST', '/api/v1/embed/session/token', { sessionId })).token;
  const deployment = '/api/v1/deployments/1';
  for (const count of [tileCount, maxTileCount]) {
    const { id: workbookId } = await call('POST', `${deployment}/workbooks`, { name: nameOf(count) });
    const jsonQuery = JSON.stringify({
      measures: ['departures.count'],
      dimensions: ['departures.destination'],
      limit: 20,
    });
    const report = { name: 'Flights', title: 'Flights', workbookId, jsonQuery, meta: { kind: 'table' } };
    const { id: reportId } = await call('POST', `${deployment}/reports`, report);
    const widgets = Array.from({ length: count }, (_, index) => ({
      id: `tile-${index}`,
      type: 'CHART',
      position: { x: (index % 4) * 3, y: Math.floor(index / 4) * 6, w: 3, h: 6 },
      config: { reportId },
    }));
    await call('PUT', `${deployment}/workbooks/${workbookId}/dashboard`, { dashboardDraft: { widgets } });
  }
}

/** Drags the first tile over the others. Returns the durations of the frames during the drag, in ms. */
async function drag(page: Page): Promise<number[]> {
  const handle = await page.locator('pa-edit-grid .handle').first().boundingBox();
  if (!handle) throw new Error('There is no tile.');
  const [x, y] = [handle.x + 40, handle.y + handle.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const frames = page.evaluate(async () => {
    const durations: number[] = [];
    let last = await new Promise<number>(requestAnimationFrame);
    for (const end = last + 2_000; last < end; ) {
      const now = await new Promise<number>(requestAnimationFrame);
      durations.push(now - last);
      last = now;
    }
    return durations;
  });
  for (let step = 0; step < 120; step++) await page.mouse.move(x + step * 8, y + Math.sin(step / 8) * 250 + 250);
  const durations = await frames;
  await page.mouse.up();
  return durations;
}

/** Opens a dashboard of the workspace. Returns the time until its tiles can be moved, in ms. */
async function openEditor(page: Page, count: number): Promise<number> {
  const dashboard = page.getByRole('button', { name: `Dashboard ${nameOf(count)}` });
  await dashboard.waitFor();
  const start = performance.now();
  await dashboard.click();
  await page
    .locator('pa-edit-grid pa-tile')
    .nth(count - 1)
    .waitFor({ state: 'attached' });
  const time = performance.now() - start;
  await page.locator('pa-edit-grid pa-tile pa-tile-table').nth(8).waitFor();
  return time;
}

/** Measures the frames while a tile is dragged. */
async function dragFigure(page: Page, count: number): Promise<Figure> {
  const frames = (await drag(page)).toSorted((a, b) => a - b);
  return {
    what: `frames while a tile is dragged among ${count} (median, 95 %, worst)`,
    measured: [0.5, 0.95, 1]
      .map(part => millis(frames[Math.min(frames.length - 1, Math.floor(frames.length * part))] ?? Number.NaN))
      .join(', '),
    aim: '20 ms',
  };
}

/** Adds a dimension to a measure and removes it again. Returns the times until the result is drawn, in ms. */
async function explore(page: Page): Promise<number[]> {
  await page.getByRole('button', { name: 'Add chart' }).first().click();
  await page.locator('pa-member-picker [data-member="departures.count"]').click();
  await page.locator('pa-explore pa-tile pa-tile-kpi').waitFor();
  const times: number[] = [];
  for (const member of [
    'departures.weekday',
    'departures.hour',
    'departures.destination',
    'departures.distance_band',
  ]) {
    times.push(
      await page.evaluate(async clicked => {
        const within = (root: ParentNode | null | undefined, selector: string) => root?.querySelector(selector);
        const workspace = document.querySelector('pa-workspace');
        const editor = within(within(workspace?.shadowRoot, 'pa-workbook')?.shadowRoot, 'pa-workbook-editor');
        const root = within(editor?.shadowRoot, 'pa-explore')?.shadowRoot;
        const picker = within(root, 'pa-member-picker')?.shadowRoot;
        const press = () => picker?.querySelector<HTMLElement>(`[data-member="${clicked}"]`)?.click();
        const tile = () => root?.querySelector<HTMLElement & { outcome: string | null }>('pa-tile');
        const hasFigure = () => Boolean(tile()?.shadowRoot?.querySelector('pa-tile-kpi'));
        const settle = async ({ isFigure }: { isFigure: boolean }) => {
          while (hasFigure() !== isFigure || tile()?.outcome !== 'shown') await new Promise(requestAnimationFrame);
        };
        const start = performance.now();
        press();
        await settle({ isFigure: false });
        const time = performance.now() - start;
        press();
        await settle({ isFigure: true });
        return time;
      }, member),
    );
  }
  return times;
}

/** Measures the editor on the demo: frames while a tile is dragged, and the preview of a changed query. */
export const editorFigures: Bench = async function* ({ note, onStop }) {
  note('editor: dragging a tile, exploring');
  const demo = await startDemo();
  onStop(() => demo.stop());
  const browser = await launchBrowser();
  try {
    await createWorkbooks(demo.platform);
    const { page } = await openDemo(browser, `${demo.origin}/build`, 'ohare', {
      // tsx wraps named functions in a helper that is not defined in the page.
      prepare: each => each.addInitScript('globalThis.__name = value => value'),
    });
    await openEditor(page, tileCount);
    yield await dragFigure(page, tileCount);
    await page.getByRole('button', { name: 'Back' }).click();
    const time = await openEditor(page, maxTileCount);
    yield { what: `time until ${maxTileCount} tiles can be edited`, measured: millis(time), aim: '–' };
    yield await dragFigure(page, maxTileCount);
    const times = await explore(page);
    yield {
      what: 'preview of a changed query (median of 4, worst)',
      measured: `${millis(median(times))}, ${millis(Math.max(...times))}`,
      aim: '300 ms',
    };
  } finally {
    await browser.close();
    await demo.stop();
  }
};
