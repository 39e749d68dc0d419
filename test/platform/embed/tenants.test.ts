import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAuthenticateChat, createAuthenticateData } from '../../../src/platform/auth/authenticate.js';
import { insertThreads } from '../../../src/platform/chat/thread-store.js';
import { someoneWaits, startTestPlatform, type TestPlatform } from '../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const deployment = '/api/v1/deployments/1';
const embedTenants = '/api/v1/embed-tenants';
let count = 0;
let tenant: { embedTenantName: string };
let other: { embedTenantName: string };
let path: string;

beforeEach(() => {
  count += 1;
  tenant = { embedTenantName: `acme-${count}` };
  other = { embedTenantName: `other-${count}` };
  path = `${embedTenants}/${tenant.embedTenantName}`;
});

const remove = (at = path, credential?: string) => platform.call('DELETE', at, undefined, credential);
const rowsOf = async (table: string): Promise<number> => {
  const { rows } = await platform.db.execute<{ count: number }>(
    sql`select count(*)::integer as count from ${sql.identifier(table)}`,
  );
  return rows[0]?.count ?? -1;
};

/** Returns the number of rows of every table that can contain data of a tenant. */
async function census(): Promise<Record<string, number>> {
  const tables = [
    ...['embed_tenants', 'users', 'groups', 'group_members', 'user_attribute_values', 'embed_sessions'],
    ...['folders', 'workbooks', 'reports', 'dashboards', 'dashboard_versions', 'workbook_shares', 'folder_shares'],
    ...['dashboard_comments', 'chat_threads', 'workbook_views', 'report_views'],
  ];
  return Object.fromEntries(await Promise.all(tables.map(async table => [table, await rowsOf(table)] as const)));
}

/** Creates rows of a tenant in every table. */
async function furnish({ embedTenantName }: { embedTenantName: string }) {
  const at = `${embedTenants}/${embedTenantName}`;
  const grant = { embedTenantName, creatorMode: true };
  const creator = await platform.tokenOf({
    ...grant,
    groups: ['sales'],
    tenantGroups: ['ops'],
    tenantGroupDefinitions: [{ name: 'ops' }],
    userAttributeDefinitions: [{ name: 'airport', type: 'string' }],
    userAttributes: [{ name: 'airport', value: 'ATL' }],
  });
  const internal = await platform.tokenOf({ ...grant, externalId: null, internalId: 'admin' });
  const outer = await platform.ok('POST', `${deployment}/folders`, { name: 'outer' }, creator);
  const inner = await platform.ok('POST', `${deployment}/folders`, { name: 'inner', parentId: outer.id }, creator);
  const workbook = await platform.ok('POST', `${deployment}/workbooks`, { name: 'own', folderId: inner.id }, creator);
  const dashboard = `${deployment}/workbooks/${workbook.id}`;
  const { publicId } = await platform.ok('POST', `${dashboard}/publish`, { config: { widgets: [] } }, creator);
  await platform.ok('PUT', `${dashboard}/embed-access`, { embedTenantName, action: 'read' }, creator);
  await platform.ok('PUT', `${deployment}/folders/${outer.id}/embed-access`, { embedTenantName, action: 'read' });
  const { items } = await platform.ok('GET', `${at}/users`);
  const [{ id: userId }] = items;
  const [found] = (await platform.ok('GET', `${embedTenants}?search=${embedTenantName}`)).items;
  for (const who of [userId, 1]) {
    const thread = { id: randomUUID(), ownerKey: `${embedTenantName} ${who}`, userId: who, embedTenantId: found.id };
    await insertThreads(platform.db, [{ ...thread, deploymentId: 1, agentId: 1, title: 't' }]);
  }
  await platform.db.execute(sql`insert into dashboard_comments (dashboard_id, embed_tenant_id, user_id, body)
    select id, ${found.id}, ${userId}, 'hello' from dashboards where public_id = ${publicId}`);
  await platform.db.execute(sql`insert into workbook_views (user_id, workbook_id) values (${userId}, ${workbook.id})`);
  const open = (await platform.mint(grant)).body.sessionId;
  const openInternal = (await platform.mint({ ...grant, externalId: null, internalId: 'admin' })).body.sessionId;
  return { id: found.id, creator, internal, publicId, open, openInternal };
}

describe('embed tenants (operations.md, Embed Tenants)', () => {
  test('are listed by name with user counts, paged, and searched by substring of the name', async () => {
    const names = [`${count}-b`, `${count}-a`, `${count}-c`].map(name => `list-${name}`);
    for (const embedTenantName of names)
      await platform.tokenOf({ embedTenantName, embedTenantProfile: { displayName: 'L' } });
    await platform.tokenOf({ embedTenantName: names[0], externalId: 'bob' });
    const first = await platform.ok('GET', `${embedTenants}?search=LIST-&first=2`);
    const second = await platform.ok('GET', `${embedTenants}?search=list-&first=2&after=${first.pageInfo.endCursor}`);
    const expectedTenant = { id: expect.any(Number), createdAt: expect.any(String), displayName: 'L' };
    expect([...first.items, ...second.items]).toEqual([
      { ...expectedTenant, name: names[1], userCount: 1 },
      { ...expectedTenant, name: names[0], userCount: 2 },
      { ...expectedTenant, name: names[2], userCount: 1 },
    ]);
    expect((await platform.ok('GET', `${embedTenants}?search=%25`)).items).toEqual([]);
  });

  test('are deleted with everything they own and nothing else (spec 4.5)', async () => {
    await furnish(other);
    const before = await census();
    await furnish(tenant);
    expect(await remove()).toEqual({ status: 204, body: undefined });
    expect(await census()).toEqual(before);
    expect(await remove()).toMatchObject({ status: 204 });
    expect((await platform.ok('GET', `${embedTenants}?search=${tenant.embedTenantName}`)).items).toEqual([]);
    await remove(`${embedTenants}/${other.embedTenantName}`);
  });

  test('with and without a trailing slash', async () => {
    await platform.tokenOf(tenant);
    expect(await remove(`${path}/`)).toMatchObject({ status: 204 });
    expect(await platform.call('GET', `${path}/users`)).toMatchObject({ status: 404 });
  });

  test('deleting a tenant revokes all of its tokens and sessions (spec 5)', async () => {
    const data = createAuthenticateData({ db: platform.db, tokens: platform.tokens });
    const chat = createAuthenticateChat({ db: platform.db, tokens: platform.tokens });
    const mine = await furnish(tenant);
    const theirs = await furnish(other);
    const tokenOf = async (credential: string, scope?: string[]): Promise<string> =>
      (await platform.ok('POST', `${deployment}/token`, { scope }, credential)).platformApiToken;
    const signIn = {
      embed: async (token: string) => (await platform.call('GET', '/api/v1/deployments', undefined, token)).status,
      data: (authorization: string) =>
        data(new Request('http://localhost/', { headers: { authorization } })).then(
          () => 200,
          error => error.status,
        ),
      chat: (token: string) =>
        chat(new Request('http://localhost/', { headers: { 'x-platform-auth-token': token } })).then(
          () => 200,
          error => error.status,
        ),
    };
    const credentials = await Promise.all(
      [mine.creator, mine.internal, theirs.creator].map(async embed => ({
        embed,
        data: await tokenOf(embed),
        chat: await tokenOf(embed, ['chat']),
      })),
    );
    const statuses = () =>
      Promise.all(
        credentials.map(async ({ embed, data: sent, chat: chatClient }) => [
          await signIn.embed(embed),
          await signIn.data(sent),
          await signIn.chat(chatClient),
        ]),
      );
    expect(await statuses()).toEqual([
      [200, 200, 200],
      [200, 200, 200],
      [200, 200, 200],
    ]);
    await remove();
    expect(await statuses()).toEqual([
      [401, 403, 401],
      [401, 403, 401],
      [200, 200, 200],
    ]);
    for (const sessionId of [mine.open, mine.openInternal]) {
      expect(await platform.exchange(sessionId)).toMatchObject({ status: 401 });
    }
    expect(await platform.exchange(theirs.open)).toMatchObject({ status: 200 });
    for (const token of [mine.creator, mine.internal]) {
      const answer = await platform.call('GET', `/api/v1/embed/dashboard/${mine.publicId}`, undefined, token);
      expect(answer).toMatchObject({ status: 401 });
    }
    await remove(`${embedTenants}/${other.embedTenantName}`);
  });

  test('a new tenant with the same name cannot access data of the deleted one', async () => {
    const old = await furnish(tenant);
    const { id } = await platform.ok('PUT', `${deployment}/workbooks/by-slug/of-the-account-${count}`, {});
    const board = `${deployment}/workbooks/${id}`;
    const published = { config: { widgets: [] }, allowEmbed: true };
    const { publicId } = await platform.ok('POST', `${board}/publish`, published);
    await platform.ok('PUT', `${board}/embed-access`, { ...tenant, action: 'read' });
    const [was] = (await platform.ok('GET', `${board}/embed-access`)).tenants;
    await remove();
    expect((await platform.ok('GET', `${board}/embed-access`)).tenants).toEqual([]);
    const anew = await platform.tokenOf({ ...tenant, creatorMode: true });
    const status = async (at: string) => (await platform.call('GET', at, undefined, anew)).status;
    expect(await status(`/api/v1/embed/dashboard/${publicId}`)).toBe(404);
    expect(await status(`/api/v1/embed/dashboard/${old.publicId}`)).toBe(404);
    expect((await platform.ok('GET', `${deployment}/workbooks`, undefined, anew)).items).toEqual([]);
    expect((await platform.ok('GET', `${deployment}/folders`, undefined, anew)).items).toEqual([]);
    expect((await platform.ok('GET', `${path}/groups`)).items).toEqual([]);
    expect(await platform.contextOf(tenant)).toEqual({ platform: { groups: [], userAttributes: {} } });
    await platform.ok('PUT', `${board}/embed-access`, { ...tenant, action: 'read' });
    const [is] = (await platform.ok('GET', `${board}/embed-access`)).tenants;
    expect(is.groupId).not.toBe(was.groupId);
    expect(await status(`/api/v1/embed/dashboard/${publicId}`)).toBe(200);
    expect(await platform.call('GET', '/api/v1/deployments', undefined, old.creator)).toMatchObject({ status: 401 });
  });

  test.each(['ACME', 'Acme', 'a', 'a_b', '1a'])(
    'returns 400 for a name that is not in canonical form: %s',
    async name => {
      const answer = await remove(`${embedTenants}/${name}`);
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('path.embedTenantName') } });
    },
  );

  test("the account's own tenant cannot be deleted", async () => {
    await platform.tokenOf();
    expect(await remove(`${embedTenants}/local`)).toMatchObject({ status: 400 });
    expect((await platform.ok('GET', `${embedTenants}?search=local`)).items).toHaveLength(1);
  });

  test('admin only', async () => {
    await platform.addUserKey(`key-${count}`, 'AIBIDeveloper');
    const token = await platform.tokenOf({ ...tenant, creatorMode: true });
    for (const credential of [`key-${count}`, token]) {
      expect(await remove(path, credential)).toMatchObject({ status: 403 });
      expect(await platform.call('GET', embedTenants, undefined, credential)).toMatchObject({ status: 403 });
    }
    expect(await remove(path, '')).toMatchObject({ status: 401 });
    await platform.ok('GET', `${path}/users`);
  });

  test('a concurrent grant creates the tenant again', async () => {
    await platform.tokenOf(tenant);
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query('delete from users where external_id = $1 and embed_tenant_id is not null', ['ann']);
      await client.query('delete from embed_tenants where name = $1', [tenant.embedTenantName]);
      const provisioning = platform.call('POST', `${path}/user`, { externalId: 'ann' });
      const minting = platform.mint(tenant);
      await someoneWaits(client);
      await client.query('commit');
      expect(await Promise.all([provisioning, minting])).toMatchObject([{ status: 200 }, { status: 200 }]);
    });
    expect((await platform.ok('GET', `${path}/users`)).items).toHaveLength(1);
  });

  test('concurrent grants, shares and deletions succeed and leave no valid session', async () => {
    const { id } = await platform.ok('PUT', `${deployment}/workbooks/by-slug/storm-${count}`, {});
    const storm = Array.from({ length: 40 }, (_, index) => {
      if (index % 4 === 0) return remove();
      if (index % 4 === 1) return platform.call('POST', `${path}/user`, { externalId: `u${index}`, groups: ['sales'] });
      if (index % 4 === 2) return platform.mint({ ...tenant, groups: ['sales'] });
      return platform.call('PUT', `${deployment}/workbooks/${id}/embed-access`, { ...tenant, action: 'read' });
    });
    const answers = await Promise.all(storm);
    expect([200, 204, 404]).toEqual(expect.arrayContaining(answers.map(({ status }) => status)));
    await remove();
    // Sessions that were minted during the deletion are invalid.
    for (const { body } of answers.filter(answer => answer.body?.sessionId)) {
      const exchanged = await platform.exchange(body.sessionId);
      if (exchanged.status !== 200) continue;
      const answer = await platform.call('GET', '/api/v1/deployments', undefined, exchanged.body.token);
      expect(answer).toMatchObject({ status: 401 });
    }
  });
});
