import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Parameter, SqlDialect } from '../../../../../src/platform/data/engines/engine.js';
import { SqlProblem } from '../../../../../src/platform/data/sql/sql-problem.js';
import { SqlType } from '../../../../../src/platform/data/sql/sql-type.js';
import fc, { casesAtDepth } from '../../../../property.js';
import { conditional, plain } from './arithmetic.js';
import { type Engines, failed, Over, openEngines, print, same } from './engines.js';
import { aggregates, logic, numbers, windows } from './number-meanings.js';
import { read } from './reading.js';
import { texts, times } from './text-meanings.js';

/** Names of types that differ in Postgres. */
const names: Partial<Readonly<Record<string, SqlType>>> = {
  'double precision': SqlType.double,
  'character varying': SqlType.text,
  'timestamp without time zone': SqlType.timestamp,
};

let engines: Engines;

beforeAll(async () => {
  engines = await openEngines();
});

afterAll(() => engines.close());

describe.each([
  ['numbers', numbers, [Over.rows]],
  ['logic', logic, [Over.rows]],
  ['texts', texts, [Over.rows]],
  ['times', times, [Over.rows]],
  ['windows', windows, [Over.rows]],
  ['aggregates', aggregates, [Over.all, Over.groups, Over.none]],
] as const)('%s mean what they mean to Postgres', (_, expressions, places) => {
  it.each(expressions)('%s', async text => {
    for (const over of places) {
      const original = await engines.original(text, over);
      for (const dialect of Object.values(SqlDialect)) {
        const printed = await engines.printed(text, dialect, over);
        const type = printed.type === SqlType.ratio ? SqlType.numeric : printed.type;
        expect(type).toBe(names[original.type] ?? original.type);
        if (!same(original.cells, printed.cells, printed.type)) {
          // Compare exactly only after `same` has failed, to get a readable message. The last digits of inexact numbers
          // may differ.
          expect({ dialect, cells: printed.cells }).toEqual({ dialect, cells: original.cells });
        }
      }
    }
  });
});

describe('arithmetic gives the results of Postgres', () => {
  /** Returns the cells that differ, except rows where an error of one side is allowed. */
  const differing = async (text: string, allowed: (original: string | null, printed: string | null) => boolean) => {
    const original = await engines.original(text).catch(() => undefined);
    try {
      const { type, cells } = await engines.printed(text, SqlDialect.duckdb);
      return original?.cells.filter((cell, row) => {
        const own = cells[row] ?? null;
        // Quotients have 15 digits, which matters for the longest numbers.
        const isLong = row === 6 && /[/t]/.test(text);
        return !isLong && !allowed(cell, own) && !same([cell], [own], type);
      });
    } catch (error) {
      // The platform may reject what Postgres accepts.
      if (error instanceof SqlProblem) return [];
      throw error;
    }
  };

  it('if everything is evaluated, including errors', async () => {
    await fc.assert(
      // DuckDB returns an error for a number with more digits than it supports.
      fc.asyncProperty(plain, async text => {
        expect((await differing(text, (_, printed) => printed === failed)) ?? [], text).toEqual([]);
      }),
      { numRuns: casesAtDepth(250), seed: 1 },
    );
  });

  it('with conditional expressions', async () => {
    await fc.assert(
      // An engine may skip irrelevant parts, and their errors.
      fc.asyncProperty(conditional, async text => {
        const isError = (original: string | null, printed: string | null) => printed === failed || original === failed;
        expect((await differing(text, isError)) ?? [], text).toEqual([]);
      }),
      { numRuns: casesAtDepth(250), seed: 1 },
    );
  });
});

describe('printed SQL', () => {
  it('fails for text that grows too long', async () => {
    const grown = `replace(s, 'a', '${'a'.repeat(1000)}')`;
    const doubled = `${grown} || ${grown}`;
    for (const dialect of Object.values(SqlDialect)) {
      expect((await engines.printed(`length(${doubled})`, dialect)).cells[7]).toBe('2018');
      expect((await engines.printed(`length(replace(${grown}, 'a', '${'b'.repeat(1000)}'))`, dialect)).cells[7]).toBe(
        failed,
      );
    }
  });

  it('rejects checks that are nested too deeply', () => {
    const nested = `${'i / ('.repeat(60)}i${')'.repeat(60)}`;
    expect(() => print(read(nested), SqlDialect.duckdb, [])).toThrow('nested too deeply');
  });

  it("does not check divisors that can't be zero", () => {
    const checks = (text: string) => print(read(text), SqlDialect.duckdb, []).includes('divides by zero');
    expect(['i / j', 'i / 0', '1.0 / (j + 1)', 'i % nullif(j, 1)'].map(checks)).toEqual([true, true, true, true]);
    expect(['i / 2', 'n / -0.5', '100.0 * i / nullif(j, 0)', 'mod(i, 7)'].map(checks)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('binds constants with their types', () => {
    const values: Parameter[] = [];
    expect(print(read("s = 'x''); DROP TABLE t; --' and i > 5 and n < 1.50"), SqlDialect.duckdb, values)).toBe(
      '((s = CAST($1 AS VARCHAR)) AND (CAST(i AS INTEGER) > CAST($2 AS INTEGER)) AND ((n + CAST(0 AS DECIMAL(3, 2))) < CAST($3 AS DECIMAL(3, 2))))',
    );
    expect(values).toEqual(["x'); DROP TABLE t; --", 5, '1.50']);
  });

  it('binds only constants that reach the engine', () => {
    const values: Parameter[] = [];
    print(read("date_trunc('month', ts) > now() and round(n, 2) > 1"), SqlDialect.duckdb, values);
    expect(values).toEqual(['2024-02-29T13:14:15.678', '1']);
  });
});
