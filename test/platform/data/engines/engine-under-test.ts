import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection, Json } from '@duckdb/node-api';
import { openDuckDbEngine } from '../../../../src/platform/data/engines/duckdb/open-duckdb-engine.js';
import { type Engine, type Parameter, SqlDialect } from '../../../../src/platform/data/engines/engine.js';
import { writeParquet } from './duckdb/parquet.js';

/** SELECTs in DuckDB SQL, by the name of the table that they create. */
export type TableSelects = Readonly<Record<string, string>>;

/** An engine opened by a test. */
export interface OpenedEngine {
  readonly engine: Engine;
  /** Closes it and removes its files. */
  close(): Promise<void>;
}

/** The engine that the suites of a test file run on. */
export interface EngineUnderTest {
  readonly dialect: SqlDialect;
  /** Opens an engine with little memory on these tables. */
  open(tables: TableSelects, timeoutMs?: number): Promise<OpenedEngine>;
  /** Location of the tables of a database for a platform, if not in their files. */
  place(database: DuckDBConnection): Promise<{ dataSourceUrl: string; dataSchema: string } | null>;
  /** Returns the rows of a statement on the tables of a database, formatted like DuckDB's JSON. */
  rows(database: DuckDBConnection, sql: string, parameters: readonly Parameter[]): Promise<Json[][]>;
}

/** DuckDB, unless a test file sets another engine before it imports the suites. */
export const engineUnderTest: { current: EngineUnderTest } = {
  current: {
    dialect: SqlDialect.duckdb,
    async open(tables, timeoutMs = 30_000) {
      const sources = await mkdtemp(join(tmpdir(), 'pa-engine-'));
      for (const [table, select] of Object.entries(tables))
        await writeParquet(join(sources, `${table}.parquet`), select);
      const engine = await openDuckDbEngine({
        sources,
        threads: 1,
        memoryLimit: '300MB',
        spillLimit: '200MB',
        timeoutMs,
      });
      const close = async () => {
        await engine.close();
        await rm(sources, { recursive: true, force: true });
      };
      return { engine, close };
    },
    place: async () => null,
    rows: async (database, sql, parameters) => (await database.runAndReadAll(sql, [...parameters])).getRowsJson(),
  },
};

/** Selects a value by the dialect of the engine under test. */
export function inDialect<T>(choices: Readonly<Record<SqlDialect, T>>): T {
  return choices[engineUnderTest.current.dialect];
}
