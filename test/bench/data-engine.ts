import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api';
import type { Parameter } from '../../src/platform/data/engines/engine.js';
import type { SemanticModel, Statement } from '../../src/platform/data/semantic-model.js';

type CompileModel = typeof import('../../src/platform/data/compile-model.js').compileModel;

/** Compiles a model with the code of the build, so that the measured code is the shipped code. */
export async function compileModel(options: Parameters<CompileModel>[0]): Promise<SemanticModel> {
  const path = new URL('../../dist/platform/data/compile-model.js', import.meta.url).href;
  const built: { compileModel: CompileModel } = await import(path);
  return built.compileModel(options);
}

/** One run of a statement. */
export interface EngineRun {
  readonly ms: number;
  readonly rows: number;
}

/**
 * The engine without the platform: DuckDB in the benchmark's process, on the platform's imported files, with the same
 * number of threads. The measured time includes preparing, binding and running the statement, and reading every column
 * of every chunk as JavaScript values, on one persistent connection.
 */
export class BareEngine {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  /** @param folder - the platform's imports, one file per table. */
  static async open(folder: string): Promise<BareEngine> {
    const instance = await DuckDBInstance.create(':memory:', { threads: String(availableParallelism()) });
    const connection = await instance.connect();
    for (const file of (await readdir(folder)).filter(name => name.endsWith('.duckdb'))) {
      const table = file.split('.', 1)[0] ?? '';
      await connection.run(`ATTACH '${join(folder, file).replaceAll("'", "''")}' AS "source_${table}" (READ_ONLY)`);
      await connection.run(`CREATE VIEW "${table}" AS SELECT * FROM "source_${table}"."${table}"`);
    }
    await connection.run(`SET TimeZone = 'UTC'`);
    return new BareEngine(instance, connection);
  }

  async run(statement: Statement): Promise<EngineRun> {
    const begin = performance.now();
    const prepared = await this.#prepare(statement);
    const chunks = await (await prepared.run()).fetchAllChunks();
    const columns = chunks.map(chunk => chunk.getColumns());
    const ms = performance.now() - begin;
    prepared.destroySync();
    return { ms, rows: columns.reduce((sum, [first]) => sum + (first?.length ?? 0), 0) };
  }

  /** Like `run`, but reads chunk by chunk without storing the result, so that it can have any size. */
  async read(statement: Statement): Promise<EngineRun> {
    const begin = performance.now();
    const prepared = await this.#prepare(statement);
    const result = await prepared.stream();
    let rows = 0;
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      rows += chunk.getColumns()[0]?.length ?? 0;
    }
    const ms = performance.now() - begin;
    prepared.destroySync();
    return { ms, rows };
  }

  async #prepare({ sql, parameters }: Statement): Promise<DuckDBPreparedStatement> {
    const prepared = await this.#connection.prepare(sql);
    parameters.forEach((value, index) => {
      bind(prepared, index + 1, value);
    });
    return prepared;
  }

  /** Returns the first column of the result of a statement. */
  async texts(sql: string): Promise<string[]> {
    const rows = await (await this.#connection.run(sql)).getRows();
    return rows.map(([first]) => String(first));
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

function bind(statement: DuckDBPreparedStatement, index: number, value: Parameter): void {
  if (value === null) statement.bindNull(index);
  else if (typeof value === 'string') statement.bindVarchar(index, value);
  else if (typeof value === 'boolean') statement.bindBoolean(index, value);
  else if (Number.isSafeInteger(value)) statement.bindBigInt(index, BigInt(value));
  else statement.bindDouble(index, value);
}
