import type { DuckDBConnection, Json } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../../../src/contract/query.js';
import type { SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import { caller } from '../callers.js';
import { compile, openDatabase, rowsOf } from '../model/fixture.js';
import { allRowsPolicy } from '../model/model-yaml.js';

/** Items are joined only to orders of customers in one country, so the SQL of that join reads a third cube. */
const model = `
cubes:
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
      - { name: items, sql: "{CUBE}.id = {items.order_id} AND {customers.home} = 'DE'", relationship: one_to_many }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
    measures:
      - { name: count, type: count }
    ${allRowsPolicy}
  - name: customers
    sql_table: customers
    joins:
      - { name: countries, sql: "{CUBE}.country = {countries.name}", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: home, sql: "{countries.name}", type: string }
      - { name: name, sql: name, type: string }
    access_policy:
      - { group: all, row_level: { allow_all: true } }
      - { group: bobs, row_level: { filters: [{ member: name, operator: equals, values: [Bob] }] } }
  - name: countries
    sql_table: customers
    dimensions:
      - { name: name, sql: country, type: string, primary_key: true }
    ${allRowsPolicy}
  - name: items
    sql_table: items
    dimensions:
      - { name: order_id, sql: order_id, type: number }
      - { name: id, sql: id, type: number, primary_key: true }
    measures:
      - { name: quantity, sql: quantity, type: sum }
    ${allRowsPolicy}
`;

let database: DuckDBConnection;
let compiled: SemanticModel;
beforeAll(async () => {
  database = await openDatabase();
  compiled = await compile(model);
});

describe('a join whose SQL reads a third cube', () => {
  const query: Query = {
    dimensions: ['orders.id'],
    measures: ['items.quantity'],
    order: { 'orders.id': 'asc' },
  };
  const quantities = async (...groups: string[]): Promise<Json[]> => {
    const rows = await rowsOf(database, compiled, query, caller({}, groups));
    return rows.slice(0, 5).map(([, quantity]) => quantity ?? null);
  };

  it('includes that cube, and what its member reads', async () => {
    expect(await quantities('all')).toEqual(['3', '3', null, null, null]);
  });

  it('reads only rows of it that the caller may read', async () => {
    expect(await quantities('bobs')).toEqual([null, null, null, null, null]);
  });

  it('is rejected if the caller may not read that cube', async () => {
    await expect(quantities()).rejects.toThrow('No join path between items and orders');
  });

  it('has no effect on queries that do not use it', async () => {
    const { statement } = compiled.plan({ measures: ['orders.count'] }, caller());
    expect(statement().sql).not.toContain('customers');
  });
});
