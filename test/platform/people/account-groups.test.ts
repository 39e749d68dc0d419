import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthenticateData } from '../../../src/platform/auth/authenticate.js';
import { groupMembers, groups, users } from '../../../src/platform/db/schema.js';
import { someoneWaits, startTestPlatform, type TestPlatform } from '../test-platform.js';

const path = '/api/v1/groups';
let platform: TestPlatform;
// Use three digits, so that the order of the names is the order of their numbers.
let count = 100;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

function unique(name: string): string {
  count += 1;
  return `${name}-${count}`;
}

/** Creates a user of the account with an API key. */
async function person() {
  const username = unique('person');
  const { id } = await platform.ok('POST', '/api/v1/users', { username, email: `${username}@acme.example` });
  const { key } = await platform.ok('POST', '/api/v1/api-keys', { name: username, userId: id });
  return { id: Number(id), username, key: String(key) };
}
type Person = Awaited<ReturnType<typeof person>>;

const create = (fields: object = {}) => platform.ok('POST', path, { name: unique('team'), ...fields });
const add = (group: { id: number }, ...members: { id: number }[]) =>
  platform.call('POST', `${path}/${group.id}/users`, { userIds: members.map(({ id }) => id) });
const remove = (group: { id: number }, ...members: { id: number }[]) =>
  platform.call('DELETE', `${path}/${group.id}/users`, { userIds: members.map(({ id }) => id) });
const scim = (method: string, id: number, body: object) => platform.call(method, `/api/scim/v2/Groups/${id}`, body);

/** Opens a page of a user, and returns whether its tokens of the Platform API and the Data API are still valid. */
async function openPage({ username }: Person) {
  const token = await platform.tokenOf({ externalId: undefined, internalId: username });
  const { platformApiToken } = await platform.ok('POST', '/api/v1/deployments/1/token', {}, token);
  const { db, tokens } = platform;
  const authenticate = createAuthenticateData({ db, tokens });
  const data = () =>
    authenticate(new Request('https://x/load', { headers: { authorization: platformApiToken } })).then(
      ({ securityContext }) => securityContext.platform.groups,
      (error: { status: number }) => error.status,
    );
  return {
    data,
    status: async () => [
      (await platform.call('GET', '/api/v1/users/me', undefined, token)).status,
      typeof (await data()) === 'number' ? await data() : 200,
    ],
  };
}
const alive = [200, 200];
const ended = [401, 403];

describe('groups of the account', () => {
  test('are created, read, changed, listed by name, searched, paged and deleted', async () => {
    const made = await create({ name: 'Berlin 50%', description: 'The team' });
    expect(made).toMatchObject({ name: 'Berlin 50%', description: 'The team', role: null, userCount: 0 });
    expect(await platform.ok('GET', `${path}/${made.id}`)).toEqual(made);
    const changed = await platform.ok('PATCH', `${path}/${made.id}`, { name: ' Berlin 60% ', description: '' });
    expect(changed).toEqual({ ...made, name: 'Berlin 60%', description: null });
    expect((await platform.ok('GET', `${path}?search=in%2060%25`)).items).toEqual([changed]);
    const all = await platform.ok('GET', path);
    expect(all.count).toBe(all.items.length);
    const pages = [await platform.ok('GET', `${path}?first=1`)];
    pages.push(await platform.ok('GET', `${path}?first=1&after=${pages[0].pageInfo.endCursor}`));
    expect(pages.flatMap(({ items }) => items)).toEqual(all.items.slice(0, 2));
    expect(await platform.call('DELETE', `${path}/${made.id}`)).toMatchObject({ status: 204 });
    expect(await platform.call('GET', `${path}/${made.id}`)).toMatchObject({ status: 404 });
  });

  test('are those of the directory and of `--group`, but not those of tenants or for sharing', async () => {
    const name = unique('directory');
    await platform.ok('POST', '/api/scim/v2/Groups', { displayName: name, externalId: 'okta-1' });
    await platform.ok('POST', '/api/v1/embed-tenants/acme/user', { externalId: 'first' });
    const ofTenant = await platform.ok('POST', '/api/v1/embed-tenants/acme/groups', { name: 'inner' });
    const { items } = await platform.ok('GET', path);
    expect(items).toContainEqual(expect.objectContaining({ name, externalId: 'okta-1' }));
    expect(items.map((group: { name: string }) => group.name)).toEqual(expect.arrayContaining(['finance', 'sales']));
    expect(items.map((group: { id: number }) => group.id)).not.toContain(ofTenant.id);
    expect(await platform.call('GET', `${path}/${ofTenant.id}`)).toMatchObject({ status: 404 });
    expect(await platform.call('DELETE', `${path}/${ofTenant.id}`)).toMatchObject({ status: 404 });
  });

  test.each([
    [{ name: 'sales' }, 409, 'Another group has this name'],
    [{ name: 'system:tenant:acme:group:x' }, 400, 'body.name: names that start with "system:" are reserved'],
    [{ name: ' ' }, 400, 'body.name'],
    [{ name: 'x'.repeat(101) }, 400, 'body.name'],
    [{ name: 'with role', roleId: 999_999 }, 404, 'Role not found'],
  ])('reject %j with %d', async (fields, status, message) => {
    const before = await platform.db.$count(groups);
    const answer = await platform.call('POST', path, fields);
    expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
    const { id } = await create();
    const changed = await platform.call('PATCH', `${path}/${id}`, fields);
    expect(changed).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
    expect(await platform.db.$count(groups)).toBe(before + 1);
  });

  test('SCIM rejects reserved names too', async () => {
    const answer = await platform.call('POST', '/api/scim/v2/Groups', { displayName: 'system:tenant:acme:group:x' });
    expect(answer.status).toBe(400);
  });

  test('have members, who are listed by name, searched and paged; embed users are members by a grant', async () => {
    const [group, ann, bo] = [await create(), await person(), await person()];
    expect(await add(group, ann, bo, ann)).toMatchObject({ status: 204 });
    const externalId = unique('visitor');
    await platform.mint({ externalId, embedTenantName: 'acme', groups: [group.name] });
    const list = (query = '') => platform.ok('GET', `${path}/${group.id}/users${query}`);
    const { items } = await list();
    expect(items.map((user: { username: string }) => user.username)).toEqual([ann.username, bo.username, externalId]);
    expect(items[2]).toMatchObject({ embedTenantName: 'acme', isDeactivated: false });
    expect((await platform.ok('GET', `${path}/${group.id}`)).userCount).toBe(3);
    expect((await list(`?search=${bo.username}@`)).items).toEqual([items[1]]);
    const first = await list('?first=1');
    expect((await list(`?first=2&after=${first.pageInfo.endCursor}`)).items).toEqual(items.slice(1));
    expect(await remove(group, ann, { id: items[2].id }, { id: 999_999 })).toMatchObject({ status: 204 });
    expect((await list()).items).toEqual([items[1]]);
  });

  test('take no unknown members and no embed users by this operation, and add no one then', async () => {
    const [group, ann] = [await create(), await person()];
    await platform.tokenOf({ externalId: 'embedded' });
    const [embedded] = await platform.db.select().from(users).where(eq(users.externalId, 'embedded'));
    for (const id of [999_999, embedded?.id ?? 0]) expect(await add(group, ann, { id })).toMatchObject({ status: 404 });
    expect(await platform.db.$count(groupMembers, eq(groupMembers.groupId, group.id))).toBe(0);
    expect(await add({ id: 999_999 }, ann)).toMatchObject({ status: 404 });
  });
});

describe('the role of a group', () => {
  const workbooks = (key: string) => platform.call('POST', '/api/v1/deployments/1/workbooks', { name: 'x' }, key);

  test('is a role of its members from the next request on, until they leave the group or it loses the role', async () => {
    const role = await platform.ok('POST', '/api/v1/roles', {
      name: unique('role'),
      policies: [
        { resourceType: 'Global', actions: ['AIBIExplore'], resources: ['All'] },
        { resourceType: 'Deployment', actions: ['DeploymentRead'], resources: ['1'] },
      ],
    });
    const group = await create({ roleId: role.id });
    const [ann, bo] = [await person(), await person()];
    expect(group.role).toEqual({ id: role.id, name: role.name });
    expect(await workbooks(ann.key)).toMatchObject({ status: 403 });
    await add(group, ann, bo);
    expect(await workbooks(ann.key)).toMatchObject({ status: 200 });
    await remove(group, ann);
    expect(await workbooks(ann.key)).toMatchObject({ status: 403 });
    expect(await workbooks(bo.key)).toMatchObject({ status: 200 });
    expect((await platform.ok('PATCH', `${path}/${group.id}`, { roleId: null })).role).toBeNull();
    expect(await workbooks(bo.key)).toMatchObject({ status: 403 });
    await platform.ok('PATCH', `${path}/${group.id}`, { roleId: role.id });
    expect(await platform.call('DELETE', `/api/v1/roles/${role.id}`)).toMatchObject({ status: 204 });
    expect(await workbooks(bo.key)).toMatchObject({ status: 403 });
    expect((await platform.ok('GET', `${path}/${group.id}`)).role).toBeNull();
  });

  test('cannot be Admin', async () => {
    const roles = await platform.ok('GET', '/api/v1/roles/4');
    expect(roles.name).toBe('Admin');
    expect(await platform.call('POST', path, { name: 'rulers', roleId: 4 })).toMatchObject({ status: 404 });
  });
});

describe('a removed membership is effective with the next request', () => {
  test.each([
    ['the group operation', (group: { id: number }, user: Person) => remove(group, user)],
    [
      'a SCIM patch',
      (group: { id: number }, user: Person) =>
        scim('PATCH', group.id, { Operations: [{ op: 'remove', path: `members[value eq "${user.id}"]` }] }),
    ],
  ])('by %s', async (_, leave) => {
    const [group, ann, bo] = [await create(), await person(), await person()];
    await add(group, ann, bo);
    const [page, other] = [await openPage(ann), await openPage(bo)];
    expect(await page.data()).toEqual([group.name]);
    expect((await leave(group, ann)).status).toBeLessThan(300);
    expect(await page.status()).toEqual(ended);
    expect(await other.status()).toEqual(alive);
    expect(await (await openPage(ann)).data()).toEqual([]);
  });

  test('also for sessions that are not exchanged yet', async () => {
    const [group, ann] = [await create(), await person()];
    await add(group, ann);
    const { sessionId } = (await platform.mint({ externalId: undefined, internalId: ann.username })).body;
    await remove(group, ann);
    expect(await platform.exchange(sessionId)).toMatchObject({ status: 401 });
  });

  test('a directory that replaces the members ends only the sessions of those who leave', async () => {
    const [group, ann, bo] = [await create(), await person(), await person()];
    await add(group, ann, bo);
    const [page, other] = [await openPage(ann), await openPage(bo)];
    const put = (...members: Person[]) =>
      scim('PUT', group.id, { displayName: group.name, members: members.map(({ id }) => ({ value: String(id) })) });
    expect(await put(ann, bo)).toMatchObject({ status: 200 });
    expect([await page.status(), await other.status()]).toEqual([alive, alive]);
    expect(await put(bo)).toMatchObject({ status: 200 });
    expect([await page.status(), await other.status()]).toEqual([ended, alive]);
  });

  test('if the group is renamed or deleted, by either API', async () => {
    const ann = await person();
    const changes = [
      (id: number) => platform.call('PATCH', `${path}/${id}`, { name: unique('renamed') }),
      (id: number) => platform.call('DELETE', `${path}/${id}`),
      (id: number) => scim('PATCH', id, { Operations: [{ op: 'replace', value: { displayName: unique('new') } }] }),
      (id: number) => platform.call('DELETE', `/api/scim/v2/Groups/${id}`),
    ];
    for (const change of changes) {
      const group = await create();
      await add(group, ann);
      const page = await openPage(ann);
      await platform.ok('PATCH', `${path}/${group.id}`, { name: group.name, description: 'Same name' });
      expect(await page.status()).toEqual(alive);
      expect((await change(group.id)).status).toBeLessThan(300);
      expect(await page.status()).toEqual(ended);
    }
  });

  test('of embed users: by the operations of a tenant, but not by the grant of another session', async () => {
    const externalId = unique('member');
    const grant = { externalId, embedTenantName: 'acme', creatorMode: true, tenantGroups: ['west'] };
    const tenant = '/api/v1/embed-tenants/acme';
    await platform.ok('POST', `${tenant}/user`, { externalId });
    const west = await platform.ok('POST', `${tenant}/groups`, { name: 'west' });
    const session = async () => {
      const token = await platform.tokenOf(grant);
      return async () => (await platform.call('GET', '/api/v1/deployments/1', undefined, token)).status;
    };
    const first = await session();
    await platform.mint({ ...grant, tenantGroups: [] });
    expect(await first()).toBe(200);
    const second = await session();
    const members = { members: [{ externalId }] };
    expect(await platform.call('DELETE', `${tenant}/groups/${west.id}/users`, members)).toMatchObject({ status: 204 });
    expect([await first(), await second()]).toEqual([401, 401]);
    const third = await session();
    await platform.ok('POST', `${tenant}/user`, { externalId, tenantGroups: ['west'] });
    expect(await third()).toBe(200);
    await platform.ok('POST', `${tenant}/user`, { externalId, tenantGroups: [] });
    expect(await third()).toBe(401);
  });

  test('a grant waits for a removal that is not committed yet', async () => {
    const [group, ann] = [await create(), await person()];
    await add(group, ann);
    const minting = await platform.withConnection(async client => {
      await client.query('begin');
      await client.query('select from users where id = $1 for update', [ann.id]);
      const minted = platform.mint({ externalId: undefined, internalId: ann.username });
      await someoneWaits(client);
      await client.query('delete from group_members where group_id = $1', [group.id]);
      await client.query('commit');
      return minted;
    });
    const { token } = (await platform.exchange(minting.body.sessionId)).body;
    const claims = await platform.tokens.verifyEmbedToken(token);
    expect(claims?.securityContext.platform.groups).toEqual([]);
    const left = and(eq(groupMembers.groupId, group.id), eq(groupMembers.userId, ann.id));
    expect(await platform.db.$count(groupMembers, left)).toBe(0);
  });
});
