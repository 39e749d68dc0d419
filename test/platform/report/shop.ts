import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { createSessionSource, type SessionSource } from '../../../src/client/session/session-source.js';
import type { ReportSnapshot } from '../../../src/contract/dashboards.js';
import type { Query } from '../../../src/contract/query.js';
import { reportSourceOf } from '../../../src/controllers/report/report-source.js';
import { loadReportData } from '../../../src/report/query/load-report-data.js';
import type { ReportData } from '../../../src/report/query/report-data.js';
import { type ReportRequest, snapshotRequest } from '../../../src/report/query/report-request.js';
import { startTestingPlatform } from '../../../src/testing/testing-platform.js';
import { writeParquet } from '../data/engines/duckdb/parquet.js';

/**
 * Orders of two years with gaps: missing states and cities, and two months of the first year without orders in Texas.
 */
const orders = `
  SELECT id,
    CASE id % 5 WHEN 0 THEN NULL WHEN 1 THEN 'CA' WHEN 2 THEN 'TX' WHEN 3 THEN 'it''s "N,Y"' ELSE 'WA' END AS state,
    CASE WHEN id % 7 = 0 THEN NULL ELSE 'city ' || (id % 11) END AS city,
    id % 3 = 0 AS paid,
    CASE WHEN id % 13 = 0 THEN NULL ELSE CAST((id * 7919 % 100000) AS DECIMAL(18, 2)) / 100 + 0.01 END AS amount,
    id % 40 AS customer,
    TIMESTAMP '2023-01-01 00:30:00' + INTERVAL (id * 17) HOUR AS placed_at
  FROM (SELECT range AS id FROM range(1000))
  WHERE NOT (id % 5 = 2 AND date_trunc('month', TIMESTAMP '2023-01-01 00:30:00' + INTERVAL (id * 17) HOUR) IN ('2023-03-01', '2023-07-01'))`;

const model = `
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: state, sql: state, type: string }
      - { name: city, sql: city, type: string }
      - { name: paid, sql: paid, type: boolean }
      - { name: placed_at, sql: placed_at, type: time }
    measures:
      - { name: count, type: count, drill_members: [id, city] }
      - { name: paid_count, type: count, filters: [{ sql: "{CUBE}.paid" }], drill_members: [id] }
      - { name: amount, sql: amount, type: sum }
      - { name: least, sql: amount, type: min }
      - { name: most, sql: amount, type: max }
      - { name: average, sql: amount, type: avg }
      - { name: customers, sql: customer, type: count_distinct }
      - { name: share, sql: "{paid_count} * 1.0 / NULLIF({count}, 0)", type: number }
    access_policy:
      - group: "*"
        row_level: { allow_all: true }
`;

/** The platform of a shop with a session, and its rows in a database for comparison. */
export interface Shop {
  readonly session: SessionSource;
  readonly database: DuckDBConnection;
  /** Queries that were sent to the Data API. */
  readonly sent: unknown[];
  close(): Promise<void>;
}

/** Opens the shop. Call it once per test file. */
export async function openShop(): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), 'pa-shop-'));
  const [modelDirectory, sourcesDirectory] = [join(folder, 'model'), join(folder, 'sources')];
  await Promise.all([mkdir(modelDirectory), mkdir(sourcesDirectory)]);
  await writeFile(join(modelDirectory, 'orders.yml'), model);
  await writeParquet(join(sourcesDirectory, 'orders.parquet'), orders);
  const database = await (await DuckDBInstance.create()).connect();
  await database.run(`CREATE TABLE orders AS ${orders}`);
  const platform = await startTestingPlatform({ modelDirectory, sourcesDirectory });
  const sent: unknown[] = [];
  const session = createSessionSource({
    baseUrl: platform.baseUrl,
    session: async () => (await platform.createSession({ externalId: 'someone' })).sessionId,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (/\/v1\/load(-batch)?$/.test(request.url)) {
        const body: { query?: unknown; requests?: { query: unknown }[] } = JSON.parse(await request.clone().text());
        sent.push(...(body.requests ?? [body]).map(({ query }) => query));
      }
      return platform.fetch(request);
    },
  });
  return {
    session,
    database,
    sent,
    close: async () => {
      session.dispose();
      database.closeSync();
      await platform.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a report with a query. */
export function snapshotOf(jsonQuery: Query, others: Partial<ReportSnapshot> = {}): ReportSnapshot {
  return { id: 1, reportId: 1, versionNumber: 1, kind: 'table', ...others, meta: { ...others.meta, jsonQuery } };
}

/** Returns the load request of a report. @throws Error if the report has no query */
export function requestOf(snapshot: ReportSnapshot): Extract<ReportRequest, { kind: 'load' }> {
  const request = snapshotRequest(snapshot);
  if (request?.kind !== 'load') throw new Error('the report has no query');
  return request;
}

/** Loads a report in the same way as a tile. */
export function loadReport({ session }: Shop, snapshot: ReportSnapshot): Promise<ReportData> {
  const request = requestOf(snapshot);
  const { signal } = new AbortController();
  return loadReportData(reportSourceOf(session, signal), request, session.load(request.query, { signal }));
}
