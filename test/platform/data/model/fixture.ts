import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type Json } from '@duckdb/node-api';
import type { Query } from '../../../../src/contract/query.js';
import type { SecurityContext } from '../../../../src/platform/auth/principal.js';
import { compileModel } from '../../../../src/platform/data/compile-model.js';
import { disabledOptimizers } from '../../../../src/platform/data/engines/duckdb/open-instance.js';
import { ModelError, type ModelProblem } from '../../../../src/platform/data/model/model-error.js';
import type { VariableScope } from '../../../../src/platform/data/model/model-files.js';
import type { SemanticModel, Statement } from '../../../../src/platform/data/semantic-model.js';
import { engineUnderTest } from '../engines/engine-under-test.js';

/** Tables of the fixture: eight orders of two tenants, with customers and items. */
const tables = `
  SET TimeZone = 'UTC';
  CREATE TABLE customers (id INTEGER, name VARCHAR, country VARCHAR);
  INSERT INTO customers VALUES (1, 'Ada', 'DE'), (2, 'Bob', 'US'), (3, 'Cleo', NULL);
  CREATE TABLE orders (id INTEGER, tenant VARCHAR, region VARCHAR, customer_id INTEGER, amount DECIMAL(10, 2), created TIMESTAMP, paid BOOLEAN);
  INSERT INTO orders VALUES
    (1, 'a', 'north', 1, 10, '2001-01-01 00:30:00', true),
    (2, 'a', 'North-East', 1, 20, '2001-01-31 23:59:59.9995', false),
    (3, 'a', NULL, 2, 30, '2001-02-01 00:00:00', NULL),
    (4, 'a', '50%_off\\', 2, NULL, '2001-02-14 12:00:00', true),
    (5, 'b', 'south', 3, 50, '2001-01-15 12:00:00', true),
    (6, 'b', 'north', 3, 60, '2001-03-31 12:00:00', false),
    (7, 'b', '', 1, 70, NULL, true),
    (8, 'b', 'it''s "x"', NULL, 80, '2001-12-31 23:00:00', true);
  CREATE TABLE items (id INTEGER, order_id INTEGER, quantity INTEGER);
  INSERT INTO items VALUES (1, 1, 1), (2, 1, 2), (3, 2, 3), (4, 5, 4), (5, 5, 5), (6, 5, 6);
`;

const tableNames = ['customers', 'orders', 'items'];

/** Opens a new database with the fixture's tables. */
export async function openDatabase(): Promise<DuckDBConnection> {
  const options = { disabled_optimizers: disabledOptimizers };
  const connection = await (await DuckDBInstance.create(':memory:', options)).connect();
  await connection.run(tables);
  return connection;
}

/** Compiles files by name. */
export async function compileFiles(
  files: Record<string, string>,
  now?: () => Date,
  variables?: VariableScope,
): Promise<SemanticModel> {
  const directory = await mkdtemp(join(tmpdir(), 'pa-model-'));
  const { dialect } = engineUnderTest.current;
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, name)), { recursive: true });
      await writeFile(join(directory, name), text);
    }
    return await compileModel({
      directory,
      dialect,
      tables: tableNames,
      ...(now && { now }),
      ...(variables && { variables }),
    });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Compiles one file. */
export function compile(text: string, now?: () => Date): Promise<SemanticModel> {
  return compileFiles({ 'model.yml': text }, now);
}

/** Returns the problems of a file as `line: message`. */
export async function problemsOf(text: string): Promise<string[]> {
  const compiled = compile(text);
  const problems: readonly ModelProblem[] = await compiled.then(
    () => [],
    (error: unknown) => {
      if (error instanceof ModelError) return error.problems;
      throw error;
    },
  );
  return problems.map(({ line, message }) => `${line}: ${message}`);
}

/** Plans and runs a query. Returns rows of cells in select order. */
export async function rowsOf(
  database: DuckDBConnection,
  model: SemanticModel,
  query: Query,
  context: SecurityContext,
): Promise<Json[][]> {
  return statementRows(database, model.plan(query, context).statement());
}

/** Runs a statement on the engine under test. Returns rows of cells in select order. */
export function statementRows(database: DuckDBConnection, { sql, parameters }: Statement): Promise<Json[][]> {
  return engineUnderTest.current.rows(database, sql, parameters);
}
