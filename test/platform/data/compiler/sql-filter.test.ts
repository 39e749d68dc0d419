import type { DuckDBConnection } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { dialectOf } from '../../../../src/platform/data/compiler/dialects.js';
import { predicateSql } from '../../../../src/platform/data/compiler/sql-filter.js';
import type { Parameter } from '../../../../src/platform/data/engines/engine.js';
import type { Condition } from '../../../../src/platform/data/model/conditions.js';
import fc, { anyText, casesAtDepth } from '../../../property.js';
import { engineUnderTest } from '../engines/engine-under-test.js';
import { openDatabase, statementRows } from '../model/fixture.js';

let database: DuckDBConnection;
beforeAll(async () => {
  database = await openDatabase();
});

async function matching(
  column: string,
  condition: Condition,
  table = 'orders',
  given: readonly Parameter[] = [],
): Promise<number[]> {
  const parameters = [...given];
  const sql = predicateSql(
    column,
    condition,
    value => `$${parameters.push(value)}`,
    dialectOf(engineUnderTest.current.dialect),
  );
  const found = await statementRows(database, { sql: `SELECT id FROM ${table} WHERE ${sql} ORDER BY id`, parameters });
  return found.map(row => Number(row[0]));
}

async function countOf(table: string, operator: Condition['operator'], value: string): Promise<number> {
  return (await matching('id', { type: 'number', operator, values: [value] }, table)).length;
}

const region = (operator: Condition['operator'], ...values: Condition['values']) =>
  matching('region', { type: 'string', operator, values });
const amount = (operator: Condition['operator'], ...values: Condition['values']) =>
  matching('amount', { type: 'number', operator, values });
const created = (operator: Condition['operator'], ...values: Condition['values']) =>
  matching('created', { type: 'time', operator, values });

describe('a predicate', () => {
  it.each([
    ['equals', ['north'], [1, 6]],
    ['equals', ['north', 'south'], [1, 5, 6]],
    ['equals', ['north', null], [1, 3, 6]],
    ['equals', [null], [3]],
    ['notEquals', ['north'], [2, 3, 4, 5, 7, 8]],
    ['notEquals', ['north', null], [2, 4, 5, 7, 8]],
    ['notEquals', [null], [1, 2, 4, 5, 6, 7, 8]],
    ['contains', ['NORTH'], [1, 2, 6]],
    ['contains', ['%'], [4]],
    ['contains', ['_'], [4]],
    ['contains', ['\\'], [4]],
    ['contains', ['north', null], [1, 2, 3, 6]],
    ['contains', [null], [3]],
    ['notContains', ['north'], [3, 4, 5, 7, 8]],
    ['notContains', ['north', 'so'], [3, 4, 7, 8]],
    ['notContains', [null], [1, 2, 4, 5, 6, 7, 8]],
    ['startsWith', ['NOR', 'sou'], [1, 2, 5, 6]],
    ['notStartsWith', ['nor'], [3, 4, 5, 7, 8]],
    ['endsWith', ['TH'], [1, 5, 6]],
    ['notEndsWith', ['th', null], [2, 4, 7, 8]],
    ['set', [], [1, 2, 4, 5, 6, 7, 8]],
    ['notSet', [], [3]],
    ['gt', ['north'], [5]],
  ] as const)('%s %j on a string', async (operator, values, ids) => {
    expect(await region(operator, ...values)).toEqual(ids);
  });

  it.each([
    ['equals', ['10'], [1]],
    ['equals', ['10.0'], [1]],
    ['notEquals', ['10'], [2, 3, 4, 5, 6, 7, 8]],
    ['gt', ['60'], [7, 8]],
    ['gte', ['60'], [6, 7, 8]],
    ['lt', ['20'], [1]],
    ['lte', ['2e1'], [1, 2]],
    ['equals', ['+010.00'], [1]],
    ['lt', ['15.0000000000000000'], [1]],
    ['gt', ['60.0000000000000001'], [7, 8]],
    ['lt', ['9'.repeat(28)], [1, 2, 3, 5, 6, 7, 8]],
    ['lt', ['9'.repeat(64)], [1, 2, 3, 5, 6, 7, 8]],
    ['gt', [`-${'9'.repeat(20)}.5`], [1, 2, 3, 5, 6, 7, 8]],
  ] as const)('%s %j of a number', async (operator, values, ids) => {
    expect(await amount(operator, ...values)).toEqual(ids);
  });

  it.each([
    ['inDateRange', ['2001-01-31T00:00:00.000', '2001-02-01T00:00:00.000'], [2, 3]],
    ['notInDateRange', ['2001-01-01T00:00:00.000', '2001-11-30T00:00:00.000'], [8]],
    ['beforeDate', ['2001-01-15T12:00:00.000'], [1]],
    ['beforeOrOnDate', ['2001-01-15T12:00:00.000'], [1, 5]],
    ['afterDate', ['2001-03-31T12:00:00.000'], [8]],
    ['afterOrOnDate', ['2001-03-31T12:00:00.000'], [6, 8]],
  ] as const)('%s %j of a time', async (operator, values, ids) => {
    expect(await created(operator, ...values)).toEqual(ids);
  });

  it('parenthesizes the whole expression', async () => {
    const of = (sql: string, operator: Condition['operator'], ...values: Condition['values']) =>
      matching(sql, { type: 'boolean', operator, values });
    expect(await of('amount >= 60', 'equals', true)).toEqual([6, 7, 8]);
    expect(await of('amount >= 60 OR id = 1', 'equals', false)).toEqual([2, 3, 5]);
    expect(await of('amount >= 60', 'set')).toEqual([1, 2, 3, 5, 6, 7, 8]);
    expect(await of('NOT paid', 'notEquals', true)).toEqual([1, 3, 4, 5, 7, 8]);
    expect(await of('"orders".paid', 'notSet')).toEqual([3]);
  });

  it('is never true without values', async () => {
    for (const operator of [
      'equals',
      'notEquals',
      'contains',
      'notContains',
      'startsWith',
      'gt',
      'inDateRange',
      'beforeDate',
    ] as const) {
      expect(await region(operator)).toEqual([]);
    }
    expect(await created('notInDateRange', '2001-01-01T00:00:00.000', null)).toEqual([]);
    expect(await created('afterDate', null)).toEqual([]);
  });

  it('distinguishes integers beyond the precision of a double', async () => {
    await database.run('CREATE TABLE big (id BIGINT); INSERT INTO big VALUES (9007199254740992), (9007199254740993)');
    expect(await countOf('big', 'equals', '9007199254740993')).toBe(1);
  });

  it('distinguishes decimals beyond the precision of a double', async () => {
    await database.run(
      "CREATE TABLE exact (id DECIMAL(38, 4)); INSERT INTO exact VALUES ('12345678901234567890.01'), ('12345678901234567890.02')",
    );
    expect(await countOf('exact', 'gt', '12345678901234567890.01')).toBe(1);
    expect(await countOf('exact', 'gt', '12345678901234567890.0200')).toBe(0);
  });

  it('equals the plain text functions for every text', async () => {
    const hostile = fc.oneof(
      fc.string(),
      anyText(),
      fc.constantFrom("'", "' OR 1=1 --", '$1$', '?', '%', '_', '\\', '"; DROP TABLE orders'),
    );
    const text = hostile.filter(value => !value.includes('\u0000'));
    const check = async (stored: string, searched: string) => {
      const texts = '(SELECT 1 AS id, CAST($1 AS VARCHAR) AS value UNION ALL SELECT 2, NULL) AS texts';
      const of = (operator: Condition['operator']) =>
        matching('value', { type: 'string', operator, values: [searched] }, texts, [stored]);
      expect(await of('equals')).toEqual(stored === searched ? [1] : []);
      expect(await of('notEquals')).toEqual(stored === searched ? [2] : [1, 2]);
      const contains = await of('contains');
      expect(await of('notContains')).toEqual([1, 2].filter(id => !contains.includes(id)));
      if (stored.includes(searched)) expect(contains).toEqual([1]);
    };
    await fc.assert(fc.asyncProperty(text, text, check), { numRuns: casesAtDepth(100, 25) });
    await fc.assert(
      fc.asyncProperty(text, text, (before, searched) => check(`${before}${searched}`, searched)),
      { numRuns: casesAtDepth(50, 15) },
    );
  });
});
