import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbedSession } from '../../src/node/create-embed-session.js';
import { waitTimeoutMs } from '../eventually.js';
import { drawBoard, tileOf, violationsOn } from './board-page.js';
import {
  createDataFolder,
  type Host,
  type OwnPlatform,
  publishSmallBoard,
  removeDataFolder,
  servePlatform,
  startHost,
} from './own-platform.js';
import { type DemoPage, launchBrowser, openDemo } from './page.js';

// Two viewers of one tenant and one of another comment on the same dashboard, of a platform that allows comments.

let browser: Browser;
let host: Host;
let data: string;
let platform: OwnPlatform;
const adminKey = 'comments-admin-key-comments-admin-key-01';

beforeAll(async () => {
  [browser, host, data] = await Promise.all([launchBrowser(), startHost(adminKey), createDataFolder()]);
  platform = await servePlatform({ data, adminKey, host });
  const dashboard = await publishSmallBoard(platform.url, { adminKey });
  host.open({ platformUrl: platform.url, dashboards: { departures: dashboard, briefing: dashboard } });
  const response = await fetch(`${platform.url}/api/v1/app-config`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ embedding: { enableDashboardComments: true } }),
  });
  expect(response.status).toBe(200);
});
afterAll(async () => {
  await browser.close();
  await host.close();
  await platform.end();
  await removeDataFolder(data);
});

const viewers = {
  ann: { externalId: 'ann@ohare', userProfile: { displayName: 'Ann Lee' }, embedTenantName: 'ohare', airport: 'ORD' },
  bob: { externalId: 'bob@ohare', userProfile: { displayName: 'Bob' }, embedTenantName: 'ohare', airport: 'ORD' },
  dan: { externalId: 'dan@dallas', userProfile: { displayName: 'Dan' }, embedTenantName: 'dallas', airport: 'DFW' },
};

/** Opens the demo's first page as a viewer, at a path with the id of a comment. */
async function openAs(who: keyof typeof viewers, search = ''): Promise<DemoPage> {
  const { airport, ...user } = viewers[who];
  const grant = { deploymentId: 1, ...user, securityContext: { airport } };
  const opened = await openDemo(browser, `${host.origin}/${search}`, user.embedTenantName, {
    permissions: ['clipboard-read', 'clipboard-write'],
    prepare: page =>
      page.route('**/api/embed-session', async route => {
        await route.fulfill({ json: await createEmbedSession({ baseUrl: platform.url, apiKey: adminKey }, grant) });
      }),
  });
  opened.page.setDefaultTimeout(waitTimeoutMs);
  await drawBoard(opened.page);
  return opened;
}

const toggle = (page: Page) => page.getByRole('button', { name: /^Comments/ });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Comments' });
const field = (page: Page, name: string) => panel(page).getByRole('textbox', { name });
const button = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true });
const status = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor({ state: 'attached' });

const hostile = '<img src=x onerror="document.title=1"> **b** javascript:alert(1) \u202eabc';

/** Builds and publishes a dashboard as a user with creator mode. */
async function buildDashboard(name: string): Promise<void> {
  const { airport, ...user } = viewers.ann;
  const grant = { deploymentId: 1, ...user, securityContext: { airport }, creatorMode: true };
  const { sessionId } = await createEmbedSession({ baseUrl: platform.url, apiKey: adminKey }, grant);
  let token = '';
  const call = async (method: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${platform.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    expect([path, response.ok]).toEqual([path, true]);
    return response.json();
  };
  token = (await call('POST', '/embed/session/token', { sessionId })).token;
  const { id: workbookId } = await call('POST', '/deployments/1/workbooks', { name });
  const workbook = `/deployments/1/workbooks/${workbookId}`;
  const jsonQuery = JSON.stringify({ measures: ['departures.count'] });
  const report = { name: 'Flights', title: 'Flights', workbookId, jsonQuery, meta: { kind: 'kpi' } };
  const { id: reportId } = await call('POST', '/deployments/1/reports', report);
  const widget = { id: 'a', type: 'CHART', position: { x: 0, y: 0, w: 3, h: 4 }, config: { reportId } };
  await call('PUT', `${workbook}/dashboard`, { dashboardDraft: { widgets: [widget] } });
  await call('POST', `${workbook}/publish`, { title: name, allowEmbed: true });
  await call('PUT', `${workbook}/embed-access`, { embedTenantName: user.embedTenantName, action: 'read' });
}

describe('comments on a dashboard', () => {
  it('are written by a colleague of the analyst who built it, in the shared workspace', async () => {
    await buildDashboard('Built by Ann');
    const { airport, ...user } = viewers.bob;
    const grant = { deploymentId: 1, ...user, securityContext: { airport }, creatorMode: true };
    const { page } = await openDemo(browser, `${host.origin}/build`, user.embedTenantName, {
      prepare: each =>
        each.route('**/api/creator-session', async route => {
          await route.fulfill({ json: await createEmbedSession({ baseUrl: platform.url, apiKey: adminKey }, grant) });
        }),
    });
    await page.getByRole('button', { name: 'Shared with us' }).click();
    await page.getByRole('button', { name: 'Dashboard Built by Ann' }).click();
    await toggle(page).click();
    await panel(page).getByRole('textbox').first().fill('More than last week');
    await button(page, 'Comment').click();
    await status(page, 'Comment added');
    expect(await violationsOn(page)).toEqual([]);
    await page.context().close();
  });

  it('are shared by the viewers of a tenant, and refer to a tile and its control values', async () => {
    const ann = await openAs('ann');
    const { page } = ann;
    await page.evaluate(() => {
      document
        .querySelector<HTMLElement & { setState(state: object): void }>('pa-dashboard')
        ?.setState({ filters: { 'departures.destination_state': { value: 'CA' } } });
    });
    // The menus of tiles have the entry as soon as the button is shown.
    await toggle(page).waitFor();
    const title = await page.evaluate(
      () =>
        document.querySelector('pa-dashboard')?.shadowRoot?.querySelector<HTMLElement & { heading: string }>('pa-tile')
          ?.heading ?? '',
    );
    await tileOf(page, title)
      .getByRole('button', { name: `Menu of ${title}` })
      .click();
    await page.getByRole('menuitem', { name: 'Comment on this tile' }).click();
    await field(page, `Write a comment about ${title}`).fill(hostile);
    await button(page, 'Comment').click();
    await status(page, 'Comment added');
    await panel(page).getByText(hostile, { exact: true }).waitFor();
    expect(await page.title()).not.toBe('1');
    expect(await violationsOn(page)).toEqual([]);

    const bob = await openAs('bob');
    await bob.page.getByRole('button', { name: 'Comments, 1 unread comment' }).click();
    await panel(bob.page).getByText('Ann Lee', { exact: true }).waitFor();
    await panel(bob.page).getByText(hostile, { exact: true }).waitFor();
    expect(await button(bob.page, 'Edit').count()).toBe(0);
    expect(await button(bob.page, 'Resolve').count()).toBe(0);
    await button(bob.page, `Show ${title} as the author saw it`).click();
    await expect
      .poll(() =>
        bob.page.evaluate(() =>
          document.querySelector<HTMLElement & { getState(): { filters: object } }>('pa-dashboard')?.getState(),
        ),
      )
      .toMatchObject({ filters: { 'departures.destination_state': { value: 'CA' } } });

    await button(bob.page, 'Reply').click();
    await field(bob.page, 'Reply to Ann Lee').pressSequentially('It snowed, @an');
    await panel(bob.page)
      .getByRole('option', { name: /Ann Lee/ })
      .waitFor();
    await bob.page.keyboard.press('Enter');
    await bob.page.keyboard.press('Control+Enter');
    await status(bob.page, 'Comment added');
    await panel(bob.page).getByText('@Ann Lee', { exact: true }).waitFor();

    // The open panel polls.
    await panel(page).getByText('@Ann Lee', { exact: true }).waitFor();
    await button(page, 'Resolve').click();
    await status(page, 'Conversation resolved');
    await panel(page).getByText('No comments yet').waitFor();
    await panel(page).getByRole('combobox', { name: 'Show' }).selectOption('Resolved');
    await panel(page).getByText(hostile, { exact: true }).waitFor();
    await button(page, 'Reopen').click();
    await status(page, 'Conversation reopened');

    expect(await ann.problems()).toEqual([]);
    expect(await bob.problems()).toEqual([]);
    await page.context().close();
    await bob.page.context().close();
  });

  it('are edited, deleted and linked by keyboard', async () => {
    const { page } = await openAs('ann');
    await toggle(page).focus();
    await page.keyboard.press('Enter');
    await panel(page).waitFor();
    await field(page, 'Write a comment').focus();
    await page.keyboard.type('First thought');
    await page.keyboard.press('Control+Enter');
    await status(page, 'Comment added');
    const threads = panel(page).locator('pa-comment-thread');
    const first = threads.filter({ hasText: 'First thought' });
    await first.getByRole('button', { name: 'Edit' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => field(page, 'Edit comment').inputValue()).toBe('First thought');
    await field(page, 'Edit comment').fill('Second thought');
    await page.keyboard.press('Control+Enter');
    await status(page, 'Comment saved');
    const changed = panel(page).getByRole('article', { name: 'You' }).filter({ hasText: 'Second thought' });
    await changed.getByText('edited').waitFor();
    const thread = threads.filter({ hasText: 'Second thought' });
    await expect.poll(() => thread.getByRole('button', { name: 'Edit' }).evaluate(isFocused)).toBe(true);

    await thread.getByRole('button', { name: 'Copy link' }).click();
    await status(page, 'Link copied');
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    const bob = await openAs('bob', link.search);
    await panel(bob.page).getByText('Second thought').waitFor();
    await bob.page.context().close();

    await thread.getByRole('button', { name: 'Delete' }).focus();
    await page.keyboard.press('Enter');
    const question = panel(page).getByRole('group', { name: 'Delete this comment?' });
    await expect.poll(() => question.getByRole('button', { name: 'Delete' }).evaluate(isFocused)).toBe(true);
    await page.keyboard.press('Enter');
    await status(page, 'Comment deleted');
    await changed.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await expect.poll(() => toggle(page).evaluate(isFocused)).toBe(true);
    await page.context().close();
  });

  it('stay in their tenant', async () => {
    const { page } = await openAs('dan');
    await page.getByRole('button', { name: 'Comments', exact: true }).click();
    await panel(page).getByText('No comments yet').waitFor();
    await field(page, 'Write a comment').pressSequentially('Hi @');
    const people = panel(page).getByRole('listbox', { name: 'People to mention' }).getByRole('option');
    await people.filter({ hasText: 'dan@dallas' }).waitFor();
    // The demo itself may have added a user of this tenant.
    expect((await people.allInnerTexts()).join('\n')).not.toMatch(/ohare|Ann|Bob/);
    await page.context().close();
  });
});

function isFocused(element: Element): boolean {
  const root = element.getRootNode();
  return (root instanceof ShadowRoot || root instanceof Document) && root.activeElement === element;
}
