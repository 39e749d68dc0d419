import { join } from 'node:path';
import pg from 'pg';
import { startPostgresServer } from '../../../src/platform/db/embedded-postgres/postgres-server.js';
import { type Figure, median, millis } from '../figures.js';
import type { Host } from './host.js';

const reports = 100_000;
const pageSize = 100;
const samples = 25;

/** Reads a long list page by page. The last page should take no longer than the first. */
export async function* listFigures(host: Host, data: string): AsyncGenerator<Figure, void> {
  await fill(data);
  const cursors: (string | null)[] = [null];
  let last = 0;
  for (let cursor: string | null = null; ; ) {
    const { items, next } = await page(host, cursor);
    last += items;
    if (next === null) break;
    cursor = next;
    cursors.push(cursor);
  }
  if (last < reports) throw new Error(`The list contains ${last} of ${reports} reports.`);
  // Alternate, so that other load on the machine affects both.
  const firstMs: number[] = [];
  const lastMs: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    firstMs.push((await page(host, null)).ms);
    lastMs.push((await page(host, cursors.at(-1) ?? null)).ms);
  }
  const [begin, end] = [median(firstMs), median(lastMs)];
  yield {
    what: `the last of ${cursors.length} pages of ${pageSize} reports (${millis(end)}) / the first (${millis(begin)})`,
    measured: (end / begin).toFixed(2),
    aim: '1.5',
  };
}

async function page(host: Host, cursor: string | null): Promise<{ items: number; next: string | null; ms: number }> {
  const after = cursor === null ? '' : `&after=${encodeURIComponent(cursor)}`;
  const begin = performance.now();
  const answer = await host.call('GET', `/api/v1/deployments/1/reports?first=${pageSize}${after}`);
  const ms = performance.now() - begin;
  const { items, pageInfo } = answer as { items: unknown[]; pageInfo: { hasNextPage: boolean; endCursor?: string } };
  return { items: items.length, next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null, ms };
}

/** Inserts the reports into the platform's database, because the API would take minutes. */
async function fill(data: string): Promise<void> {
  const server = await startPostgresServer({ directory: join(data, 'postgres') });
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    await client.query(
      `insert into reports (deployment_id, name, created_by, created_at, updated_at)
        select 1, 'Report ' || n, (select min(id) from users), now() - n * interval '1 second', now() - n * interval '1 second'
        from generate_series(1, $1::int) n`,
      [reports],
    );
    await client.query('analyze reports');
  } finally {
    await client.end();
    await server.stop();
  }
}
