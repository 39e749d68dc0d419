import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createEmbedSession } from '../../src/node/create-embed-session.js';
import { violationsOn } from './board-page.js';
import { launchBrowser, openDemo } from './page.js';

// An analyst of a tenant builds a dashboard in the host's page: once with a pointer, and once with only the keyboard.

const demo = inject('demo');
const { origin: platform, keyFile } = inject('platform');
const connection = { baseUrl: platform, apiKey: readFileSync(keyFile, 'utf8').trim() };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A user who signs in to the demo's page for builders. */
interface Builder {
  readonly externalId: string;
  readonly embedTenantName: string;
  readonly airport: string;
  readonly creatorMode: boolean;
}

const analyst: Builder = { externalId: 'ana@ohare', embedTenantName: 'ohare', airport: 'ORD', creatorMode: true };
const colleague: Builder = { ...analyst, externalId: 'col@ohare' };
const viewer: Builder = { ...colleague, externalId: 'vic@ohare', creatorMode: false };
const stranger: Builder = { externalId: 'sam@dallas', embedTenantName: 'dallas', airport: 'DFW', creatorMode: true };

async function openAs({ airport, ...user }: Builder, tenant = 'ohare') {
  const grant = { deploymentId: 1, ...user, securityContext: { airport } };
  const opened = await openDemo(browser, `${demo}/build`, tenant, {
    prepare: page =>
      page.route('**/api/creator-session', async route => {
        await route.fulfill({ json: await createEmbedSession(connection, grant) });
      }),
  });
  return opened;
}

const button = (page: Page, name: string) => page.getByRole('button', { name });
const tiles = (page: Page) => page.locator('pa-edit-grid .tile[data-id]');
const isSaved = (page: Page) => page.getByText('Saved as draft').waitFor();

async function newDashboard(page: Page, name: string): Promise<void> {
  await button(page, 'New dashboard').first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.keyboard.press('Enter');
  await page.getByText('An empty dashboard').waitFor();
}

async function addChart(page: Page, fields: readonly string[], title: string, look?: string): Promise<void> {
  const count = await tiles(page).count();
  await button(page, 'Add chart').first().click();
  for (const field of fields) await page.getByRole('checkbox', { name: field, exact: true }).first().check();
  await page.locator(`pa-explore pa-tile`).waitFor();
  if (look) await button(page, look).click();
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  // The button is enabled when the result of all fields is shown.
  await button(page, 'Add to dashboard').click();
  await expect.poll(() => tiles(page).count()).toBe(count + 1);
}

const titles = (page: Page) => tiles(page).evaluateAll(all => all.map(tile => tile.getAttribute('aria-label') ?? ''));

const placeOf = (page: Page, title: string) =>
  page.locator(`pa-edit-grid .tile[aria-label="${title}"]`).evaluate(tile => {
    const { gridColumn, gridRow } = getComputedStyle(tile);
    return `${gridColumn} | ${gridRow}`;
  });

const scrollTo = (target: Locator, block: 'center' | 'nearest') =>
  target.evaluate((element, where) => element.scrollIntoView({ block: where }), block);
const boxOf = async (target: Locator) => {
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} is not visible.`);
  return { ...box, center: { x: box.x + box.width / 2, y: box.y + box.height / 2 } };
};
const gripOf = (page: Page, title: string) => page.getByRole('button', { name: `Move ${title}` }).locator('.grip');

/** Drags a tile by its grip to the right, with a finger. */
async function dragByTouch(page: Page, title: string, distance: number): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints });
  const grip = gripOf(page, title);
  await scrollTo(grip, 'center');
  const { x, y } = (await boxOf(grip)).center;
  await touch('touchStart', { x, y });
  await touch('touchMove', { x: x + distance / 2, y });
  await touch('touchMove', { x: x + distance, y });
  await touch('touchEnd');
  await client.send('Emulation.setTouchEmulationEnabled', { enabled: false });
}

/** Drags a tile into a new container and back to the start of the grid with a mouse. Then undoes all. */
async function dragOverContainer(page: Page): Promise<void> {
  const before = await titles(page);
  await button(page, 'Add container').click();
  await page.locator('dialog').getByRole('button', { name: 'Save' }).click();
  const container = page.locator('pa-edit-grid [data-container]');
  const dragTo = async (title: string, x: number, y: number) => {
    // All of the container is visible, so the pointer does not come near the edges, where it would scroll the page.
    await scrollTo(gripOf(page, title), 'center');
    await scrollTo(container, 'nearest');
    const [{ center: from }, box] = [await boxOf(gripOf(page, title)), await boxOf(container)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 20, from.y + 20);
    await page.mouse.move(box.x + x, box.y + y, { steps: 3 });
    await page.mouse.up();
  };
  await dragTo('States', 60, 60);
  const inside = page.locator('pa-edit-grid [data-child]').getByRole('button', { name: 'Move States' });
  await inside.waitFor();
  // Above the container, at the pointer's cell.
  await dragTo('States', 300, -80);
  await inside.waitFor({ state: 'detached' });
  expect(await placeOf(page, 'States')).toMatch(/^[2-7] \/ span 6/);
  for (let steps = 0; steps < 3; steps += 1) await button(page, 'Undo').click();
  await expect.poll(() => titles(page)).toEqual(before);
}

describe('a tenant’s analyst', () => {
  it('starts from an empty workspace, explores, arranges with a pointer and publishes for the tenant', async () => {
    const { page, problems } = await openAs(analyst);
    await page.getByText('No dashboards yet').waitFor();
    await newDashboard(page, 'Weekly review');
    await addChart(page, ['Flights', 'Departure'], 'Flights by month');
    await addChart(page, ['Flights', 'Time of day'], 'Flights by time of day', 'Columns');
    await addChart(page, ['Flights'], 'All flights');
    await addChart(page, ['Destination state', 'Flights', 'Average delay (minutes)'], 'States', 'Table');
    await expect
      .poll(() => titles(page))
      .toEqual(['Flights by month', 'Flights by time of day', 'All flights', 'States']);
    await isSaved(page);
    expect(await violationsOn(page)).toEqual([]);

    const before = await placeOf(page, 'Flights by month');
    const handle = page.getByRole('button', { name: 'Move Flights by month' });
    const box = await handle.boundingBox();
    if (!box) throw new Error('The handle is not visible.');
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 400, box.y + 12, { steps: 5 });
    await page.mouse.move(box.x + 700, box.y + 12, { steps: 5 });
    await page.mouse.up();
    expect(await placeOf(page, 'Flights by month')).toBe('7 / span 6 | 1 / span 8');
    await button(page, 'Undo').click();
    expect(await placeOf(page, 'Flights by month')).toBe(before);
    await button(page, 'Redo').click();
    await isSaved(page);
    const figure = await placeOf(page, 'All flights');
    await dragByTouch(page, 'All flights', 120);
    await expect.poll(() => placeOf(page, 'All flights')).not.toBe(figure);
    await button(page, 'Undo').click();
    await dragOverContainer(page);

    await button(page, 'Publish').click();
    await page.getByText('Viewers will see this dashboard for the first time.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.locator('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published.').waitFor({ state: 'attached' });
    expect(await problems()).toEqual([]);
    await page.context().close();
  });

  it('builds by keyboard alone', async () => {
    const { page } = await openAs({ ...analyst, externalId: 'kim@ohare' });
    await page.getByText('No dashboards yet').waitFor();
    /** Moves the focus with Tab, or Shift+Tab, until it is on the control with this name. */
    const tabTo = async (name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
      for (let step = 0; step < 150; step += 1) {
        await page.keyboard.press(key);
        const focused = await page.evaluate(() => {
          let element = document.activeElement;
          while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
          const label = element?.closest('label')?.textContent ?? element?.textContent ?? '';
          return (element?.getAttribute('aria-label') ?? label).trim();
        });
        if (focused === name) return;
      }
      throw new Error(`${key} does not reach ${name}.`);
    };
    await tabTo('New dashboard');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await page.getByText('An empty dashboard').waitFor();
    const fields = ['Flights', 'Destinations', 'On-time share', 'Average delay (minutes)'];
    for (const [index, field] of fields.entries()) {
      // The new tile has the focus, and the tools are before it.
      await tabTo('Add chart', index === 0 ? 'Tab' : 'Shift+Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('checkbox', { name: field, exact: true }).first().waitFor();
      await tabTo(field);
      await page.keyboard.press('Space');
      await page.locator('pa-explore pa-tile').waitFor();
      if (index < 2) {
        await tabTo('Table');
        await page.keyboard.press('Enter');
      }
      await expect.poll(() => button(page, 'Add to dashboard').isEnabled()).toBe(true);
      await tabTo('Add to dashboard', 'Shift+Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => titles(page)).toEqual(fields.slice(0, index + 1));
    }
    await tabTo('Move Destinations', 'Shift+Tab');
    const before = await placeOf(page, 'Destinations');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.getByText(/^Destinations: column 7, row 1, 5 wide, 8 high\.$/).waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^Destinations: column 8, row 1, 5 wide/).waitFor({ state: 'attached' });
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    expect(await placeOf(page, 'Destinations')).toBe(before);
    await page.keyboard.press('Delete');
    await expect.poll(() => titles(page)).toEqual(fields.filter(field => field !== 'Destinations'));
    await page.keyboard.press('Control+z');
    await expect.poll(() => titles(page)).toEqual(fields);

    await tabTo('Publish', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Viewers will see this dashboard for the first time.').waitFor();
    await tabTo('Publish');
    await page.keyboard.press('Enter');
    await page.getByText('Published.').waitFor({ state: 'attached' });
    await page.context().close();
  });

  it('shows it to a colleague of the tenant, who cannot change it, and to viewers', async () => {
    const { page } = await openAs(colleague);
    await page.getByText('No dashboards yet').waitFor();
    await button(page, 'Shared with us').click();
    await button(page, 'Dashboard By keyboard').waitFor();
    await button(page, 'Dashboard Weekly review').click();
    const dashboard = page.locator('pa-dashboard');
    await dashboard.getByText('Flights by month').first().waitFor();
    expect(await page.locator('pa-edit-grid').count()).toBe(0);
    const publicId = await page.evaluate(() => {
      const workspace = document.querySelector('pa-workspace')?.shadowRoot;
      return workspace?.querySelector('pa-dashboard')?.publicId ?? '';
    });
    await page.context().close();

    const { page: other } = await openAs(viewer);
    await other.getByText('You can only view dashboards here').waitFor();
    await other.evaluate(id => {
      const element = Object.assign(document.createElement('pa-dashboard'), { publicId: id });
      document.querySelector('pa-session')?.append(element);
    }, publicId);
    await other.locator('pa-dashboard').getByText('Flights by month').first().waitFor();
    await other.context().close();

    const { page: outside } = await openAs(stranger, 'dallas');
    await outside.getByText('No dashboards yet').waitFor();
    await button(outside, 'Shared with us').click();
    // The host shares its own dashboards with all tenants.
    await button(outside, 'Dashboard Departures').waitFor();
    for (const name of ['Weekly review', 'By keyboard']) {
      expect(await button(outside, `Dashboard ${name}`).count()).toBe(0);
    }
    await outside.evaluate(id => {
      const element = Object.assign(document.createElement('pa-dashboard'), { publicId: id });
      document.querySelector('pa-session')?.append(element);
    }, publicId);
    await outside.getByText('No dashboard with this public id').waitFor();
    await outside.context().close();
  });

  it('decides which draft to keep if two windows change the same dashboard', async () => {
    const user = { ...analyst, externalId: 'two@ohare' };
    const { page: first } = await openAs(user);
    await newDashboard(first, 'Both');
    await addChart(first, ['Flights'], 'From the first');
    await isSaved(first);
    const { page: second } = await openAs(user);
    await button(second, 'Dashboard Both').click();
    await expect.poll(() => titles(second)).toEqual(['From the first']);
    await addChart(first, ['Destinations'], 'Also from the first');
    await isSaved(first);
    await addChart(second, ['On-time share'], 'From the second');
    await second.getByText('This dashboard was changed elsewhere').first().waitFor();
    expect(await violationsOn(second)).toEqual([]);
    await button(second, 'Keep both').click();
    await expect.poll(() => titles(second)).toEqual(['From the first', 'Also from the first']);
    await button(second, 'Back').click();
    await button(second, 'Dashboard Both (my version)').click();
    await expect.poll(() => titles(second)).toEqual(['From the first', 'From the second']);
    await first.context().close();
    await second.context().close();
  });
});
