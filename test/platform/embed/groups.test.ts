import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { someoneWaits, startTestPlatform, type TestPlatform } from '../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

let count = 0;
let tenant: string;
let groups: string;

beforeEach(async () => {
  count += 1;
  tenant = `t${count}a`;
  groups = `/api/v1/embed-tenants/${tenant}/groups`;
  await platform.tokenOf({ embedTenantName: tenant });
});

const create = (name: string, more: object = {}) => platform.ok('POST', groups, { name, ...more });
const addUsers = (id: number, ...members: object[]) => platform.call('POST', `${groups}/${id}/users`, { members });
const namesOf = async (id: number): Promise<string[]> =>
  (await platform.ok('GET', `${groups}/${id}/users`)).items.map((user: { externalId: string }) => user.externalId);

describe('groups of an embed tenant (spec 2.1, 4.1)', () => {
  test('are created, read, updated and deleted', async () => {
    const made = await create('analysts', { description: 'They look.' });
    expect(made).toEqual({ id: expect.any(Number), name: 'analysts', description: 'They look.', userCount: 0 });
    expect(await platform.ok('GET', `${groups}/${made.id}`)).toEqual(made);
    const described = await platform.ok('PATCH', `${groups}/${made.id}`, { description: 'They see.' });
    expect(described).toEqual({ ...made, description: 'They see.' });
    expect(await platform.ok('PATCH', `${groups}/${made.id}`, {})).toEqual(described);
    expect(await platform.ok('PATCH', `${groups}/${made.id}`, { description: '' })).toMatchObject({
      description: null,
    });
    expect(await platform.call('DELETE', `${groups}/${made.id}`)).toEqual({ status: 204, body: undefined });
    expect(await platform.call('GET', `${groups}/${made.id}`)).toMatchObject({ status: 404 });
    expect(await platform.call('DELETE', `${groups}/${made.id}`)).toMatchObject({ status: 404 });
  });

  test('are listed newest first, paged, with member counts and without the sharing group', async () => {
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.push((await create(name)).id);
    await addUsers(ids[0], { externalId: 'x' }, { externalId: 'y' });
    const { id } = await platform.ok('PUT', `/api/v1/deployments/1/workbooks/by-slug/${tenant}`, {});
    const share = { embedTenantName: tenant, action: 'read' };
    await platform.ok('PUT', `/api/v1/deployments/1/workbooks/${id}/embed-access`, share);
    const first = await platform.ok('GET', `${groups}?first=2`);
    await create('d');
    const second = await platform.ok('GET', `${groups}?first=2&after=${first.pageInfo.endCursor}`);
    expect([...first.items, ...second.items].map(group => [group.name, group.userCount])).toEqual([
      ['c', 0],
      ['b', 0],
      ['a', 2],
    ]);
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    expect(await platform.call('GET', `${groups}?after=x`)).toMatchObject({ status: 400 });
  });

  test('can be used in sessions and have their full name in the model', async () => {
    await create('ops');
    const grant = { embedTenantName: tenant, creatorMode: true, tenantGroups: ['ops'] };
    const context = await platform.contextOf(grant);
    expect(context.platform.groups).toEqual([`system:tenant:${tenant}:group:ops`]);
    expect(await platform.ok('GET', groups)).toMatchObject({ items: [{ name: 'ops', userCount: 1 }] });
  });

  test.each([
    [{ name: 'system:mine' }, 'body.name'],
    [{ name: '' }, 'body.name'],
    [{ name: 'n'.repeat(101) }, 'body.name'],
    [{ name: 'n', description: 'd'.repeat(501) }, 'body.description'],
    [{}, 'body.name'],
    [{ name: 'n', id: 3 }, 'body'],
  ])('returns 400 that names the field for %j', async (body, field) => {
    const answer = await platform.call('POST', groups, body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
    expect((await platform.ok('GET', groups)).items).toEqual([]);
  });

  test('returns 400 for a name that is taken in this tenant; one of several concurrent requests succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => platform.call('POST', groups, { name: 'one' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    const other = `t${count}b`;
    await platform.tokenOf({ embedTenantName: other });
    await platform.ok('POST', `/api/v1/embed-tenants/${other}/groups`, { name: 'one' });
  });

  test('a name is immutable', async () => {
    const { id } = await create('old');
    expect(await platform.call('PATCH', `${groups}/${id}`, { name: 'new' })).toMatchObject({ status: 400 });
  });

  test('returns 404 for groups of another tenant, the account or shares, and for an unknown tenant', async () => {
    const { id } = await create('own');
    const other = `t${count}b`;
    await platform.tokenOf({ embedTenantName: other });
    const rows = await platform.withConnection(client => client.query(`select id from groups where kind <> 'tenant'`));
    const members = { members: [{ externalId: 'x' }] };
    for (const path of [
      `/api/v1/embed-tenants/${other}/groups/${id}`,
      `/api/v1/embed-tenants/nobody/groups/${id}`,
      ...rows.rows.map(row => `${groups}/${row.id}`),
    ]) {
      expect(await platform.call('GET', path), path).toMatchObject({ status: 404 });
      expect(await platform.call('PATCH', path, { description: 'x' }), path).toMatchObject({ status: 404 });
      expect(await platform.call('DELETE', path), path).toMatchObject({ status: 404 });
      expect(await platform.call('GET', `${path}/users`), path).toMatchObject({ status: 404 });
      expect(await platform.call('POST', `${path}/users`, members), path).toMatchObject({ status: 404 });
      expect(await platform.call('DELETE', `${path}/users`, members), path).toMatchObject({ status: 404 });
    }
    const nobody = '/api/v1/embed-tenants/nobody/groups';
    const unknown = {
      status: 404,
      body: { message: expect.stringContaining('POST /api/v1/embed-tenants/{name}/user') },
    };
    expect(await platform.call('GET', nobody)).toMatchObject(unknown);
    expect(await platform.call('POST', nobody, { name: 'x' })).toMatchObject(unknown);
    const made = await platform.call('POST', '/api/v1/embed-tenants/nobody/groups', { name: 'x' });
    expect(made).toMatchObject({ status: 404 });
    expect((await platform.ok('GET', '/api/v1/embed-tenants?search=nobody')).items).toEqual([]);
    expect((await platform.ok('GET', `/api/v1/embed-tenants/${other}/users`)).items).toHaveLength(1);
  });

  test("the tenant's name is case-insensitive", async () => {
    const { id } = await create('own');
    const upper = `/api/v1/embed-tenants/${tenant.toUpperCase()}/groups`;
    expect(await platform.ok('GET', `${upper}/${id}`)).toMatchObject({ id });
    expect((await platform.ok('GET', upper)).items).toHaveLength(1);
  });

  test('admin only, for any kind of token (4.1)', async () => {
    const { id } = await create('own');
    const key = `developer-${count}`;
    await platform.addUserKey(key, 'AIBIDeveloper');
    const creator = await platform.tokenOf({ embedTenantName: tenant, creatorMode: true });
    for (const credential of [key, creator, await platform.tokenOf({ embedTenantName: tenant })]) {
      const answer = await platform.call('GET', `${groups}/${id}`, undefined, credential);
      expect(answer).toMatchObject({ status: 403 });
    }
    await platform.addUserKey(`admin-${count}`, 'Admin');
    await platform.ok('GET', `${groups}/${id}`, undefined, `admin-${count}`);
    const session = { embedTenantName: tenant, externalId: null, internalId: 'admin' };
    await platform.ok('GET', `${groups}/${id}`, undefined, await platform.tokenOf(session));
    expect(await platform.call('GET', `${groups}/${id}`, undefined, '')).toMatchObject({ status: 401 });
  });
});

describe('members of a group (operations.md, Embed Tenants)', () => {
  test('are added by either id, created if unknown, and returned once in request order', async () => {
    const { id } = await create('own');
    const { items } = await platform.ok('GET', `/api/v1/embed-tenants/${tenant}/users`);
    const ann = items[0].id;
    await addUsers(id, { externalId: 'bob' });
    const { body } = await addUsers(
      id,
      { externalId: ' NEW ' },
      { embedUserId: ann },
      { externalId: 'bob' },
      { externalId: 'ann' },
    );
    expect(body.addedMembers.map((user: { username: string }) => user.username)).toEqual(['new', 'ann']);
    expect(body.unchangedMembers).toMatchObject([{ externalId: 'bob', username: 'bob', id: expect.any(Number) }]);
    expect(await platform.ok('GET', `${groups}/${id}`)).toMatchObject({ userCount: 3 });
    // The list is sorted most recently added first.
    expect((await namesOf(id)).at(-1)).toBe('bob');
    expect(await platform.contextOf({ embedTenantName: tenant, externalId: 'new' })).toMatchObject({
      platform: { groups: [`system:tenant:${tenant}:group:own`] },
    });
  });

  test('adding a member retains its other groups', async () => {
    const { id } = await create('own');
    await platform.tokenOf({ embedTenantName: tenant, groups: ['sales'] });
    await addUsers(id, { externalId: 'ann' });
    const { platform: seen } = await platform.contextOf({ embedTenantName: tenant });
    expect(seen.groups).toEqual(['sales', `system:tenant:${tenant}:group:own`]);
  });

  test('returns 404 for an embedUserId that is unknown, internal or of another tenant, and adds no member', async () => {
    const { id } = await create('own');
    const other = `t${count}b`;
    await platform.tokenOf({ embedTenantName: other });
    const foreign = (await platform.ok('GET', `/api/v1/embed-tenants/${other}/users`)).items[0].id;
    for (const embedUserId of [999_999, foreign, 1]) {
      expect(await addUsers(id, { externalId: 'new' }, { embedUserId })).toMatchObject({ status: 404 });
    }
    expect(await namesOf(id)).toEqual([]);
    expect((await platform.ok('GET', `/api/v1/embed-tenants/${tenant}/users`)).items).toHaveLength(1);
  });

  test('are removed; non-members are ignored and not created', async () => {
    const { id } = await create('own');
    await addUsers(id, { externalId: 'ann' }, { externalId: 'bob' });
    const body = { members: [{ externalId: 'ANN' }, { externalId: 'nobody' }, { embedUserId: 999_999 }] };
    expect(await platform.call('DELETE', `${groups}/${id}/users`, body)).toEqual({ status: 204, body: undefined });
    expect(await platform.call('DELETE', `${groups}/${id}/users`, body)).toMatchObject({ status: 204 });
    expect(await namesOf(id)).toEqual(['bob']);
    const { items } = await platform.ok('GET', `/api/v1/embed-tenants/${tenant}/users`);
    expect(items.map((user: { externalId: string }) => user.externalId)).toEqual(['ann', 'bob']);
  });

  test.each([
    { members: [] },
    { members: [{}] },
    { members: [{ externalId: 'a', embedUserId: 1 }] },
    { members: [{ externalId: '' }] },
    { members: [{ embedUserId: 0 }] },
    { members: [{ embedUserId: '1' }] },
    { members: [{ externalId: 'a', name: 'b' }] },
    { members: Array.from({ length: 1001 }, (_, index) => ({ externalId: `u${index}` })) },
    {},
  ])('returns 400 for invalid members (%#)', async body => {
    const { id } = await create('own');
    for (const method of ['POST', 'DELETE']) {
      const answer = await platform.call(method, `${groups}/${id}/users`, body);
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('body.members') } });
    }
  });

  test('can be added 1,000 at a time', async () => {
    const { id } = await create('own');
    const members = Array.from({ length: 1000 }, (_, index) => ({ externalId: `u${index}` }));
    expect((await addUsers(id, ...members)).body.addedMembers).toHaveLength(1000);
    const pages = [];
    let after = '';
    for (;;) {
      const page = await platform.ok('GET', `${groups}/${id}/users?first=400${after}`);
      pages.push(...page.items);
      if (!page.pageInfo.hasNextPage) break;
      after = `&after=${page.pageInfo.endCursor}`;
    }
    expect(new Set(pages.map(user => user.id)).size).toBe(1000);
    // Other tests of this file do not need these groups.
    await platform.call('DELETE', `/api/v1/embed-tenants/${tenant}`);
  });

  test('a group with members cannot be deleted, also while a member is being added', async () => {
    const { id } = await create('own');
    await addUsers(id, { externalId: 'ann' });
    expect(await platform.call('DELETE', `${groups}/${id}`)).toMatchObject({ status: 400 });
    await platform.call('DELETE', `${groups}/${id}/users`, { members: [{ externalId: 'ann' }] });
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query(
        `insert into group_members (group_id, user_id) select $1, id from users where external_id = 'ann' limit 1`,
        [id],
      );
      const deleting = platform.call('DELETE', `${groups}/${id}`);
      await someoneWaits(client);
      await client.query('commit');
      expect(await deleting).toMatchObject({ status: 400 });
    });
  });

  test('adding to a concurrently deleted group returns 404', async () => {
    const { id } = await create('own');
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query('delete from groups where id = $1', [id]);
      const adding = addUsers(id, { externalId: 'new' });
      await someoneWaits(client);
      await client.query('commit');
      expect(await adding).toMatchObject({ status: 404 });
    });
    expect((await platform.ok('GET', `/api/v1/embed-tenants/${tenant}/users`)).items).toHaveLength(1);
  });
});
