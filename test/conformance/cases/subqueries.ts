import type { Case } from './case.js';

const pieces = (where = 'true') =>
  `(SELECT order_id, sum(quantity) AS pieces, sum(quantity * price) AS worth FROM items WHERE tenant = 'acme' AND ${where} GROUP BY 1)`;
const orders = `orders o LEFT JOIN ${pieces()} p ON p.order_id = o.id`;

/** Subquery dimensions, whose inner query is also limited to the tenant's rows. */
export const subqueries: readonly Case[] = [
  {
    name: 'lists a measure of another cube with each row',
    query: { dimensions: ['orders.id', 'orders.pieces', 'orders.worth'], order: { 'orders.id': 'asc' }, limit: 200 },
    sql: `SELECT o.id AS "orders.id", p.pieces AS "orders.pieces", p.worth AS "orders.worth" FROM ${orders}
      WHERE o.tenant = 'acme' ORDER BY o.id LIMIT 200`,
  },
  {
    name: 'groups by a measure of another cube',
    query: { measures: ['orders.count', 'orders.revenue'], dimensions: ['orders.pieces'] },
    sql: `SELECT p.pieces AS "orders.pieces", count(*) AS "orders.count", sum(o.amount) AS "orders.revenue" FROM ${orders}
      WHERE o.tenant = 'acme' GROUP BY 1`,
  },
  {
    name: 'averages a measure of another cube',
    query: { measures: ['orders.average_pieces', 'orders.most_pieces'], dimensions: ['orders.status'] },
    sql: `SELECT o.status AS "orders.status", avg(p.pieces) AS "orders.average_pieces", max(p.pieces) AS "orders.most_pieces"
      FROM ${orders} WHERE o.tenant = 'acme' GROUP BY 1`,
  },
  {
    name: "averages a measure of another cube over another tenant's rows",
    caller: 'atl',
    query: {
      measures: ['orders.average_pieces'],
      timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'quarter' }],
    },
    sql: `SELECT date_trunc('quarter', o.placed_at) AS "orders.placed_at.quarter", avg(p.pieces) AS "orders.average_pieces"
      FROM orders o LEFT JOIN (SELECT order_id, sum(quantity) AS pieces FROM items WHERE tenant = 'globex' GROUP BY 1) p
      ON p.order_id = o.id WHERE o.tenant = 'globex' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'filters by a measure of another cube',
    query: {
      measures: ['orders.count'],
      filters: [
        { member: 'orders.pieces', operator: 'gt', values: ['9'] },
        { member: 'orders.paid', operator: 'equals', values: ['true'] },
      ],
    },
    sql: `SELECT count(*) AS "orders.count" FROM ${orders} WHERE o.tenant = 'acme' AND p.pieces > 9 AND o.paid`,
  },
  {
    name: 'finds rows of which another cube has none',
    query: { measures: ['orders.count'], filters: [{ member: 'orders.pieces', operator: 'notSet' }] },
    sql: `SELECT count(*) AS "orders.count" FROM ${orders} WHERE o.tenant = 'acme' AND p.pieces IS NULL`,
  },
  {
    name: 'leaves what is counted inside as it is when the query filters',
    query: {
      measures: ['orders.average_pieces'],
      filters: [{ member: 'items.sku', operator: 'equals', values: ['sku 1'] }],
    },
    sql: `SELECT avg(p.pieces) AS "orders.average_pieces" FROM ${orders} WHERE o.tenant = 'acme'
      AND o.id IN (SELECT order_id FROM items WHERE tenant = 'acme' AND sku = 'sku 1')`,
  },
  {
    name: 'filters inside too where the model says so',
    query: {
      measures: ['orders.average_chosen'],
      filters: [{ member: 'items.sku', operator: 'equals', values: ['sku 1'] }],
    },
    sql: `SELECT avg(p.pieces) AS "orders.average_chosen" FROM orders o JOIN ${pieces(`sku = 'sku 1'`)} p ON p.order_id = o.id
      WHERE o.tenant = 'acme'`,
  },
  {
    name: 'reads it through a view',
    query: { measures: ['sales.count'], dimensions: ['sales.pieces', 'sales.paid'] },
    sql: `SELECT p.pieces AS "sales.pieces", o.paid AS "sales.paid", count(*) AS "sales.count" FROM ${orders}
      WHERE o.tenant = 'acme' GROUP BY ALL`,
  },
];
