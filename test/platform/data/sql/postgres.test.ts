import { afterAll, describe } from 'vitest';
import { usePostgres } from '../engines/postgres/postgres-under-test.js';

// Runs the tenant isolation suites of semantic SQL on Postgres.

afterAll(await usePostgres());

describe.each([['property', () => import('./property.test.js')]])('%s', async (_, load) => {
  await load();
});
