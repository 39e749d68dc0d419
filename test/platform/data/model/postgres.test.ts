import { afterAll, describe } from 'vitest';
import { testDepth } from '../../../property.js';
import { usePostgres } from '../engines/postgres/postgres-under-test.js';

// Runs the suites of the model on Postgres with the same rows.

afterAll(await usePostgres());

/** Tests of every run: governance and rows. */
const everyRun = [
  ['query-rows', () => import('../planner/query-rows.test.js')],
  ['governed-query', () => import('../compiler/governed-query.test.js')],
  ['predicate', () => import('../compiler/sql-filter.test.js')],
  ['policy', () => import('./policy.test.js')],
  ['access', () => import('./access-control.test.js')],
  ['governance-policies', () => import('../governance-policies.test.js')],
] as const;

const deepOnly = [
  ['rolling-window', () => import('../compiler/rolling-query.test.js')],
  ['sub-query', () => import('../compiler/sub-query.test.js')],
  ['plan-query', () => import('../planner/plan-query.test.js')],
  ['extend-cubes', () => import('./model-sources.test.js')],
  ['reach', () => import('../planner/reach.test.js')],
  ['check-sql', () => import('./references.test.js')],
  ['model-source', () => import('./model-schema.test.js')],
] as const;

describe.each([...everyRun, ...(testDepth() === 'deep' ? deepOnly : [])])('%s', async (_, load) => {
  await load();
});
