import { afterAll, describe } from 'vitest';
import { usePostgres } from '../postgres/postgres-under-test.js';

// The suites of the model once more, on Postgres: the same tests over the same rows.

afterAll(await usePostgres());

describe.each([
  ['query-rows', () => import('./query-rows.test.js')],
  ['governed-query', () => import('./governed-query.test.js')],
  ['rolling-window', () => import('./rolling-window.test.js')],
  ['sub-query', () => import('./sub-query.test.js')],
  ['predicate', () => import('./predicate.test.js')],
  ['policy', () => import('./policy.test.js')],
  ['access', () => import('./access.test.js')],
  ['plan-query', () => import('./plan-query.test.js')],
  ['extend-cubes', () => import('./extend-cubes.test.js')],
  ['reach', () => import('./reach.test.js')],
  ['check-sql', () => import('./check-sql.test.js')],
  ['model-source', () => import('./model-source.test.js')],
  ['governance-policies', () => import('../governance-policies.test.js')],
])('%s', async (_, load) => {
  await load();
});
