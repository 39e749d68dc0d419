import { describe, expect, it } from 'vitest';
import { caller } from '../callers.js';
import { compile, openDatabase, problemsOf, rowsOf } from './fixture.js';

const open = [{ group: '*', row_level: { allow_all: true } }];
const key = { name: 'id', sql: 'id', type: 'number', primary_key: true };
const count = { name: 'count', type: 'count' };
const customers = {
  name: 'customers',
  sql_table: 'customers',
  dimensions: [key, { name: 'name', sql: 'name', type: 'string' }],
  measures: [count],
};
const joined = { name: 'customers', sql: '{CUBE}.customer_id = {customers}.id', relationship: 'many_to_one' };

/** Returns a model of orders and customers as JSON, with each entry on its own line. */
function orders(parts: object, others: object = {}): string {
  const cube = { name: 'orders', sql_table: 'orders', joins: [joined], measures: [count], dimensions: [key], ...parts };
  return JSON.stringify({ cubes: [cube, customers], ...others });
}

const dimension = (sql: string, more: object = {}) => ({
  dimensions: [key, { name: 'x', sql, type: 'string', ...more }],
});
const measure = (type: string, sql: string) => ({ measures: [count, { name: 'x', sql, type }] });

describe('SQL of a model', () => {
  it.each<[string, object, string]>([
    [
      'a dimension from a measure',
      dimension('{count}'),
      '{count} is a measure: only measures of type number and sub_query dimensions',
    ],
    ['a segment from a measure', { segments: [{ name: 'x', sql: '{count} > 1' }] }, '{count} is a measure'],
    ['an aggregate of a measure', measure('sum', '{count}'), '{count} is a measure'],
    ['a join on a measure', { joins: [{ ...joined, sql: '{count} = {customers.id}' }] }, '{count} is a measure'],
    [
      'a dimension from a whole cube',
      dimension('{customers}.name'),
      '{customers} is another cube: reference a member of it, such as {customers.name}',
    ],
    ['a dimension from itself', dimension('{x}'), 'x refers to itself, or to a member that does'],
    [
      'a measure from itself through others',
      {
        measures: [
          { name: 'x', sql: '{y}', type: 'number' },
          { name: 'y', sql: '{x} + 1', type: 'number' },
        ],
      },
      'x refers to itself',
    ],
    [
      'a reference to a reserved word',
      { dimensions: [key, { name: 'class', sql: 'a', type: 'string' }, { name: 'x', sql: '{class}', type: 'string' }] },
      '{class} uses a reserved word',
    ],
    [
      'a second join to a cube',
      { joins: [joined, joined] },
      '1: customers is already joined: join a cube that extends it',
    ],
    ['a join to itself', { joins: [{ ...joined, name: 'orders', sql: '{CUBE}.id = 1' }] }, 'a cube cannot join itself'],
  ])('cannot define %s', async (_, parts, problem) => {
    const problems = await problemsOf(orders(parts));
    expect(problems.join('\n')).toContain(problem);
    expect(problems.join('\n')).not.toMatch(/^Compile/m);
  });

  it('cannot be longer than 100,000 characters when its references are replaced', async () => {
    const dimensions = Array.from({ length: 40 }, (_, index) => ({
      name: `d${index + 1}`,
      sql: `{d${index}}+{d${index}}`,
      type: 'number',
    }));
    const parts = {
      dimensions: [key, { name: 'd0', sql: '1', type: 'number' }, ...dimensions],
      joins: [{ ...joined, sql: '{d14} + {d14} = {customers.id}' }],
      measures: [{ name: 'm', sql: 'id', type: 'sum', filters: [{ sql: '{d14} > 0' }, { sql: '{d14} > 1' }] }],
      access_policy: [{ group: '*', row_level: { filters: [{ member: 'd40', operator: 'equals', values: [1] }] } }],
    };
    const names = ['the join to customers', ...dimensions.slice(14).map(({ name }) => name), 'm'];
    expect(await problemsOf(orders(parts))).toEqual(
      names.map(name => `1: The SQL of ${name} is longer than 100,000 characters when its references are replaced`),
    );
  });

  it('can define a measure from measures, and a condition on whole cubes', async () => {
    const measures = [
      count,
      { name: 'double', sql: '{count} * 2', type: 'number' },
      { name: 'known', sql: '{CUBE}.id', type: 'count_distinct', filters: [{ sql: "{customers}.name = 'Ada'" }] },
    ];
    const model = await compile(
      orders({ measures, access_policy: open }).replace(
        '"name":"customers","sql_table"',
        '"access_policy":[{"group":"*","row_level":{"allow_all":true}}],"name":"customers","sql_table"',
      ),
    );
    const query = { measures: ['orders.double', 'orders.known'] };
    expect(await rowsOf(await openDatabase(), model, query, caller())).toEqual([['16', '3']]);
  });

  it('finds cycles through sub-queries', async () => {
    const text = JSON.stringify({
      cubes: [
        {
          name: 'orders',
          sql_table: 'orders',
          joins: [joined],
          dimensions: [key],
          measures: [{ name: 'sum', sql: '{customers.total}', type: 'sum' }],
        },
        {
          ...customers,
          dimensions: [key, { name: 'total', sql: '{orders.sum}', type: 'number', sub_query: true }],
        },
      ],
    });
    expect((await problemsOf(text)).join('\n')).toMatch(/(sum|total) refers to itself/);
  });

  it('allows JavaScript keywords as member names, and any text', async () => {
    const words = ['default', 'new', 'this', 'groups', 'userAttributes', 'null', 'securityContext'];
    const texts = ['\'"""\'', "'a\nb'", "'`$'", "'\\n\\'", "'#' -- x\n", "'$1'", "'\u2028'", "'€'", '{ CUBE }.tenant'];
    const dimensions = [
      key,
      ...words.map(name => ({ name, sql: "{CUBE}.region || '-'", type: 'string' })),
      ...words.map(name => ({ name: `of_${name}`, sql: `{${name}}`, type: 'string' })),
      ...texts.map((sql, index) => ({ name: `text_${index}`, sql, type: 'string' })),
    ];
    const database = await openDatabase();
    const model = await compile(orders({ dimensions, access_policy: open }));
    for (const name of words) {
      const rows = await rowsOf(database, model, { dimensions: [`orders.${name}`, `orders.of_${name}`] }, caller());
      expect(rows.length).toBe(7);
      for (const [own, same] of rows) expect(same).toBe(own);
    }
    for (const [index, text] of texts.entries()) {
      const { sql } = model.plan({ dimensions: [`orders.text_${index}`] }, caller()).statement();
      expect(sql).toContain(text.replace('{ CUBE }', '"orders"'));
      await database.run(sql);
    }
  });

  it.each(['groups', 'class', 'default', 'securityContext', 'constructor'])(
    'cannot define a cube named %s',
    async name => {
      const text = JSON.stringify({ cubes: [{ name, sql_table: 'orders' }] });
      expect(await problemsOf(text)).toEqual([`1: ${name} is a reserved name`]);
    },
  );
});

describe('a view', () => {
  it('uses one join path to a cube', async () => {
    const cube = (name: string, ...others: string[]) => ({
      name,
      sql_table: 'orders',
      dimensions: [key],
      joins: others.map(other => ({ name: other, sql: `{CUBE}.id = {${other}.id}`, relationship: 'one_to_one' })),
    });
    const cubes = [cube('a', 'b', 'c'), cube('b', 'd'), cube('c', 'd'), cube('d')];
    const view = (...paths: string[]) =>
      JSON.stringify({
        cubes,
        views: [{ name: 'v', cubes: paths.map(join_path => ({ join_path, prefix: true, includes: [] })) }],
      });
    expect(await problemsOf(view('a.b.d', 'a.c.d'))).toEqual([
      '1: a.b.d leads to the same cube: use one path, or join a cube that extends it',
    ]);
    expect(await problemsOf(view('a.b.d', 'a.b', 'a.c', 'c.d'))).toEqual([]);
  });
});
