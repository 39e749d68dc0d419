import { createServer } from 'node:net';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { startPostgresServer } from '../../../src/platform/db/embedded-postgres/postgres-server.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { toPlatformError } from '../../../src/platform/http/error-response.js';

const failure = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

describe('error responses', () => {
  test('of a PlatformError contain its status and message', () => {
    const known = new PlatformError(409, 'Overtaken.');
    expect(toPlatformError(known)).toBe(known);
  });

  test.each([
    failure('terminating connection due to administrator command', { code: '57P01', severity: 'FATAL' }),
    failure('the database system is starting up', { code: '57P03' }),
    failure('connection failure', { code: '08006' }),
    failure('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' }),
    failure('connect ENOENT /x/.s.PGSQL.5432', { code: 'ENOENT', syscall: 'connect' }),
    failure('write EPIPE', { code: 'EPIPE', syscall: 'write' }),
    failure('Connection terminated unexpectedly'),
    failure('timeout exceeded when trying to connect'),
  ])('of an unavailable database are retryable: $message', gone => {
    for (const error of [gone, new DrizzleQueryError('select 1', ['secret'], gone)]) {
      const { status, message } = toPlatformError(error);
      expect(status).toBe(503);
      expect(message).toBe('The platform is not ready. Try again in a moment.');
    }
  });

  test.each([
    failure('duplicate key', { code: '23505' }),
    failure('open ENOENT', { code: 'ENOENT', syscall: 'open' }),
    failure('Connection of flights and airports', { cause: failure('Connection terminated, it says') }),
    'Connection terminated',
    undefined,
    Object.assign(failure('endless'), { code: 7 }),
  ])('of any other error have no details: %s', error => {
    expect(toPlatformError(error)).toMatchObject({ status: 500, message: 'Internal error.' });
  });

  test('handle circular causes', () => {
    const circle = failure('a');
    Object.assign(circle, { cause: circle });
    expect(toPlatformError(circle).status).toBe(500);
  });
});

describe('errors of the database client library', () => {
  const thrownBy = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  test('are retryable if the connection is refused or closed', async () => {
    const server = createServer(socket => socket.destroy()).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const connect = () => thrownBy(new pg.Client({ host: '127.0.0.1', port, user: 'x' }).connect());
    expect(toPlatformError(await connect()).status).toBe(503);
    await new Promise(resolve => server.close(resolve));
    expect(toPlatformError(await connect()).status).toBe(503);
  });

  test('are retryable if the server stops during or after a statement', async () => {
    const server = await startPostgresServer();
    const pool = new pg.Pool({ ...server.connection, max: 1 });
    pool.on('error', () => {});
    await pool.query('select 1');
    const running = thrownBy(pool.query('select pg_sleep(60)'));
    await server.stop();
    expect(toPlatformError(await running).status).toBe(503);
    expect(toPlatformError(await thrownBy(pool.query('select 1'))).status).toBe(503);
    await pool.end();
    expect(toPlatformError(await thrownBy(pool.query('select 1'))).status).toBe(503);
  });
});
