import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
let path: string;
const reports = '/api/v1/deployments/1/reports';
const query = '{"measures":["a.b"]}';

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());
beforeEach(async () => {
  const { id } = await platform.ok('POST', reports, { name: 'Placed', jsonQuery: query });
  path = `${reports}/${id}`;
});

const connect = (body: object = {}) =>
  platform.ok('PUT', `${path}/connect-workbook`, { externalWorkbookId: 'book', resultLocation: 'S!A1', ...body });
const disconnect = (body: object) => platform.ok('DELETE', `${path}/connect-workbook`, body);
const refresh = (body?: object) => platform.ok('PUT', `${path}/refresh`, body);
const read = () => platform.ok('GET', path);
const resultChecksum = { v: 2, chunks: [{ from: 0, hash: 'h', to: 10 }] };

describe('connect-workbook (spec 4.5)', () => {
  test('records the placement and returns it in the deprecated fields too', async () => {
    const before = await read();
    const report = await connect({
      endResultCell: 'C9',
      host: 'ONLINE_SHEETS',
      workbookName: 'Book',
      sheetId: '7',
      resultChecksum,
    });
    expect(report.externalWorkbookPlacements).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        workbookId: 'book',
        resultLocation: 'S!A1',
        endResultCell: 'C9',
        host: 'ONLINE_SHEETS',
        workbookName: 'Book',
        sheetId: '7',
        sheetName: 'S',
        anchorCell: 'A1',
        placedAt: expect.any(String),
        placedByUserId: 1,
        refreshedByUserId: null,
        queryChecksum: report.currentQueryChecksum,
        resultChecksum,
        syncStatus: 'UP_TO_DATE',
      },
    ]);
    expect(report).toMatchObject({ externalWorkbookId: 'book', resultLocation: 'S!A1', endResultCell: 'C9' });
    // The report itself does not change.
    expect(report).toMatchObject({ version: before.version, updatedAt: before.updatedAt });
  });

  test('repeating it changes nothing; the same address updates the placement', async () => {
    const first = await connect({ resultChecksum });
    expect(await connect({ resultChecksum })).toEqual(first);
    const second = await connect({ resultLocation: "'S'!$A$1:B9", endResultCell: 'B9' });
    expect(second.externalWorkbookPlacements).toHaveLength(1);
    expect(second.externalWorkbookPlacements[0]).toMatchObject({
      id: first.externalWorkbookPlacements[0].id,
      endResultCell: 'B9',
      anchorCell: 'A1',
    });
  });

  test('different spreadsheets, sheets and cells are separate placements, latest first', async () => {
    await connect();
    await connect({ resultLocation: 'S!B1' });
    await connect({ resultLocation: 'T!A1' });
    const report = await connect({ externalWorkbookId: 'other' });
    expect(report.externalWorkbookPlacements).toHaveLength(4);
    expect(report).toMatchObject({
      externalWorkbookId: 'other',
      externalWorkbookPlacements: [{ workbookId: 'other' }, {}, {}, {}],
    });
  });

  test('an address without a cell is returned as text', async () => {
    await connect({ resultLocation: 'somewhere' });
    expect((await connect({ resultLocation: 'somewhere' })).externalWorkbookPlacements).toHaveLength(1);
    expect((await connect({ resultLocation: 'elsewhere' })).externalWorkbookPlacements).toHaveLength(2);
  });

  test('a placementId moves the placement and replaces another one at the address', async () => {
    const [first] = (await connect()).externalWorkbookPlacements;
    await connect({ resultLocation: 'T!B2' });
    const moved = await connect({ placementId: first.id, resultLocation: 'T!B2', addressOnly: true });
    expect(moved.externalWorkbookPlacements).toMatchObject([
      { id: first.id, sheetName: 'T', anchorCell: 'B2', queryChecksum: first.queryChecksum },
    ]);
  });

  test('an unknown placementId creates a new placement', async () => {
    const [{ id }] = (await connect({ placementId: 'not-even-a-uuid' })).externalWorkbookPlacements;
    expect(id).not.toBe('not-even-a-uuid');
  });

  test('addressOnly retains the state of the cells', async () => {
    await connect({ resultChecksum });
    await platform.ok('PUT', path, { jsonQuery: '{"measures":["a.c"]}' });
    const [moved] = (await connect({ addressOnly: true })).externalWorkbookPlacements;
    expect(moved).toMatchObject({ resultChecksum, syncStatus: 'CHANGED' });
    const [written] = (await connect()).externalWorkbookPlacements;
    expect(written).toMatchObject({ resultChecksum: null, syncStatus: 'UP_TO_DATE' });
  });

  test('limits a report to 100 placements', async () => {
    await platform.withConnection(client =>
      client.query(
        `insert into report_placements (report_id, external_workbook_id, sheet_name, anchor_cell, result_location)
          select $1, 'book', 'S', 'A' || n, 'S!A' || n from generate_series(1, 100) n`,
        [path.split('/').at(-1)],
      ),
    );
    const body = { externalWorkbookId: 'book', resultLocation: 'S!B1' };
    expect(await platform.call('PUT', `${path}/connect-workbook`, body)).toMatchObject({ status: 409 });
    expect((await connect()).externalWorkbookPlacements).toHaveLength(100);
  });

  test('concurrent requests for one address create one placement', async () => {
    await Promise.all(Array.from({ length: 10 }, () => connect()));
    expect((await read()).externalWorkbookPlacements).toHaveLength(1);
  });

  test.each([
    [{ resultLocation: 'S!A1' }, 'externalWorkbookId'],
    [{ externalWorkbookId: 'b' }, 'resultLocation'],
    [{ externalWorkbookId: '', resultLocation: 'S!A1' }, 'externalWorkbookId'],
    [{ externalWorkbookId: 'b', resultLocation: 'x'.repeat(1001) }, 'resultLocation'],
    [{ externalWorkbookId: 'b', resultLocation: 'S!A1', host: 'PAPER' }, 'host'],
    [{ externalWorkbookId: 'b', resultLocation: 'S!A1', resultChecksum: { v: 0, chunks: [] } }, 'resultChecksum.v'],
    [{ externalWorkbookId: 'b', resultLocation: 'S!A1', name: 'New' }, 'name'],
  ])('returns 400 that names the field for %j', async (body, field) => {
    const answer = await platform.call('PUT', `${path}/connect-workbook`, body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
  });
});

describe('disconnecting (operations.md)', () => {
  test('removes a placement by id; the report returns the previous one', async () => {
    const [first] = (await connect()).externalWorkbookPlacements;
    const [second] = (await connect({ externalWorkbookId: 'other' })).externalWorkbookPlacements;
    const report = await disconnect({ placementId: second.id });
    expect(report).toMatchObject({ externalWorkbookId: 'book', externalWorkbookPlacements: [{ id: first.id }] });
    expect(await disconnect({ placementId: first.id })).toMatchObject({
      externalWorkbookId: null,
      resultLocation: null,
      externalWorkbookPlacements: [],
    });
  });

  test('removes it by address; without a match it changes nothing, so retries are safe', async () => {
    await connect({ sheetId: '7' });
    const placed = await read();
    for (const nowhere of [
      {},
      { externalWorkbookId: 'book' },
      { externalWorkbookId: 'book', sheetName: 'S' },
      { externalWorkbookId: 'book', sheetId: '7', anchorCell: 'A1' },
      { externalWorkbookId: 'book', sheetName: 'S', anchorCell: 'A1', sheetId: '8' },
      { placementId: "' or true --" },
    ]) {
      expect(await disconnect(nowhere)).toEqual(placed);
    }
    const address = { externalWorkbookId: 'book', resultLocation: 'S!A1' };
    expect(await disconnect(address)).toMatchObject({ externalWorkbookPlacements: [] });
    expect(await disconnect(address)).toMatchObject({ externalWorkbookPlacements: [] });
  });
});

describe('refresh', () => {
  test('records who refreshed the result on the report and the placement', async () => {
    const userId = await platform.addUserKey('refresher', 'Admin');
    await connect();
    await connect({ resultLocation: 'S!B1' });
    await platform.ok('PUT', path, { sqlQuery: 'select 1', jsonQuery: '{"measures":["a.d"]}' });
    const before = await read();
    expect(before.refreshedByUser).toMatchObject({ id: 1 });
    const body = { externalWorkbookId: 'book', resultLocation: 'S!A1', resultChecksum };
    const report = await platform.ok('PUT', `${path}/refresh`, body, 'refresher');
    expect(report).toMatchObject({ refreshedBy: userId, refreshedByUser: { id: userId }, version: before.version });
    expect(report.updatedAt).toBe(before.updatedAt);
    expect(report.externalWorkbookPlacements).toMatchObject([
      { resultLocation: 'S!B1', syncStatus: 'CHANGED', refreshedByUserId: null },
      {
        resultLocation: 'S!A1',
        syncStatus: 'UP_TO_DATE',
        resultChecksum,
        refreshedByUserId: userId,
        refreshedAt: expect.any(String),
      },
    ]);
  });

  test('records it only on the report without a placement', async () => {
    const [placed] = (await connect()).externalWorkbookPlacements;
    expect(await refresh()).toMatchObject({ refreshedBy: 1, externalWorkbookPlacements: [placed] });
    expect(await refresh({ placementId: 'gone' })).toMatchObject({ externalWorkbookPlacements: [placed] });
  });
});

describe('placements by creating and updating', () => {
  test('a report can be created with a placement', async () => {
    const body = {
      jsonQuery: query,
      externalWorkbookId: 'new',
      resultLocation: 'S!A1',
      host: 'DESKTOP_SHEETS',
      resultChecksum,
    };
    const report = await platform.ok('POST', reports, body);
    expect(report.externalWorkbookPlacements).toMatchObject([
      { workbookId: 'new', host: 'DESKTOP_SHEETS', syncStatus: 'UP_TO_DATE', resultChecksum },
    ]);
    expect(report.externalWorkbookId).toBe('new');
  });

  test('an update moves the placement; repeating it changes nothing', async () => {
    await connect();
    const report = await platform.ok('PUT', path, { externalWorkbookId: 'other', resultLocation: 'S!A1' });
    expect(report.externalWorkbookPlacements).toMatchObject([{ workbookId: 'other', syncStatus: 'UNKNOWN' }, {}]);
    expect(await platform.ok('PUT', path, { externalWorkbookId: 'other', resultLocation: 'S!A1' })).toEqual(report);
    // The stored address completes the request.
    const changed = await platform.ok('PUT', path, { endResultCell: 'Z9' });
    expect(changed.externalWorkbookPlacements).toMatchObject([{ workbookId: 'other', endResultCell: 'Z9' }, {}]);
  });

  test('a report without a query has a placement of unknown state', async () => {
    const body = { externalWorkbookId: 'empty', resultLocation: 'S!A1' };
    const report = await platform.ok('POST', reports, body);
    expect(report.externalWorkbookPlacements).toMatchObject([{ syncStatus: 'UNKNOWN' }]);
    expect(report.currentQueryChecksum).toBeNull();
  });
});
