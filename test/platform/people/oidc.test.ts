import { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type OidcOptions, readOidcOptions } from '../../../src/platform/people/sign-in/oidc-options.js';
import { oidcRoutes } from '../../../src/platform/people/sign-in/oidc-routes.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';
import { type ProviderUsers, startTestProvider } from './test-provider.js';

const origin = 'https://platform.example';
const users: ProviderUsers = new Map();
const onFailure = vi.fn<(error: unknown) => void>();

let platform: TestPlatform;
let provider: Awaited<ReturnType<typeof startTestProvider>>;
beforeAll(async () => {
  platform = await startTestPlatform();
  provider = await startTestProvider(`${origin}/sign-in/oidc/callback`, users);
});
afterAll(async () => {
  await provider.stop();
  await platform.stop();
});
beforeEach(() => {
  vi.clearAllMocks();
  users.clear();
});

/** Opens a browser with cookies, at a platform with these options. */
function openBrowser(options: Partial<OidcOptions> = {}) {
  const { issuer, client } = provider;
  const settings = readOidcOptions({
    issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    ...options,
  });
  const { db, sealedSecrets } = platform.deps;
  const app = new Hono();
  app.route('/', oidcRoutes({ db, settings, sealedSecrets, origin, countRequest: async () => undefined, onFailure }));
  app.route('/', platform.app);
  const jar = new Map<string, string>();

  async function send(path: string, init: RequestInit = {}) {
    const cookie = [...jar].map(pair => pair.join('=')).join('; ');
    const response = await app.request(new URL(path, origin).href, {
      ...init,
      headers: { ...Object(init.headers), cookie },
    });
    for (const each of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (each.split(';')[0] ?? '').split('=', 2);
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  const start = async () => (await send('/sign-in/oidc')).headers.get('location') ?? '';
  const finish = async (callback: URL) => (await send(callback.href)).headers.get('location');

  return {
    jar,
    start,
    finish,
    send,
    /** Signs in at the provider; returns the address at which the browser ends. */
    signIn: async (user: string) => finish(await provider.signIn(await start(), user)),
    /** Returns the user of the session; `null` if there is none. */
    async me() {
      const response = await send('/api/v1/sign-in/token', { method: 'POST', headers: { origin } });
      if (response.status !== 200) return null;
      const { token }: { token: string } = await response.json();
      return platform.ok('GET', '/api/v1/users/me', undefined, token);
    },
  };
}

let count = 0;
/** Creates a user of the account, and of the provider with the same verified email. */
async function member(claims: object = {}) {
  count += 1;
  const sub = `subject-${count}`;
  const email = `member-${count}@acme.example`;
  users.set(sub, { email, email_verified: true, ...claims });
  const { id } = await platform.ok('POST', '/api/v1/users', { username: email, email });
  return { sub, email, id: Number(id) };
}

describe('Signing in with an OpenID provider', () => {
  test('starts a session of the user with the verified email, with PKCE, state and nonce', async () => {
    const { sub, id } = await member();
    const browser = openBrowser();
    const { searchParams } = new URL(await browser.start());
    expect(Object.fromEntries(searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${origin}/sign-in/oidc/callback`,
    });
    expect(await browser.signIn(sub)).toBe('/console');
    expect(await browser.me()).toMatchObject({ id });
    expect([...browser.jar.keys()]).toEqual(['__Host-pa-session']);
    expect((await platform.ok('GET', `/api/v1/users/${id}/sessions`)).items).toMatchObject([{ method: 'oidc' }]);
    expect(onFailure).not.toHaveBeenCalled();
  });

  test('finds the user by its subject after the email has changed, and no other subject by that email', async () => {
    const { sub, email, id } = await member();
    expect(await openBrowser().signIn(sub)).toBe('/console');
    users.set(sub, { email: 'new@acme.example', email_verified: true });
    users.set('impostor', { email, email_verified: true });
    const [same, impostor] = [openBrowser(), openBrowser()];
    expect(await same.signIn(sub)).toBe('/console');
    expect(await same.me()).toMatchObject({ id });
    expect(await impostor.signIn('impostor')).toBe('/console?sign-in=unknown-user');
    expect(await impostor.me()).toBeNull();
  });

  test.each([
    ['an email that the provider has not verified', { email_verified: false }],
    ['an email that the provider does not call verified', { email_verified: undefined }],
    ['a verification that is not a boolean', { email_verified: 'true' }],
  ])('rejects %s', async (_, claims) => {
    const { sub } = await member(claims);
    const browser = openBrowser({ createUsers: true });
    expect(await browser.signIn(sub)).toBe('/console?sign-in=unknown-user');
    expect(await browser.me()).toBeNull();
  });

  test('trusts emails of a provider that does not state whether they are verified only if that is configured', async () => {
    const unstated = await member({ email_verified: undefined });
    const browser = openBrowser({ trustEmail: true });
    expect(await browser.signIn(unstated.sub)).toBe('/console');
    expect(await browser.me()).toMatchObject({ id: unstated.id });
    const unverified = await member({ email_verified: false });
    expect(await openBrowser({ trustEmail: true }).signIn(unverified.sub)).toBe('/console?sign-in=unknown-user');
  });

  test('creates users only if that is configured', async () => {
    users.set('new-1', { email: 'new-1@acme.example', email_verified: true, name: 'New' });
    expect(await openBrowser().signIn('new-1')).toBe('/console?sign-in=unknown-user');
    const browser = openBrowser({ createUsers: true });
    expect(await browser.signIn('new-1')).toBe('/console');
    expect(await browser.me()).toMatchObject({ username: 'new-1@acme.example', firstName: 'New', isAdmin: false });
  });

  test('never signs in or replaces a deactivated user', async () => {
    const { sub, id } = await member();
    expect(await openBrowser().signIn(sub)).toBe('/console');
    await platform.ok('PUT', `/api/v1/users/${id}`, { isDeactivated: true });
    const browser = openBrowser({ createUsers: true });
    expect(await browser.signIn(sub)).toMatch(/^\/console\?sign-in=/);
    users.set(sub, { email: 'other-address@acme.example', email_verified: true });
    expect(await browser.signIn(sub)).toBe('/console?sign-in=failed');
    expect((await platform.ok('GET', '/api/v1/users?search=other-address')).items).toEqual([]);
  });
});

describe('Rules', () => {
  const rules = ['groups=analysts:role=AIBIUser', 'groups=sellers:group=sales', 'groups=owners:admin'];

  test('give and take roles, groups and the admin role at each sign-in, and leave others', async () => {
    const { sub, id } = await member({ groups: ['analysts', 'sellers', 'owners'] });
    const { items } = await platform.ok('GET', '/api/v1/groups?search=sales');
    const membersOf = async () => (await platform.ok('GET', `/api/v1/groups/${items[0].id}/users`)).items;
    const browser = openBrowser({ rules });
    expect(await browser.signIn(sub)).toBe('/console');
    expect(await browser.me()).toMatchObject({ isAdmin: true, defaultRoles: ['AIBIUser'] });
    expect(await membersOf()).toMatchObject([{ id }]);
    users.set(sub, { ...users.get(sub), groups: 'analysts' });
    expect(await browser.signIn(sub)).toBe('/console');
    expect(await browser.me()).toMatchObject({ isAdmin: false, defaultRoles: ['AIBIUser'] });
    expect(await membersOf()).toEqual([]);
  });

  test('end the sessions of a user who loses the admin role, except the new one', async () => {
    const { sub } = await member({ groups: ['owners'] });
    const [before, after] = [openBrowser({ rules }), openBrowser({ rules })];
    await before.signIn(sub);
    users.set(sub, { ...users.get(sub), groups: [] });
    await after.signIn(sub);
    expect(await before.me()).toBeNull();
    expect(await after.me()).toMatchObject({ isAdmin: false });
  });

  test.each(['groups', 'groups=x', 'groups=x:role=', '=x:admin', 'groups=x:owner=y'])('reject %s', rule => {
    expect(() => readOidcOptions({ issuer: 'https://id.example', clientId: 'x', rules: [rule] })).toThrow('not a rule');
  });
});

describe('A callback', () => {
  test('is valid once, in the browser that started the sign-in', async () => {
    const { sub } = await member();
    const [victim, attacker] = [openBrowser(), openBrowser()];
    const callback = await provider.signIn(await victim.start(), sub);
    const pending = new Map(victim.jar);
    expect(await attacker.finish(callback)).toBe('/console?sign-in=expired');
    await attacker.start();
    expect(await attacker.finish(callback)).toBe('/console?sign-in=failed');
    expect(await victim.finish(callback)).toBe('/console');
    // The cookie of the sign-in is replayed with the same code.
    for (const [name, value] of pending) attacker.jar.set(name, value);
    expect(await attacker.finish(callback)).toBe('/console?sign-in=expired');
    expect(await attacker.me()).toBeNull();
  });

  test('with another code or state starts no session', async () => {
    const [{ sub }, other] = [await member(), await member()];
    const [first, second] = [openBrowser(), openBrowser()];
    const [own, foreign] = [await first.start(), await second.start()];
    const callback = await provider.signIn(own, sub);
    const injected = await provider.signIn(foreign, other.sub);
    // A code that was issued for another verifier and nonce.
    callback.searchParams.set('code', injected.searchParams.get('code') ?? '');
    expect(await first.finish(callback)).toBe('/console?sign-in=failed');
    expect(await first.me()).toBeNull();
  });

  test('of a sign-in that the user canceled says so', async () => {
    const browser = openBrowser();
    const state = new URL(await browser.start()).searchParams.get('state');
    expect(await browser.finish(new URL(`${origin}/sign-in/oidc/callback?error=access_denied&state=${state}`))).toBe(
      '/console?sign-in=denied',
    );
  });

  test('never redirects to an address of the request', async () => {
    const browser = openBrowser();
    const { headers } = await browser.send(
      '/sign-in/oidc?return=https://evil.example&redirect_uri=https://evil.example',
    );
    expect(headers.get('location')).toMatch(new RegExp(`^${provider.issuer}/auth\\?`));
    expect(headers.get('location')).not.toContain('evil');
    expect(await browser.finish(new URL(`${origin}/sign-in/oidc/callback?return=//evil.example&code=x`))).not.toContain(
      'evil',
    );
  });
});

test('A provider that does not respond fails the sign-in, and the next one tries again', async () => {
  const browser = openBrowser({ issuer: 'http://127.0.0.1:9' });
  expect(await browser.start()).toBe('/console?sign-in=failed');
  expect(onFailure).toHaveBeenCalledOnce();
  expect(await browser.start()).toBe('/console?sign-in=failed');
  expect(onFailure).toHaveBeenCalledTimes(2);
});

test.each(['http://id.example.com', 'https://user:secret@id.example.com', 'id.example.com', 'ftp://id.example.com'])(
  'The issuer %s is rejected',
  issuer => {
    expect(() => readOidcOptions({ issuer, clientId: 'x' })).toThrow('--oidc-issuer must be a URL');
  },
);
