import { allRowsPolicy } from '../../model/model-yaml.js';

/** Measures of the model below as SQL over the tables. Every cube has `count`. */
export const measures: Readonly<Record<string, string>> = {
  count: 'COUNT(*)',
  total: 'SUM(amount)',
  average: 'AVG(amount)',
  smallest: 'MIN(amount)',
  largest: 'MAX(amount)',
  units: 'SUM(quantity)',
  buyers: 'COUNT(DISTINCT customer_id)',
  buying: 'COUNT(customer_id)',
  done: `COUNT(*) FILTER (WHERE status = 'done')`,
  done_total: `SUM(amount) FILTER (WHERE status = 'done')`,
  per_unit: 'SUM(amount) / NULLIF(SUM(quantity), 0)',
  last_placed: 'MAX(placed_at)',
  revenue: 'SUM(price * pieces)',
  products: 'COUNT(DISTINCT product)',
  best: 'MAX(score)',
  visited: 'SUM(visits)',
};

/** The tables as cubes, with one dimension per column. */
export const modelText = `
cubes:
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers}.id", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: customer_id, sql: customer_id, type: number }
      - { name: status, sql: status, type: string }
      - { name: amount, sql: amount, type: number }
      - { name: quantity, sql: quantity, type: number }
      - { name: discount, sql: discount, type: number }
      - { name: paid, sql: paid, type: boolean }
      - { name: placed_at, sql: placed_at, type: time }
      - { name: due, sql: due, type: time }
      - { name: note, sql: note, type: string }
      - { name: big, sql: big, type: number }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
      - { name: average, sql: amount, type: avg }
      - { name: smallest, sql: amount, type: min }
      - { name: largest, sql: amount, type: max }
      - { name: units, sql: quantity, type: sum }
      - { name: buyers, sql: customer_id, type: count_distinct }
      - { name: buying, sql: customer_id, type: count }
      - { name: done, type: count, filters: [{ sql: "{CUBE}.status = 'done'" }] }
      - { name: done_total, sql: amount, type: sum, filters: [{ sql: "{CUBE}.status = 'done'" }] }
      - { name: per_unit, sql: "{total} / NULLIF({units}, 0)", type: number }
      - { name: last_placed, sql: "MAX({CUBE}.placed_at)", type: time }
    segments:
      - { name: dear, sql: "{CUBE}.amount > 20" }
    ${allRowsPolicy}
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: name, sql: name, type: string }
      - { name: city, sql: city, type: string }
      - { name: score, sql: score, type: number }
      - { name: vip, sql: vip, type: boolean }
      - { name: since, sql: since, type: time }
    measures:
      - { name: count, type: count }
      - { name: best, sql: score, type: max }
    ${allRowsPolicy}
  - name: items
    sql_table: items
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: order_id, sql: order_id, type: number }
      - { name: product, sql: product, type: string }
      - { name: price, sql: price, type: number }
      - { name: pieces, sql: pieces, type: number }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: "{CUBE}.price * {CUBE}.pieces", type: sum }
      - { name: products, sql: product, type: count_distinct }
    ${allRowsPolicy}
  - name: days
    sql_table: days
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: day, sql: day, type: time }
      - { name: label, sql: label, type: string }
      - { name: holiday, sql: holiday, type: boolean }
      - { name: visits, sql: visits, type: number }
    measures:
      - { name: count, type: count }
      - { name: visited, sql: visits, type: sum }
    ${allRowsPolicy}
views:
  - name: sales
    cubes:
      - join_path: orders
        includes: [count, total, units, average, id, status, amount, quantity, paid, placed_at]
      - join_path: orders.customers
        includes: [name, city]
    ${allRowsPolicy}
`;
