import { afterAll, describe } from 'vitest';
import { testDepth } from '../../../property.js';
import { usePostgres } from '../postgres/postgres-under-test.js';

// The model's suites again, on Postgres, over the same rows.

afterAll(await usePostgres());

/** Governance and rows: part of every run. */
const everyRun = [
  ['query-rows', () => import('./query-rows.test.js')],
  ['governed-query', () => import('./governed-query.test.js')],
  ['predicate', () => import('./predicate.test.js')],
  ['policy', () => import('./policy.test.js')],
  ['access', () => import('./access.test.js')],
  ['governance-policies', () => import('../governance-policies.test.js')],
] as const;

const deepOnly = [
  ['rolling-window', () => import('./rolling-window.test.js')],
  ['sub-query', () => import('./sub-query.test.js')],
  ['plan-query', () => import('./plan-query.test.js')],
  ['extend-cubes', () => import('./extend-cubes.test.js')],
  ['reach', () => import('./reach.test.js')],
  ['check-sql', () => import('./check-sql.test.js')],
  ['model-source', () => import('./model-source.test.js')],
] as const;

describe.each([...everyRun, ...(testDepth() === 'deep' ? deepOnly : [])])('%s', async (_, load) => {
  await load();
});
