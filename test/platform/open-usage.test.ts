import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { QueryCaller, QueryEvent } from '../../src/platform/data/answers/query-event.js';
import { queryLog } from '../../src/platform/db/schema.js';
import { openUsage } from '../../src/platform/open-usage.js';
import { CleanupStack } from '../../src/platform/runtime/cleanup-stack.js';
import { QueryLogWriter } from '../../src/platform/usage/query-log.js';
import { openTestDatabase } from './db/test-database.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.stop());

/** Starts a server that forwards connections to the database without the options of the connection. */
async function startPooler() {
  const { host = '', port = 5432 } = database.connection;
  const server = createServer(client => {
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    client.once('data', first => {
      upstream.write(withoutOptions(first));
      client.pipe(upstream).pipe(client);
    });
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    stop: () => new Promise(resolve => server.close(resolve)),
  };
}

/** Removes `options` from a startup message: its length, the version of the protocol, and pairs of strings. */
function withoutOptions(message: Buffer): Buffer {
  const strings = message.subarray(8, -1).toString().split('\0').slice(0, -1);
  const at = strings.indexOf('options');
  if (at % 2 !== 0) throw new Error('The startup message has no options.');
  const rest = Buffer.from(`${strings.toSpliced(at, 2).join('\0')}\0\0`);
  const head = Buffer.from(message.subarray(0, 8));
  head.writeInt32BE(rest.byteLength + 8);
  return Buffer.concat([head, rest]);
}

test('Usage analytics is not opened through a pooler that ignores the role of a connection', async () => {
  const { user = '', database: name = '' } = database.connection;
  const pooler = await startPooler();
  const connection = { connectionString: `postgres://${user}@127.0.0.1:${pooler.port}/${name}` };
  const opened = openUsage({ db: database.db, connection }, vi.fn(), new CleanupStack());
  await expect(opened).rejects.toThrow('Usage analytics requires a database that accepts the connection option "role"');
  await pooler.stop();
});

test('A caller with many requests does not prevent the requests of others from being recorded', async () => {
  const report = vi.fn();
  const log = new QueryLogWriter(database.db, report);
  const event: QueryEvent = {
    event: 'query',
    time: '2026-01-01T00:00:00.000Z',
    requestId: 'r',
    operation: 'load',
    status: 200,
    outcome: 'ok',
    cache: 'hit',
    rows: 1,
    queueMs: 0,
    compileMs: 0,
    engineMs: 0,
    serializeMs: 0,
    totalMs: 1,
  };
  const [busy, quiet]: QueryCaller[] = [
    { userId: null, embedTenantId: null },
    { userId: 1, embedTenantId: null },
  ];
  if (!busy || !quiet) throw new Error('The log lacks a caller.');
  for (let count = 0; count < 12_000; count += 1) log.record(event, busy);
  log.record({ ...event, requestId: 'quiet' }, quiet);
  await log.close();
  expect(await database.db.$count(queryLog)).toBe(2_501);
  expect(report).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: expect.stringContaining('9500') }));
});
