import { afterAll, describe } from 'vitest';
import { usePostgres } from '../engines/postgres/postgres-under-test.js';

// What tenants may see of each other by SQL, once more on Postgres.

afterAll(await usePostgres());

describe.each([['property', () => import('./property.test.js')]])('%s', async (_, load) => {
  await load();
});
