import { desc } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reportSnapshots } from '../../../../src/platform/db/schema.js';
import { PlatformError } from '../../../../src/platform/errors.js';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const position = { x: 0, y: 0, w: 4, h: 3 };
const chart = (id: string, reportId: number) => ({ id, type: 'CHART', position, config: { reportId } });
const text = { id: 'note', type: 'TEXT', position, config: { markdown: 'hi' } };
const spec = { mark: 'bar', encoding: { z: 1, a: 2 } };
const jsonQuery = '{"measures":["f.count"],"order":{"f.b":"asc","f.a":"desc"}}';

let count = 0;
let workbookId: number;
let reportId: number;
let path: string;

beforeEach(async () => {
  count += 1;
  const workbook = await platform.ok('PUT', `/api/v1/deployments/1/workbooks/by-slug/board-${count}`, {
    name: 'Board',
  });
  workbookId = workbook.id;
  path = `/api/v1/deployments/1/workbooks/${workbookId}/publish`;
  const report = await platform.ok('PUT', publicPath(), {
    name: 'Flights',
    title: 'All flights',
    jsonQuery,
    meta: {
      kind: 'vega',
      spec,
      preferences: { columnFormats: { 'f.count': { type: 'number', decimalPlaces: 1 } } },
      fillMissingRows: { member: 'f.day' },
      periodComparisons: [{ measure: 'f.count', timeDimension: 'f.day', offset: { amount: -1, unit: 'year' } }],
      private: 'not for the page',
    },
  });
  reportId = report.id;
});

const publicPath = () => `/api/v1/deployments/1/reports/by-public-id/Flights${String(count).padStart(5, '0')}`;
const publish = (body: object, credential?: string) => platform.call('POST', path, body, credential);
const revisionOf = async (): Promise<number> => {
  const sql = 'select revision from dashboards where workbook_id = $1';
  const { rows } = await platform.withConnection(client => client.query(sql, [workbookId]));
  return rows[0].revision;
};

describe('published snapshots (spec 2.5, 2.6)', () => {
  test('stores one snapshot per report that a chart refers to', async () => {
    const config = { title: 'T', widgets: [chart('a', reportId), chart('b', reportId), text] };
    const dashboard = await platform.ok('POST', path, { config, allowEmbed: true });
    expect(dashboard).toMatchObject({
      allowEmbed: true,
      config,
      deploymentId: 1,
      status: 'published',
      versionNumber: 1,
      workbookId,
      title: 'T',
    });
    expect(dashboard.publicId).toMatch(/^[0-9A-Za-z]{12}$/);
    expect(dashboard.reportSnapshots).toEqual([
      {
        id: expect.any(Number),
        reportId,
        versionNumber: 1,
        kind: 'vega',
        name: 'Flights',
        title: 'All flights',
        spec,
        preferences: { columnFormats: { 'f.count': { type: 'number', decimalPlaces: 1 } } },
        fillMissingRows: { member: 'f.day' },
        periodComparisons: [{ measure: 'f.count', timeDimension: 'f.day', offset: { amount: -1, unit: 'year' } }],
        meta: {
          publicId: `Flights${String(count).padStart(5, '0')}`,
          jsonQuery: JSON.parse(jsonQuery),
          vega: { compiled: true, from: 'bar' },
        },
      },
    ]);
    // The order of these keys is the order of the rows.
    expect(Object.keys(dashboard.reportSnapshots[0].meta.jsonQuery.order)).toEqual(['f.b', 'f.a']);
    expect(Object.keys(dashboard.reportSnapshots[0].spec.encoding)).toEqual(['z', 'a']);
  });

  test('a snapshot does not change with its report', async () => {
    const config = { widgets: [chart('a', reportId)] };
    const first = await platform.ok('POST', path, { config, allowEmbed: true });
    await platform.ok('PUT', publicPath(), { name: 'Changed' });
    const read = await platform.ok('GET', `/api/v1/embed/dashboard/${first.publicId}`);
    expect(read).toEqual(first);
    const second = await platform.ok('POST', path, { config });
    expect(second.reportSnapshots[0]).toMatchObject({ name: 'Changed', versionNumber: 2 });
  });

  test('a report in SQL has its SQL and the equivalent load query', async () => {
    const sqlQuery = 'select b as z, measure(count) as a from f group by 1';
    const { id } = await platform.ok('POST', '/api/v1/deployments/1/reports', { name: 'S', sqlQuery });
    const query = { dimensions: ['f.b'], measures: ['f.count'] };
    platform.convertSql.mockResolvedValueOnce({ query, columns: { z: 'f.b', a: 'f.count' }, aliases: [] });
    const { publicId } = await platform.ok('POST', path, { config: { widgets: [chart('a', id)] }, allowEmbed: true });
    const { reportSnapshots } = await platform.ok('GET', `/api/v1/embed/dashboard/${publicId}`);
    expect(reportSnapshots[0]).toMatchObject({ sqlQuery, meta: { jsonQuery: query } });
    // The order of these keys is the order of the columns.
    expect(Object.entries(reportSnapshots[0].meta.columns)).toEqual([
      ['z', 'f.b'],
      ['a', 'f.count'],
    ]);
  });

  test('a report in SQL without an equivalent load query has only its SQL', async () => {
    const { id } = await platform.ok('POST', '/api/v1/deployments/1/reports', { name: 'S', sqlQuery: 'select 1' });
    platform.convertSql.mockRejectedValueOnce(new PlatformError(400, 'no FROM.', { code: 'no_load_query' }));
    const { reportSnapshots } = await platform.ok('POST', path, { config: { widgets: [chart('a', id)] } });
    expect(reportSnapshots[0]).toMatchObject({ sqlQuery: 'select 1' });
    expect(Object.keys(reportSnapshots[0].meta)).toEqual(['publicId', 'noLoadQuery']);
    expect(reportSnapshots[0].meta.noLoadQuery).toBe('no FROM.');
  });

  test('publishes the draft with widget ids if no config is sent', async () => {
    const { id: _, ...unnamed } = text;
    const meta = { dashboardDraft: { title: 'Draft', widgets: [unnamed] } };
    await platform.ok('PUT', `/api/v1/deployments/1/workbooks/by-slug/board-${count}`, { meta });
    const dashboard = await platform.ok('POST', path, {});
    expect(dashboard).toMatchObject({
      allowEmbed: false,
      title: 'Draft',
      config: { widgets: [{ ...unnamed, id: 'widget-1' }] },
    });
    const workbook = await platform.ok('GET', `/api/v1/deployments/1/workbooks/${workbookId}`);
    expect(workbook.dashboardPublished).toEqual(dashboard.config);
    expect(workbook.publishedDashboard).toEqual(dashboard);
  });
});

describe('rejected publications (spec 2.5, 2.6)', () => {
  test('rejects controls that do not match the model and publishes nothing', async () => {
    const position = { x: 0, y: 0, w: 1, h: 1 };
    const widgets = [{ id: 'state', type: 'FILTER', position, config: { member: 'orders.statsu' } }];
    platform.publicModel.mockReturnValueOnce({ cubes: [] });
    expect(await publish({ config: { widgets } })).toMatchObject({
      status: 400,
      body: { message: 'Widget state: orders.statsu is not a public dimension of the model' },
    });
    expect(await publish({ config: { widgets } })).toMatchObject({ status: 200 });
  });

  test('rejects SQL that cannot be run and publishes nothing', async () => {
    const { id } = await platform.ok('POST', '/api/v1/deployments/1/reports', { name: 'S', sqlQuery: 'selec 1' });
    platform.convertSql.mockRejectedValueOnce(new PlatformError(400, 'syntax error (line 1, column 1).'));
    expect(await publish({ config: { widgets: [chart('a', id)] } })).toMatchObject({
      status: 400,
      body: { message: `The SQL of report ${id} (S) cannot be run: syntax error (line 1, column 1).` },
    });
    const workbook = await platform.ok('GET', `/api/v1/deployments/1/workbooks/${workbookId}`);
    expect(workbook.publishedDashboard).toBeUndefined();
  });

  test.each([
    ['nothing to publish', () => ({}), 'body.config'],
    [
      'a report that is not there',
      () => ({ config: { widgets: [chart('tile', 999_999)] } }),
      'Widget tile: report 999999',
    ],
    ['two widgets with one id', () => ({ config: { widgets: [text, text] } }), 'Widget note'],
    [
      'a widget without id',
      () => ({ config: { widgets: [{ type: 'SPACER', position }] } }),
      'body.config.widgets.0.id',
    ],
    [
      'an unknown widget type',
      () => ({ config: { widgets: [{ id: 'a', type: 'PIE', position }] } }),
      'body.config.widgets.0.type',
    ],
    [
      'a control without its member',
      () => ({ config: { widgets: [{ id: 'a', type: 'FILTER', position, config: { title: 'State' } }] } }),
      'body.config.widgets.0.config.member: a FILTER widget requires a member',
    ],
    ['another workbookId', () => ({ config: {}, workbookId: workbookId + 1 }), 'body.workbookId'],
    ['a dashboard of another workbook', () => ({ config: {}, dashboardId: 999_999 }), 'body.dashboardId'],
  ])('rejects %s with 400 and publishes nothing', async (_what, body, message) => {
    const answer = await publish(body());
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
    const workbook = await platform.ok('GET', `/api/v1/deployments/1/workbooks/${workbookId}`);
    expect(workbook.publishedDashboard).toBeUndefined();
  });

  test('rejects a specification that does not compile and names the report', async () => {
    platform.compileChart.mockRejectedValueOnce(new Error('Invalid mark'));
    const answer = await publish({ config: { widgets: [chart('a', reportId)] } });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: `The specification of report ${reportId} (Flights) does not compile: Invalid mark` },
    });
  });

  test('treats a report of another deployment as missing', async () => {
    await platform.withConnection(async client => {
      await client.query(
        `insert into deployments (id, name, creation_step) values (2, 'o', 'ready') on conflict do nothing`,
      );
      await client.query('update reports set deployment_id = 2 where id = $1', [reportId]);
    });
    expect(await publish({ config: { widgets: [chart('a', reportId)] } })).toMatchObject({ status: 400 });
  });

  test('returns 404 for an unknown workbook', async () => {
    const answer = await platform.call('POST', '/api/v1/deployments/1/workbooks/999999/publish', { config: {} });
    expect(answer).toMatchObject({ status: 404 });
  });
});

describe('published versions and revisions (spec 2.5, 2.6)', () => {
  test('republishing increments the version and retains the publicId and omitted fields', async () => {
    const first = await platform.ok('POST', path, {
      config: { widgets: [] },
      title: 'Kept',
      description: 'D',
      allowEmbed: true,
    });
    const second = await platform.ok('POST', path, { config: { widgets: [text] } });
    expect(second).toMatchObject({
      publicId: first.publicId,
      id: first.id,
      versionNumber: 2,
      title: 'Kept',
      description: 'D',
    });
    expect(second.allowEmbed).toBe(true);
    expect(second.versionId).not.toBe(first.versionId);
    const off = { config: { widgets: [text] }, dashboardId: first.id, workbookId, allowEmbed: false };
    expect(await platform.ok('POST', path, off)).toMatchObject({ allowEmbed: false });
  });

  test('republishing the same content creates no new version, even if unpublished fields change', async () => {
    const body = { config: { title: 'T', widgets: [chart('a', reportId), text] }, allowEmbed: true };
    const first = await platform.ok('POST', path, body);
    const before = await revisionOf();
    expect(await platform.ok('POST', path, body)).toEqual(first);
    expect(await platform.ok('POST', path, { config: body.config, title: null })).toEqual(first);
    expect(await revisionOf()).toBe(before);
    const titled = await platform.ok('POST', path, { ...body, title: 'Titled' });
    expect(titled).toEqual({ ...first, title: 'Titled' });
    await platform.ok('PUT', publicPath(), { title: 'Other flights' });
    const second = await platform.ok('POST', path, body);
    expect(second).toMatchObject({ versionNumber: 2, reportSnapshots: [{ title: 'Other flights', versionNumber: 2 }] });
  });

  test('every change to the response for viewers creates a new revision', async () => {
    const rename = (name: string) => platform.ok('PUT', `/api/v1/deployments/1/workbooks/${workbookId}`, { name });
    const embed = (allowEmbed: boolean) =>
      platform.ok('PUT', `/api/v1/deployments/1/workbooks/${workbookId}/embed-access`, { allowEmbed });
    const { publicId } = await platform.ok('POST', path, { config: { widgets: [] } });
    const readPublished = () => platform.ok('GET', `/api/v1/embed/dashboard/${publicId}`);
    const changes = [
      () => platform.ok('POST', path, { config: { widgets: [text] } }),
      () => platform.ok('POST', path, { config: { widgets: [text] }, description: 'New' }),
      () => embed(true),
      () => rename('Renamed'),
      () => platform.ok('POST', path, { config: { widgets: [text] }, title: 'Titled' }),
    ];
    for (const change of changes) {
      const [before, revision] = [await readPublished(), await revisionOf()];
      await change();
      expect(await readPublished()).not.toEqual(before);
      expect(await revisionOf()).toBeGreaterThan(revision);
    }
    const revision = await revisionOf();
    await embed(true);
    await rename('Renamed');
    expect(await revisionOf()).toBe(revision);
  });
});

describe('concurrent changes during publication (spec 2.5, 2.6)', () => {
  test('concurrent publications get distinct versions', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => publish({ config: { title: `T${n}` } })));
    expect(answers.map(answer => answer.status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(answer => answer.body.versionNumber)).size).toBe(8);
    const read = await platform.ok('GET', `/api/v1/embed/dashboard/${answers[0]?.body.publicId}`);
    expect(read.versionNumber).toBe(8);
  });

  test('a workbook that is deleted during chart compilation is not published', async () => {
    platform.compileChart.mockImplementationOnce(async () => {
      await platform.call('DELETE', `/api/v1/deployments/1/workbooks/${workbookId}`);
      return { compiled: true };
    });
    expect(await publish({ config: { widgets: [chart('a', reportId)] } })).toMatchObject({ status: 404 });
  });

  test('a report that changes during chart compilation is published as it was read', async () => {
    platform.compileChart.mockImplementationOnce(async () => {
      await platform.ok('PUT', publicPath(), { name: 'Later', jsonQuery: '{"measures":["f.later"]}' });
      return { compiled: true };
    });
    const dashboard = await platform.ok('POST', path, { config: { widgets: [chart('a', reportId)] } });
    expect(dashboard.reportSnapshots[0]).toMatchObject({
      name: 'Flights',
      versionNumber: 1,
      meta: { jsonQuery: JSON.parse(jsonQuery) },
    });
  });
});

describe('permission to publish (spec 5.3)', () => {
  const config = { widgets: [] };
  const keyWith = async (action: 'WorkbookRead' | 'WorkbookEdit' | 'WorkbookManage') => {
    const key = `${action}-${workbookId}`;
    const policy = { resourceType: 'Workbook', actions: [action], resources: [String(workbookId)] };
    await platform.addUserKey(key, 'AIBIUser', [policy]);
    return key;
  };

  test('publishing requires edit access, allowEmbed manage access', async () => {
    const [reads, edits, manages] = [
      await keyWith('WorkbookRead'),
      await keyWith('WorkbookEdit'),
      await keyWith('WorkbookManage'),
    ];
    expect(await publish({ config }, reads)).toMatchObject({ status: 403 });
    expect(await publish({ config, allowEmbed: true }, edits)).toMatchObject({ status: 403 });
    expect(await publish({ config }, edits)).toMatchObject({ status: 200, body: { allowEmbed: false } });
    const published = await publish({ config, allowEmbed: true }, manages);
    expect(published).toMatchObject({ status: 200, body: { allowEmbed: true } });
  });

  test('rejects reports that the caller cannot read', async () => {
    const edits = await keyWith('WorkbookEdit');
    const charts = { config: { widgets: [chart('a', reportId)] } };
    const refused = {
      status: 400,
      body: { message: `Widget a: report ${reportId} does not exist in this deployment` },
    };
    expect(await publish(charts, edits)).toMatchObject(refused);
    const token = await platform.tokenOf({ embedTenantName: 'freezer', creatorMode: true });
    const own = await platform.ok('POST', '/api/v1/deployments/1/workbooks', {}, token);
    const theirs = await platform.call('POST', `/api/v1/deployments/1/workbooks/${own.id}/publish`, charts, token);
    expect(theirs).toMatchObject(refused);
    expect(await publish(charts, token)).toMatchObject({ status: 404 });
    await platform.ok('PUT', publicPath(), { workbookId });
    expect(await publish(charts, edits)).toMatchObject({ status: 200 });
  });
});

describe('a batch that publishes', () => {
  const send = (steps: readonly object[]) =>
    platform.call('POST', '/api/v1/deployments/1/content-batches', { owner: 'batch', placeholder: -1_000_000, steps });
  const upsert = { operation: 'upsertReportByPublicId', params: { publicId: 'BatchReport0' } };
  const written = (mark: string, sqlQuery?: string) => ({
    ...upsert,
    body: {
      name: 'New',
      ...(sqlQuery === undefined ? { jsonQuery } : { sqlQuery }),
      meta: { kind: 'vega', spec: { mark } },
    },
  });
  const published = () => {
    const config = { widgets: [{ ...chart('a', 0), config: { reportId: -1_000_000 } }] };
    return { operation: 'publishDashboard', params: { workbookId }, body: { config } };
  };

  test('compiles charts outside of its transaction, once', async () => {
    const open: number[] = [];
    const countOpen = async () => {
      const sql = "select 1 from pg_stat_activity where datname = current_database() and state like 'idle in trans%'";
      open.push((await platform.withConnection(client => client.query(sql))).rows.length);
    };
    platform.convertSql.mockClear().mockImplementationOnce(async () => {
      await countOpen();
      return { query: { measures: ['f.count'] }, columns: { flights: 'f.count' }, aliases: [] };
    });
    platform.compileChart.mockClear().mockImplementation(async (spec, columns) => {
      await countOpen();
      return { from: spec.mark ?? null, columns: [...(columns ?? [])] };
    });
    expect(await send([written('area', 'SELECT MEASURE(count) AS flights FROM f'), published()])).toMatchObject({
      status: 200,
    });
    expect(open).toEqual([0, 0, 0]);
    expect(platform.convertSql).toHaveBeenCalledTimes(1);
    const [stored] = await platform.db.select().from(reportSnapshots).orderBy(desc(reportSnapshots.id)).limit(1);
    expect(stored?.snapshot).toMatchObject({ meta: { vega: { from: 'area', columns: ['flights'] } } });
  });

  test('reports the first step that fails, and writes nothing', async () => {
    platform.compileChart.mockImplementation(async () => {
      throw new Error('Unknown mark.');
    });
    const audited = (await platform.audited()).length;
    const failed = await send([
      written('wrong'),
      published(),
      { operation: 'deleteFolder', params: { folderId: 987 } },
    ]);
    expect(failed).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('steps.1: The specification') },
    });
    expect((await platform.audited()).length).toBe(audited);
    platform.compileChart.mockImplementation(async spec => ({ compiled: true, from: spec.mark }));
    const missing = await send([
      written('line'),
      published(),
      { operation: 'deleteFolder', params: { folderId: 987 } },
    ]);
    expect(missing).toMatchObject({ status: 404, body: { message: expect.stringContaining('steps.2: ') } });
    expect((await platform.audited()).length).toBe(audited);
  });
});
