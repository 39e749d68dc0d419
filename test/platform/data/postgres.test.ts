import { afterAll, describe } from 'vitest';
import { usePostgres } from './engines/postgres/postgres-under-test.js';

// Runs the tenant isolation suites on Postgres.

afterAll(await usePostgres());

describe.each([
  ['governance-blow-up', () => import('./governance-blow-up.test.js')],
  ['property', () => import('./property.test.js')],
])('%s', async (_, load) => {
  await load();
});
