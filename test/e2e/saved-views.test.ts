import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createEmbedSession } from '../../src/node/create-embed-session.js';
import { type Board, drawBoard, violationsOn } from './board-page.js';
import { type DemoPage, launchBrowser } from './page.js';
import { open } from './session-page.js';

// Two viewers of one tenant and one of another save views of the same dashboard.

const demo = inject('demo');
const { origin: platform, keyFile } = inject('platform');
const connection = { baseUrl: platform, apiKey: readFileSync(keyFile, 'utf8').trim() };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const viewers = {
  ann: { externalId: 'ann@views', userProfile: { displayName: 'Ann Lee' }, embedTenantName: 'ohare', airport: 'ORD' },
  bob: { externalId: 'bob@views', embedTenantName: 'ohare', airport: 'ORD' },
  dan: { externalId: 'dan@views', embedTenantName: 'dallas', airport: 'DFW' },
};

async function openAs(who: keyof typeof viewers, settings: object = { allowSavedViews: true }): Promise<DemoPage> {
  const { airport, ...user } = viewers[who];
  const grant = { deploymentId: 1, ...user, securityContext: { airport }, settings };
  const opened = await open(browser, demo, user.embedTenantName, {
    prepare: page =>
      page.route('**/api/embed-session', async route => {
        await route.fulfill({ json: await createEmbedSession(connection, grant) });
      }),
  });
  await drawBoard(opened.page);
  return opened;
}

const panel = (page: Page) => page.getByRole('dialog', { name: 'Views' });
const button = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true });
const toggle = (page: Page, name: string) =>
  page.locator('pa-views').getByRole('button', { name, exact: true, expanded: false });
const member = 'departures.destination_state';
const choose = (page: Page, state: string) =>
  page.evaluate(
    ([name, value]) => {
      document.querySelector<Board>('pa-dashboard')?.setState({ filters: { [name]: { value } } });
    },
    [member, state] as const,
  );
const chosenOn = (page: Page) =>
  page.evaluate(
    name => Object(document.querySelector<Board>('pa-dashboard')?.getState().filters?.[name]).value,
    member,
  );

describe('saved views', () => {
  it('are saved, shared within the tenant and opened with the dashboard', async () => {
    const ann = await openAs('ann');
    const { page } = ann;
    await choose(page, 'CA');
    await toggle(page, 'Views').focus();
    await page.keyboard.press('Enter');
    await panel(page).getByRole('textbox', { name: 'View name' }).fill('<b>California</b>');
    await page.keyboard.press('Enter');
    await button(page, '<b>California</b>').waitFor();
    await button(page, 'Share <b>California</b> with my team').click();
    await button(page, 'Stop sharing <b>California</b>').waitFor();
    await button(page, 'Set <b>California</b> as my default view').click();
    await button(page, 'Remove <b>California</b> as my default view').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.reload();
    await drawBoard(page);
    await expect.poll(() => chosenOn(page)).toBe('CA');
    await toggle(page, '<b>California</b>').waitFor();
    expect(await ann.problems()).toEqual([]);
    await page.context().close();

    const bob = await openAs('bob');
    await toggle(bob.page, 'Views').click();
    await panel(bob.page).getByText('by Ann Lee').waitFor();
    expect(await button(bob.page, 'Delete <b>California</b>').count()).toBe(0);
    expect(await chosenOn(bob.page)).toBeUndefined();
    await panel(bob.page).getByRole('button', { name: '<b>California</b> by Ann Lee' }).click();
    await expect.poll(() => chosenOn(bob.page)).toBe('CA');
    await bob.page.context().close();

    const dan = await openAs('dan');
    await toggle(dan.page, 'Views').click();
    await panel(dan.page).getByText('Save the current filters under a name').waitFor();
    await dan.page.context().close();
  });

  it('are renamed, replaced and deleted by their author', async () => {
    const { page } = await openAs('dan');
    await choose(page, 'TX');
    await toggle(page, 'Views').click();
    const field = panel(page).getByRole('textbox', { name: 'View name' });
    await field.fill('Texas');
    await button(page, 'Save current view').click();
    await button(page, 'Rename Texas').click();
    await expect.poll(() => field.inputValue()).toBe('Texas');
    await field.fill('Elsewhere');
    await page.keyboard.press('Enter');
    await button(page, 'Delete Elsewhere').waitFor();
    await choose(page, 'NY');
    await button(page, 'Replace Elsewhere with the current filters').click();
    await page.getByText('Elsewhere was updated', { exact: true }).waitFor({ state: 'attached' });
    await choose(page, 'CA');
    await button(page, 'Elsewhere').click();
    await expect.poll(() => chosenOn(page)).toBe('NY');
    await toggle(page, 'Elsewhere').click();
    await button(page, 'Delete Elsewhere').click();
    await panel(page).getByText('Elsewhere was deleted', { exact: true }).waitFor();
    await panel(page).getByText('Save the current filters under a name').waitFor();
    await page.context().close();
  });

  it('do not exist in sessions without the setting', async () => {
    const { page } = await openAs('ann', {});
    expect(await page.locator('pa-views').count()).toBe(0);
    await page.context().close();
  });
});
