import { afterAll, describe } from 'vitest';
import { usePostgres } from '../platform/data/engines/postgres/postgres-under-test.js';

// The queries of the suite on a Postgres server, with every thirtieth flight.

const stop = await usePostgres();

describe('queries', async () => {
  await import('./queries.test.js');
});

// Stop the server after the platform, which reads from it.
afterAll(stop);
