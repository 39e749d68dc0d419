import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const deployment = '/api/v1/deployments/1';
const position = { x: 0, y: 0, w: 2, h: 2 };
const chart = (reportId: number) => ({
  id: `of-${reportId}`,
  type: 'CHART',
  position,
  config: { reportId, title: 'C' },
});
const jsonQuery = '{"measures":["f.count"]}';

let workbook: Answer['body'];
let report: Answer['body'];
let outside: Answer['body'];
let count = 0;

beforeEach(async () => {
  count += 1;
  workbook = await platform.ok('PUT', `${deployment}/workbooks/by-slug/original-${count}`, { name: 'Original' });
  report = await platform.ok('POST', `${deployment}/reports`, {
    name: 'Inside',
    title: 'T',
    jsonQuery,
    workbookId: workbook.id,
    publicId: `Original${String(count).padStart(4, '0')}`,
    meta: { kind: 'table', preferences: { columnFormats: { 'f.count': { type: 'number' } } } },
  });
  outside = await platform.ok('POST', `${deployment}/reports`, { name: 'Outside', jsonQuery });
  const dashboardDraft = { title: 'Draft', widgets: [chart(report.id), chart(outside.id)] };
  await platform.ok('PUT', `${deployment}/workbooks/${workbook.id}`, { meta: { kept: 1, dashboardDraft } });
});

const path = (id: number = workbook.id) => `${deployment}/workbooks/${id}`;
const publish = () =>
  platform.ok('POST', `${path()}/publish`, {
    config: { title: 'Published', widgets: [chart(report.id), chart(outside.id)] },
    allowEmbed: true,
  });
const duplicate = (body: object = {}, credential?: string) =>
  platform.call('POST', `${path()}/duplicate`, body, credential);
const reportsIn = (id: number, credential?: string) =>
  platform.ok('GET', `${deployment}/reports?workbookId=${id}`, undefined, credential);
const access = async (key: string, action: 'WorkbookRead' | 'WorkbookEdit', folderId?: number) => {
  const own = { resourceType: 'Workbook', actions: [action], resources: [String(workbook.id)] };
  const folder = { resourceType: 'Folder', actions: ['FolderEdit'], resources: [String(folderId)] };
  await platform.addUserKey(`${key}-${count}`, 'AIBIUser', folderId === undefined ? [own] : [own, folder]);
  return `${key}-${count}`;
};

describe('duplicating a workbook (spec 4.5)', () => {
  test('copies reports, draft and dashboard, and updates references to the copies', async () => {
    const published = await publish();
    await platform.ok('PUT', `${path()}/embed-access`, { allEmbedUsers: true, action: 'read' });
    const { body: copy } = await duplicate();
    expect(copy).toMatchObject({ name: 'Copy of Original', slug: null, folderId: null, userId: 1, meta: { kept: 1 } });
    const { items } = await reportsIn(copy.id);
    expect(items).toMatchObject([
      { name: 'Inside', title: 'T', jsonQuery, meta: { kind: 'table' }, workbookId: copy.id },
    ]);
    const [{ id, publicId }] = items;
    expect(publicId).toMatch(/^0000/);
    const reportIds = (config: Answer['body']) =>
      config.widgets.map((widget: { config: { reportId: number } }) => widget.config.reportId);
    for (const config of [copy.dashboardDraft, copy.meta.dashboardDraft, copy.dashboardPublished]) {
      expect(reportIds(config)).toEqual([id, outside.id]);
    }
    expect(copy.publishedDashboard).toMatchObject({ allowEmbed: false, title: 'Published', versionNumber: 1 });
    expect(copy.publishedDashboard.publicId).not.toBe(published.publicId);
    expect(copy.publishedDashboard.reportSnapshots).toMatchObject([
      { reportId: id, name: 'Inside', meta: { publicId, jsonQuery: JSON.parse(jsonQuery) } },
      { reportId: outside.id, name: 'Outside' },
    ]);
    const embedAccess = await platform.ok('GET', `${path(copy.id)}/embed-access`);
    expect(embedAccess).toMatchObject({ allowEmbed: false, allEmbedUsers: { enabled: false } });
  });

  test('does not change the original, and works without a dashboard', async () => {
    const before = await platform.ok('GET', path());
    const { body: copy } = await duplicate();
    expect(copy.publishedDashboard).toBeUndefined();
    expect(await platform.ok('GET', path())).toEqual(before);
    expect((await reportsIn(workbook.id)).items).toMatchObject([{ id: report.id }]);
  });

  test('publishing the copy stores snapshots of the copied reports', async () => {
    const { body: copy } = await duplicate();
    const dashboard = await platform.ok('POST', `${path(copy.id)}/publish`, {});
    expect(dashboard.reportSnapshots[0]).toMatchObject({ name: 'Inside' });
    expect(dashboard.reportSnapshots[0].reportId).not.toBe(report.id);
  });

  test('a caller with read access gets the published dashboard as draft', async () => {
    const reader = await access('copies-reading', 'WorkbookRead');
    const { body: bare } = await duplicate({}, reader);
    expect(bare).toMatchObject({ dashboardDraft: null, meta: { kept: 1 } });
    expect(JSON.stringify(bare)).not.toContain('widgets');
    await publish();
    const { body: copy } = await duplicate({}, reader);
    expect(copy.dashboardDraft.title).toBe('Published');
    expect(copy.dashboardDraft).toEqual(copy.dashboardPublished);
    expect(copy.userId).not.toBe(1);
  });

  test('creates the copy in the same folder if the caller can edit it, otherwise at the root', async () => {
    const { id: folderId } = await platform.ok('POST', `${deployment}/folders`, { name: 'F' });
    await platform.ok('PUT', path(), { folderId });
    expect((await duplicate()).body).toMatchObject({ folderId });
    const inFolder = await access('copies-folder', 'WorkbookEdit', folderId);
    expect((await duplicate({}, inFolder)).body).toMatchObject({ folderId });
    const elsewhere = await access('copies-elsewhere', 'WorkbookEdit');
    expect((await duplicate({}, elsewhere)).body).toMatchObject({ folderId: null });
  });

  test('requires read access and the AI BI User role', async () => {
    await platform.addUserKey(`copies-none-${count}`, 'AIBIUser');
    await platform.addUserKey(`copies-viewing-${count}`, 'AIBIViewer', [
      { resourceType: 'Workbook', actions: ['WorkbookRead'], resources: ['All'] },
    ]);
    expect(await duplicate({}, `copies-none-${count}`)).toMatchObject({ status: 404 });
    expect(await duplicate({}, `copies-viewing-${count}`)).toMatchObject({ status: 403 });
    expect(await platform.call('POST', `/api/v1/deployments/2/workbooks/${workbook.id}/duplicate`)).toMatchObject({
      status: 404,
    });
    expect(await duplicate({ name: 'x' })).toMatchObject({ status: 400 });
  });
});

describe('duplicating out of the shared workspace', () => {
  const creator = (embedTenantName: string, externalId = 'ann') =>
    platform.tokenOf({ embedTenantName, externalId, creatorMode: true });
  const share = (target: object) => platform.ok('PUT', `${path()}/embed-access`, { ...target, action: 'read' });

  test('creates a workbook of the tenant from the published dashboard, one report per snapshot', async () => {
    await publish();
    await share({ allEmbedUsers: true });
    // Later changes by the author are not copied.
    await platform.ok('PUT', `${deployment}/reports/${report.id}`, { jsonQuery: '{"measures":["f.secret"]}' });
    const token = await creator('shared-a');
    const { status, body: copy } = await duplicate({ shared: true }, token);
    expect({ status, copy }).toMatchObject({ status: 200, copy: { name: 'Copy of Original', folderId: null } });
    expect(copy.dashboardDraft).toEqual(copy.dashboardPublished);
    expect(copy.meta.kept).toBeUndefined();
    const { items } = await reportsIn(copy.id, token);
    expect(items.map((item: { name: string }) => item.name).sort()).toEqual(['Inside', 'Outside']);
    expect(JSON.stringify({ copy, items })).not.toContain('secret');
    const own = items.map((item: { id: number }) => item.id).sort();
    const drawn = copy.publishedDashboard.reportSnapshots.map((snapshot: { reportId: number }) => snapshot.reportId);
    expect(drawn.sort()).toEqual(own);
    expect(items[0].jsonQuery).toBe(jsonQuery);
    expect(await platform.call('POST', `${path(copy.id)}/publish`, {}, token)).toMatchObject({
      status: 200,
      body: { versionNumber: 1 },
    });
    expect(await platform.call('GET', path(copy.id), undefined, await creator('shared-b'))).toMatchObject({
      status: 404,
    });
  });

  test('a report in SQL remains in SQL', async () => {
    const sqlQuery = 'select measure(count) as a from f';
    const { id } = await platform.ok('POST', `${deployment}/reports`, { name: 'SQL', sqlQuery });
    const converted = { query: { measures: ['f.count'] }, columns: { a: 'f.count' }, aliases: ['a'] };
    platform.convertSql.mockResolvedValueOnce(converted);
    await platform.ok('POST', `${path()}/publish`, { config: { widgets: [chart(id)] } });
    await share({ allEmbedUsers: true });
    const token = await creator('shared-sql');
    const { body: copy } = await duplicate({ shared: true }, token);
    const { items } = await reportsIn(copy.id, token);
    expect(items).toMatchObject([{ name: 'SQL', sqlQuery }]);
    expect(items[0].jsonQuery).toBeFalsy();
    const [snapshot] = copy.publishedDashboard.reportSnapshots;
    expect(snapshot).toMatchObject({ sqlQuery, meta: { jsonQuery: converted.query, columns: converted.columns } });
  });

  test('finds only workbooks that are shared with the tenant directly or by a folder', async () => {
    await publish();
    const [mine, theirs] = [await creator('shared-c'), await creator('shared-d')];
    expect(await duplicate({ shared: true }, mine)).toMatchObject({ status: 404 });
    await share({ embedTenantName: 'shared-c' });
    expect(await duplicate({ shared: true }, mine)).toMatchObject({ status: 200 });
    expect(await duplicate({ shared: true }, theirs)).toMatchObject({ status: 404 });
    expect(await duplicate({}, mine)).toMatchObject({ status: 404 });
    const { id: folderId } = await platform.ok('POST', `${deployment}/folders`, { name: 'Shared' });
    await platform.ok('PUT', path(), { folderId });
    const { allEmbedUsers } = await platform.ok('GET', `${path()}/embed-access`);
    await platform.withConnection(client =>
      client.query('insert into folder_shares (folder_id, group_id) values ($1, $2)', [
        folderId,
        allEmbedUsers.groupId,
      ]),
    );
    expect(await duplicate({ shared: true }, theirs)).toMatchObject({ status: 200, body: { folderId: null } });
  });

  test('returns 400 without a published dashboard, 403 for other callers', async () => {
    await share({ allEmbedUsers: true });
    expect(await duplicate({ shared: true }, await creator('shared-e'))).toMatchObject({ status: 400 });
    expect(await duplicate({ shared: true })).toMatchObject({ status: 403 });
    const embedded = await platform.tokenOf({ embedTenantName: 'shared-e', externalId: 'bob' });
    expect(await duplicate({ shared: true }, embedded)).toMatchObject({ status: 403 });
  });
});
