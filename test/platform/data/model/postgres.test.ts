import type { DuckDBConnection, Json } from '@duckdb/node-api';
import pg from 'pg';
import { afterAll, describe } from 'vitest';
import { type Parameter, SqlDialect } from '../../../../src/platform/data/engine.js';
import { copyTables } from '../postgres/copy-tables.js';
import { startDataSource } from '../postgres/data-source.js';
import { engineUnderTest } from './engine-under-test.js';

// The suites of the model once more, on Postgres: the same tests over the same rows.

const source = await startDataSource();
const reader = new pg.Client({ connectionString: source.url });
await reader.connect();

afterAll(async () => {
  await reader.end();
  await source.stop();
});

/** The tables of a DuckDB as they were when they were copied. */
interface Copy {
  readonly schema: string;
  isFresh: boolean;
}
const copies = new Map<DuckDBConnection, Copy>();

engineUnderTest.current = {
  dialect: SqlDialect.postgres,
  async rows(database, sql, parameters) {
    const schema = await schemaOf(database);
    await reader.query(`BEGIN READ ONLY; SET LOCAL search_path = ${schema}; SET LOCAL TimeZone = 'UTC'`);
    try {
      return await select(sql, parameters);
    } finally {
      await reader.query('ROLLBACK');
    }
  },
};

/** The schema with the tables of a database; they are copied when they have changed. */
async function schemaOf(database: DuckDBConnection): Promise<string> {
  const copy = copies.get(database) ?? { schema: `copy_${copies.size}`, isFresh: false };
  if (!copies.has(database)) {
    copies.set(database, copy);
    const run = database.run.bind(database);
    database.run = async (...given) => {
      copy.isFresh = false;
      return run(...given);
    };
  }
  if (!copy.isFresh) await copyTables(database, source, copy.schema);
  copy.isFresh = true;
  return copy.schema;
}

const asText = { getTypeParser: () => (text: unknown) => text };

async function select(sql: string, parameters: readonly Parameter[]): Promise<Json[][]> {
  const config = { text: sql, values: [...parameters], rowMode: 'array', types: asText } as const;
  const { rows, fields } = await reader.query<(string | null)[]>(config);
  return rows.map(row => row.map((text, index) => cellOf(text, fields[index]?.dataTypeID)));
}

/** As DuckDB would write it in JSON. What is an average or a quotient has many digits, and is a double there. */
function cellOf(text: string | null, type: number | undefined): Json {
  if (text === null) return null;
  if (type === 16) return text === 't';
  const isQuotient = type === 1700 && /\.\d{12}/.test(text);
  return isQuotient || [21, 23, 700, 701].includes(type ?? 0) ? Number(text) : text;
}

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
