import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { someoneWaits, startTestPlatform, type TestPlatform } from './test-platform.js';

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
  test('with all fields that the specification promises', async () => {
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

  test('without a publicId it shows a placeholder, which is nobody’s to choose (rule 4)', async () => {
    const report = await platform.ok('POST', reports, { name: 'Plain' });
    expect(report.publicId).toBe(`0000${report.id.toString(36).padStart(8, '0')}`);
    const other = { publicId: '0000000000zz' };
    expect(await platform.call('POST', reports, other)).toMatchObject({ status: 400 });
    expect(await upsert('0000zzzzzzzz')).toMatchObject({ status: 400 });
    expect(await platform.call('POST', reports, { publicId: report.publicId })).toMatchObject({ status: 400 });
  });

  test('409 without a code when the publicId is taken (rule 3)', async () => {
    await platform.ok('POST', reports, { publicId: 'TakenReport1' });
    const answer = await platform.call('POST', reports, { publicId: 'TakenReport1' });
    expect(answer).toMatchObject({ status: 409 });
    expect(answer.body.code).toBeUndefined();
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
  ])('refuses %s with 400 and names the field', async (_what, body, field) => {
    const { status, body: answer } = await platform.call('POST', reports, body);
    expect({ status, message: answer.message }).toMatchObject({ status: 400, message: expect.stringContaining(field) });
  });

  test('404 for a deployment, a folder, a workbook or a report that is not there', async () => {
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

describe('report by publicId (operations facts)', () => {
  test('creates, then changes what is sent, and applied again changes nothing', async () => {
    const first = await platform.ok('PUT', byPublicId('UpsertReport'), { name: 'One', jsonQuery, source: 'D3' });
    expect(first).toMatchObject({ publicId: 'UpsertReport', version: 1 });
    expect(await platform.ok('PUT', byPublicId('UpsertReport'), { name: 'One', jsonQuery, source: 'D3' })).toEqual(
      first,
    );
    const changed = await platform.ok('PUT', byPublicId('UpsertReport'), { name: 'Two', source: 'PLAYGROUND' });
    // `source` is of creating alone.
    expect(changed).toMatchObject({ id: first.id, name: 'Two', jsonQuery, source: 'D3', version: 2 });
  });

  test('a publicId is written once: the body may not name another one (rule 2)', async () => {
    expect(await upsert('WrittenOnce1', { publicId: 'WrittenOnce1' })).toMatchObject({ status: 200 });
    expect(await upsert('WrittenOnce1', { publicId: 'WrittenOnce2' })).toMatchObject({ status: 400 });
  });

  test('a placeholder finds its report, and stays its id for good', async () => {
    const { id, publicId } = await platform.ok('POST', reports, { name: 'Legacy' });
    expect(await platform.ok('PUT', byPublicId(publicId), { title: 'T' })).toMatchObject({ id, publicId, title: 'T' });
    expect(await platform.ok('PUT', byPublicId(publicId), { title: 'T' })).toMatchObject({ id, version: 2 });
  });

  test('409 without a code when the id is of another deployment, permanent', async () => {
    await platform.ok('PUT', byPublicId('ForeignRepo1', 2), {});
    const answer = await upsert('ForeignRepo1');
    expect(answer).toMatchObject({ status: 409 });
    expect(answer.body.code).toBeUndefined();
  });

  test('409 upsert_branch_changed when another writer creates it in between', async () => {
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

  test('409 upsert_branch_changed when another writer deletes it in between', async () => {
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

  test('written by many at once it is one report', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => upsert('CrowdReport1', { name: `N${n}` })));
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(overtaken);
    expect(new Set(answers.filter(answer => answer.status === 200).map(answer => answer.body.id)).size).toBe(1);
  });
});
