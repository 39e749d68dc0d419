import { eq } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ActionName } from '../../../../src/platform/auth/rights.js';
import { accounts, dashboards, embedTenants, Role, users } from '../../../../src/platform/db/schema.js';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
  await Promise.all(['acme', 'other'].map(embedTenantName => platform.tokenOf({ embedTenantName })));
});
afterAll(() => platform.stop());

let count = 0;
let id: number;
let workbook: string;
let publicId: string;

beforeEach(async () => {
  count += 1;
  ({ id } = await platform.ok('PUT', `/api/v1/deployments/1/workbooks/by-slug/read-${count}`, { name: 'Board' }));
  workbook = `/api/v1/deployments/1/workbooks/${id}`;
  publicId = (await platform.ok('POST', `${workbook}/publish`, { config: { widgets: [] }, allowEmbed: true })).publicId;
});
afterEach(() => vi.restoreAllMocks());

const read = (credential?: string, of = publicId) =>
  platform.call('GET', `/api/v1/embed/dashboard/${of}`, undefined, credential);
const status = async (credential?: string, of?: string) => (await read(credential, of)).status;
const share = (embedTenantName: string) =>
  platform.ok('PUT', `${workbook}/embed-access`, { embedTenantName, action: 'read' });
const query = (text: string) => platform.withConnection(async client => (await client.query(text)).rows);
/** Transfers the workbook to a user, as if created in the creator mode of an embed tenant. */
const giveTo = (externalId: string, tenant: string) =>
  query(`update workbooks set (created_by, embed_tenant_id) = (select users.id, embed_tenants.id from users
    join embed_tenants on embed_tenants.id = users.embed_tenant_id where external_id = '${externalId}'
    and embed_tenants.name = '${tenant}') where id = ${id}`);

describe('permission to read a published dashboard (operations.md, Embed)', () => {
  test('is granted by sharing a parent folder at any depth, until it is unshared', async () => {
    const token = await platform.tokenOf({ embedTenantName: 'acme' });
    const [top] = await query(
      `insert into folders (deployment_id, name, created_by) values (1, 'top', 1) returning id`,
    );
    const [inner] = await query(
      `insert into folders (deployment_id, name, created_by, parent_id) values (1, 'in', 1, ${top.id}) returning id`,
    );
    await query(`update workbooks set folder_id = ${inner.id} where id = ${id}`);
    expect(await status(token)).toBe(404);
    await query(`insert into groups (kind, embed_tenant_id, name) select 'sharing', id, 'system:tenant:acme'
      from embed_tenants where name = 'acme' on conflict do nothing`);
    await query(`insert into folder_shares (folder_id, group_id) select ${top.id}, id from groups
      where name = 'system:tenant:acme'`);
    expect(await status(token)).toBe(200);
    expect(await status(await platform.tokenOf({ embedTenantName: 'other' }))).toBe(404);
    await query('delete from folder_shares');
    expect(await status(token)).toBe(404);
  });

  test('is granted to the owning embed user, not to a colleague or a user with the same id in another tenant', async () => {
    const [mine, colleague, namesake] = await Promise.all([
      platform.tokenOf({ embedTenantName: 'acme', externalId: 'olga' }),
      platform.tokenOf({ embedTenantName: 'acme', externalId: 'otto', creatorMode: true }),
      platform.tokenOf({ embedTenantName: 'other', externalId: 'olga' }),
    ]);
    await giveTo('olga', 'acme');
    expect([await status(mine), await status(colleague), await status(namesake)]).toEqual([200, 404, 404]);
  });

  test("an admin's session reads content of the account and its own tenant, but of no other tenant", async () => {
    const admin = (embedTenantName: string) =>
      platform.tokenOf({ externalId: null, internalId: 'admin', embedTenantName });
    const [inAcme, inOther] = await Promise.all([admin('acme'), admin('other')]);
    expect([await status(inAcme), await status(inOther)]).toEqual([200, 200]);
    await platform.tokenOf({ embedTenantName: 'acme', externalId: 'olga' });
    await giveTo('olga', 'acme');
    expect([await status(inAcme), await status(inOther)]).toEqual([200, 404]);
  });

  test.each([
    ['EmbedDashboardRead on the dashboard', 'EmbedDashboardRead', 'Dashboard', (): string => publicId, 200],
    ['EmbedDashboardRead on all dashboards', 'EmbedDashboardRead', 'Dashboard', (): string => 'All', 200],
    ['EmbedDashboardRead on another one', 'EmbedDashboardRead', 'Dashboard', (): string => '999999', 404],
    ['another action on the dashboard', 'DownloadData', 'Dashboard', (): string => publicId, 404],
    ['WorkbookRead on its workbook', 'WorkbookRead', 'Workbook', (): string => String(id), 200],
    ['WorkbookManage on its workbook', 'WorkbookManage', 'Workbook', (): string => String(id), 200],
    ['WorkbookRead on another one', 'WorkbookRead', 'Workbook', (): string => '999999', 404],
  ] as const)('a user with a policy: %s', async (_what, action, resourceType, resource, expected) => {
    const key = `policy-${count}`;
    await platform.addUserKey(key, 'AIBIViewer', [{ resourceType, actions: [action], resources: [resource()] }]);
    expect(await status(key)).toBe(expected);
  });

  test('a user with a policy on a parent folder', async () => {
    const [top] = await query(`insert into folders (deployment_id, name, created_by) values (1, 'f', 1) returning id`);
    await query(`update workbooks set folder_id = ${top.id} where id = ${id}`);
    const action: ActionName = 'FolderRead';
    const policy = { resourceType: 'Folder', actions: [action], resources: [String(top.id)] } as const;
    await platform.addUserKey('folder-reader', 'AIBIViewer', [
      { ...policy, actions: [...policy.actions], resources: [...policy.resources] },
    ]);
    expect(await status('folder-reader')).toBe(200);
    await platform.addUserKey('no-folder-reader');
    expect(await status('no-folder-reader')).toBe(404);
  });
});

describe('every read queries the database (GOVERNANCE)', () => {
  test('executes one statement per read, also for repeated reads', async () => {
    await share('acme');
    const token = await platform.tokenOf({ embedTenantName: 'acme' });
    await read(token);
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    expect(await status(token)).toBe(200);
    expect(statements.mock.calls.map(([sent]) => sent)).toMatchObject([{ name: 'read_dashboards' }]);
  });

  test('returns 401 immediately after the session is revoked, or the user or tenant deleted', async () => {
    await share('acme');
    const { sessionId } = (await platform.mint({ embedTenantName: 'acme', externalId: 'rita' })).body;
    const revoked = (await platform.exchange(sessionId)).body.token;
    expect(await status(revoked)).toBe(200);
    await platform.call('POST', '/api/v1/embed/session/revoke', { sessionId });
    expect(await status(revoked)).toBe(401);
    const gone = await platform.tokenOf({ embedTenantName: 'acme', externalId: 'gone' });
    expect(await status(gone)).toBe(200);
    await platform.db.delete(users).where(eq(users.externalId, 'gone'));
    expect(await status(gone)).toBe(401);
    const tenants = await platform.tokenOf({ embedTenantName: 'short-lived' });
    expect(await status(tenants)).toBe(404);
    await platform.db.delete(embedTenants).where(eq(embedTenants.name, 'short-lived'));
    expect(await status(tenants)).toBe(401);
    expect(await status('not a token')).toBe(401);
    expect(await status('')).toBe(401);
  });

  test("an admin's session loses admin rights when the user does", async () => {
    await platform.addUserKey('deputy', 'Admin');
    const token = await platform.tokenOf({ externalId: null, internalId: 'owner of deputy' });
    expect(await status(token)).toBe(200);
    await platform.db.update(users).set({ role: Role.user }).where(eq(users.username, 'owner of deputy'));
    expect(await status(token)).toBe(404);
  });

  test('concurrent readers each get their own response', async () => {
    await share('acme');
    const acme = await platform.tokenOf({ embedTenantName: 'acme' });
    const other = await platform.tokenOf({ embedTenantName: 'other' });
    const asked = Array.from({ length: 40 }, (_, index) => [acme, other, 'nobody'][index % 3] ?? '');
    const missing = await Promise.all(asked.map(token => status(token, '000000000000')));
    expect(missing).toEqual(asked.map(token => (token === 'nobody' ? 401 : 404)));
    const found = await Promise.all(asked.map(token => status(token)));
    const expected = new Map([
      [acme, 200],
      [other, 404],
    ]);
    expect(found).toEqual(asked.map(token => expected.get(token) ?? 401));
  });

  test('authenticates before it validates the path', async () => {
    expect(await status('nobody', 'short')).toBe(401);
    expect(await status(await platform.tokenOf(), 'short')).toBe(400);
    expect(await status(await platform.tokenOf(), '%00')).toBe(400);
  });
});

describe('cached reader responses', () => {
  test('reflect changes to version, name, embedding and downloads at the next read', async () => {
    await share('acme');
    const token = await platform.tokenOf({ embedTenantName: 'acme', roles: ['AIBIViewer'] });
    expect((await read(token)).body).toMatchObject({ versionNumber: 1, title: 'Board', restrictDataDownload: false });
    await platform.ok('PUT', `/api/v1/deployments/1/workbooks/by-slug/read-${count}`, { name: 'New name' });
    expect((await read(token)).body).toMatchObject({ title: 'New name' });
    await platform.ok('POST', `${workbook}/publish`, {
      config: { widgets: [], description: 'new' },
      title: 'Own title',
    });
    expect((await read(token)).body).toMatchObject({ versionNumber: 2, title: 'Own title' });
    await platform.db.update(accounts).set({ appConfig: { restrictDataDownload: true } });
    expect((await read(token)).body).toMatchObject({ restrictDataDownload: true });
    await platform.db.update(accounts).set({ appConfig: {} });
    expect((await read(token)).body).toMatchObject({ restrictDataDownload: false, allowEmbed: true });
    await platform.ok('PATCH', `/api/v1/embed/dashboard/${publicId}`, { allowEmbed: false });
    expect((await read()).body).toMatchObject({ allowEmbed: false });
  });

  test('are JSON with and without a cache hit', async () => {
    const first = await read();
    expect(first).toMatchObject({ status: 200, body: { publicId, status: 'published', reportSnapshots: [] } });
    expect(await read()).toEqual(first);
  });
});

describe('permission to download (spec 2.2, 2.5)', () => {
  const restricted = async (grant: object) =>
    (await read(await platform.tokenOf({ embedTenantName: 'acme', ...grant }))).body.restrictDataDownload;
  const roleOf = async (name: string, policies: object[]) => {
    await platform.ok('POST', '/api/v1/roles', { name, policies });
    return name;
  };
  const download = { resourceType: 'Deployment', actions: ['DownloadData'] };

  test('an embed session requires a role from the host or creator mode', async () => {
    await share('acme');
    expect(await restricted({})).toBe(true);
    expect(await restricted({ roles: [] })).toBe(true);
    expect(await restricted({ roles: ['AIBIViewer'] })).toBe(false);
    expect(await restricted({ roles: ['AIBIViewer'] })).toBe(false);
    expect(await restricted({ creatorMode: true })).toBe(false);
    expect(await restricted({ externalId: null, internalId: 'admin' })).toBe(false);
  });

  test('is granted by a custom role on its deployment', async () => {
    await share('acme');
    const here = await roleOf('here', [{ ...download, resources: ['1'] }]);
    const elsewhere = await roleOf('elsewhere', [{ ...download, resources: ['2'] }]);
    expect(await restricted({ roles: [here] })).toBe(false);
    expect(await restricted({ roles: [elsewhere] })).toBe(true);
    expect(await restricted({ roles: [elsewhere, here] })).toBe(false);
  });

  test('ends in open sessions when the role changes, is deleted, or is removed from an internal user', async () => {
    await share('acme');
    const now = async (token: string) => [
      (await read(token)).body.restrictDataDownload,
      (await platform.ok('GET', '/api/v1/app-config', undefined, token)).restrictDataDownload,
    ];
    const role = { name: 'temporary', policies: [{ ...download, resources: ['All'] }] };
    const { id } = await platform.ok('POST', '/api/v1/roles', role);
    const userId = await platform.addUserKey('temporary', null);
    await platform.call('PUT', `/api/v1/roles/${id}/users/${userId}`);
    const external = await platform.tokenOf({ embedTenantName: 'acme', roles: ['temporary'] });
    const internal = await platform.tokenOf({
      embedTenantName: 'acme',
      externalId: null,
      internalId: 'owner of temporary',
    });
    expect([await now(external), await now(internal)]).toEqual([
      [false, false],
      [false, false],
    ]);
    await platform.call('DELETE', `/api/v1/roles/${id}/users/${userId}`);
    expect([await now(external), await now(internal)]).toEqual([
      [false, false],
      [true, true],
    ]);
    await platform.ok('PUT', `/api/v1/roles/${id}`, { policies: [] });
    expect(await now(external)).toEqual([true, true]);
    await platform.ok('PUT', `/api/v1/roles/${id}`, { policies: role.policies });
    expect(await now(external)).toEqual([false, false]);
    await platform.call('DELETE', `/api/v1/roles/${id}`);
    expect(await now(external)).toEqual([true, true]);
  });

  test('other rights of a role do not apply to the session', async () => {
    const token = await platform.tokenOf({ embedTenantName: 'acme', roles: ['AIBIDeveloper', 'AIBIUser'] });
    const made = await platform.call('POST', '/api/v1/deployments/1/workbooks', { name: 'Mine' }, token);
    expect(made).toMatchObject({ status: 403 });
    expect(await status(token)).toBe(404);
  });

  test('an internal user has the rights of its roles, and an API key the rights of its user', async () => {
    await platform.addUserKey('downloader', 'AIBIViewer');
    await platform.addUserKey('onlooker', null, [
      { resourceType: 'Dashboard', actions: ['EmbedDashboardRead'], resources: ['All'] },
    ]);
    await share('acme');
    expect(await restricted({ externalId: null, internalId: 'owner of downloader' })).toBe(false);
    expect(await restricted({ externalId: null, internalId: 'owner of onlooker' })).toBe(true);
    expect((await read('onlooker')).body).toMatchObject({ restrictDataDownload: true });
    expect((await read()).body).toMatchObject({ restrictDataDownload: false });
  });

  test('is denied to everyone if the dashboard disables downloads', async () => {
    await share('acme');
    const config = { widgets: [], settings: { restrictDataDownload: true } };
    expect(await platform.ok('POST', `${workbook}/publish`, { config })).toMatchObject({ restrictDataDownload: true });
    expect(await restricted({ roles: ['AIBIViewer'] })).toBe(true);
    expect((await read()).body).toMatchObject({ restrictDataDownload: true });
  });
});

describe('the reader-specific part of the response', () => {
  const position = { x: 0, y: 0, w: 1, h: 1 };
  const filter = (name: string, userAttribute?: string) => ({
    id: name,
    type: 'FILTER',
    position,
    config: { member: 'orders.status', userAttribute },
  });
  const own = async (token?: string) => (await read(token)).body.userAttributes;

  beforeEach(async () => {
    await share('acme');
    await platform.tokenOf({
      embedTenantName: 'acme',
      creatorMode: true,
      userAttributeDefinitions: [
        { name: 'region', type: 'string', defaultValue: 'east' },
        { name: 'teams', type: 'string_array' },
        { name: 'salary', type: 'number', defaultValue: '1' },
      ],
    });
    const widgets = [filter('a', 'region'), filter('b', 'teams'), filter('c', 'region'), filter('d', 'toString')];
    await platform.ok('POST', `${workbook}/publish`, { config: { widgets: [...widgets, filter('e')] } });
  });

  test('contains only the attribute values that are defaults of filters', async () => {
    const values = [
      { name: 'region', value: 'west' },
      { name: 'teams', value: ['a', 'b'] },
      { name: 'salary', value: 9 },
    ];
    const granted = await platform.tokenOf({ embedTenantName: 'acme', externalId: 'gina', userAttributes: values });
    expect(await own(granted)).toEqual({ region: 'west', teams: ['a', 'b'] });
    // The values are stored, so the next session has them even if its grant omits them.
    expect(await own(await platform.tokenOf({ embedTenantName: 'acme', externalId: 'gina' }))).toEqual({
      region: 'west',
      teams: ['a', 'b'],
    });
    expect(await own(await platform.tokenOf({ embedTenantName: 'acme', externalId: 'dora' }))).toEqual({
      region: 'east',
    });
    expect(await own()).toEqual({ region: 'east' });
  });

  test('does not change the shared part of the response', async () => {
    const token = await platform.tokenOf({ embedTenantName: 'acme', externalId: 'gina', roles: ['AIBIViewer'] });
    const { userAttributes: hers, ...rest } = (await read(token)).body;
    const { userAttributes: mine, ...same } = (await read()).body;
    expect(hers).not.toEqual(mine);
    expect(rest).toEqual(same);
  });

  test('is absent if no filter refers to an attribute', async () => {
    await platform.ok('POST', `${workbook}/publish`, { config: { widgets: [filter('a')] } });
    expect((await read()).body).not.toHaveProperty('userAttributes');
  });
});

describe('PATCH embed/dashboard (operations.md, Embed)', () => {
  const change = (allowEmbed: unknown, credential?: string, of = publicId) =>
    platform.call('PATCH', `/api/v1/embed/dashboard/${of}`, { allowEmbed }, credential);

  test('toggles embedding; repeating the request does not change the revision', async () => {
    await share('acme');
    const token = await platform.tokenOf({ embedTenantName: 'acme' });
    expect(await change(false)).toEqual({ status: 200, body: { publicId, allowEmbed: false } });
    expect(await status(token)).toBe(403);
    const revision = () => platform.db.select().from(dashboards).where(eq(dashboards.publicId, publicId));
    const before = await revision();
    expect(await change(false)).toMatchObject({ status: 200 });
    expect(await revision()).toEqual(before);
    expect(await change(true)).toMatchObject({ body: { allowEmbed: true } });
    expect(await status(token)).toBe(200);
    const entries = await platform.audited();
    expect(entries.at(-1)).toMatchObject({ operation: 'updateDashboardEmbedding', target: { publicId } });
  });

  test('requires an admin: 403 for other roles, 404 if not published, 400 for an invalid body', async () => {
    await platform.addUserKey(`developer-${count}`, 'AIBIDeveloper');
    expect(await change(false, `developer-${count}`)).toMatchObject({ status: 403 });
    expect(await change(false, await platform.tokenOf({ creatorMode: true }))).toMatchObject({ status: 403 });
    expect(await change(false, '')).toMatchObject({ status: 401 });
    expect(await change(false, undefined, '000000000000')).toMatchObject({ status: 404 });
    expect(await change('no')).toMatchObject({ status: 400 });
    expect(await change(undefined)).toMatchObject({ status: 400 });
    expect((await read()).body).toMatchObject({ allowEmbed: true });
  });

  test("an admin's session cannot change dashboards of another tenant or deployment", async () => {
    const admin = await platform.tokenOf({ externalId: null, internalId: 'admin', embedTenantName: 'other' });
    await platform.tokenOf({ embedTenantName: 'acme', externalId: 'olga' });
    expect(await change(true, admin)).toMatchObject({ status: 200 });
    await giveTo('olga', 'acme');
    expect(await change(false, admin)).toMatchObject({ status: 404 });
  });
});
