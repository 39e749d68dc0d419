import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FilterCondition } from '../../../../src/contract/widget-config.js';
import { compileModel } from '../../../../src/platform/data/compile-model.js';
import { dataRoutes } from '../../../../src/platform/data/data-routes.js';
import { createDataService } from '../../../../src/platform/data/data-service.js';
import { withChoices } from '../../../../src/report/controls/controls.js';
import { type MemberType, operatorsOf } from '../../../../src/report/controls/filter-condition.js';
import { caller } from '../callers.js';
import { engineUnderTest } from '../engines/engine-under-test.js';
import { allRowsPolicy } from '../model/model-yaml.js';

const rows = `
SELECT * FROM (VALUES
  (1, 'Apple', 1.5::DOUBLE, true, TIMESTAMP '2001-01-31 00:00:00'),
  (2, 'apple pie', 2, false, TIMESTAMP '2001-01-31 23:59:59.999999'),
  (3, 'PINEAPPLE', 3, NULL, TIMESTAMP '2001-02-01 00:00:00'),
  (4, '', -4, true, TIMESTAMP '2001-02-02 12:00:00'),
  (5, NULL, NULL, NULL, NULL),
  (6, '50%_off''s', 1e10, false, TIMESTAMP '2001-01-30 23:59:59.999999'),
  (7, 'Äpfel', 0, true, TIMESTAMP '2000-12-31 00:00:00')
) AS t (id, s, n, b, t)`;

const model = `
cubes:
  - name: things
    sql_table: things
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: s, sql: s, type: string }
      - { name: n, sql: n, type: number }
      - { name: b, sql: b, type: boolean }
      - { name: t, sql: t, type: time }
    measures:
      - { name: count, type: count }
    ${allRowsPolicy}
`;

const members: Readonly<Record<MemberType, string>> = { string: 's', number: 'n', boolean: 'b', time: 't' };

/** A condition, and the equivalent SQL. */
type Case = readonly [FilterCondition, sql: string];

const anyCase: readonly Case[] = [
  [{ operator: 'is_null' }, 'x IS NULL'],
  [{ operator: 'is_not_null' }, 'x IS NOT NULL'],
];

const cases: Readonly<Record<MemberType, readonly Case[]>> = {
  string: [
    ...anyCase,
    [{ value: 'Apple' }, "x = 'Apple'"],
    [{ value: ['Apple', 'Äpfel', 'none'] }, "x IN ('Apple', 'Äpfel', 'none')"],
    [{ value: ['Apple', null] }, "x = 'Apple' OR x IS NULL"],
    [{ value: 'apple', caseSensitive: true }, "x = 'apple'"],
    [{ operator: 'not_equals', value: ['Apple', ''] }, "x NOT IN ('Apple', '') OR x IS NULL"],
    [{ operator: 'not_equals', value: ['Apple', null] }, "x <> 'Apple' AND x IS NOT NULL"],
    [{ operator: 'contains', value: 'apple' }, "x ILIKE '%apple%'"],
    [{ operator: 'contains', value: ['pie', '%_'] }, "x ILIKE '%pie%' OR contains(x, '%_')"],
    [{ operator: 'contains', value: "'s", caseSensitive: false }, "contains(x, '''s')"],
    [{ operator: 'not_contains', value: 'apple' }, "NOT x ILIKE '%apple%' OR x IS NULL"],
    [{ operator: 'starts_with', value: ['APP', '50%'] }, "x ILIKE 'app%' OR starts_with(x, '50%')"],
    [{ operator: 'not_starts_with', value: 'app' }, "NOT x ILIKE 'app%' OR x IS NULL"],
    [{ operator: 'ends_with', value: 'PLE' }, "x ILIKE '%ple'"],
    [{ operator: 'not_ends_with', value: ['ple', 'pie'] }, "NOT (x ILIKE '%ple' OR x ILIKE '%pie') OR x IS NULL"],
    [{ operator: 'greater_than', value: 'Apple' }, "x > 'Apple'"],
    [{ operator: 'greater_than_or_equal', value: 'Apple' }, "x >= 'Apple'"],
    [{ operator: 'less_than', value: 'Apple' }, "x < 'Apple'"],
    [{ operator: 'less_than_or_equal', value: 'Apple' }, "x <= 'Apple'"],
    [{ operator: 'between', value: ['Apple', 'apple pie'] }, "x BETWEEN 'Apple' AND 'apple pie'"],
    [{ operator: 'between', value: ['Apple', 'apple pie'], startInclusive: false }, "x > 'Apple' AND x <= 'apple pie'"],
    [{ operator: 'is_empty' }, "x = ''"],
    [{ operator: 'is_not_empty' }, "x <> ''"],
  ],
  number: [
    ...anyCase,
    [{ value: 3 }, 'x = 3'],
    [{ value: ['1.5', 3, 1e10] }, 'x IN (1.5, 3, 1e10)'],
    [{ operator: 'not_equals', value: [3, 0] }, 'x NOT IN (3, 0) OR x IS NULL'],
    [{ operator: 'greater_than', value: 1.5 }, 'x > 1.5'],
    [{ operator: 'greater_than_or_equal', value: 1.5 }, 'x >= 1.5'],
    [{ operator: 'less_than', value: 0 }, 'x < 0'],
    [{ operator: 'less_than_or_equal', value: 0 }, 'x <= 0'],
    [{ operator: 'between', value: [-4, 2] }, 'x BETWEEN -4 AND 2'],
    [{ operator: 'between', value: [-4, 2], startInclusive: false, endInclusive: false }, 'x > -4 AND x < 2'],
    [{ operator: 'between', value: [null, 2], endInclusive: false }, 'x < 2'],
    [{ operator: 'between', value: [2, null] }, 'x >= 2'],
  ],
  boolean: [
    ...anyCase,
    [{ value: true }, 'x'],
    [{ value: ['false', null] }, 'NOT x OR x IS NULL'],
    [{ operator: 'not_equals', value: true }, 'NOT x OR x IS NULL'],
  ],
  time: [
    ...anyCase,
    [{ value: '2001-01-31' }, "x::DATE = DATE '2001-01-31'"],
    [{ value: ['2001-01-31', '2001-02-02', null] }, "x::DATE IN ('2001-01-31', '2001-02-02') OR x IS NULL"],
    [{ operator: 'not_equals', value: '2001-01-31' }, "x::DATE <> DATE '2001-01-31' OR x IS NULL"],
    [{ operator: 'not_equals', value: ['2001-01-31', null] }, "x::DATE <> DATE '2001-01-31'"],
    [{ operator: 'greater_than', value: '2001-01-31' }, "x >= TIMESTAMP '2001-02-01'"],
    [{ operator: 'greater_than_or_equal', value: '2001-01-31' }, "x >= TIMESTAMP '2001-01-31'"],
    [{ operator: 'less_than', value: '2001-01-31' }, "x < TIMESTAMP '2001-01-31'"],
    [{ operator: 'less_than_or_equal', value: '2001-01-31' }, "x < TIMESTAMP '2001-02-01'"],
    [{ operator: 'less_than', value: '2001-02-02T12:00:00' }, "x < TIMESTAMP '2001-02-02 12:00:00'"],
    [{ operator: 'between', value: ['2001-01-31', '2001-02-01'] }, "x::DATE BETWEEN '2001-01-31' AND '2001-02-01'"],
    [
      { operator: 'between', value: ['2001-01-31', '2001-02-02'], endInclusive: false },
      "x::DATE IN ('2001-01-31', '2001-02-01')",
    ],
    [
      { operator: 'between', value: ['2001-01-31', '2001-02-02'], startInclusive: false },
      "x::DATE BETWEEN '2001-02-01' AND '2001-02-02'",
    ],
    [{ operator: 'custom', value: 'from 2001-01-31 to 2001-02-01' }, "x::DATE BETWEEN '2001-01-31' AND '2001-02-01'"],
    [{ operator: 'custom', value: ['2000-12-31', '2001-02-02'] }, "x::DATE IN ('2000-12-31', '2001-02-02')"],
    [{ operator: 'custom', value: 'last 7 days' }, 'x >= current_date - 7 AND x < current_date'],
    [
      { operator: 'custom', value: 'last 100 years' },
      "x >= date_trunc('year', current_date) - INTERVAL 100 YEAR AND x < date_trunc('year', current_date)",
    ],
  ],
};

describe('a dashboard filter in a load query', () => {
  let ask: (condition: FilterCondition, type: MemberType) => Promise<number[]>;
  let close: () => Promise<void>;
  let reference: DuckDBConnection;

  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'pa-filters-'));
    await writeFile(join(directory, 'model.yml'), model);
    const { dialect } = engineUnderTest.current;
    const compiled = await compileModel({ directory, dialect, tables: ['things'] });
    await rm(directory, { recursive: true });
    const opened = await engineUnderTest.current.open({ things: rows });
    close = opened.close;
    const app = dataRoutes({
      service: createDataService({ engine: opened.engine, model: { current: compiled } }),
      authenticate: async () => ({ securityContext: caller() }),
      onFailure: () => {},
    });
    ask = async (condition, type) => {
      const member = `things.${members[type]}`;
      const choice = { kind: 'filter', title: '', member, type, condition, control: null, from: null } as const;
      const baseQuery = { dimensions: ['things.id'], order: { 'things.id': 'asc' as const } };
      const { query, ignored } = withChoices(baseQuery, [choice]);
      expect(ignored).toEqual([]);
      const headers = { 'content-type': 'application/json' };
      const answer = await app.request('/v1/load', { method: 'POST', headers, body: JSON.stringify({ query }) });
      const body: { data: Record<string, string>[] } = await answer.json();
      expect(answer.status, JSON.stringify(body).slice(0, 300)).toBe(200);
      return body.data.map(row => Number(row['things.id']));
    };
    reference = await (await DuckDBInstance.create(':memory:')).connect();
    await reference.run(`CREATE TABLE things AS ${rows}`);
  });
  afterAll(async () => {
    reference.closeSync();
    await close();
  });

  const every = Object.entries(members).flatMap(([type, column]) =>
    cases[type as MemberType].map(
      ([condition, sql]) => [type as MemberType, condition, sql.replaceAll('x', column)] as const,
    ),
  );

  it('is tested with all operators of all types', () => {
    for (const type of ['string', 'number', 'boolean', 'time'] as const) {
      const tried = new Set(cases[type].map(([{ operator }]) => operator ?? 'equals'));
      expect([...operatorsOf[type]].filter(operator => !tried.has(operator))).toEqual([]);
    }
  });

  it.each(every)('filters a %s by %j to the rows where %s', async (type, condition, sql) => {
    const found = await reference.runAndReadAll(`SELECT id FROM things WHERE ${sql} ORDER BY id`);
    const expected = found.getRows().map(([id]) => Number(id));
    expect(await ask(condition, type)).toEqual(expected);
  });
});
