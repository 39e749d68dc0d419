import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createPlatform } from '../../src/platform/create-platform.js';
import { writeParquet } from '../platform/data/engines/duckdb/parquet.js';
import { startSmtpSink } from '../platform/delivery/smtp-sink.js';
import type { BenchOptions, Figure } from './figures.js';

const recipientCount = 1_000;
const groupCount = 20;
const url = 'https://platform.example';
const adminKey = 'the-admin-key-of-the-bench';

const model = `
cubes:
  - name: flights
    sql_table: flights
    dimensions:
      - { name: origin, sql: origin, type: string }
      - { name: carrier, sql: carrier, type: string }
    measures:
      - { name: count, type: count }
    access_policy:
      - group: "*"
        row_level: { filters: [{ member: origin, operator: equals, values: ["{ securityContext.airport }"] }] }
`;

/** Delivers one run to many recipients, who have the same permissions within a group, by SMTP to a local sink. */
export async function* notificationFigures({ onStop }: BenchOptions): AsyncGenerator<Figure, void> {
  const folder = await mkdtemp(join(tmpdir(), 'pa-bench-mail-'));
  onStop(() => rm(folder, { recursive: true, force: true }));
  const [modelDirectory, sourcesDirectory] = [join(folder, 'model'), join(folder, 'sources')];
  await mkdir(modelDirectory);
  await mkdir(sourcesDirectory);
  await writeFile(join(modelDirectory, 'flights.yml'), model);
  const rows = `SELECT 'A' || (range % ${groupCount}) AS origin, 'C' || (range % 7) AS carrier FROM range(100000)`;
  await writeParquet(join(sourcesDirectory, 'flights.parquet'), rows);
  const sink = await startSmtpSink();
  onStop(() => sink.close());
  const platform = await createPlatform({
    publicUrl: url,
    adminKey,
    dataDirectory: join(folder, 'data'),
    modelDirectory,
    sourcesDirectory,
    mail: { smtpUrl: sink.url, from: 'reports@example.com' },
    metrics: true,
    onFailure: failure => console.error(failure),
  });
  onStop(() => platform.close());

  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, and a wrong path fails the benchmark.
  async function ok(method: string, path: string, body?: unknown): Promise<any> {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await platform.fetch(new Request(`${url}${path}`, init));
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return response.json();
  }

  const list = '/api/v1/deployments/1/notifications';
  const id = await createNotification(ok);
  const begun = performance.now();
  const { runId } = await ok('POST', `${list}/${id}/send?waitSeconds=0`);
  for (let state = 'running'; state === 'running'; await setTimeout(50)) {
    const { items } = await ok('GET', `${list}/${id}/runs`);
    state = items.find((run: { id: number }) => run.id === runId).state;
  }
  const seconds = (performance.now() - begun) / 1000;
  const metrics = await (await platform.ops(new Request('http://localhost/metrics'))).text();
  const [, rendered = '0'] = /pa_notification_deliveries_total\{event="rendered"\} (\d+)/.exec(metrics) ?? [];
  const { length: mails } = sink.received;
  yield {
    what: `renderings for ${recipientCount} recipients in ${groupCount} groups with the same permissions`,
    measured: rendered,
    aim: String(groupCount),
  };
  yield {
    what: 'mails that a local mail server accepts per second, including renderings',
    measured: `${Math.round(mails / seconds)} (${mails} mails in ${seconds.toFixed(1)} s)`,
    aim: '≥ 50',
  };
}

async function createNotification(
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  ok: (method: string, path: string, body?: unknown) => Promise<any>,
): Promise<number> {
  const deployment = '/api/v1/deployments/1';
  const query = { measures: ['flights.count'], dimensions: ['flights.carrier'] };
  const report = await ok('POST', `${deployment}/reports`, {
    name: 'Flights',
    jsonQuery: JSON.stringify(query),
    meta: { kind: 'table' },
  });
  const workbook = await ok('PUT', `${deployment}/workbooks/by-slug/mailed`, {});
  const path = `${deployment}/workbooks/${workbook.id}`;
  const position = { x: 0, y: 0, w: 12, h: 8 };
  const config = {
    title: 'Flights',
    widgets: [{ id: 'tile', type: 'CHART', position, config: { reportId: report.id } }],
  };
  const dashboard = await ok('POST', `${path}/publish`, { config, allowEmbed: true });
  await ok('PUT', `${path}/embed-access`, { allEmbedUsers: true, action: 'read' });
  const list = `${deployment}/notifications`;
  const { id } = await ok('POST', list, { dashboardId: dashboard.id, scheduleType: 'DAILY' });
  const recipients = Array.from({ length: recipientCount }, (_, index) => ({
    type: 'EMBED_USER',
    embedTenantName: 'acme',
    externalId: `user${index}@example.com`,
    securityContext: { airport: `A${index % groupCount}` },
  }));
  await ok('POST', `${list}/${id}/recipients`, { recipients });
  return id;
}
