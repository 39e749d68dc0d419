import type { DuckDBConnection } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { type FilterOperator, filterOperators } from '../../../../src/contract/query.js';
import type { SecurityContext } from '../../../../src/platform/auth/principal.js';
import type { SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import fc from '../../../property.js';
import { caller } from '../callers.js';
import { compile, openDatabase, rowsOf } from './fixture.js';

const dateOperators: readonly FilterOperator[] = filterOperators.filter(operator => /Date/.test(operator));
const valueOperators = filterOperators.filter(operator => operator !== 'set' && operator !== 'notSet');

/** Returns one cube per operator in one model: `orders_equals` and so on, filtered by the attribute `value`. */
function cubePerOperator(): string {
  const cubes = valueOperators.map(operator => {
    const member = dateOperators.includes(operator) ? 'created' : 'region';
    return cube(
      `orders_${operator}`,
      `[{ member: ${member}, operator: ${operator}, values: ["{ userAttributes.value }"] } ]`,
    );
  });
  const numbers = (['equals', 'notEquals', 'gt'] as const).map(operator =>
    cube(`amounts_${operator}`, `[{ member: amount, operator: ${operator}, values: ["{ userAttributes.value }"] } ]`),
  );
  const flags = cube('flags', `[{ member: paid, operator: notEquals, values: "{ userAttributes.value }" } ]`);
  return `cubes:\n${[...cubes, ...numbers, flags].join('\n')}`;
}

function cube(name: string, filters: string, before = ''): string {
  return `
  - name: ${name}
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: "{CUBE}.tenant", type: string }
      - { name: region, sql: region, type: string }
      - { name: place, sql: "upper({region})", type: string }
      - { name: amount, sql: "{CUBE}.amount", type: number }
      - { name: created, sql: "{CUBE}.created", type: time }
      - { name: paid, sql: "{CUBE}.paid", type: boolean }
    measures:
      - { name: count, type: count }
    access_policy:
      - group: "*"
        ${before}
        row_level:
          filters: ${filters}
`;
}

let database: DuckDBConnection;
let operators: SemanticModel;
beforeAll(async () => {
  database = await openDatabase();
  operators = await compile(cubePerOperator());
});

/** Returns the IDs that a caller reads from a cube, or 'invisible'. */
async function ids(model: SemanticModel, name: string, context: SecurityContext): Promise<number[] | 'invisible'> {
  const query = { dimensions: [`${name}.id`] };
  const visible = model.meta(context).cubes.some(one => one.name === name);
  if (!visible) {
    expect(() => model.plan(query, context)).toThrow(`${name}.id is not a member of the model`);
    return 'invisible';
  }
  return (await rowsOf(database, model, query, context)).map(row => Number(row[0]));
}

describe.each(valueOperators)('a row filter with %s', operator => {
  const wrong = dateOperators.includes(operator) ? 'yesterday' : 7;
  it.each([
    ['missing', {}],
    ['null', { value: null }],
    ['an empty list', { value: [] }],
    ['the empty text', { value: '' }],
    ['a list with null', { value: [null] }],
    ['a list with the empty text', { value: ['north', ''] }],
    ['a nested list', { value: [['north']] }],
    ['an object', { value: { equals: 'north' } }],
    ['true', { value: true }],
    ['of the wrong type', { value: wrong }],
  ])('makes the cube invisible if the attribute is %s', async (_, attributes) => {
    expect(await ids(operators, `orders_${operator}`, caller({}, [], attributes))).toBe('invisible');
  });

  it('grants the matching rows', async () => {
    const range = operator === 'inDateRange' || operator === 'notInDateRange';
    const single = dateOperators.includes(operator) ? '2001-01-31' : 'north';
    const value = range ? ['2001-01-31', '2001-02-01'] : single;
    const expected: Partial<Record<FilterOperator, number[]>> = {
      equals: [1, 6],
      notEquals: [2, 3, 4, 5, 7, 8],
      contains: [1, 2, 6],
      notContains: [3, 4, 5, 7, 8],
      startsWith: [1, 2, 6],
      notStartsWith: [3, 4, 5, 7, 8],
      endsWith: [1, 6],
      notEndsWith: [2, 3, 4, 5, 7, 8],
      gt: [5],
      gte: [1, 5, 6],
      lt: [2, 4, 7, 8],
      lte: [1, 2, 4, 6, 7, 8],
      inDateRange: [2, 3],
      notInDateRange: [1, 4, 5, 6, 8],
      beforeDate: [1, 5],
      beforeOrOnDate: [1, 2, 5],
      afterDate: [3, 4, 6, 8],
      afterOrOnDate: [2, 3, 4, 6, 8],
    };
    expect(await ids(operators, `orders_${operator}`, caller({}, [], { value }))).toEqual(expected[operator]);
  });
});

describe('a row filter', () => {
  it.each(['x', '1 OR 1=1', '', null, [], {}, true, Number.NaN, Number.POSITIVE_INFINITY, '1e999'])(
    'on a number does not match %j',
    async value => {
      for (const operator of ['equals', 'notEquals', 'gt']) {
        expect(await ids(operators, `amounts_${operator}`, caller({}, [], { value }))).toBe('invisible');
      }
    },
  );

  it('on a number accepts numbers and numeric text', async () => {
    expect(await ids(operators, 'amounts_equals', caller({}, [], { value: 50 }))).toEqual([5]);
    expect(await ids(operators, 'amounts_gt', caller({}, [], { value: '60' }))).toEqual([7, 8]);
  });

  it('on a boolean matches only true and false', async () => {
    expect(await ids(operators, 'flags', caller({}, [], { value: true }))).toEqual([2, 3, 6]);
    for (const value of ['yes', 1, 0, '', null, []])
      expect(await ids(operators, 'flags', caller({}, [], { value }))).toBe('invisible');
  });

  it('reads several values from a list', async () => {
    expect(await ids(operators, 'orders_equals', caller({}, [], { value: ['north', 'south'] }))).toEqual([1, 5, 6]);
  });

  it('treats every text as a value, never as SQL or a pattern', async () => {
    const hostile = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom("' OR '1'='1", "north' --", '$1$', '$1', '%', '_', '\\', '"', '?', '{CUBE}', '$', 'constructor'),
    );
    const texts = ['north', 'North-East', '50%_off\\', 'south', '', 'it\'s "x"'];
    await fc.assert(
      fc.asyncProperty(hostile, async value => {
        const rows = await rowsOf(
          database,
          operators,
          { dimensions: ['orders_equals.region'] },
          caller({}, [], { value }),
        );
        expect(rows.map(row => row[0])).toEqual(texts.filter(text => text === value));
      }),
      { numRuns: 100 },
    );
  });

  it('reads only own properties of the context', async () => {
    const model = await compile(
      `cubes:${cube('orders', '[{ member: region, operator: notEquals, values: ["{ securityContext.scope.toString }"] } ]')}`,
    );
    expect(await ids(model, 'orders', caller({ scope: {} }))).toBe('invisible');
    expect(await ids(model, 'orders', caller({ scope: Object.create({ toString: 'x' }) }))).toBe('invisible');
    expect(await ids(model, 'orders', caller({ scope: ['x'] }))).toBe('invisible');
    expect(await ids(model, 'orders', caller({ scope: { toString: 'north' } }))).toEqual([2, 3, 4, 5, 7, 8]);
  });

  it('can use a dimension built from other dimensions', async () => {
    const model = await compile(`cubes:${cube('orders', '[{ member: place, operator: equals, values: [NORTH] } ]')}`);
    expect(await ids(model, 'orders', caller())).toEqual([1, 6]);
  });

  it('supports nested and/or; one invalid value disables the whole policy', async () => {
    const region = '{ member: region, operator: equals, values: ["{ userAttributes.region }"] }';
    const amount = '{ member: amount, operator: gt, values: ["{ userAttributes.floor }"] }';
    const ofB = `{ and: [{ member: tenant, operator: equals, values: [b] }, ${amount} ] }`;
    const filters = `[{ or: [${region}, ${ofB} ] }, { member: paid, operator: set } ]`;
    const model = await compile(`cubes:${cube('orders', filters)}`);
    expect(await ids(model, 'orders', caller({}, [], { region: 'north', floor: 60 }))).toEqual([1, 6, 7, 8]);
    expect(await ids(model, 'orders', caller({}, [], { region: 'north' }))).toBe('invisible');
  });
});

describe('access policies', () => {
  const policies = (entries: string) =>
    `cubes:${cube('orders', '[{ member: id, operator: equals, values: [1] } ]')}${entries}`;

  it('hide a cube without policies from all callers', async () => {
    const model = await compile(`cubes:
  - name: orders
    sql_table: orders
    dimensions: [{ name: id, sql: id, type: number } ]`);
    expect(await ids(model, 'orders', caller({}, ['admin']))).toBe('invisible');
  });

  it('match by group, and are ORed', async () => {
    const model = await compile(
      policies(`
      - groups: [north, cold]
        row_level: { filters: [{ member: region, operator: equals, values: [north] } ] }
      - group: admin
        row_level: { allow_all: true }`),
    );
    expect(await ids(model, 'orders', caller())).toEqual([1]);
    expect(await ids(model, 'orders', caller({}, ['cold']))).toEqual([1, 6]);
    expect(await ids(model, 'orders', caller({}, ['cold', 'admin']))).toHaveLength(8);
    expect(await ids(model, 'orders', caller({}, ['Admin', '*', 'north,cold']))).toEqual([1]);
  });

  it('require every condition to be exactly true', async () => {
    const model = await compile(
      `cubes:${cube('orders', '[{ member: id, operator: equals, values: [1] } ]', 'conditions: [{ if: "{ userAttributes.staff }" }, { if: true } ]')}`,
    );
    expect(await ids(model, 'orders', caller({}, [], { staff: true }))).toEqual([1]);
    for (const staff of ['true', 1, 'yes', {}, [true], null])
      expect(await ids(model, 'orders', caller({}, [], { staff }))).toBe('invisible');
    expect(await ids(model, 'orders', caller())).toBe('invisible');
  });

  it('return different rows of the same query to two tenants, in any order', async () => {
    const model = await compile(
      `cubes:${cube('orders', '[{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] } ]')}`,
    );
    const query = { measures: ['orders.count'] };
    const of = (tenant?: string) => caller(tenant === undefined ? {} : { tenant });
    for (const tenant of ['a', 'b', 'a', 'c', 'b']) {
      const plan = model.plan(query, of(tenant));
      expect(plan.statement().parameters).toEqual([tenant]);
      expect(JSON.stringify([plan.query, plan.annotation])).not.toMatch(/tenant/i);
    }
    expect(() => model.plan(query, of())).toThrow('orders.count is not a member of the model');
  });
});
