import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { engineProblem } from '../../../../../src/platform/data/engines/duckdb/session.js';

/** What is told of a statement that DuckDB refuses. */
async function toldOf(sql: string): Promise<Error> {
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

describe('what a statement brings about itself is a 400 without the words of the engine', () => {
  it.each([
    ["SELECT x LIKE ('%' || x) ESCAPE '\\' FROM (SELECT 'secret\\' AS x)", 'A pattern of LIKE ends with'],
    [`SELECT 1 WHERE 1 IN (${Array.from({ length: 1500 }, () => '(SELECT 1)').join()})`, 'nested too deeply'],
    [`SELECT ${Array.from({ length: 1500 }, () => 'x').join('||')} FROM (SELECT 'a' AS x)`, 'nested too deeply'],
  ])('%s', async (sql, told) => {
    const problem = await toldOf(sql);
    expect(problem).toMatchObject({ status: 400, message: expect.stringContaining(told) });
    expect(problem.message).not.toMatch(/Error|secret|max_expression_depth/);
  });
});

it('what is none of the statement’s doing is for the log', async () => {
  expect(await toldOf('SELECT nothing')).not.toHaveProperty('status', 400);
});
