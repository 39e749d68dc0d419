import type { DuckDBConnection, Json } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../../../src/contract/query.js';
import type { SecurityContext } from '../../../../src/platform/auth/principal.js';
import type { SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import { tenantCaller } from '../callers.js';
import { compileFiles, openDatabase, problemsOf, rowsOf } from './fixture.js';
import { allRowsPolicy } from './model-yaml.js';

const base = `
cubes:
  - name: base
    sql_table: orders
    public: false
    title: Orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: tenant, sql: tenant, type: string }
      - { name: region, sql: "{CUBE}.region", type: string }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: "{CUBE}.amount", type: sum }
      - { name: average, sql: "{revenue} / {count}", type: number }
    segments:
      - { name: large, sql: "{CUBE}.amount >= 50" }
    hierarchies:
      - { name: place, levels: [tenant, region] }
    access_policy:
      - group: "*"
        row_level: { filters: [{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] } ] }
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: name, sql: name, type: string }
    ${allRowsPolicy}
`;
const children = `
cubes:
  - name: paid
    extends: base
    public: true
    sql: SELECT * FROM orders WHERE paid
    dimensions:
      - { name: region, sql: "upper({CUBE}.region)", type: string, title: Place }
    measures:
      - { name: most, sql: "{CUBE}.amount", type: max }
  - name: best
    extends: paid
    title: Best orders
    segments: [{ name: north, sql: "{region} LIKE 'NORTH%'" } ]
    access_policy:
      - group: board
        row_level: { allow_all: true }
`;

let database: DuckDBConnection;
let compiled: SemanticModel;
beforeAll(async () => {
  database = await openDatabase();
  compiled = await compileFiles({ 'a.yml': children, 'b.yml': base });
});

const rows = (query: Query, context: SecurityContext): Promise<Json[][]> => rowsOf(database, compiled, query, context);

describe('a cube with extends', () => {
  it('inherits the members of its base, over its own rows', async () => {
    const query: Query = { measures: ['paid.count', 'paid.revenue', 'paid.average', 'paid.most'] };
    expect(await rows(query, tenantCaller('a'))).toEqual([['2', '10.00', 5, '10.00']]);
    expect(await rows({ ...query, segments: ['paid.large'] }, tenantCaller('b'))).toEqual([
      ['3', '200.00', 200 / 3, '80.00'],
    ]);
    expect(await rows({ dimensions: ['customers.name'], measures: ['paid.count'] }, tenantCaller('a'))).toEqual([
      ['Ada', '1'],
      ['Bob', '1'],
    ]);
  });

  it('overrides entries of its base', async () => {
    expect(await rows({ dimensions: ['paid.region'], order: [['paid.region', 'asc']] }, tenantCaller('a'))).toEqual([
      ['50%_OFF\\'],
      ['NORTH'],
    ]);
    const [paid] = compiled.meta(tenantCaller('a')).cubes;
    expect(paid).toMatchObject({ name: 'paid', title: 'Orders', hierarchies: [{ name: 'paid.place' }] });
    expect(paid?.dimensions.map(({ shortTitle }) => shortTitle)).toEqual(['Tenant', 'Place']);
  });

  it('inherits the policies of its base, unless it has its own', async () => {
    const query: Query = { measures: ['best.count'] };
    expect(() => compiled.plan(query, tenantCaller('a'))).toThrow('best.count is not a member of the model');
    expect(await rows(query, tenantCaller('a', 'board'))).toEqual([['5']]);
    expect(await rows({ ...query, segments: ['best.north'] }, tenantCaller('a', 'board'))).toEqual([['1']]);
    expect(await rows({ measures: ['paid.count'] }, tenantCaller('a', 'board'))).toEqual([['2']]);
    expect(await rows({ measures: ['paid.count'] }, tenantCaller('c'))).toEqual([['0']]);
  });

  it.each([
    ['an unknown cube', 'extends: nope\n    sql_table: orders', '5: nope is not a cube'],
    ['itself', 'extends: child', '5: child extends itself'],
  ])('cannot extend %s', async (_, source, problem) => {
    const text = `cubes:\n  - name: base\n    sql_table: orders\n  - name: child\n    ${source}\n`;
    expect((await problemsOf(text)).join('\n')).toContain(problem);
  });

  it('cannot be part of a cycle', async () => {
    const text = 'cubes:\n  - name: one\n    extends: two\n  - name: two\n    extends: one\n    sql_table: orders\n';
    expect((await problemsOf(text)).join('\n')).toMatch(/extends itself/);
  });

  it('reports each problem once, at its source', async () => {
    const text = `cubes:
  - name: base
    sql_table: orders
    dimensions:
      - { name: region, sql: region, type: string }
      - { name: wrong, sql: "{nope}", type: string }
    access_policy: [{ group: "*", row_level: { filters: [{ member: nope, operator: set } ] } } ]
  - name: child
    extends: base
    dimensions:
      - { name: tenant, sql: tenant, type: string }
      - { name: bad, sql: "{other}", type: string }
  - name: changed
    extends: base
    dimensions:
      - { name: wrong, sql: tenant, type: string }
    access_policy: []
`;
    expect(await problemsOf(text)).toEqual([
      '6: {nope} is not a cube or a member',
      '7: nope is not a member of base',
      '12: {other} is not a cube or a member',
      '7: nope is not a member of child',
    ]);
  });

  it('keeps references to its base, while CUBE refers to itself', async () => {
    const text = `${base}
  - name: child
    extends: base
    public: true
    measures:
      - { name: own, sql: "{CUBE.amount}", type: sum }
`;
    expect(await problemsOf(text)).toEqual([expect.stringMatching(/\{CUBE\.amount\} is not a cube/)]);
    expect(await problemsOf(text.replace('{CUBE.amount}', '{CUBE}.amount'))).toEqual([]);
  });
});
