import { describe, expect, it } from 'vitest';
import { readStatement } from '../../../../src/platform/data/sql/read-statement.js';
import { SqlProblem, toLocatedError } from '../../../../src/platform/data/sql/sql-problem.js';

async function refusalOf(text: string): Promise<string> {
  try {
    await readStatement(text);
  } catch (error) {
    if (error instanceof SqlProblem) return toLocatedError(error, text).message;
    throw error;
  }
  return 'read';
}

describe('readStatement', () => {
  it('returns the parse tree', async () => {
    expect(await readStatement('SELECT region FROM orders;')).toMatchObject({
      fromClause: [{ RangeVar: { relname: 'orders' } }],
    });
  });

  it.each([
    ['', 'The statement is empty: write a SELECT.'],
    [' -- nothing', 'The statement is empty: write a SELECT.'],
    ['SELECT 1; SELECT 2', /^Only one statement is supported/],
    ['DELETE FROM orders', 'Only SELECT is supported.'],
    ['EXPLAIN SELECT 1', 'Only SELECT is supported.'],
    ["COPY orders TO '/tmp/x'", 'Only SELECT is supported.'],
    ['SELECT 1\0', 'The statement contains a NUL character: remove it (line 1, column 9).'],
  ])('rejects anything but a single SELECT: %s', async (text, message) => {
    expect(await refusalOf(text)).toMatch(message);
  });

  it('reports the location in characters', async () => {
    expect(await refusalOf("SELECT 'äöü',\n  ü ü ü FROM orders")).toBe(
      'syntax error at or near "ü" (line 2, column 7).',
    );
  });

  it.each([
    ['64 KB of text', `SELECT '${'x'.repeat(65_536)}'`, /64 KB/],
    ['a chain of operators', `SELECT 1${'+1'.repeat(4_001)}`, /4000 operators/],
    ['operators without blanks', `SELECT ${'+'.repeat(4_001)}1`, /4000 operators/],
    ['a chain of casts', `SELECT 1${'::a'.repeat(2_001)}`, /4000 operators/],
    ['a chain of negations', `SELECT ${'NOT '.repeat(4_001)}true`, /4000 operators/],
    ['more than a hundred levels', `SELECT 1${'+1'.repeat(110)}`, /too deeply/],
    ['many parentheses', `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`, /too deeply/],
    ['many nested selects', `${'SELECT * FROM ('.repeat(110)}SELECT 1${') x'.repeat(110)}`, /too deeply/],
    ['many set operations', `SELECT 1${' UNION SELECT 1'.repeat(300)}`, /too deeply/],
  ])('rejects %s', async (_, text, message) => {
    expect(await refusalOf(text)).toMatch(message);
  });

  it('keeps the parser usable after hostile statements', async () => {
    const hostile = [
      `SELECT 1${'+1'.repeat(32_000)}`,
      `SELECT ${'('.repeat(30_000)}1`,
      `SELECT ${'NOT '.repeat(3_999)}true`,
    ];
    for (let round = 0; round < 20; round++) for (const text of hostile) expect(await refusalOf(text)).not.toBe('read');
    expect(await refusalOf('SELECT 1')).toBe('read');
  });
});
