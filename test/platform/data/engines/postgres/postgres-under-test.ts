import { type DuckDBConnection, DuckDBInstance, type Json } from '@duckdb/node-api';
import pg from 'pg';
import { type Parameter, SqlDialect } from '../../../../../src/platform/data/engines/engine.js';
import { openPostgresEngine } from '../../../../../src/platform/data/engines/postgres/open-postgres-engine.js';
import { type EngineUnderTest, engineUnderTest, type OpenedEngine, type TableSelects } from '../engine-under-test.js';
import { copyTables } from './copy-tables.js';
import { type DataSource, startDataSource } from './data-source.js';

/** Runs all suites that are imported later on Postgres. Returns a function that resets this. */
export async function usePostgres(): Promise<() => Promise<void>> {
  const source = await startDataSource();
  const reader = new pg.Client({ connectionString: source.url });
  await reader.connect();
  engineUnderTest.current = new PostgresUnderTest(source, reader);
  return async () => {
    await reader.end();
    await source.stop();
  };
}

/** The tables of a DuckDB database at the time of the copy. */
interface Copy {
  readonly schema: string;
  isFresh: boolean;
}

const asText = { getTypeParser: () => (text: unknown) => text };

class PostgresUnderTest implements EngineUnderTest {
  readonly dialect = SqlDialect.postgres;
  readonly #source: DataSource;
  readonly #reader: pg.Client;
  readonly #copies = new Map<DuckDBConnection, Copy>();
  #schemas = 0;

  constructor(source: DataSource, reader: pg.Client) {
    this.#source = source;
    this.#reader = reader;
  }

  async open(tables: TableSelects, timeoutMs = 30_000): Promise<OpenedEngine> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    for (const [table, select] of Object.entries(tables)) await connection.run(`CREATE VIEW "${table}" AS ${select}`);
    const schema = this.#nextSchema();
    await copyTables(connection, this.#source, schema);
    connection.closeSync();
    instance.closeSync();
    const engine = await openPostgresEngine({ url: this.#source.url, schema, timeoutMs });
    return { engine, close: () => engine.close() };
  }

  async place(database: DuckDBConnection) {
    return { dataSourceUrl: this.#source.url, dataSchema: await this.#schemaOf(database) };
  }

  async rows(database: DuckDBConnection, sql: string, parameters: readonly Parameter[]): Promise<Json[][]> {
    const schema = await this.#schemaOf(database);
    await this.#reader.query(`BEGIN READ ONLY; SET LOCAL search_path = ${schema}; SET LOCAL TimeZone = 'UTC'`);
    try {
      const config = { text: sql, values: [...parameters], rowMode: 'array', types: asText } as const;
      const { rows, fields } = await this.#reader.query<(string | null)[]>(config);
      return rows.map(row => row.map((text, index) => cellOf(text, fields[index]?.dataTypeID)));
    } finally {
      await this.#reader.query('ROLLBACK');
    }
  }

  /** Returns the schema with the tables of a database. Copies them if they may have changed. */
  async #schemaOf(database: DuckDBConnection): Promise<string> {
    const copy = this.#copies.get(database) ?? this.#watch(database);
    if (!copy.isFresh) await copyTables(database, this.#source, copy.schema);
    copy.isFresh = true;
    return copy.schema;
  }

  #watch(database: DuckDBConnection): Copy {
    const copy = { schema: this.#nextSchema(), isFresh: false };
    this.#copies.set(database, copy);
    const run = database.run.bind(database);
    database.run = async (...given) => {
      copy.isFresh = false;
      return run(...given);
    };
    return copy;
  }

  #nextSchema(): string {
    this.#schemas += 1;
    return `schema_${this.#schemas}`;
  }
}

/** Formats a cell like DuckDB's JSON. Averages and quotients have many digits, and are doubles in DuckDB. */
function cellOf(text: string | null, type: number | undefined): Json {
  if (text === null) return null;
  if (type === 16) return text === 't';
  const isQuotient = type === 1700 && /\.\d{12}/.test(text);
  return isQuotient || [21, 23, 700, 701].includes(type ?? 0) ? Number(text) : text;
}
