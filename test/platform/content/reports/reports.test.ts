import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { someoneWaits, startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
  await platform.withConnection(client =>
    client.query(`insert into deployments (id, name, creation_step) values (2, 'other', 'ready')`),
  );
});
afterAll(() => platform.stop());

const reports = '/api/v1/deployments/1/reports';
const byPublicId = (publicId: string, deploymentId = 1) =>
  `/api/v1/deployments/${deploymentId}/reports/by-public-id/${publicId}`;
const upsert = (publicId: string, body: object = {}) => platform.call('PUT', byPublicId(publicId), body);
const jsonQuery = '{"measures":["flights.count"],"order":{"flights.b":"asc","flights.a":"desc"}}';
const overtaken = { status: 409, body: { code: 'upsert_branch_changed' } };

describe('creating a report (spec 2.2)', () => {
  test('returns all fields of the specification', async () => {
    const body = {
      publicId: 'FreshReport1',
      name: 'Fresh',
      title: 'A title',
      jsonQuery,
      meta: { kind: 'table', own: { kept: true } },
      pivotItems: { columns: [], filters: [], measures: ['m'], rows: [] },
      source: 'PLAYGROUND',
    };
    const report = await platform.ok('POST', reports, body);
    expect(report).toMatchObject({
      ...body,
      deploymentId: 1,
      type: 'REPORT',
      userId: 1,
      user: { email: 'admin@localhost' },
      refreshedByUser: { id: 1 },
      version: 1,
      canEdit: true,
    });
    expect(report.jsonQuery).toBe(jsonQuery);
    expect(await platform.ok('GET', `${reports}/${report.id}`)).toEqual(report);
  });

  test('returns a reserved placeholder without a publicId (rule 4)', async () => {
    const report = await platform.ok('POST', reports, { name: 'Plain' });
    expect(report.publicId).toBe(`0000${report.id.toString(36).padStart(8, '0')}`);
    const other = { publicId: '0000000000zz' };
    expect(await platform.call('POST', reports, other)).toMatchObject({ status: 400 });
    expect(await upsert('0000zzzzzzzz')).toMatchObject({ status: 400 });
    expect(await platform.call('POST', reports, { publicId: report.publicId })).toMatchObject({ status: 400 });
  });

  test('returns 409 without a code if the publicId is taken (rule 3)', async () => {
    await platform.ok('POST', reports, { publicId: 'TakenReport1' });
    const answer = await platform.call('POST', reports, { publicId: 'TakenReport1' });
    expect(answer).toMatchObject({ status: 409 });
    expect(answer.body.code).toBeUndefined();
  });

  test('an empty string clears a query, an omitted one is retained', async () => {
    const { id } = await platform.ok('POST', reports, { name: 'Cleared', jsonQuery, sqlQuery: 'SELECT 1' });
    const path = `${reports}/${id}`;
    expect(await platform.ok('PUT', path, { jsonQuery: '' })).toMatchObject({ jsonQuery: null, sqlQuery: 'SELECT 1' });
    const cleared = await platform.ok('PUT', path, { sqlQuery: '' });
    expect(cleared).toMatchObject({ jsonQuery: null, sqlQuery: null });
    expect(await platform.ok('PUT', path, { jsonQuery: '', sqlQuery: '' })).toEqual(cleared);
  });

  test.each([
    ['a short publicId', { publicId: 'short' }, 'body.publicId'],
    ['a publicId with other signs', { publicId: 'abc-ef-hijkl' }, 'body.publicId'],
    ['an unknown field', { pythonCode: '' }, 'pythonCode'],
    ['a query that is not JSON', { jsonQuery: '{' }, 'body.jsonQuery'],
    ['a query with an unknown key', { jsonQuery: '{"mesures":[]}' }, 'body.jsonQuery'],
    ['a query with a hostile name', { jsonQuery: '{"measures":["a.b; drop"]}' }, 'body.jsonQuery.measures.0'],
    ['an unknown kind', { meta: { kind: 'pie' } }, 'body.meta.kind'],
    ['an unknown source', { source: 'X' }, 'body.source'],
    ['a long name', { name: 'x'.repeat(256) }, 'body.name'],
  ])('rejects %s with 400 and names the field', async (_what, body, field) => {
    const { status, body: answer } = await platform.call('POST', reports, body);
    expect({ status, message: answer.message }).toMatchObject({ status: 400, message: expect.stringContaining(field) });
  });

  test('returns 404 for an unknown deployment, folder, workbook or report', async () => {
    expect(await platform.call('POST', '/api/v1/deployments/9/reports', {})).toMatchObject({ status: 404 });
    expect(await platform.call('POST', reports, { folderId: 3 })).toMatchObject({ status: 404 });
    expect(await platform.call('POST', reports, { workbookId: 999 })).toMatchObject({ status: 404 });
    expect(await platform.call('GET', `${reports}/99999`)).toMatchObject({ status: 404 });
  });

  test('an embed session neither writes nor reads reports', async () => {
    const token = await platform.tokenOf();
    const { id } = await platform.ok('POST', reports, {});
    expect(await platform.call('POST', reports, {}, token)).toMatchObject({ status: 403 });
    expect(await platform.call('PUT', byPublicId('EmbedReport1'), {}, token)).toMatchObject({ status: 403 });
    expect(await platform.call('GET', `${reports}/${id}`, undefined, token)).toMatchObject({ status: 404 });
  });
});

describe('report by publicId (operations.md)', () => {
  test('creates, then updates sent fields; repeating it changes nothing', async () => {
    const first = await platform.ok('PUT', byPublicId('UpsertReport'), { name: 'One', jsonQuery, source: 'D3' });
    expect(first).toMatchObject({ publicId: 'UpsertReport', version: 1 });
    expect(await platform.ok('PUT', byPublicId('UpsertReport'), { name: 'One', jsonQuery, source: 'D3' })).toEqual(
      first,
    );
    const changed = await platform.ok('PUT', byPublicId('UpsertReport'), { name: 'Two', source: 'PLAYGROUND' });
    // `source` applies only when creating.
    expect(changed).toMatchObject({ id: first.id, name: 'Two', jsonQuery, source: 'D3', version: 2 });
  });

  test('a publicId is immutable: the body cannot contain another one (rule 2)', async () => {
    expect(await upsert('WrittenOnce1', { publicId: 'WrittenOnce1' })).toMatchObject({ status: 200 });
    expect(await upsert('WrittenOnce1', { publicId: 'WrittenOnce2' })).toMatchObject({ status: 400 });
  });

  test('a placeholder identifies its report and becomes its permanent id', async () => {
    const { id, publicId } = await platform.ok('POST', reports, { name: 'Legacy' });
    expect(await platform.ok('PUT', byPublicId(publicId), { title: 'T' })).toMatchObject({ id, publicId, title: 'T' });
    expect(await platform.ok('PUT', byPublicId(publicId), { title: 'T' })).toMatchObject({ id, version: 2 });
  });

  test('returns a permanent 409 without a code if the id belongs to another deployment', async () => {
    await platform.ok('PUT', byPublicId('ForeignRepo1', 2), {});
    const answer = await upsert('ForeignRepo1');
    expect(answer).toMatchObject({ status: 409 });
    expect(answer.body.code).toBeUndefined();
  });

  test('returns 409 upsert_branch_changed if it is created concurrently', async () => {
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query(
        `insert into reports (deployment_id, public_id, name, created_by) values (1, 'BetweenRepo1', 'First', 1)`,
      );
      const answer = upsert('BetweenRepo1', { name: 'Second' });
      await someoneWaits(client);
      await client.query('commit');
      expect(await answer).toMatchObject(overtaken);
    });
    expect(await platform.ok('PUT', byPublicId('BetweenRepo1'), {})).toMatchObject({ name: 'First' });
  });

  test('returns 409 upsert_branch_changed if it is deleted concurrently', async () => {
    await upsert('LeavingRepo1');
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query(`delete from reports where public_id = 'LeavingRepo1'`);
      const answer = upsert('LeavingRepo1', { name: 'New' });
      await someoneWaits(client);
      await client.query('commit');
      expect(await answer).toMatchObject(overtaken);
    });
  });

  test('concurrent upserts create one report', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => upsert('CrowdReport1', { name: `N${n}` })));
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(overtaken);
    expect(new Set(answers.filter(answer => answer.status === 200).map(answer => answer.body.id)).size).toBe(1);
  });
});

describe('updating a report (spec 4.2)', () => {
  const change = (id: number, body: object) => platform.call('PUT', `${reports}/${id}`, body);
  const create = async (body: object = {}) => platform.ok('POST', reports, { name: 'Before', jsonQuery, ...body });

  test('updates only sent fields; repeating it changes nothing', async () => {
    const before = await create({ title: 'T', meta: { kind: 'table' }, source: 'D3' });
    const body = {
      name: 'After',
      sqlQuery: 'select 1',
      meta: { kind: 'kpi', preferences: { columnFormats: { 'a.b': { type: 'percent' } } }, own: [{ deep: null }] },
      pivotItems: { columns: ['a'], filters: [], measures: [], rows: [], showRowTotals: true },
    };
    const { status, body: after } = await change(before.id, body);
    expect(status).toBe(200);
    expect(after).toEqual({
      ...before,
      ...body,
      version: 2,
      updatedAt: expect.any(String),
    });
    expect(await change(before.id, body)).toEqual({ status: 200, body: after });
    expect(await change(before.id, {})).toEqual({ status: 200, body: after });
    expect(await change(before.id, { name: null, title: null })).toEqual({ status: 200, body: after });
  });

  test('assigns a publicId to a report without one, which then identifies it (rule 1)', async () => {
    const { id } = await create();
    expect(await change(id, { publicId: 'AdoptedRep01' })).toMatchObject({
      status: 200,
      body: { publicId: 'AdoptedRep01' },
    });
    expect(await platform.ok('PUT', byPublicId('AdoptedRep01'), { title: 'Found' })).toMatchObject({
      id,
      title: 'Found',
    });
    expect(await change(id, { publicId: 'AdoptedRep01' })).toMatchObject({ status: 200, body: { version: 3 } });
  });

  test('returns 400 for a different publicId (rule 2)', async () => {
    const before = await create({ publicId: 'WriteOnceRep' });
    const answer = await change(before.id, { publicId: 'WriteOnceRe2', name: 'No' });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('body.publicId') } });
    expect(await platform.ok('GET', `${reports}/${before.id}`)).toEqual(before);
  });

  test('returns 409 without a code for a publicId of another report in any deployment (rule 3)', async () => {
    await create({ publicId: 'HeldReport01' });
    await platform.ok('PUT', byPublicId('HeldReport02', 2), {});
    const before = await create();
    for (const publicId of ['HeldReport01', 'HeldReport02']) {
      const answer = await change(before.id, { publicId, name: 'No' });
      expect(answer).toMatchObject({ status: 409 });
      expect(answer.body.code).toBeUndefined();
    }
    expect(await platform.ok('GET', `${reports}/${before.id}`)).toEqual(before);
  });

  test('returns 400 for a placeholder, including its own (rule 4)', async () => {
    const before = await create();
    for (const publicId of [before.publicId, '0000zzzzzzzz', '000000000000']) {
      expect(await change(before.id, { publicId })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('body.publicId') },
      });
    }
    expect(await platform.ok('GET', `${reports}/${before.id}`)).toEqual(before);
    // Similar ids are allowed.
    expect(await change(before.id, { publicId: '0000ABCDEFGH' })).toMatchObject({ status: 200 });
  });

  test('accepts a placeholder that was stored by an upsert', async () => {
    const { id, publicId } = await create();
    await platform.ok('PUT', byPublicId(publicId), {});
    expect(await change(id, { publicId, name: 'Same id' })).toMatchObject({ status: 200, body: { publicId } });
  });

  test.each([
    [{ source: 'D3' }, 'source'],
    [{ folderId: 0 }, 'body.folderId'],
    [{ folderId: '1' }, 'body.folderId'],
    [{ workbookId: 1.5 }, 'body.workbookId'],
    [{ name: '' }, 'body.name'],
    [{ sqlQuery: 'x'.repeat(65_537) }, 'body.sqlQuery'],
    [{ jsonQuery: `"${'x'.repeat(100_000)}"` }, 'body.jsonQuery'],
    [{ pivotItems: { columns: [], filters: [], measures: [] } }, 'body.pivotItems.rows'],
    [{ id: 7 }, 'id'],
  ])('returns 400 that names the field for %j', async (body, field) => {
    const { id } = await create();
    expect(await change(id, body)).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
  });

  test('every write is recorded in the audit log with the report, but without the body', async () => {
    const { id } = await create({ name: 'Audited' });
    await change(id, { name: 'Audited again' });
    await platform.call('DELETE', `${reports}/${id}`);
    await platform.withConnection(async client => {
      const { rows } = await client.query(
        `select operation, target from audit_log where target ->> 'reportId' = $1 order by id`,
        [String(id)],
      );
      expect(rows).toEqual(
        ['createReport', 'updateReport', 'deleteReport'].map(operation => ({
          operation,
          target: { deploymentId: 1, reportId: id },
        })),
      );
    });
  });
});

test('returns 409 ambiguous_legacy_id for a placeholder that an earlier version assigned to another report', async () => {
  const { id, publicId } = await platform.ok('POST', reports, { name: 'Shows it' });
  await platform.withConnection(client =>
    client.query(`insert into reports (deployment_id, public_id, name, created_by) values (1, $1, 'Has it', 1)`, [
      publicId,
    ]),
  );
  expect(await upsert(publicId, { name: 'Which' })).toMatchObject({
    status: 409,
    body: { code: 'ambiguous_legacy_id' },
  });
  expect(await platform.ok('GET', `${reports}/${id}`)).toMatchObject({ name: 'Shows it' });
  // Assigning a publicId resolves the conflict.
  await platform.ok('PUT', `${reports}/${id}`, { publicId: 'OwnReportId1' });
  expect(await upsert(publicId, { name: 'That one' })).toMatchObject({ status: 200, body: { publicId } });
});

test('published snapshots of a deleted report remain', async () => {
  const { id } = await platform.ok('POST', reports, { name: 'Published', jsonQuery });
  const workbook = await platform.ok('PUT', '/api/v1/deployments/1/workbooks/by-slug/keeps', {});
  const widgets = [{ id: 'w', type: 'CHART', position: { x: 0, y: 0, w: 1, h: 1 }, config: { reportId: id } }];
  const path = `/api/v1/deployments/1/workbooks/${workbook.id}`;
  await platform.ok('POST', `${path}/publish`, { workbookId: workbook.id, config: { widgets } });
  expect(await platform.call('DELETE', `${reports}/${id}`)).toEqual({ status: 204, body: undefined });
  const { publishedDashboard } = await platform.ok('GET', path);
  expect(publishedDashboard.reportSnapshots).toMatchObject([{ reportId: id, name: 'Published' }]);
});
