import { afterAll, describe } from 'vitest';
import { usePostgres } from '../platform/data/engines/postgres/postgres-under-test.js';

// The queries of the suite once more, with their rows on a Postgres server: of the flights, every thirtieth.

const stop = await usePostgres();

describe('queries', async () => {
  await import('./queries.test.js');
});

// After the platform, which is still reading from it.
afterAll(stop);
