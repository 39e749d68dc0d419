import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashApiKey } from '../../../src/platform/auth/secrets.js';
import { apiKeys, users } from '../../../src/platform/db/schema.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const path = '/api/v1/api-keys';
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const make = (body: object) => platform.ok('POST', path, body);
const read = (key: string, what = '/api/v1/deployments/1') => platform.call('GET', what, undefined, key);
const roles = (key: string) => read(key, '/api/v1/roles');

describe('API keys (an extension)', () => {
  test('a key is returned once, belongs to a new user with a role, and is stored only as a hash', async () => {
    const { key, ...made } = await make({ name: 'sync', username: ' Sync@Example.com ', role: 'AIBIUser' });
    expect(key).toMatch(/^pa_[\w-]{43}$/);
    expect(made).toMatchObject({ name: 'sync', user: { username: 'sync@example.com' }, role: 'AIBIUser' });
    expect(await read(key)).toMatchObject({ status: 200 });
    expect(await roles(key)).toMatchObject({ status: 403 });
    const [stored] = await platform.db.select().from(apiKeys).where(eq(apiKeys.id, made.id));
    expect(stored?.keyHash).toBe(hashApiKey(key));
    expect(JSON.stringify(await platform.ok('GET', path))).not.toContain(key);
    expect(JSON.stringify(await platform.audited())).not.toMatch(/pa_/);
  });

  test('the rights of a second key are limited by its own role and the rights of its user', async () => {
    const first = await make({ name: 'dev', username: 'dev', role: 'AIBIDeveloper' });
    const lesser = await make({ name: 'dev reads', userId: first.user.id, role: 'AIBIViewer' });
    const greater = await make({ name: 'dev rules', username: 'DEV', role: 'Admin' });
    expect(greater.user).toEqual(first.user);
    const put = (key: string) => platform.call('PUT', '/api/v1/deployments/1', {}, key);
    expect(await put(first.key)).toMatchObject({ status: 200 });
    expect(await put(lesser.key)).toMatchObject({ status: 403 });
    expect(await put(greater.key)).toMatchObject({ status: 200 });
    expect(await roles(greater.key)).toMatchObject({ status: 403 });
  });

  test("an admin's key has all rights without a role, and fewer with one", async () => {
    const whole = await make({ name: 'whole', userId: 1 });
    const part = await make({ name: 'part', userId: 1, role: 'AIBIUser' });
    expect(whole.role).toBeNull();
    expect(await roles(whole.key)).toMatchObject({ status: 200 });
    expect(await roles(part.key)).toMatchObject({ status: 403 });
    expect(await platform.call('POST', path, { name: 'more', userId: 1 }, part.key)).toMatchObject({ status: 403 });
  });

  test('are listed in order of creation with their users, paged', async () => {
    const all = await platform.ok('GET', path);
    expect(all.items[0]).toMatchObject({ name: 'admin', user: { id: 1, username: 'admin' }, role: null });
    expect(all.items[0].createdAt).toMatch(/Z$/);
    expect(all.count).toBe(all.items.length);
    const page = await platform.ok('GET', `${path}?first=1`);
    const next = await platform.ok('GET', `${path}?first=1&after=${page.pageInfo.endCursor}`);
    expect([...page.items, ...next.items]).toEqual(all.items.slice(0, 2));
    const found = await platform.ok('GET', `${path}?search=SYNC`);
    expect(found).toMatchObject({ items: [{ name: 'sync' }], count: 1 });
    const ofUser = await platform.ok('GET', `${path}?search=sync%40example`);
    expect(ofUser.items).toEqual(found.items);
  });

  test('a revoked key is rejected at its next request, also after it revoked itself', async () => {
    const { id, key } = await make({ name: 'short', userId: 1 });
    expect(await platform.call('DELETE', `${path}/${id}`, undefined, key)).toMatchObject({ status: 204 });
    expect(await read(key)).toMatchObject({ status: 401 });
    expect(await platform.call('DELETE', `${path}/${id}`)).toMatchObject({ status: 404 });
  });

  test('an expired key and its tokens are rejected with the text for unknown ones', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { id, key, ...made } = await make({ name: 'limited', userId: 1, expiresAt });
    expect(made).toMatchObject({ expiresAt, lastUsedAt: null });
    const { platformApiToken } = await platform.ok('POST', '/api/v1/deployments/1/token', {}, key);
    const claims = await platform.tokens.verifyDataToken(platformApiToken);
    expect(claims?.expiresAt.getTime()).toBeLessThanOrEqual(Date.parse(expiresAt));
    await platform.db
      .update(apiKeys)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(apiKeys.id, id));
    expect(await read(key)).toEqual(await read('pa_unknown'));
    expect((await read(key)).status).toBe(401);
    const listed = (await platform.ok('GET', path)).items.find((each: { id: number }) => each.id === id);
    expect(listed.lastUsedAt).toMatch(/Z$/);
  });

  test('without an expiry a key is listed without one, and with its last use', async () => {
    const { id, key } = await make({ name: 'unlimited', userId: 1 });
    const listed = async () => (await platform.ok('GET', path)).items.find((each: { id: number }) => each.id === id);
    expect(await listed()).toMatchObject({ expiresAt: null, lastUsedAt: null });
    await read(key);
    const { lastUsedAt } = await listed();
    await read(key);
    expect(await listed()).toMatchObject({ expiresAt: null, lastUsedAt });
  });

  test('revoking the startup key returns 409 with the reason', async () => {
    const [start] = (await platform.ok('GET', `${path}?first=1`)).items;
    expect(await platform.call('DELETE', `${path}/${start.id}`)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('PA_ADMIN_KEY') },
    });
    expect(await roles('the-admin-key')).toMatchObject({ status: 200 });
  });

  test.each([
    [{ name: 'admin', userId: 1 }, 409, 'name'],
    [{ name: 'nobody', userId: 999_999 }, 404, 'User'],
    [{ name: 'x' }, 400, 'body.userId'],
    [{ name: 'x', userId: 1, username: 'admin' }, 400, 'body.userId'],
    [{ name: 'x', username: 'a new one' }, 400, 'body.role'],
    [{ name: '', userId: 1 }, 400, 'body.name'],
    [{ name: 'x', userId: 1.5 }, 400, 'body.userId'],
    [{ name: 'x', userId: 1, role: 'Owner' }, 400, 'body.role'],
    [{ name: 'x', userId: 1, key: 'pa_mine' }, 400, 'body'],
    [{ name: 'x', userId: 1, expiresAt: '2020-01-01T00:00:00Z' }, 400, 'body.expiresAt: must be in the future'],
    [{ name: 'x', userId: 1, expiresAt: 'tomorrow' }, 400, 'body.expiresAt'],
  ])('%j returns %d and creates neither key nor user', async (body, status, message) => {
    const before = [await platform.db.$count(apiKeys), await platform.db.$count(users)];
    const answer = await platform.call('POST', path, body);
    expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
    expect([await platform.db.$count(apiKeys), await platform.db.$count(users)]).toEqual(before);
  });

  test('a name that is taken creates no user', async () => {
    expect(await platform.call('POST', path, { name: 'admin', username: 'ghost', role: 'Admin' })).toMatchObject({
      status: 409,
    });
    expect(await platform.db.$count(users, eq(users.username, 'ghost'))).toBe(0);
  });

  test('embed users cannot have keys, and sessions cannot create keys, not even an admin’s', async () => {
    await platform.tokenOf({ externalId: 'embedded' });
    const [embedded] = await platform.db.select().from(users).where(eq(users.externalId, 'embedded'));
    expect(await platform.call('POST', path, { name: 'y', userId: embedded?.id })).toMatchObject({ status: 404 });
    const internal = await platform.tokenOf({ externalId: undefined, internalId: 'admin' });
    expect(await platform.call('POST', path, { name: 'y', userId: 1 }, internal)).toMatchObject({ status: 403 });
    expect(await platform.call('GET', path, undefined, internal)).toMatchObject({ status: 403 });
    expect(await platform.call('DELETE', `${path}/1`, undefined, internal)).toMatchObject({ status: 403 });
  });

  test('concurrent requests with one new username get keys of the same user', async () => {
    const made = await Promise.all(
      ['left', 'right'].map(name => make({ name, username: 'twins', role: 'AIBIViewer' })),
    );
    expect(made[0].user).toEqual(made[1].user);
    expect(await platform.db.$count(users, eq(users.username, 'twins'))).toBe(1);
    for (const { key } of made) expect(await read(key)).toMatchObject({ status: 200 });
  });
});
