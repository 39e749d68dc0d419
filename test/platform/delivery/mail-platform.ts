import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { createPlatform } from '../../../src/platform/create-platform.js';
import { openDatabase } from '../../../src/platform/db/database.js';
import { jobs, notifications } from '../../../src/platform/db/schema.js';
import { scheduleKind } from '../../../src/platform/delivery/start-runs.js';
import type { PlatformOptions } from '../../../src/platform/platform-options.js';
import { writeParquet } from '../data/engines/duckdb/parquet.js';
import { takePlatformDatabase } from '../db/test-database.js';
import type { Answer } from '../test-platform.js';

const adminKey = 'the-admin-key-of-mails';

/** Rows of each airport, and of each group of an airport. */
const model = `
cubes:
  - name: flights
    title: Flights
    sql_table: flights
    dimensions:
      - { name: origin, title: Airport, sql: origin, type: string }
      - { name: carrier, title: Carrier, sql: carrier, type: string }
    measures:
      - { name: count, title: Number of flights, type: count }
    access_policy:
      - group: "*"
        row_level: { filters: [{ member: origin, operator: equals, values: ["{ securityContext.airport }"] }] }
      - group: everything
        row_level: { allow_all: true }
      - group: "*"
        row_level: { filters: [{ member: carrier, operator: equals, values: ["{ userAttributes.carrier }"] }] }
`;

/** Starts a platform with flights of the airports ATL and ORD, and a published dashboard that all tenants may read. */
export async function startMailPlatform(options: Partial<PlatformOptions>) {
  const folder = await mkdtemp(join(tmpdir(), 'pa-mail-'));
  const modelDirectory = join(folder, 'model');
  const sourcesDirectory = join(folder, 'sources');
  await mkdir(modelDirectory);
  await mkdir(sourcesDirectory);
  await writeFile(join(modelDirectory, 'flights.yml'), model);
  await writeParquet(
    join(sourcesDirectory, 'flights.parquet'),
    `SELECT * FROM (VALUES ('ATL', '=2+5'), ('ATL', 'Delta'), ('ATL', 'Delta'), ('ORD', 'United'), ('ORD', '<b>Ünited</b>')) AS t(origin, carrier)`,
  );
  const database = await takePlatformDatabase();
  const failures: string[] = [];
  const platform = await createPlatform({
    publicUrl: 'https://platform.example',
    adminKey,
    ...database.options,
    dataDirectory: join(folder, 'data'),
    modelDirectory,
    sourcesDirectory,
    groups: ['everything'],
    limits: { continueWaitMs: 120_000 },
    metrics: true,
    onFailure: failure => failures.push(failure),
    ...options,
  });
  const { db, close } = await openDatabase(database.connection);

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const request = new Request(`https://platform.example${path}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const response = await platform.fetch(request);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  }

  async function ok(method: string, path: string, body?: unknown) {
    const answer = await call(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }

  /** Publishes a dashboard with the number of flights by airport and carrier. */
  async function publish(
    slug: string,
    { title = slug, shared = true, sqlQuery = '', threadId = '' } = {},
  ): Promise<{ id: number; publicId: string }> {
    const query = { measures: ['flights.count'], dimensions: ['flights.origin', 'flights.carrier'] };
    const report = await ok('POST', '/api/v1/deployments/1/reports', {
      name: 'Flights by carrier',
      ...(sqlQuery === '' ? { jsonQuery: JSON.stringify(query) } : { sqlQuery }),
      meta: { kind: 'table' },
    });
    const workbook = await ok('PUT', `/api/v1/deployments/1/workbooks/by-slug/${slug}`, { name: slug });
    const path = `/api/v1/deployments/1/workbooks/${workbook.id}`;
    const position = { x: 0, y: 0, w: 12, h: 6 };
    const widgets: object[] = [{ id: 'tile', type: 'CHART', position, config: { reportId: report.id } }];
    if (threadId !== '')
      for (const id of ['ai', 'empty']) widgets.push({ id, type: 'AI', position, config: { prompt: id } });
    const dashboard = await ok('POST', `${path}/publish`, { config: { title, widgets }, allowEmbed: true });
    if (shared) await ok('PUT', `${path}/embed-access`, { allEmbedUsers: true, action: 'read' });
    if (threadId !== '') await ok('POST', `${path}/dashboard/ai-widget-thread`, { widgetId: 'ai', threadId });
    return dashboard;
  }

  return {
    db,
    platform,
    failures,
    folder,
    call,
    ok,
    publish,
    /** Starts the run of a notification for this time, as if its schedule had reached it. */
    async fire(id: number, at: Date): Promise<void> {
      await db.update(notifications).set({ nextRunAt: at }).where(eq(notifications.id, id));
      await db.update(jobs).set({ runAt: new Date() }).where(eq(jobs.kind, scheduleKind));
      await db.execute(`select pg_notify('pa_jobs', '')`);
    },
    async stop(): Promise<void> {
      await platform.close();
      await close();
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
