import type { CubeApi, Query, ResultSet } from '@cubejs-client/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDialect } from '../platform/data/engines/engine-under-test.js';
import { testDepth } from '../property.js';
import { blends } from './cases/blends.js';
import type { Case } from './cases/case.js';
import { comparisons } from './cases/comparisons.js';
import { dimensions } from './cases/dimensions.js';
import { extremes } from './cases/extremes.js';
import { filters } from './cases/filters.js';
import { formats } from './cases/formats.js';
import { granularities } from './cases/granularities.js';
import { joins } from './cases/joins.js';
import { labels } from './cases/labels.js';
import { logic } from './cases/logic.js';
import { measures } from './cases/measures.js';
import { order } from './cases/order.js';
import { ranges } from './cases/ranges.js';
import { rolling } from './cases/rolling.js';
import { segments } from './cases/segments.js';
import { subqueries } from './cases/subqueries.js';
import { ungrouped } from './cases/ungrouped.js';
import { views } from './cases/views.js';
import { zones } from './cases/zones.js';
import { expectRows, matches, type Row } from './compare.js';
import { type Conformance, startConformance } from './platform.js';
import type { Expected } from './reference.js';

let suite: Conformance;

beforeAll(async () => {
  suite = await startConformance();
});

afterAll(() => suite?.stop());

const themes = {
  measures,
  dimensions,
  segments,
  granularities,
  zones,
  ranges,
  comparisons,
  filters,
  logic,
  order,
  ungrouped,
  formats,
  blends,
  joins,
  views,
  subqueries,
  rolling,
  extremes,
  labels,
} satisfies Record<string, readonly Case[]>;

/** Returns all cases, or in a quick run on Postgres every tenth case, at least one per theme. */
function casesOf(theme: readonly Case[]): readonly Case[] {
  return theme.filter((_, index) => index % inDialect({ duckdb: 1, postgres: testDepth() === 'deep' ? 1 : 10 }) === 0);
}

describe.concurrent.each(Object.entries(themes))('%s', (_, theme) => {
  test.each(casesOf(theme))('$name', async ({ query, sql, total, format, caller }) => {
    const statements = typeof sql === 'string' ? [sql] : sql;
    const before = await expectedOf(statements);
    const result = await load(suite.client(caller), query, format);
    const parts = result.decompose().map(rowsOf);
    expect(parts).toHaveLength(statements.length);
    // The date may have changed since the statements ran, which moves relative ranges. Run the statements again if the
    // rows differ.
    const changed = !parts.every((rows, index) => matches(rows, before[index]));
    const expected = changed ? await expectedOf(statements) : before;
    for (const [index, rows] of parts.entries()) expectRows(rows, expected[index]);
    if (total !== undefined) expect(result.totalRows()).toBe(await numberOf(total));
  });
});

const expectedOf = (statements: readonly string[]): Promise<readonly Expected[]> =>
  Promise.all(statements.map(statement => suite.reference.run(asCounted(statement))));

/** Replaces approximate counts, which Postgres does not support, with exact ones. */
const asCounted = (statement: string): string =>
  inDialect({
    duckdb: statement,
    postgres: statement.replaceAll('approx_count_distinct(', 'count(DISTINCT '),
  });

// The client's types are narrower than the protocol.
const load = (client: CubeApi, query: Case['query'], format: Case['format']): Promise<ResultSet> =>
  client.load(query as Query, undefined, undefined, format);

const rowsOf = (part: ResultSet): readonly Row[] => part.rawData();

async function numberOf(sql: string): Promise<number> {
  const { rows } = await suite.reference.run(sql);
  return Number(rows[0]?.[0]);
}
