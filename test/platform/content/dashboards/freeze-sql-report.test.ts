import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freezeReport } from '../../../../src/platform/content/dashboards/freeze-report.js';
import type { StoredReport } from '../../../../src/platform/content/reports/report-store.js';
import { compileModel } from '../../../../src/platform/data/compile-model.js';
import { openDuckDbEngine } from '../../../../src/platform/data/engines/duckdb/open-duckdb-engine.js';
import type { Engine } from '../../../../src/platform/data/engines/engine.js';
import type { SemanticModel } from '../../../../src/platform/data/semantic-model.js';

// Publishes SQL with a real model. The SQL is equivalent to a load query, runs only as SQL, or cannot run.

const model = `
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: status, sql: status, type: string}
      - {name: placed, sql: placed, type: time}
      - {name: margin, sql: margin, type: number, public: false}
    measures:
      - {name: count, type: count}
      - {name: total, sql: total, type: sum}
    access_policy:
      - group: sales
        row_level: {allow_all: true}
`;

let directory: string;
let engine: Engine;
let orders: SemanticModel;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pa-freeze-'));
  await writeFile(join(directory, 'orders.yml'), model);
  await writeFile(join(directory, 'orders.csv'), 'id,status,placed,margin,total\n1,new,2001-01-02 03:04:05,1,10\n');
  engine = await openDuckDbEngine({ sources: directory, onProblem: () => {} });
  orders = await compileModel({ directory, tables: engine.tables });
});
afterAll(async () => {
  await engine.close();
  await rm(directory, { recursive: true });
});

const report: StoredReport = {
  id: 7,
  deploymentId: 1,
  workbookId: null,
  folderId: null,
  embedTenantId: null,
  description: null,
  refreshedAt: null,
  refreshedBy: null,
  publicId: 'OrdersInSql1',
  name: 'Orders',
  title: null,
  jsonQuery: null,
  sqlQuery: null,
  meta: null,
  pivotItems: null,
  source: null,
  externalWorkbookId: null,
  resultLocation: null,
  endResultCell: null,
  version: 1,
  createdBy: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
};
const frozen = async (sqlQuery: string) => {
  const convertSql = (text: string) => orders.convertSql(text, null, engine);
  const { meta } = await freezeReport(
    { ...report, sqlQuery },
    {
      compileChart: async spec => spec,
      convertSql,
      publicModel: () => orders.meta(null),
    },
  );
  return meta;
};

describe('a report in SQL, published by a real model', () => {
  test.each([
    [
      "SELECT DATE_TRUNC('month', placed) AS m, MEASURE(total) AS sales FROM orders GROUP BY 1 ORDER BY 1",
      {
        measures: ['orders.total'],
        timeDimensions: [{ dimension: 'orders.placed', granularity: 'month' }],
        order: [['orders.placed.month', 'asc']],
      },
      { m: 'orders.placed.month', sales: 'orders.total' },
      ['m', 'sales'],
    ],
    [
      "SELECT status, SUM(total) FROM orders WHERE status = 'new' GROUP BY status LIMIT 5",
      {
        dimensions: ['orders.status'],
        measures: ['orders.total'],
        filters: [{ member: 'orders.status', operator: 'equals', values: ['new'] }],
        limit: 5,
      },
      { status: 'orders.status', sum: 'orders.total' },
      undefined,
    ],
  ])('gets the equivalent load query: %s', async (sqlQuery, jsonQuery, columns, aliases) => {
    const meta = await frozen(sqlQuery);
    expect(meta).toMatchObject({ jsonQuery, columns });
    expect(meta?.aliases).toEqual(aliases);
  });

  test('matches the result or reason of /v1/convert-query', async () => {
    const ordered = 'SELECT status, MEASURE(total) FROM orders GROUP BY 1 ORDER BY 2 DESC';
    const caller = { platform: { groups: ['sales'], userAttributes: {} } };
    expect((await frozen(ordered))?.jsonQuery).toEqual((await orders.convertSql(ordered, caller, engine)).query);
    const cut = await frozen(`${ordered} LIMIT 3`);
    expect(cut).not.toHaveProperty('jsonQuery');
    await expect(orders.convertSql(`${ordered} LIMIT 3`, caller, engine)).rejects.toThrow(String(cut?.noLoadQuery));
  });

  test.each([
    ['a window', 'SELECT status, rank() OVER (ORDER BY MEASURE(total)) FROM orders GROUP BY 1'],
    ['arithmetic on a result', 'SELECT MEASURE(total) / 2 AS half FROM orders'],
    ['a subquery', 'SELECT n FROM (SELECT MEASURE(count) AS n FROM orders) AS x'],
    ['two statements in one', 'SELECT 1 AS n UNION SELECT 2'],
  ])('has only its SQL if no load query is equivalent: %s', async (_what, sqlQuery) => {
    expect(await frozen(sqlQuery)).toEqual({ publicId: 'OrdersInSql1', noLoadQuery: expect.stringMatching(/\.$/) });
  });

  test.each([
    ['a typo', 'SELECT status\nFORM orders', 'line 2, column '],
    ['an unknown column', 'SELECT statis FROM orders', 'line 1, column 8'],
    ['a hidden column', 'SELECT margin FROM orders', 'line 1, column 8'],
    ['an unknown view', 'SELECT 1 FROM order_items', 'line 1, column 15'],
    ['a function that is not there', 'SELECT read_text(status) FROM orders', 'line 1, column 8'],
    [
      'an unknown column within more than a load query',
      'SELECT MAX(n) FROM (SELECT nope AS n FROM orders) x',
      'line 1, column 28',
    ],
    ['more than one statement', 'SELECT status FROM orders; DROP TABLE orders', 'line 1, column '],
  ])('is rejected with the position: %s', async (_what, sqlQuery, place) => {
    await expect(frozen(sqlQuery)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^The SQL of report 7 \(Orders\) cannot be run: /),
    });
    await expect(frozen(sqlQuery)).rejects.toThrow(place);
  });
});
