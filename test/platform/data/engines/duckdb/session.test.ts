import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { engineProblem } from '../../../../../src/platform/data/engines/duckdb/session.js';

/** Returns the error for a statement that DuckDB rejects. */
async function errorOf(sql: string): Promise<Error> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    await connection.runAndReadAll(sql);
  } catch (error) {
    return engineProblem(error);
  } finally {
    connection.disconnectSync();
  }
  throw new Error('The statement is right.');
}

describe('engineProblem', () => {
  it.each([
    ["SELECT x LIKE ('%' || x) ESCAPE '\\' FROM (SELECT 'secret\\' AS x)", 'A LIKE pattern ends with'],
    [`SELECT 1 WHERE 1 IN (${Array.from({ length: 1500 }, () => '(SELECT 1)').join()})`, 'nested too deeply'],
    [`SELECT ${Array.from({ length: 1500 }, () => 'x').join('||')} FROM (SELECT 'a' AS x)`, 'nested too deeply'],
  ])('maps an error caused by the query to a 400 without the text of the engine: %s', async (sql, message) => {
    const problem = await errorOf(sql);
    expect(problem).toMatchObject({ status: 400, message: expect.stringContaining(message) });
    expect(problem.message).not.toMatch(/Error|secret|max_expression_depth/);
  });
});

it('engineProblem maps all other errors to a LoggableError', async () => {
  expect(await errorOf('SELECT nothing')).not.toHaveProperty('status', 400);
});
