import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Policy } from '../../../../src/contract/roles.js';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
const reports = '/api/v1/deployments/1/reports';
const folderId = 1;
const workbookId = 1;
let reportId: number;

const policy = (resourceType: string, action: string, id = 'All'): Policy => ({
  resourceType,
  actions: [action],
  resources: [id],
});

beforeAll(async () => {
  platform = await startTestPlatform();
  await platform.withConnection(async client => {
    await client.query(`insert into deployments (id, name, creation_step) values (2, 'other', 'ready')`);
    await client.query(
      `insert into folders (id, deployment_id, name, created_by) values (1, 1, 'F', 1), (2, 2, 'F', 1)`,
    );
    await client.query(`insert into folders (id, deployment_id, parent_id, name, created_by) values (3, 1, 1, 'G', 1)`);
    await client.query(
      `insert into workbooks (id, deployment_id, name, meta, created_by, folder_id) values (1, 1, 'W', '{}', 1, 3), (2, 2, 'W', '{}', 1, null)`,
    );
  });
  ({ id: reportId } = await platform.ok('POST', reports, { name: 'Guarded', publicId: 'GuardedRep01', workbookId }));
  const keys: [string, 'AIBIViewer' | 'AIBIUser' | null, Policy[]][] = [
    ['viewer', 'AIBIViewer', []],
    ['user', 'AIBIUser', []],
    ['no-role', null, []],
    ['reader', 'AIBIViewer', [policy('Report', 'ReportRead', String(reportId))]],
    ['viewing-editor', 'AIBIViewer', [policy('Report', 'ReportEdit', String(reportId))]],
    ['editor', 'AIBIUser', [policy('Report', 'ReportEdit', String(reportId))]],
    ['manager', 'AIBIUser', [policy('Report', 'ReportManage', String(reportId))]],
    ['workbook-editor', 'AIBIUser', [policy('Workbook', 'WorkbookEdit', String(workbookId))]],
    ['folder-reader', 'AIBIUser', [policy('Folder', 'FolderRead', String(folderId))]],
    ['folder-editor', 'AIBIUser', [policy('Folder', 'FolderEdit', String(folderId))]],
    ['edit-and-manage', 'AIBIUser', [policy('Workbook', 'WorkbookEdit'), policy('Global', 'ReportManage')]],
  ];
  for (const [key, role, policies] of keys) await platform.addUserKey(key, role, policies);
});
afterAll(() => platform.stop());

const status = async (key: string, method: string, path: string, body?: object) =>
  (await platform.call(method, path, body, key)).status;

describe('levels on a report (spec 5.3)', () => {
  test.each([
    // Caller, read, refresh, connect, update, upsert
    ['the-admin-key', 200, 200, 200, 200],
    ['manager', 200, 200, 200, 200],
    ['editor', 200, 200, 200, 200],
    ['workbook-editor', 200, 200, 200, 200],
    ['folder-editor', 200, 200, 200, 200],
    ['folder-reader', 200, 200, 403, 403],
    ['reader', 200, 200, 403, 403],
    ['viewing-editor', 200, 200, 403, 403],
    ['user', 404, 404, 404, 404],
    ['viewer', 404, 404, 404, 403],
    ['no-role', 404, 404, 404, 403],
  ])('%s: read %i, place %i, update %i, upsert %i', async (key, read, place, update, upsert) => {
    const one = `${reports}/${reportId}`;
    const position = { externalWorkbookId: 'b', resultLocation: 'S!A1' };
    expect(await status(key, 'GET', one)).toBe(read);
    expect(await status(key, 'PUT', `${one}/connect-workbook`, position)).toBe(place);
    expect(await status(key, 'DELETE', `${one}/connect-workbook`, position)).toBe(place);
    expect(await status(key, 'PUT', `${one}/refresh`)).toBe(place);
    expect(await status(key, 'PUT', one, { name: 'Guarded' })).toBe(update);
    expect(await status(key, 'PUT', `${reports}/by-public-id/GuardedRep01`, { name: 'Guarded' })).toBe(upsert);
  });

  test('rejected requests change nothing', async () => {
    const before = await platform.ok('GET', `${reports}/${reportId}`);
    for (const key of ['reader', 'user', 'viewer'])
      await status(key, 'PUT', `${reports}/${reportId}`, { name: 'Stolen' });
    expect(await platform.ok('GET', `${reports}/${reportId}`)).toEqual(before);
  });

  test('lists reports that the caller can read, with its permissions', async () => {
    const listed = async (key: string) =>
      (await platform.ok('GET', reports, undefined, key)).items.map(
        ({ id, canEdit, canManage }: { id: number; canEdit: boolean; canManage: boolean }) => [id, canEdit, canManage],
      );
    expect(await listed('user')).toEqual([]);
    expect(await listed('reader')).toEqual([[reportId, false, false]]);
    expect(await listed('workbook-editor')).toEqual([[reportId, true, false]]);
    expect(await listed('manager')).toEqual([[reportId, true, true]]);
    expect(await status('no-role', 'GET', reports)).toBe(404);
  });

  test('returns the roles with access to callers that manage the report', async () => {
    const read = (key?: string) => platform.ok('GET', `${reports}/${reportId}`, undefined, key);
    const { rolesWithAccess } = await read();
    expect(rolesWithAccess).toContainEqual({ id: expect.any(Number), name: 'Admin', actions: ['All'] });
    const named = Object.fromEntries(
      rolesWithAccess.map(({ name, actions }: { name: string; actions: string[] }) => [name, actions]),
    );
    expect(named).toMatchObject({
      'of reader': ['ReportRead'],
      'of workbook-editor': ['WorkbookEdit'],
      'of folder-reader': ['FolderRead'],
    });
    expect(named['of user']).toBeUndefined();
    expect((await read('manager')).rolesWithAccess).toEqual(rolesWithAccess);
    expect((await read('editor')).rolesWithAccess).toBeUndefined();
  });
});

describe('deleting a report ("Workspace rights")', () => {
  const make = async () => (await platform.ok('POST', reports, { workbookId, name: 'Short-lived' })).id;

  test.each([
    ['workbook-editor', 403],
    ['folder-reader', 403],
    ['reader', 404],
    ['user', 404],
    ['edit-and-manage', 204],
    ['the-admin-key', 204],
  ])('%s: %i', async (key, expected) => {
    const id = await make();
    expect(await status(key, 'DELETE', `${reports}/${id}`)).toBe(expected);
    const { status: left } = await platform.call('GET', `${reports}/${id}`);
    expect(left).toBe(expected === 204 ? 404 : 200);
  });

  test('an owner deletes its own report once', async () => {
    const { id } = await platform.ok('POST', reports, { name: 'Own' }, 'user');
    expect(await status('user', 'DELETE', `${reports}/${id}`)).toBe(204);
    expect(await status('user', 'DELETE', `${reports}/${id}`)).toBe(404);
  });

  test('not through another deployment', async () => {
    const id = await make();
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(
        await status('the-admin-key', method, `/api/v1/deployments/2/reports/${id}`, method === 'GET' ? undefined : {}),
      ).toBe(404);
    expect(await status('the-admin-key', 'DELETE', `${reports}/${id}`)).toBe(204);
  });
});

describe('placing a report requires edit access to the target', () => {
  test.each([
    ['user', { folderId }, 404],
    ['user', { workbookId }, 404],
    ['folder-reader', { folderId }, 403],
    ['folder-reader', { workbookId }, 403],
    ['folder-editor', { folderId, workbookId }, 200],
    ['the-admin-key', { folderId: 2 }, 404],
    ['the-admin-key', { workbookId: 2 }, 404],
  ])('%s: %j is %i', async (key, place, expected) => {
    expect(await status(key, 'POST', reports, { name: 'Put', ...place })).toBe(expected);
    const own = await platform.ok('POST', reports, { name: 'Own' }, key);
    expect(await status(key, 'PUT', `${reports}/${own.id}`, place)).toBe(expected);
    if (expected !== 200) expect(await platform.ok('GET', `${reports}/${own.id}`, undefined, key)).toEqual(own);
  });

  test('AI BI User creates reports, AI BI Viewer and embed users cannot', async () => {
    expect(await status('user', 'POST', reports, {})).toBe(200);
    expect(await status('viewer', 'POST', reports, {})).toBe(403);
    expect(await status(await platform.tokenOf(), 'POST', reports, {})).toBe(403);
  });
});

describe('creator mode (spec 5)', () => {
  const creator = (embedTenantName: string, externalId: string) =>
    platform.tokenOf({ creatorMode: true, embedTenantName, externalId });

  test('creates reports of its own tenant that other tenants cannot see', async () => {
    const own = await creator('acme', 'ann');
    const { id } = await platform.ok('POST', reports, { name: 'Of Acme', publicId: 'AcmeReport01' }, own);
    expect(await platform.ok('GET', `${reports}/${id}`, undefined, own)).toMatchObject({
      canEdit: true,
      canManage: true,
    });
    expect((await platform.ok('GET', reports, undefined, own)).items.map((item: { id: number }) => item.id)).toEqual([
      id,
    ]);
    const others = [
      await creator('globex', 'ann'),
      await platform.tokenOf({ embedTenantName: 'acme', externalId: 'ann' }),
      'user',
    ];
    for (const other of others) {
      expect(await status(other, 'GET', `${reports}/${id}`)).toBe(404);
      expect(await status(other, 'PUT', `${reports}/${id}`, { name: 'Mine' })).toBe(404);
      expect(await status(other, 'DELETE', `${reports}/${id}`)).toBe(404);
      expect(await status(other, 'PUT', `${reports}/${id}/refresh`)).toBe(404);
      const { items } = await platform.ok('GET', reports, undefined, other);
      expect(items.map((item: { id: number }) => item.id)).not.toContain(id);
    }
    expect(await status(await creator('globex', 'ann'), 'PUT', `${reports}/by-public-id/AcmeReport01`, {})).toBe(404);
  });

  test('cannot access content of the account', async () => {
    const token = await creator('acme', 'bob');
    expect(await status(token, 'GET', `${reports}/${reportId}`)).toBe(404);
    expect(await status(token, 'POST', reports, { folderId })).toBe(404);
    expect(await status(token, 'POST', reports, { workbookId })).toBe(404);
    expect(await status(token, 'GET', '/api/v1/deployments/2/reports')).toBe(404);
    expect(await platform.ok('GET', `${reports}?search=Guarded`, undefined, token)).toMatchObject({
      items: [],
      count: 0,
    });
  });

  test('content belongs to its tenant and is deleted with it', async () => {
    const token = await creator('leaving', 'ann');
    const { id } = await platform.ok('POST', reports, {}, token);
    await platform.withConnection(async client => {
      const { rows } = await client.query(
        `select t.name from reports r join embed_tenants t on t.id = r.embed_tenant_id where r.id = $1`,
        [id],
      );
      expect(rows).toEqual([{ name: 'leaving' }]);
    });
  });
});

describe('reports of embed tenants and of the account', () => {
  test('cannot share folders or workbooks, because tenant content is deleted with its tenant', async () => {
    const acme = { embedTenantName: 'acme' };
    const creator = await platform.tokenOf({ ...acme, creatorMode: true });
    const admin = await platform.tokenOf({ ...acme, externalId: undefined, internalId: 'admin' });
    // Advance the sequence, because the ids above were set explicitly.
    await platform.withConnection(client =>
      client.query(`select setval(pg_get_serial_sequence('workbooks', 'id'), 2)`),
    );
    const theirs = (await platform.ok('POST', '/api/v1/deployments/1/workbooks', { name: 'Theirs' }, creator)).id;
    const report = (await platform.ok('POST', reports, { name: 'Of the account' })).id;
    const mixed: [method: string, path: string, body: object, credential?: string][] = [
      ['POST', reports, { workbookId }, admin],
      ['POST', reports, { folderId }, admin],
      ['PUT', `${reports}/by-public-id/MixedReport1`, { folderId }, admin],
      ['POST', reports, { workbookId: theirs }],
      ['PUT', `${reports}/${report}`, { workbookId: theirs }],
    ];
    for (const [method, path, body, credential] of mixed) {
      const answer = await platform.call(method, path, body, credential);
      const [field] = Object.keys(body);
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(`body.${field}: `) } });
    }
    await platform.ok('POST', reports, { workbookId: theirs }, creator);
  });
});
