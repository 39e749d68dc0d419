import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAuthenticate, createAuthenticateData } from '../../../src/platform/auth/authenticate.js';
import { findUserOf } from '../../../src/platform/auth/identity-store.js';
import { hasBreakGlassAdmin } from '../../../src/platform/auth/password-store.js';
import { deleteExpiredPersonSessions } from '../../../src/platform/auth/person-session-store.js';
import * as schema from '../../../src/platform/db/schema.js';
import { takeAllowance } from '../../../src/platform/http/rate-limiter.js';
import { PasswordGuard } from '../../../src/platform/people/sign-in/password-guard.js';
import { eventually } from '../../eventually.js';
import { startTestPlatform, type TestPlatform, testPassword } from '../test-platform.js';

const origin = 'https://platform.example';
const own = { origin, 'sec-fetch-site': 'same-origin' };

let platform: TestPlatform;
/** Connections of another process. */
let pool: pg.Pool;
beforeAll(async () => {
  platform = await startTestPlatform();
  pool = new pg.Pool(platform.connection);
});
afterEach(async () => {
  await platform.db.update(schema.accounts).set({ tenantSettings: {} });
});
afterAll(async () => {
  await pool.end();
  await platform.stop();
});

interface Options {
  readonly headers?: Record<string, string>;
  readonly body?: object;
  readonly address?: string;
}

async function send(method: string, path: string, { headers = own, body, address }: Options = {}) {
  const init = {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  };
  const response = await platform.app.request(`${origin}${path}`, init, { remoteAddress: address });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    cookie: response.headers.get('set-cookie'),
  };
}

const signIn = (email: string, password: string, options: Options = {}) =>
  send('POST', '/api/v1/sign-in', { ...options, body: { email, password } });
const exchange = (headers: Record<string, string>) => send('POST', '/api/v1/sign-in/token', { headers });
const cookieOf = (setCookie: string | null) => ({ ...own, cookie: setCookie?.split(';')[0] ?? '' });
const me = (token: string) => platform.call('GET', '/api/v1/users/me', undefined, token);

/** Uses up an allowance of sign-ins, as another process does. */
async function fill(counted: string, allowance: number): Promise<void> {
  const key = createHash('sha256').update(counted).digest('base64url');
  await takeAllowance(platform.db, key, 5 * 60_000, allowance);
}

/** Returns the authentication of another process on the same database. */
function elsewhere(credential: string) {
  const request = new Request(origin, { headers: { authorization: `Bearer ${credential}` } });
  return createAuthenticate({ db: drizzle(pool, { schema, casing: 'snake_case' }), tokens: platform.tokens })(request);
}

describe('Signing in with a password', () => {
  test('sets a cookie that only the exchange reads, which returns a token for the API', async () => {
    const { email, userId } = await platform.signedIn('AIBIUser');
    const { status, cookie } = await signIn(email.toUpperCase(), testPassword);
    expect(status).toBe(204);
    expect(cookie).toMatch(/^__Host-pa-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/);
    const headers = cookieOf(cookie);
    const { body } = await exchange(headers);
    expect(await me(body.token)).toMatchObject({ status: 200, body: { id: userId, email } });
    expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
    expect(await send('GET', '/api/v1/sign-in', { headers })).toMatchObject({ body: { isSignedIn: true } });
    expect(await platform.audited('signIn')).toMatchObject([{ principal: 'none', target: { id: userId } }]);
  });

  test('gives no operation of the Platform or Data API a cookie to read', async () => {
    const { headers, token } = await platform.signedIn('Admin');
    for (const path of ['/api/v1/users/me', '/api/v1/users', '/api/v1/deployments']) {
      expect(await send('GET', path, { headers }), path).toMatchObject({ status: 401 });
    }
    const authenticateData = createAuthenticateData({ db: platform.db, tokens: platform.tokens });
    const load = (sent: Record<string, string>) =>
      authenticateData(new Request(`${origin}/v1/load`, { headers: sent }));
    await expect(load(headers)).rejects.toMatchObject({ status: 403 });
    // The token of a person is not a data token either.
    await expect(load({ authorization: token })).rejects.toMatchObject({ status: 403 });
  });

  test('answers alike for every reason to reject it', async () => {
    const [{ email }, gone] = [await platform.signedIn('AIBIUser'), await platform.signedIn('AIBIUser')];
    await platform.ok('PUT', `/api/v1/users/${gone.userId}`, { isDeactivated: true });
    await platform.ok('POST', '/api/v1/users', { username: 'plain', email: 'plain@acme.example' });
    const answers = await Promise.all([
      signIn(email, 'wrong horse battery'),
      signIn('unknown@acme.example', testPassword),
      signIn(gone.email, testPassword),
      signIn('plain@acme.example', testPassword),
    ]);
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, cookie: null });
  });

  test('ends the previous session of the browser, and never adopts a cookie that was set before', async () => {
    const attacker = await platform.signedIn('AIBIViewer');
    const victim = await platform.signedIn('AIBIUser');
    const { cookie } = await signIn(victim.email, testPassword, {
      headers: { ...own, cookie: attacker.headers.cookie },
    });
    expect(cookie).not.toContain(attacker.secret);
    expect(await exchange(attacker.headers)).toMatchObject({ status: 401 });
    const unknown = { ...own, cookie: `__Host-pa-session=${'x'.repeat(43)}` };
    const fresh = await signIn(victim.email, testPassword, { headers: unknown });
    expect(fresh.cookie).not.toContain('xxx');
    expect(await exchange(unknown)).toMatchObject({ status: 401 });
  });

  test('is limited per user and network, also with the right password', async () => {
    const { email } = await platform.signedIn('AIBIUser');
    const attempt = (password: string, address: string) => signIn(email, password, { address });
    await fill(`sign-in email ${email} 203.0.113.7`, 10);
    expect(await attempt('wrong horse battery', '203.0.113.7')).toMatchObject({ status: 401 });
    expect(await attempt(testPassword, '203.0.113.7')).toMatchObject({ status: 429 });
    expect(await attempt(testPassword, '203.0.113.8')).toMatchObject({ status: 204 });
  });

  test('is delayed but not rejected after many attempts for the user from other networks', async () => {
    const { email } = await platform.signedIn('Admin');
    const delay = vi.fn(async () => undefined);
    const guard = new PasswordGuard(platform.db, { delay });
    const { signal } = new AbortController();
    const find = (password: string, address: string) => guard.find(email, password, { address, signal });
    await fill(`sign-in email ${email}`, 100);
    // A process allows one twentieth without a statement.
    for (let count = 0; count < 5; count++) await find('wrong horse battery', `198.51.100.${count}`);
    expect(delay).not.toHaveBeenCalled();
    expect(await find(testPassword, '198.51.100.9')).toMatchObject({ isVerified: true });
    expect(delay).toHaveBeenCalledTimes(1);
  });

  test('compares emails without the case of ASCII letters only', async () => {
    const { email, userId } = await platform.signedIn('AIBIUser');
    const ofKate = 'kate@acme.example';
    await platform.db.update(schema.users).set({ email: ofKate }).where(eq(schema.users.id, userId));
    expect(await signIn('KATE@acme.example', testPassword)).toMatchObject({ status: 204 });
    const kelvin = '\u212Aate@acme.example';
    expect(await signIn(kelvin, testPassword)).toMatchObject({ status: 401 });
    const subject = { issuer: 'https://id.example', subject: email };
    expect(await findUserOf(platform.db, { ...subject, verifiedEmail: kelvin })).toBeNull();
    expect(await findUserOf(platform.db, { ...subject, verifiedEmail: 'Kate@acme.example' })).toBe(userId);
    expect(
      await platform.call('POST', '/api/v1/users', { username: 'other', email: 'KATE@ACME.example' }),
    ).toMatchObject({ status: 409 });
    const filter = encodeURIComponent(`emails.value eq "${kelvin}"`);
    expect(await platform.ok('GET', `/api/scim/v2/Users?filter=${filter}`)).toMatchObject({ totalResults: 0 });
    await platform.ok('POST', '/api/v1/users', { username: kelvin, email: kelvin });
  });

  test('is recorded when it is rejected, with a limit per user', async () => {
    const { email, userId } = await platform.signedIn('AIBIUser');
    for (let count = 0; count < 7; count++) await signIn(email, 'wrong horse battery', { address: `192.0.2.${count}` });
    await signIn('unknown@acme.example', 'my secret by mistake', { address: '192.0.2.99' });
    const rejected = await eventually(async () => {
      const entries = await platform.audited('signInRejected');
      expect(entries.at(-1)?.target).toMatchObject({ id: null, network: '192.0.2.99' });
      return entries;
    });
    const target = { id: userId, method: 'password', reason: 'email or password', network: '192.0.2.0' };
    expect(rejected.filter(entry => entry.target.id === userId)).toHaveLength(5);
    expect(rejected.find(entry => entry.target.id === userId)).toMatchObject({ principal: 'none', target });
    expect(JSON.stringify(rejected)).not.toMatch(/secret|unknown@/);
  });
});

describe('Requests of other pages', () => {
  test.each([
    ['from another origin', { origin: 'https://evil.example' }],
    ['from another port', { origin: 'https://platform.example:8443' }],
    ['from an opaque origin', { origin: 'null' }],
    ['without an origin', {}],
    ['from a site that the browser names', { origin, 'sec-fetch-site': 'cross-site' }],
    ['from a sibling host', { origin, 'sec-fetch-site': 'same-site' }],
  ])('%s cannot use the session or start one', async (_, sent: Record<string, string>) => {
    const {
      headers: { cookie },
      email,
    } = await platform.signedIn('AIBIUser');
    const headers = { cookie, ...sent };
    expect(await exchange(headers)).toMatchObject({ status: 403 });
    expect(await send('DELETE', '/api/v1/sign-in', { headers })).toMatchObject({ status: 403, cookie: null });
    expect(await signIn(email, testPassword, { headers })).toMatchObject({ status: 403, cookie: null });
    expect(await exchange({ ...own, cookie })).toMatchObject({ status: 200 });
  });

  test('do not learn whether a browser has a session', async () => {
    const { headers } = await platform.signedIn('AIBIUser');
    const foreign = { cookie: headers.cookie, 'sec-fetch-site': 'cross-site' };
    expect(await send('GET', '/api/v1/sign-in', { headers: foreign })).toMatchObject({ body: { isSignedIn: false } });
    // Older browsers do not send `Sec-Fetch-Site`.
    for (const origin of ['https://evil.example', 'null']) {
      const old = { cookie: headers.cookie, origin };
      expect(await send('GET', '/api/v1/sign-in', { headers: old })).toMatchObject({ status: 403 });
    }
  });
});

describe('A session', () => {
  test('ends with its tokens and the data tokens created in it when the person signs out', async () => {
    const { headers, token } = await platform.signedIn('Admin');
    const { platformApiToken } = await platform.ok('POST', '/api/v1/deployments/1/token', {}, token);
    const authenticateData = createAuthenticateData({ db: platform.db, tokens: platform.tokens });
    const load = () =>
      authenticateData(new Request(`${origin}/v1/load`, { headers: { authorization: platformApiToken } }));
    await expect(load()).resolves.toMatchObject({ isDeveloper: true });
    expect(await send('DELETE', '/api/v1/sign-in', { headers })).toMatchObject({
      status: 204,
      cookie: expect.stringMatching(/^__Host-pa-session=; Max-Age=0; Path=\/; Secure/),
    });
    expect(await platform.audited('signOut')).toMatchObject([{ target: { method: 'password' } }]);
    expect(await me(token)).toMatchObject({ status: 401 });
    expect(await exchange(headers)).toMatchObject({ status: 401 });
    await expect(elsewhere(token)).rejects.toMatchObject({ status: 401 });
    await expect(load()).rejects.toMatchObject({ status: 403 });
  });

  test('does not begin with a password that is reset while it is verified', async () => {
    const { email, userId } = await platform.signedIn('AIBIUser');
    for (let round = 0; round < 3; round++) {
      const old = `old password ${round}`;
      await platform.call('PUT', `/api/v1/users/${userId}/password`, { password: old });
      const reset = platform.call('PUT', `/api/v1/users/${userId}/password`, { password: testPassword });
      await new Promise(resolve => setTimeout(resolve, 40 * round));
      const [{ cookie }] = await Promise.all([signIn(email, old), reset]);
      expect(await exchange(cookieOf(cookie))).toMatchObject({ status: 401 });
    }
  });

  test('cannot change a password that an administrator resets in the meantime', async () => {
    const { email, userId, token } = await platform.signedIn('AIBIUser');
    const body = { currentPassword: testPassword, newPassword: 'chosen by the session' };
    const change = platform.call('PUT', '/api/v1/users/me/password', body, token);
    await platform.call('PUT', `/api/v1/users/${userId}/password`, { password: 'chosen by the admin' });
    await change;
    expect(await signIn(email, 'chosen by the admin')).toMatchObject({ status: 204 });
  });

  test('ends in every browser with endMySessions, and other users keep theirs', async () => {
    const { userId, token, email } = await platform.signedIn('AIBIUser');
    const other = await platform.signedIn('AIBIUser');
    const { cookie } = await signIn(email, testPassword);
    expect((await platform.ok('GET', `/api/v1/users/${userId}/sessions`)).items).toHaveLength(2);
    expect(await platform.call('DELETE', '/api/v1/users/me/sessions', undefined, token)).toMatchObject({ status: 204 });
    expect(await me(token)).toMatchObject({ status: 401 });
    expect(await exchange(cookieOf(cookie))).toMatchObject({ status: 401 });
    expect(await me(other.token)).toMatchObject({ status: 200 });
  });

  test('ends in every process at the next request when the user is deactivated or deleted', async () => {
    const [first, second] = [await platform.signedIn('AIBIUser'), await platform.signedIn('AIBIUser')];
    await expect(elsewhere(first.token)).resolves.toMatchObject({ kind: 'person', userId: first.userId });
    await platform.ok('PUT', `/api/v1/users/${first.userId}`, { isDeactivated: true });
    await expect(elsewhere(first.token)).rejects.toMatchObject({ status: 401 });
    await platform.ok('PUT', `/api/v1/users/${first.userId}`, { isDeactivated: false });
    await expect(elsewhere(first.token)).rejects.toMatchObject({ status: 401 });
    expect(await platform.call('DELETE', `/api/v1/users/${second.userId}`)).toMatchObject({ status: 204 });
    await expect(elsewhere(second.token)).rejects.toMatchObject({ status: 401 });
  });

  test('ends with its data tokens when an administrator becomes a user', async () => {
    const { userId, token } = await platform.signedIn('Admin');
    const { platformApiToken } = await platform.ok('POST', '/api/v1/deployments/1/token', {}, token);
    const authenticateData = createAuthenticateData({ db: platform.db, tokens: platform.tokens });
    await platform.ok('PUT', `/api/v1/users/${userId}`, { isAdmin: false });
    expect(await platform.call('GET', '/api/v1/users', undefined, token)).toMatchObject({ status: 401 });
    const request = new Request(`${origin}/v1/load`, { headers: { authorization: platformApiToken } });
    await expect(authenticateData(request)).rejects.toMatchObject({ status: 403 });
  });

  test('ends after 2 hours without an exchange, and after 12 hours', async () => {
    const { userId, token } = await platform.signedIn('Admin');
    const { platformApiToken } = await platform.ok('POST', '/api/v1/deployments/1/token', {}, token);
    const authenticateData = createAuthenticateData({ db: platform.db, tokens: platform.tokens });
    const load = () =>
      authenticateData(new Request(`${origin}/v1/load`, { headers: { authorization: platformApiToken } }));
    const age = (sql: string) => platform.withConnection(client => client.query(`update person_sessions set ${sql}`));
    await age(`last_used_at = now() - interval '2 hours 1 minute' where user_id = ${userId}`);
    expect(await me(token)).toMatchObject({ status: 401 });
    // Data tokens are rejected at once, not when the cleanup runs.
    await expect(load()).rejects.toMatchObject({ status: 403 });
    await age(`last_used_at = now() where user_id = ${userId}`);
    await expect(load()).resolves.toMatchObject({ isDeveloper: true });
    await age(`expires_at = now() where user_id = ${userId}`);
    expect(await me(token)).toMatchObject({ status: 401 });
    await expect(load()).rejects.toMatchObject({ status: 403 });
    await deleteExpiredPersonSessions(platform.db);
    expect(await platform.db.$count(schema.personSessions, undefined)).toBeGreaterThan(0);
    expect((await platform.ok('GET', `/api/v1/users/${userId}/sessions`)).items).toEqual([]);
    // After the cleanup, it must still be possible to revoke the data tokens of the session.
    await expect(load()).rejects.toMatchObject({ status: 403 });
  });
});

describe('Passwords', () => {
  test('change with the current one, which ends other sessions', async () => {
    const { token, headers, email } = await platform.signedIn('AIBIUser');
    const { cookie } = await signIn(email, testPassword);
    const change = (currentPassword: string, credential = token) =>
      platform.call(
        'PUT',
        '/api/v1/users/me/password',
        { currentPassword, newPassword: 'a new long password' },
        credential,
      );
    expect(await change('wrong horse battery')).toMatchObject({ status: 403 });
    expect(await change(testPassword)).toMatchObject({ status: 204 });
    expect(await exchange(cookieOf(cookie))).toMatchObject({ status: 401 });
    expect(await exchange({ ...own, ...headers })).toMatchObject({ status: 200 });
    expect(await signIn(email, testPassword)).toMatchObject({ status: 401 });
    expect(await signIn(email, 'a new long password')).toMatchObject({ status: 204 });
  });

  test('are set by an administrator, never appear in the audit log, and end the sessions of the user', async () => {
    const { userId, token } = await platform.signedIn('AIBIUser');
    const set = (password: string) => platform.call('PUT', `/api/v1/users/${userId}/password`, { password });
    expect(await set('short')).toMatchObject({ status: 400 });
    expect(await set('a new long password')).toMatchObject({ status: 204 });
    expect(await me(token)).toMatchObject({ status: 401 });
    expect(JSON.stringify(await platform.audited())).not.toContain('a new long password');
  });
});

describe('Single sign-on only', () => {
  const setSingleSignOn = (credential: string, singleSignOnOnly = true) =>
    platform.call('PUT', '/api/v1/tenant/settings', { singleSignOnOnly }, credential);

  test('is switched on by an administrator who signed in through the provider, and ends password sessions', async () => {
    const byPassword = await platform.signedIn('Admin');
    const byProvider = await platform.signedIn('Admin', 'oidc');
    const member = await platform.signedIn('AIBIUser');
    expect(await setSingleSignOn('the-admin-key')).toMatchObject({ status: 403 });
    expect(await setSingleSignOn(byPassword.token)).toMatchObject({ status: 403 });
    expect(await setSingleSignOn(byProvider.token)).toMatchObject({ status: 200, body: { singleSignOnOnly: true } });
    expect(await me(byPassword.token)).toMatchObject({ status: 401 });
    expect(await me(byProvider.token)).toMatchObject({ status: 200 });
    expect(await signIn(member.email, testPassword)).toMatchObject({ status: 401 });
    expect(await setSingleSignOn('the-admin-key', false)).toMatchObject({ status: 200 });
    expect(await signIn(member.email, testPassword)).toMatchObject({ status: 204 });
  });

  test('leaves one administrator who can sign in without it', async () => {
    const [{ email, id }] = await platform.withConnection(async client => {
      const { rows } = await client.query(
        `select users.email, users.id::int from passwords join users on users.id = user_id where is_break_glass`,
      );
      return rows;
    });
    const byProvider = await platform.signedIn('Admin', 'oidc');
    expect(await setSingleSignOn(byProvider.token)).toMatchObject({ status: 200 });
    expect(await signIn(email, testPassword)).toMatchObject({ status: 204 });
    const messages = { message: expect.stringContaining('without single sign-on') };
    const change = (body: object) => platform.call('PUT', `/api/v1/users/${id}`, body);
    expect(await change({ isDeactivated: true })).toMatchObject({ status: 403, body: messages });
    expect(await change({ isAdmin: false })).toMatchObject({ status: 403, body: messages });
    expect(await platform.call('DELETE', `/api/v1/users/${id}`)).toMatchObject({ status: 403, body: messages });
    expect(await hasBreakGlassAdmin(platform.db)).toBe(true);
  });

  test('cannot be switched on in the session of a page', async () => {
    const { platformApiToken: _, ...grant } = { platformApiToken: '', externalId: null, internalId: 'admin' };
    expect(await setSingleSignOn(await platform.tokenOf(grant), false)).toMatchObject({ status: 403 });
  });
});
