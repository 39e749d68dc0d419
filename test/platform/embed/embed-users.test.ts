import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

let count = 0;
let tenant: string;
let base: string;

beforeEach(() => {
  count += 1;
  tenant = `t${count}a`;
  base = `/api/v1/embed-tenants/${tenant}`;
});

const provision = (body: object) => platform.call('POST', `${base}/user`, body);
const provisionMany = (users: object[]) => platform.ok('POST', `${base}/users`, { users });
const list = async (query = '') => (await platform.ok('GET', `${base}/users${query}`)).items;

describe('sessions of embed users (extension)', () => {
  test('are listed, and revoked one by one, by user and all at once', async () => {
    const tokenOf = (externalId: string, embedTenantName = tenant) =>
      platform.tokenOf({ externalId, embedTenantName, email: `${externalId}@acme.example` });
    const isValid = async (token: string) =>
      (await platform.call('GET', '/api/v1/app-config', undefined, token)).status;
    const sessions = async (query = '') => (await platform.ok('GET', `${base}/sessions${query}`)).items;
    const revoke = (query = '') => platform.call('DELETE', `${base}/sessions${query}`);
    const other = await tokenOf('ann', `${tenant}-other`);
    const [ann, annAgain, bob, bobAgain] = [
      await tokenOf('ann'),
      await tokenOf('ann'),
      await tokenOf('bob'),
      await tokenOf('bob'),
    ];
    const statuses = () => Promise.all([ann, annAgain, bob, bobAgain, other].map(isValid));
    const all = await sessions();
    expect(all.map(({ username }: { username: string }) => username)).toEqual(['bob', 'bob', 'ann', 'ann']);
    expect(Math.abs(Date.parse(all[0].startedAt) - Date.now())).toBeLessThan(60_000);
    expect(JSON.stringify(all)).not.toContain(ann);
    const page = await platform.ok('GET', `${base}/sessions?first=3`);
    const next = await platform.ok('GET', `${base}/sessions?first=3&after=${page.pageInfo.endCursor}`);
    expect([...page.items, ...next.items]).toEqual(all);
    expect(await sessions('?search=BOB%40')).toEqual(all.slice(0, 2));
    expect(await revoke('?id=1')).toMatchObject({ status: 400 });

    expect(await revoke(`?id=${all[0].id}`)).toMatchObject({ status: 204 });
    expect((await statuses()).sort()).toEqual([200, 200, 200, 200, 401]);
    expect(await revoke(`?userId=${all[2].userId}`)).toMatchObject({ status: 204 });
    expect((await statuses()).slice(0, 2)).toEqual([401, 401]);
    expect(await sessions()).toEqual([all[1]]);
    // A session of another tenant is not found.
    const [foreign] = (await platform.ok('GET', `/api/v1/embed-tenants/${tenant}-other/sessions`)).items;
    expect(await revoke(`?id=${foreign.id}`)).toMatchObject({ status: 204 });
    const waiting = (await platform.mint({ externalId: 'bob', embedTenantName: tenant })).body.sessionId;
    expect(await revoke()).toMatchObject({ status: 204 });
    expect(await statuses()).toEqual([401, 401, 401, 401, 200]);
    expect(await platform.exchange(waiting)).toMatchObject({ status: 401 });
    expect(await sessions()).toEqual([]);
    expect(await isValid(await tokenOf('bob'))).toBe(200);
  });
});

describe('provisioning (operations.md, Embed Tenants)', () => {
  test('creates tenant and user once', async () => {
    const { status, body } = await provision({
      externalId: ' Ann ',
      email: 'Ann@Example.com',
      userProfile: { displayName: 'Ann', picture: 'https://p.example/a.png' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      username: 'ann',
      externalId: 'ann',
      email: 'ann@example.com',
      firstName: 'Ann',
      lastLogin: null,
      createdAt: expect.any(String),
    });
    expect((await provision({ externalId: 'ann' })).body).toEqual(body);
    expect(await list()).toEqual([body]);
    expect((await platform.ok('GET', `/api/v1/embed-tenants?search=${tenant}`)).items).toEqual([
      { id: expect.any(Number), name: tenant, displayName: null, userCount: 1, createdAt: expect.any(String) },
    ]);
  });

  test('retains omitted fields and replaces sent groups', async () => {
    await provision({
      externalId: 'ann',
      email: 'a@b.example',
      userProfile: { displayName: 'Ann' },
      groups: ['sales'],
    });
    await platform.ok('POST', `${base}/groups`, { name: 'ops' });
    expect((await provision({ externalId: 'ann', tenantGroups: ['ops'] })).body).toMatchObject({
      email: 'a@b.example',
      firstName: 'Ann',
    });
    const seen = async () => (await platform.contextOf({ embedTenantName: tenant })).platform.groups;
    expect(await seen()).toEqual(['sales', `system:tenant:${tenant}:group:ops`]);
    await provision({ externalId: 'ann', groups: ['finance'] });
    expect(await seen()).toEqual(['finance', `system:tenant:${tenant}:group:ops`]);
    await provision({ externalId: 'ann', groups: [], tenantGroups: [] });
    expect(await seen()).toEqual([]);
  });

  test('stores the same data as minting a session, except the login', async () => {
    const grant = { externalId: 'Bob', email: 'B@x.example', userProfile: { displayName: 'B' }, groups: ['sales'] };
    await provision(grant);
    const other = `t${count}b`;
    await platform.tokenOf({ ...grant, embedTenantName: other });
    const { items } = await platform.ok('GET', `/api/v1/embed-tenants/${other}/users`);
    const [{ id: _, createdAt: __, lastLogin, ...minted }] = items;
    expect(await list()).toMatchObject([{ ...minted, lastLogin: null }]);
    expect(lastLogin).toEqual(expect.any(String));
  });

  test('repeating the request writes nothing', async () => {
    const user = { externalId: 'ann', email: 'a@b.example', groups: ['sales'] };
    await provision(user);
    const state = () =>
      platform.withConnection(async client => {
        const users = await client.query('select xmin, * from users where external_id = $1 order by id', ['ann']);
        const members = await client.query('select xmin, * from group_members order by group_id, user_id');
        return [users.rows.at(-1), members.rows];
      });
    const before = await state();
    await provision(user);
    expect(await state()).toEqual(before);
  });

  test.each([
    [{ externalId: 'x', groups: ['nope'] }, 'body.groups: Groups with names nope not found'],
    [{ externalId: 'x', tenantGroups: ['sales'] }, 'body.tenantGroups'],
    [{ externalId: 'x', tenantGroups: ['system:tenant:x'] }, 'body.tenantGroups'],
    [{ externalId: '' }, 'body.externalId'],
    [{}, 'body.externalId'],
    [{ externalId: 'x', email: 'no' }, 'body.email'],
    [{ externalId: 'x', userProfile: { picture: 'javascript:1' } }, 'body.userProfile.picture'],
    [{ externalId: 'x', userAttributes: [] }, 'body'],
    [{ externalId: 'x'.repeat(256) }, 'body.externalId'],
    [{ externalId: 'a\0b' }, 'body.externalId'],
  ])('returns 400 that names the field for %j and creates nothing', async (body, message) => {
    expect(await provision(body)).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
    expect(await platform.call('GET', `${base}/users`)).toMatchObject({ status: 404 });
  });

  test.each(['X', 'a_b', 'a', '1ab', 'ab-', 'a'.repeat(37)])('rejects an invalid tenant name: %s', async name => {
    const answer = await platform.call('POST', `/api/v1/embed-tenants/${name}/user`, { externalId: 'x' });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('path.embedTenantName') } });
  });

  test('processes several users independently and in order; the last entry of an id applies', async () => {
    const answer = await provisionMany([
      { externalId: 'a', email: 'old@x.example' },
      { externalId: 'b', groups: ['nope'] },
      { externalId: 'c' },
      { externalId: 'A', email: 'new@x.example' },
    ]);
    expect(answer.succeeded.map((user: { username: string }) => user.username)).toEqual(['a', 'c', 'a']);
    expect(answer.failed).toEqual([
      { externalId: 'b', error: { status: 400, message: 'body.users.1.groups: Groups with names nope not found' } },
    ]);
    expect(await list()).toMatchObject([{ externalId: 'c' }, { externalId: 'a', email: 'new@x.example' }]);
  });

  test('accepts 1 to 100 users', async () => {
    expect(await platform.call('POST', `${base}/users`, { users: [] })).toMatchObject({ status: 400 });
    const users = Array.from({ length: 101 }, (_, index) => ({ externalId: `u${index}` }));
    expect(await platform.call('POST', `${base}/users`, { users })).toMatchObject({ status: 400 });
    expect((await provisionMany(users.slice(0, 100))).succeeded).toHaveLength(100);
  });

  test('concurrent requests create a user once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => provision({ externalId: 'one' })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test('returns 429 for new users at the limit of embed users and creates none partially', async () => {
    await provision({ externalId: 'known' });
    await platform.ok('POST', `${base}/groups`, { name: 'ops' });
    const { items } = await platform.ok('GET', `${base}/groups`);
    const full = `t${count}full`;
    await platform.ok('POST', `/api/v1/embed-tenants/${full}/user`, { externalId: 'x' });
    await platform.withConnection(client =>
      client.query(
        `insert into users (embed_tenant_id, external_id, role)
         select (select id from embed_tenants where name = $1), 'filler ' || n, 'user'
         from generate_series(1, 9999 - (select count(*) from users where embed_tenant_id is not null)) n`,
        [full],
      ),
    );
    const members = { members: [{ externalId: 'known' }, { externalId: 'n1' }, { externalId: 'n2' }] };
    const adding = await platform.call('POST', `${base}/groups/${items[0].id}/users`, members);
    expect(adding).toMatchObject({ status: 429 });
    expect((await platform.ok('GET', `${base}/groups`)).items).toMatchObject([{ userCount: 0 }]);
    expect(await provision({ externalId: 'last' })).toMatchObject({ status: 200 });
    expect(await provision({ externalId: 'more' })).toMatchObject({ status: 429 });
    expect(await provisionMany([{ externalId: 'known' }, { externalId: 'more' }])).toMatchObject({
      succeeded: [{ externalId: 'known' }],
      failed: [{ externalId: 'more', error: { status: 429 } }],
    });
    // Deleting a tenant with 10,000 users completes within the request timeout.
    expect(await platform.call('DELETE', `/api/v1/embed-tenants/${full}`)).toMatchObject({ status: 204 });
    expect(await provision({ externalId: 'more' })).toMatchObject({ status: 200 });
  });

  test('admin only (spec 4.1)', async () => {
    const key = `user-${count}`;
    await platform.addUserKey(key, 'AIBIDeveloper');
    for (const [method, path, body] of [
      ['POST', `${base}/user`, { externalId: 'x' }],
      ['POST', `${base}/users`, { users: [{ externalId: 'x' }] }],
      ['GET', `${base}/users`, undefined],
    ] as const) {
      expect(await platform.call(method, path, body, key)).toMatchObject({ status: 403 });
      expect(await platform.call(method, path, body, '')).toMatchObject({ status: 401 });
    }
    expect(await platform.call('GET', `${base}/users`)).toMatchObject({ status: 404 });
  });
});

describe('embed users (operations.md, Embed Tenants)', () => {
  beforeEach(async () => {
    await provisionMany([
      { externalId: 'zoe', email: 'b@x.example' },
      { externalId: 'c-50%' },
      { externalId: 'yan', email: 'd_1@y.example' },
    ]);
    await platform.tokenOf({ embedTenantName: `t${count}b`, externalId: 'zoe' });
  });

  test('are listed for the tenant, by email or else by external id', async () => {
    expect((await list()).map((user: { username: string }) => user.username)).toEqual(['zoe', 'c-50%', 'yan']);
    const first = await platform.ok('GET', `${base}/users?first=2`);
    await provision({ externalId: 'new', email: 'a@x.example' });
    const second = await platform.ok('GET', `${base}/users?first=2&after=${first.pageInfo.endCursor}`);
    expect(second).toMatchObject({ items: [{ username: 'yan' }], pageInfo: { hasNextPage: false } });
  });

  test.each([
    ['X.EXAMPLE', ['zoe']],
    ['zoe', ['zoe']],
    ['%', ['c-50%']],
    ['d_1', ['yan']],
    ['_', ['yan']],
    ['\\', []],
    ['nobody', []],
  ])('are searched by substring of email or external id: %s', async (search, names) => {
    const found = await list(`?search=${encodeURIComponent(search)}`);
    expect(found.map((user: { username: string }) => user.username)).toEqual(names);
  });

  test('returns 404 for an unknown tenant', async () => {
    expect(await platform.call('GET', '/api/v1/embed-tenants/nobody/users')).toMatchObject({ status: 404 });
  });
});
