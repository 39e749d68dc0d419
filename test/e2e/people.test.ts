import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Platform } from '../../src/platform/create-platform.js';
import { type ProviderUsers, startTestProvider } from '../platform/people/test-provider.js';
import { violationsOn } from './board-page.js';
import { createBuiltPlatform } from './own-platform.js';
import { launchBrowser } from './page.js';

// The pages for administrators at `/console`, with a real OpenID provider, on http://localhost.

const adminKey = 'key-of-the-people-test';
const password = 'correct horse battery';
const users: ProviderUsers = new Map();

let server: Server;
let platform: Platform;
let provider: Awaited<ReturnType<typeof startTestProvider>>;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  let handle: ReturnType<typeof getRequestListener> | undefined;
  server = createServer((request, response) => void handle?.(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`;
  provider = await startTestProvider(`${origin}/sign-in/oidc/callback`, users);
  const { issuer, client } = provider;
  platform = await createBuiltPlatform({
    publicUrl: origin,
    adminKey,
    oidc: { issuer, clientId: client.client_id, clientSecret: client.client_secret, name: 'Acme ID' },
  });
  handle = getRequestListener(request => platform.fetch(request, { remoteAddress: '127.0.0.1' }));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await provider.stop();
  server.closeAllConnections();
  server.close();
  await platform.close();
});

async function api(method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const response = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  return text === '' ? null : JSON.parse(text);
}

let count = 0;
async function createUser(options: object = {}): Promise<{ readonly id: number; readonly email: string }> {
  count += 1;
  const email = `person-${count}@acme.example`;
  users.set(`person-${count}`, { email, email_verified: true });
  return api('POST', '/api/v1/users', { username: email, email, ...options });
}

describe('the pages for administrators', () => {
  let context: BrowserContext;
  let page: Page;
  let problems: string[];
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en' });
    page = await context.newPage();
    problems = [];
    page.on('console', message => {
      // The page of the provider loads a font from another server.
      if (message.type() === 'error' && message.location().url.startsWith(origin)) problems.push(message.text());
    });
    page.on('pageerror', error => problems.push(error.message));
    await page.goto(`${origin}/console`);
  });
  afterEach(async () => {
    await context.close();
  });

  async function signIn(email: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
  }

  it('open for an administrator who signs in through the provider, creates a group and deletes it', async () => {
    const { email } = await createUser({ isAdmin: true });
    await page.getByRole('link', { name: 'Sign in with Acme ID' }).click();
    await page.locator('input[name=login]').fill(`person-${count}`);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByText(`Signed in as ${email}`).waitFor();
    expect(page.url()).toBe(`${origin}/console`);
    await page.getByRole('link', { name: 'Groups' }).click();
    const role = await api('POST', '/api/v1/roles', {
      name: 'Night reader',
      policies: [{ resourceType: 'Workbook', actions: ['WorkbookRead'], resources: ['All'] }],
    });
    await page.reload();
    const form = page.getByRole('form', { name: 'New group' });
    await form.getByLabel('Name').fill('night shift');
    await form.getByLabel('Role').selectOption('Night reader');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'night shift', exact: true }).waitFor();
    const [group] = (await api('GET', '/api/v1/groups?search=night')).items;
    expect(group.role.id).toBe(role.id);
    await page.getByRole('link', { name: 'Members: night shift' }).click();
    await page.getByRole('heading', { name: 'Members: night shift' }).waitFor();
    await page.getByLabel('User name or email').fill(email);
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: email, exact: true }).first().waitFor();
    expect((await api('GET', `/api/v1/groups/${group.id}/users`)).items).toMatchObject([{ email }]);
    await page.goBack();
    await page.getByRole('button', { name: 'Delete: night shift' }).click();
    // The button that changes nothing has the focus.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('PA-PEOPLE');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing found').waitFor();
    expect((await api('GET', '/api/v1/groups?search=night')).items).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('keep the token out of the page, and end with a deactivation', async () => {
    const { id, email } = await createUser({ isAdmin: true });
    await api('PUT', `/api/v1/users/${id}/password`, { password });
    await signIn(email);
    await page.getByText(`Signed in as ${email}`).waitFor();
    const visible = await page.evaluate(() => [
      document.cookie,
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
      location.href,
      document.documentElement.outerHTML,
    ]);
    expect(visible.slice(0, 3)).toEqual(['', '[[],[]]', `${origin}/console`]);
    expect(visible.join()).not.toMatch(/eyJ|pa-session/);
    expect(await context.cookies()).toMatchObject([
      { name: '__Host-pa-session', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' },
    ]);
    await api('PUT', `/api/v1/users/${id}`, { isDeactivated: true });
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByLabel('Email').waitFor();
    await page.reload();
    await page.getByLabel('Email').waitFor();
  });

  it('create an API key, which is shown once, and set a masked variable', async () => {
    const { id, email } = await createUser({ isAdmin: true });
    await api('PUT', `/api/v1/users/${id}/password`, { password });
    await signIn(email);
    await page.getByRole('link', { name: 'API keys' }).click();
    const form = page.getByRole('form', { name: 'New API key' });
    await form.getByLabel('Name', { exact: true }).fill('reporting');
    await form.getByLabel('Limit to role').selectOption('AIBIViewer');
    await form.getByRole('button', { name: 'Create' }).click();
    const key = await page.locator('pa-people-list .secret code').innerText();
    const me = await fetch(`${origin}/api/v1/users/me`, { headers: { authorization: `Bearer ${key}` } });
    expect(await me.json()).toMatchObject({ email });
    await page.getByRole('link', { name: 'Variables' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await page.locator('pa-people-list').innerText()).not.toContain(key);
    await page.getByLabel('Name', { exact: true }).fill('DB_PASSWORD');
    await page.getByLabel('Value').fill('hunter2 of the test');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: '[ENCRYPTED]' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('search', async () => {
    const [{ id, email }, other] = [await createUser({ isAdmin: true }), await createUser()];
    await api('PUT', `/api/v1/users/${id}/password`, { password });
    await signIn(email);
    await page.getByRole('cell', { name: other.email, exact: true }).first().waitFor();
    await page.getByLabel('Search').fill(email);
    await page.getByRole('cell', { name: other.email, exact: true }).first().waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: email, exact: true }).first().waitFor();
  });

  it('say that a password is wrong, that only administrators see them, and why the provider failed', async () => {
    const { id, email } = await createUser();
    await api('PUT', `/api/v1/users/${id}/password`, { password: 'another long password' });
    await signIn(email);
    await page.getByText('The email or the password is not correct.').waitFor();
    await api('PUT', `/api/v1/users/${id}/password`, { password });
    await page.goto(`${origin}/console?sign-in=unknown-user`);
    await page.getByText('No user of this account has your email.').waitFor();
    expect(page.url()).toBe(`${origin}/console`);
    await signIn(email);
    await page.getByText('Only administrators can see these pages.').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('Email').waitFor();
    expect(await context.cookies()).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('are accessible in a %s color scheme', async colorScheme => {
    const { id, email } = await createUser({ isAdmin: true });
    await api('PUT', `/api/v1/users/${id}/password`, { password });
    await page.emulateMedia({ colorScheme });
    await page.getByLabel('Email').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await signIn(email);
    await page.locator('pa-people-list tbody tr').first().waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.locator('pa-people-list tbody tr').first().waitFor();
    expect(await violationsOn(page)).toEqual([]);
  });
});
