import type { DuckDBConnection, Json } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { caller } from '../callers.js';
import { compile, openDatabase, problemsOf, rowsOf } from './fixture.js';

const orders = (dimension: string, policy = 'allow_all: true') => `cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: region, sql: "{CUBE}.region", type: string }
      - ${dimension}
    measures: [{ name: count, type: count } ]
    access_policy: [{ group: "*", row_level: { ${policy} } } ]
`;

let database: DuckDBConnection;
beforeAll(async () => {
  database = await openDatabase();
});

const rows = async (model: string, dimension: string): Promise<Json[][]> =>
  rowsOf(database, await compile(model), { dimensions: [dimension], measures: ['orders.count'] }, caller());
const byTime = async (granularity: string): Promise<string[]> => {
  const model = await compile(
    orders(`{ name: created, sql: "{CUBE}.created", type: time, granularities: [{ name: own, ${granularity} } ] }`),
  );
  const query = { timeDimensions: [{ dimension: 'orders.created', granularity: 'own' }] };
  return (await rowsOf(database, model, query, caller())).flatMap(([time]) => (time === null ? [] : [String(time)]));
};

describe('a dimension with cases', () => {
  const whens = [
    { sql: '{CUBE}.amount >= 50', label: "it's large" },
    { sql: '{region} IS NOT NULL', label: { sql: 'upper({region})' } },
  ];
  const size = JSON.stringify({ name: 'size', type: 'string', case: { when: whens, else: { label: 'none' } } });

  it('has labels by condition', async () => {
    const found = await rows(orders(size), 'orders.size');
    expect(new Map(found.map(([label, count]) => [label, count]))).toEqual(
      new Map([
        ["it's large", '4'],
        ['NORTH', '1'],
        ['NORTH-EAST', '1'],
        ['50%_OFF\\', '1'],
        ['none', '1'],
      ]),
    );
  });

  it('is NULL if no condition is met and else is missing', async () => {
    const source = '{ name: size, type: string, case: { when: [{ sql: "{CUBE}.amount >= 50", label: large }] } }';
    const found = await rows(orders(source), 'orders.size');
    expect(new Map(found.map(([size, count]) => [size, count]))).toEqual(
      new Map([
        [null, '4'],
        ['large', '4'],
      ]),
    );
  });

  it('can be used in a row filter', async () => {
    const source = '{ name: size, type: string, case: { when: [{ sql: "{CUBE}.amount >= 50", label: large }] } }';
    const model = orders(source, 'filters: [{ member: size, operator: equals, values: [large] } ]');
    expect(await rows(model, 'orders.size')).toEqual([['large', '4']]);
  });

  it.each([
    [
      'sql and case',
      '{ name: x, type: string, sql: id, case: { when: [{ sql: "TRUE", label: a }] } }',
      'requires either sql or case',
    ],
    ['neither', '{ name: x, type: string }', 'requires either sql or case'],
    ['no condition', '{ name: x, type: string, case: { when: [] } }', 'requires at least one condition'],
    [
      'an unknown reference',
      '{ name: x, type: string, case: { when: [{ sql: "{nope}", label: a }] } }',
      '7: {nope} is not a cube or a member',
    ],
    [
      'a brace in a label',
      '{ name: x, type: string, case: { when: [{ sql: "TRUE", label: "a {b" }] } }',
      'braces can only contain',
    ],
    [
      'a label of the wrong type',
      '{ name: x, type: string, case: { when: [{ sql: "TRUE", label: 7 }] } }',
      'must be a string',
    ],
  ])('with %s is rejected', async (_, source, problem) => {
    const problems = await problemsOf(orders(source));
    expect(problems[0]).toMatch(/^7: /);
    expect(problems.join()).toContain(problem);
  });
});

describe('a granularity', () => {
  it('can have several units', async () => {
    expect(await byTime('interval: 1 year 3 months, origin: "2000-10-01"')).toEqual(['2000-10-01 00:00:00']);
    expect(await byTime('interval: 1 week 2 days, origin: "2001-01-01"')).toContain('2001-01-28 00:00:00');
  });

  it('can start at a time of day', async () => {
    const days = await byTime('interval: 1 day, origin: "2001-01-01 06:00"');
    expect(days).toContain('2000-12-31 06:00:00');
    expect(days).toContain('2001-01-31 06:00:00');
  });

  it('can have a negative offset', async () => {
    expect(await byTime('interval: 1 week, offset: -1 day')).toContain('2000-12-31 00:00:00');
  });

  it.each([
    ['a zero length', 'interval: 0 days', 'must be a duration'],
    ['a negative length', 'interval: -1 day', 'must be a duration'],
    ['months mixed with days', 'interval: 1 month 2 days, origin: "2001-01-01"', 'months cannot be combined with days'],
    ['a length that needs an origin', 'interval: 5 days', '7: own requires an origin such as 2001-01-01'],
    ['several units without an origin', 'interval: 1 year 3 months', '7: own requires an origin such as 2001-01-01'],
    ['an origin that is not a valid day', 'interval: 5 days, origin: "2001-02-30"', 'is not a valid date'],
    ['SQL', 'sql: "{CUBE}.created"', '7: interval: is required,7: Unknown key "sql"'],
  ])('with %s is rejected', async (_, source, problem) => {
    const text = orders(`{ name: created, sql: created, type: time, granularities: [{ name: own, ${source} } ] }`);
    expect((await problemsOf(text)).join()).toContain(problem);
  });
});

describe('a key that is supported elsewhere', () => {
  it.each([
    ['pre_aggregations: []', 'remove it'],
    ['refresh_key: { every: 1 hour }', 'remove it'],
    ['data_source: other', 'remove it'],
    ['shown: false', 'use public'],
  ])('is rejected with advice: %s', async (key, help) => {
    const text = orders(`{ name: x, sql: x, type: string }\n    ${key}`);
    expect(await problemsOf(text)).toEqual([
      expect.stringContaining(`8: ${key.split(':')[0]} is not supported: ${help}`),
    ]);
  });
});
