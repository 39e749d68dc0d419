import type { DuckDBConnection, Json } from '@duckdb/node-api';
import { type Parameter, SqlDialect } from '../../../../src/platform/data/engine.js';

/** What runs the statements that a test has compiled. */
export interface EngineUnderTest {
  readonly dialect: SqlDialect;
  /** Rows of a statement over the tables of a database, as DuckDB writes them in JSON. */
  rows(database: DuckDBConnection, sql: string, parameters: readonly Parameter[]): Promise<Json[][]>;
}

/** DuckDB, unless a test file puts another one here before it imports the suites. */
export const engineUnderTest: { current: EngineUnderTest } = {
  current: {
    dialect: SqlDialect.duckdb,
    rows: async (database, sql, parameters) => (await database.runAndReadAll(sql, [...parameters])).getRowsJson(),
  },
};

/** SQL of a model where engines have no name in common for it. */
export function inDialect(texts: Readonly<Record<SqlDialect, string>>): string {
  return texts[engineUnderTest.current.dialect];
}
