import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { QueryCaller, QueryEvent } from './data/answers/query-event.js';
import { type DataApi, openDataApi } from './data/open-data.js';
import type { Database } from './db/database.js';
import { describeFailure } from './errors.js';
import type { CleanupStack } from './runtime/cleanup-stack.js';
import { prepareUsage, urlWithRole, usageSchema } from './usage/prepare-usage.js';
import { QueryLogWriter } from './usage/query-log.js';

const modelDirectory = fileURLToPath(new URL('./usage/model', import.meta.url));

/** The record of the platform's own usage, and the Data API over it. */
export interface Usage {
  /** Adds a request to the record. Requests to `routes` are not recorded. */
  record(event: QueryEvent, caller: QueryCaller): void;
  readonly routes: DataApi['routes'];
}

/**
 * Starts to record requests, and opens the model over the records. Its queries run with a role that can read only
 * the views of usage analytics.
 * @throws Error with a message for the operator.
 */
export async function openUsage(
  { db, connection }: Pick<Database, 'db'> & { readonly connection: pg.PoolConfig },
  report: (failure: string) => void,
  cleanUp: CleanupStack,
): Promise<Usage> {
  const role = await prepareUsage(db);
  const url = urlWithRole(connection, role);
  await requireRole(url, role);
  const data = await openDataApi({
    modelDirectory,
    place: { kind: 'postgres', url, schema: usageSchema },
    // Disable the cache, because the data version of a Postgres server does not change when its rows change.
    limits: { cacheBytes: 0 },
    onNotice: report,
    onProblem: report,
    onReloadFailure: () => undefined,
  });
  cleanUp.add(() => data.close());
  const log = new QueryLogWriter(db, error => report(describeFailure(error)));
  cleanUp.add(() => log.close());
  return { record: (event, caller) => log.record(event, caller), routes: hooks => data.routes(hooks) };
}

/**
 * Checks that sessions have the role. A connection pooler may ignore options of a connection, and the queries would run
 * with the rights of the platform.
 */
async function requireRole(url: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select current_user as name');
    if (rows[0]?.name === role) return;
  } finally {
    await client.end();
  }
  throw new Error(
    'Usage analytics requires a database that accepts the connection option "role". ' +
      'Connect without a connection pooler that ignores options, or turn off usage analytics.',
  );
}
