import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { someoneWaits, startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const bySlug = (slug: string) => `/api/v1/deployments/1/workbooks/by-slug/${slug}`;
const upsert = (slug: string, body: object = {}, credential?: string) =>
  platform.call('PUT', bySlug(slug), body, credential);
const overtaken = { status: 409, body: { code: 'upsert_branch_changed' } };
const position = { x: 0, y: 0, w: 2, h: 2 };

describe('workbook by slug (spec 4.3)', () => {
  test('creates a missing workbook with all fields of the specification (spec 2.3)', async () => {
    const workbook = await platform.ok('PUT', bySlug('fresh'), { name: 'Fresh', meta: { a: 1 } });
    expect(workbook).toMatchObject({
      calculatedFields: {},
      deploymentId: 1,
      meta: { a: 1 },
      name: 'Fresh',
      slug: 'fresh',
      type: 'WORKBOOK',
      user: { id: 1, email: 'admin@localhost', firstName: 'Admin' },
    });
    expect(new Date(workbook.createdAt).toISOString()).toBe(workbook.createdAt);
    expect(await platform.ok('GET', `/api/v1/deployments/1/workbooks/${workbook.id}`)).toEqual(workbook);
  });

  test('trims and converts the slug to lowercase before matching', async () => {
    const workbook = await platform.ok('PUT', bySlug('my-board'), { name: 'One' });
    const again = await platform.ok('PUT', bySlug('%20My-BOARD%20'), {});
    expect(again).toMatchObject({ id: workbook.id, slug: 'my-board', name: 'One' });
    expect(await upsert('%20%20')).toMatchObject({ status: 400 });
    expect(await upsert('a%00b')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('path.slug') },
    });
  });

  test('updates only sent fields and merges meta (rule 1)', async () => {
    await upsert('merged', { name: 'Name', meta: { a: { x: 1 }, b: 2 } });
    const workbook = await platform.ok('PUT', bySlug('merged'), { meta: { a: { y: 2 }, c: 3 } });
    expect(workbook).toMatchObject({ name: 'Name', meta: { a: { y: 2 }, b: 2, c: 3 } });
    expect(workbook.meta.a).toEqual({ y: 2 });
  });

  test('merges concurrent writes', async () => {
    await upsert('busy');
    await Promise.all(Array.from({ length: 10 }, (_, index) => upsert('busy', { meta: { [`key${index}`]: index } })));
    const { meta } = await platform.ok('PUT', bySlug('busy'), {});
    expect(Object.keys(meta)).toHaveLength(10);
  });

  test('is idempotent (rule 3)', async () => {
    const body = { name: 'Same', meta: { z: 1, a: { order: ['b', 'a'] } } };
    const first = await platform.ok('PUT', bySlug('same'), body);
    expect(await platform.ok('PUT', bySlug('same'), body)).toEqual(first);
    expect(await platform.ok('PUT', bySlug('same'), {})).toEqual(first);
    await platform.withConnection(client => client.query(`update workbooks set updated_at = '2020-01-01'`));
    const changed = await platform.ok('PUT', bySlug('same'), { name: 'Other' });
    expect(changed.updatedAt >= first.createdAt).toBe(true);
    expect(changed.createdAt).toBe(first.createdAt);
  });

  test.each([
    ['an unknown field', { slug: 'x' }, 'slug'],
    ['an empty name', { name: '' }, 'body.name'],
    ['meta that is not an object', { meta: [] }, 'body.meta'],
    [
      'an invalid draft',
      { meta: { dashboardDraft: { widgets: [{ type: 'CHART' }] } } },
      'body.meta.dashboardDraft.widgets.0.position',
    ],
    [
      'a chart without its report',
      { meta: { dashboardDraft: { widgets: [{ type: 'CHART', position }] } } },
      'body.meta.dashboardDraft.widgets.0.config.reportId',
    ],
    ['an unknown key in a draft', { meta: { dashboardDraft: { widget: [] } } }, 'body.meta.dashboardDraft'],
    ['a name with NUL', { name: 'a\0b' }, 'body.name'],
  ])('rejects %s with 400 and names the field', async (_what, body, field) => {
    const { status, body: answer } = await upsert('refused', body);
    expect({ status, message: answer.message }).toMatchObject({ status: 400, message: expect.stringContaining(field) });
  });

  test('returns a draft with an id for every widget and retains meta as sent', async () => {
    const dashboardDraft = { widgets: [{ type: 'TEXT', position, config: { markdown: 'hi' } }] };
    const workbook = await platform.ok('PUT', bySlug('draft'), { meta: { dashboardDraft } });
    expect(workbook.meta.dashboardDraft).toEqual(dashboardDraft);
    expect(workbook.dashboardDraft.widgets[0]).toMatchObject({ id: 'widget-1', config: { markdown: 'hi' } });
    expect(await platform.ok('PUT', bySlug('draft'), { meta: { dashboardDraft: null } })).toMatchObject({
      dashboardDraft: null,
    });
  });

  test('returns 404 for an unknown deployment or folder (rule 7)', async () => {
    expect(await platform.call('PUT', '/api/v1/deployments/2/workbooks/by-slug/x', {})).toMatchObject({ status: 404 });
    expect(await upsert('x', { folderId: 1 })).toMatchObject({ status: 404 });
    expect(await upsert('x', { folderId: null })).toMatchObject({ status: 200 });
  });

  test('is created by one of two concurrent requests, and both responses are correct (rule 6)', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => upsert('race', { name: `Writer ${n}` })));
    expect(answers.some(answer => answer.status === 200)).toBe(true);
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(overtaken);
    expect(new Set(answers.filter(answer => answer.status === 200).map(answer => answer.body.id)).size).toBe(1);
  });

  test('returns 409 if it is created concurrently (rule 6)', async () => {
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query(
        `insert into workbooks (deployment_id, slug, name, meta, created_by) values (1, 'taken', 'First', '{}', 1)`,
      );
      const answer = upsert('taken', { name: 'Second' });
      await someoneWaits(client);
      await client.query('commit');
      expect(await answer).toMatchObject(overtaken);
    });
    expect(await platform.ok('PUT', bySlug('taken'), {})).toMatchObject({ name: 'First' });
  });

  test('returns 409 if it is deleted concurrently (rule 6)', async () => {
    await upsert('leaving', { name: 'Old' });
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query(`delete from workbooks where slug = 'leaving'`);
      const answer = upsert('leaving', { name: 'New' });
      await someoneWaits(client);
      await client.query('commit');
      expect(await answer).toMatchObject(overtaken);
    });
    expect(await platform.ok('PUT', bySlug('leaving'), {})).toMatchObject({ name: 'leaving' });
  });
});

describe('access (spec 4.3, rules 4 and 5; spec 5.3)', () => {
  const onWorkbook = (id: number, action: 'WorkbookRead' | 'WorkbookEdit' | 'WorkbookManage') => ({
    resourceType: 'Workbook',
    actions: [action],
    resources: [String(id)],
  });

  test('an embed session cannot read or write workbooks', async () => {
    const token = await platform.tokenOf();
    const { id } = await platform.ok('PUT', bySlug('private'), {});
    expect(await upsert('private', { name: 'Mine' }, token)).toMatchObject({ status: 403 });
    expect(await platform.call('GET', `/api/v1/deployments/1/workbooks/${id}`, undefined, token)).toMatchObject({
      status: 404,
    });
    expect(await platform.call('POST', `/api/v1/deployments/1/workbooks/${id}/publish`, {}, token)).toMatchObject({
      status: 403,
    });
  });

  test('AI BI Viewer cannot write, or read workbooks of others', async () => {
    await platform.addUserKey('a-viewer-key');
    const { id } = await platform.ok('PUT', bySlug('private'), {});
    expect(await upsert('private', { name: 'Mine' }, 'a-viewer-key')).toMatchObject({ status: 403 });
    expect(await upsert('of-a-viewer', {}, 'a-viewer-key')).toMatchObject({ status: 403 });
    const read = await platform.call('GET', `/api/v1/deployments/1/workbooks/${id}`, undefined, 'a-viewer-key');
    expect(read).toMatchObject({ status: 404 });
  });

  test('creating requires AI BI User, updating edit access: 404 without read access, 403 without edit access', async () => {
    const { id } = await platform.ok('PUT', bySlug('guarded'), { name: 'Old' });
    await platform.addUserKey('slug-nothing', 'AIBIUser');
    await platform.addUserKey('slug-reads', 'AIBIUser', [onWorkbook(id, 'WorkbookRead')]);
    await platform.addUserKey('slug-edits', 'AIBIUser', [onWorkbook(id, 'WorkbookEdit')]);
    expect(await upsert('guarded', { name: 'x' }, 'slug-nothing')).toMatchObject({ status: 404 });
    expect(await upsert('guarded', { name: 'x' }, 'slug-reads')).toMatchObject({ status: 403 });
    expect(await platform.ok('GET', `/api/v1/deployments/1/workbooks/${id}`)).toMatchObject({ name: 'Old' });
    expect(await upsert('guarded', { name: 'New' }, 'slug-edits')).toMatchObject({
      status: 200,
      body: { name: 'New' },
    });
    const own = await platform.ok('PUT', bySlug('own-slug'), {}, 'slug-nothing');
    expect(await platform.ok('PUT', bySlug('own-slug'), { name: 'Mine' }, 'slug-nothing')).toMatchObject({
      id: own.id,
      name: 'Mine',
    });
  });

  test('a request with folderId requires manage access and edit access to the folder', async () => {
    const folder = await platform.ok('POST', '/api/v1/deployments/1/folders', { name: 'Target' });
    const folderId: number = folder.id;
    const { id } = await platform.ok('PUT', bySlug('placed'), {});
    const onFolder = { resourceType: 'Folder', actions: ['FolderEdit'], resources: [String(folderId)] };
    await platform.addUserKey('place-edits', 'AIBIUser', [onWorkbook(id, 'WorkbookEdit'), onFolder]);
    await platform.addUserKey('place-no-folder', 'AIBIUser', [onWorkbook(id, 'WorkbookManage')]);
    await platform.addUserKey('place-manages', 'AIBIUser', [onWorkbook(id, 'WorkbookManage'), onFolder]);
    expect(await upsert('placed', { folderId }, 'place-edits')).toMatchObject({ status: 403 });
    expect(await upsert('placed', { folderId }, 'place-no-folder')).toMatchObject({ status: 404 });
    const placed = await upsert('placed', { folderId }, 'place-manages');
    expect(placed).toMatchObject({ status: 200, body: { folderId, folderPath: [{ id: folderId, name: 'Target' }] } });
    expect(await upsert('placed', { folderId }, 'place-manages')).toEqual(placed);
    expect(await upsert('made-there', { folderId }, 'place-manages')).toMatchObject({ body: { folderId } });
    expect(await upsert('placed', { folderId: null }, 'place-manages')).toMatchObject({ body: { folderId: null } });
  });

  test('a session in creator mode creates content only in its tenant', async () => {
    const grant = { embedTenantName: 'makers', creatorMode: true };
    const token = await platform.tokenOf(grant);
    const made = await platform.ok('PUT', bySlug('made'), { name: 'Made' }, token);
    const path = `/api/v1/deployments/1/workbooks/${made.id}`;
    expect(await platform.ok('GET', path, undefined, token)).toEqual(made);
    for (const other of [
      { ...grant, externalId: 'bob' },
      { ...grant, embedTenantName: 'others' },
    ]) {
      const answer = await platform.call('GET', path, undefined, await platform.tokenOf(other));
      expect(answer).toMatchObject({ status: 404 });
    }
    expect(await platform.ok('GET', path)).toEqual(made);
  });

  test('a session of an admin cannot access workbooks of other tenants', async () => {
    const made = await platform.ok(
      'PUT',
      bySlug('theirs'),
      {},
      await platform.tokenOf({
        embedTenantName: 'theirs',
        creatorMode: true,
      }),
    );
    const ours = await platform.ok('PUT', bySlug('ours'), {});
    const admin = await platform.tokenOf({ embedTenantName: 'visited', internalId: 'admin', externalId: null });
    const path = (id: number) => `/api/v1/deployments/1/workbooks/${id}`;
    expect(await platform.call('GET', path(ours.id), undefined, admin)).toMatchObject({ status: 200 });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect(await platform.call(method, path(made.id), method === 'PUT' ? {} : undefined, admin)).toMatchObject({
        status: 404,
      });
    }
    const { items } = await platform.ok('GET', '/api/v1/deployments/1/workbooks?first=1000', undefined, admin);
    const ids = items.map(({ id }: { id: number }) => id);
    expect([ids.includes(ours.id), ids.includes(made.id)]).toEqual([true, false]);
  });

  test('a workbook is found only in its deployment', async () => {
    const { id } = await platform.ok('PUT', bySlug('here'), {});
    expect(await platform.call('GET', `/api/v1/deployments/2/workbooks/${id}`)).toMatchObject({ status: 404 });
    expect(await platform.call('GET', '/api/v1/deployments/1/workbooks/999999')).toMatchObject({ status: 404 });
  });
});
