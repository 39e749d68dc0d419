import { createReadStream } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { embedSessionHandler } from '../../src/node/embed-session-handler.js';
import { toNodeHandler } from '../../src/node/to-node-handler.js';
import type { Platform } from '../../src/platform/create-platform.js';
import { type ProviderUsers, startTestProvider } from '../platform/people/test-provider.js';
import { violationsOn } from './board-page.js';
import { createBuiltPlatform, publishSmallBoard } from './own-platform.js';
import { launchBrowser } from './page.js';
import { strictestPolicy } from './strictest-policy.js';

// The pages for administrators at `/console`, with a real OpenID provider, on http://localhost. The same server has a
// page of a host at `/member`, with a dashboard and a chat for a user of the account.

const root = fileURLToPath(new URL('../..', import.meta.url));
const adminKey = 'key-of-the-people-test';
const password = 'correct horse battery';
const users: ProviderUsers = new Map();

let server: Server;
let platform: Platform;
let provider: Awaited<ReturnType<typeof startTestProvider>>;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  let handle: RequestListener | undefined;
  server = createServer((request, response) => void handle?.(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`;
  const demo: { prepareSources(): Promise<string> } = await import(
    new URL('../../demo/sources.js', import.meta.url).href
  );
  provider = await startTestProvider(`${origin}/sign-in/oidc/callback`, users);
  const { issuer, client } = provider;
  platform = await createBuiltPlatform({
    publicUrl: origin,
    adminKey,
    modelDirectory: `${root}/demo/model`,
    sourcesDirectory: await demo.prepareSources(),
    oidc: { issuer, clientId: client.client_id, clientSecret: client.client_secret, name: 'Acme ID' },
  });
  const serve = getRequestListener(request => platform.fetch(request, { remoteAddress: '127.0.0.1' }));
  handle = (request, response) => (serveHost(request, response) ? undefined : void serve(request, response));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await provider.stop();
  server.closeAllConnections();
  server.close();
  await platform.close();
});

/** The user name of the member that opens the page of the host, and the dashboard on it. */
const hostPage = { member: '', dashboard: '' };

/** Serves the page of a host. Returns false for every other path. */
function serveHost(...[request, response]: Parameters<RequestListener>): boolean {
  const { pathname } = new URL(request.url ?? '/', origin);
  const file = /^\/member\/([\w.-]+\.js)$/.exec(pathname)?.[1];
  if (file === undefined && !/^\/member(\/session)?$/.test(pathname)) return false;
  response.setHeader('content-security-policy', strictestPolicy);
  if (file !== undefined) {
    response.setHeader('content-type', 'text/javascript');
    createReadStream(`${root}/dist/standalone/${file}`).pipe(response);
  } else if (pathname === '/member') {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><html lang="en"><title>Host</title><script type="module" src="/member/pa-embed.js"></script>
      <pa-session session-url="/member/session" base-url="/">
        <pa-dashboard public-id="${hostPage.dashboard}"></pa-dashboard><pa-chat account="local" agent-id="1"></pa-chat>
      </pa-session>`);
  } else {
    const grantFor = () => ({ deploymentId: 1, internalId: hostPage.member, embedTenantName: 'night' });
    const mint = embedSessionHandler({ baseUrl: origin, apiKey: adminKey, grantFor });
    void toNodeHandler(mint)(request, response);
  }
  return true;
}

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

  it('sign an administrator in, put a member into a new group, and end what a deactivated member has open', async () => {
    const { email } = await createUser({ isAdmin: true });
    await page.getByRole('link', { name: 'Sign in with Acme ID' }).click();
    await page.locator('input[name=login]').fill(`person-${count}`);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByText(`Signed in as ${email}`).waitFor();
    expect(page.url()).toBe(`${origin}/console`);
    const member = await createUser();
    await page.getByRole('link', { name: 'Roles' }).click();
    const roleForm = page.getByRole('form', { name: 'New role' });
    await roleForm.getByLabel('Name').fill('Night reader');
    await roleForm.getByLabel('Resource type').selectOption('Deployment');
    await roleForm.getByLabel('Actions').fill('DeploymentRead, DeploymentAgentRead');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: /DeploymentRead, DeploymentAgentRead/ }).waitFor();
    const [role] = (await api('GET', '/api/v1/roles?search=night')).items;
    await page.getByRole('link', { name: 'Groups' }).click();
    const form = page.getByRole('form', { name: 'New group' });
    await form.getByLabel('Name').fill('night shift');
    await form.getByLabel('Role').selectOption('Night reader');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'night shift', exact: true }).waitFor();
    const [group] = (await api('GET', '/api/v1/groups?search=night')).items;
    expect(group.role.id).toBe(role.id);
    await page.getByRole('link', { name: 'Members: night shift' }).click();
    await page.getByRole('heading', { name: 'Members: night shift' }).waitFor();
    await page.getByLabel('User name or email').fill(member.email);
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: member.email, exact: true }).first().waitFor();
    expect((await api('GET', `/api/v1/groups/${group.id}/users`)).items).toMatchObject([{ email: member.email }]);

    // The rows of the model are limited to the airports of their viewer.
    const attribute = await api('POST', '/api/v1/user-attributes', { name: 'airports', type: 'string_array' });
    await api('POST', '/api/v1/user-attribute-values', {
      userAttributeId: attribute.id,
      userId: member.id,
      value: ['ORD'],
    });
    hostPage.member = member.email;
    hostPage.dashboard = await publishSmallBoard(origin, { adminKey });
    const opened = await context.newPage();
    await opened.goto(`${origin}/member`);
    const [dashboard, chat] = [opened.locator('pa-dashboard'), opened.locator('pa-chat')];
    await dashboard.locator('[part~="figure"]').waitFor();
    const ask = async () => {
      await chat.locator('textarea').fill('How many flights were there?');
      await chat.locator('textarea').press('Enter');
    };
    await ask();
    await chat.locator('.answer .tools').waitFor({ state: 'attached' });

    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('button', { name: `Deactivate: ${member.email}` }).click();
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByRole('button', { name: `Activate: ${member.email}`, exact: true }).waitFor();
    await ask();
    const end = 'Your session has ended';
    await chat.getByText(end).first().waitFor();
    await dashboard.evaluate((element: HTMLElement & { refresh(): Promise<void> }) => element.refresh());
    await dashboard.getByText(end).first().waitFor();
    expect(await chat.locator('.answer .tools').count()).toBe(1);
    expect(await dashboard.locator('[part~="figure"]').count()).toBe(0);

    await page.getByRole('link', { name: 'Groups' }).click();
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
    await api('POST', '/api/v1/embed/generate-session', {
      deploymentId: 1,
      externalId: 'eve',
      embedTenantName: 'night',
    });
    const links = page.getByRole('navigation').getByRole('link');
    const hashes = await links.evaluateAll(list =>
      list.flatMap(link => new URL((link as HTMLAnchorElement).href).hash || []),
    );
    for (const hash of [...hashes, '#tenants/night/users', '#tenants/night/sessions']) {
      await page.goto(`${origin}/console${hash}`);
      await page.locator('pa-people-list table[aria-busy=false]').waitFor();
      expect([hash, ...(await violationsOn(page))]).toEqual([hash]);
    }
  });
});
