import type { Case } from './case.js';

const ordersAndCustomers = `orders o LEFT JOIN customers c ON c.id = o.customer_id AND c.tenant = 'acme'`;

/** Members of several cubes in one query. Each cube has only the tenant's rows, and no measure counts a row twice. */
export const joins: readonly Case[] = [
  {
    name: 'groups by a dimension of a joined cube, and keeps rows that join nothing',
    query: { measures: ['orders.count'], dimensions: ['customers.country'] },
    sql: `SELECT c.country AS "customers.country", count(*) AS "orders.count" FROM ${ordersAndCustomers}
      WHERE o.tenant = 'acme' GROUP BY 1`,
  },
  {
    name: "never joins another tenant's rows that have the same ids",
    caller: 'atl',
    query: { measures: ['orders.count'], dimensions: ['customers.name'] },
    sql: `SELECT c.name AS "customers.name", count(*) AS "orders.count" FROM orders o
      LEFT JOIN customers c ON c.id = o.customer_id AND c.tenant = 'globex' WHERE o.tenant = 'globex' GROUP BY 1`,
  },
  {
    name: 'filters by a joined cube',
    query: {
      measures: ['orders.revenue'],
      filters: [{ member: 'customers.vip', operator: 'equals', values: ['true'] }],
    },
    sql: `SELECT sum(o.amount) AS "orders.revenue" FROM ${ordersAndCustomers} WHERE o.tenant = 'acme' AND c.vip`,
  },
  {
    name: 'counts orders once where each has several items',
    query: { measures: ['orders.count', 'orders.revenue'], dimensions: ['items.sku'] },
    sql: `SELECT i.sku AS "items.sku", count(DISTINCT o.id) AS "orders.count", (SELECT sum(k.amount) FROM orders k
        WHERE k.tenant = 'acme' AND CASE WHEN i.sku IS NULL
          THEN k.id NOT IN (SELECT order_id FROM items WHERE tenant = 'acme')
          ELSE k.id IN (SELECT order_id FROM items WHERE tenant = 'acme' AND sku = i.sku) END) AS "orders.revenue"
      FROM orders o LEFT JOIN items i ON i.order_id = o.id AND i.tenant = 'acme' WHERE o.tenant = 'acme' GROUP BY 1`,
  },
  {
    name: 'keeps measures of both sides of one to many apart',
    query: {
      measures: ['orders.count', 'orders.revenue', 'items.quantity', 'items.turnover'],
      dimensions: ['orders.status'],
    },
    sql: `SELECT o.status AS "orders.status", count(*) AS "orders.count", sum(o.amount) AS "orders.revenue",
        sum(i.quantity) AS "items.quantity", sum(i.turnover) AS "items.turnover"
      FROM orders o LEFT JOIN (SELECT order_id, sum(quantity) AS quantity, sum(quantity * price) AS turnover
        FROM items WHERE tenant = 'acme' GROUP BY 1) i ON i.order_id = o.id
      WHERE o.tenant = 'acme' GROUP BY 1`,
  },
  {
    name: 'counts customers once where each has several orders',
    query: { measures: ['customers.count', 'orders.count'], dimensions: ['customers.country'] },
    sql: `SELECT c.country AS "customers.country", count(DISTINCT c.id) AS "customers.count", count(*) AS "orders.count"
      FROM ${ordersAndCustomers} WHERE o.tenant = 'acme' GROUP BY 1`,
  },
  {
    name: 'joins through a cube in between',
    query: { measures: ['items.quantity'], dimensions: ['customers.country', 'orders.paid'] },
    sql: `SELECT c.country AS "customers.country", o.paid AS "orders.paid", sum(i.quantity) AS "items.quantity"
      FROM orders o LEFT JOIN items i ON i.order_id = o.id AND i.tenant = 'acme'
      LEFT JOIN customers c ON c.id = o.customer_id AND c.tenant = 'acme' WHERE o.tenant = 'acme' GROUP BY ALL`,
  },
  {
    name: 'reads a cube that is joined elsewhere by itself',
    query: { measures: ['customers.count', 'customers.vips'] },
    sql: `SELECT count(*) AS "customers.count", count(*) FILTER (vip) AS "customers.vips" FROM customers WHERE tenant = 'acme'`,
  },
  {
    name: 'groups by time and by what is joined',
    query: {
      measures: ['orders.revenue'],
      dimensions: ['customers.vip'],
      timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'quarter' }],
    },
    sql: `SELECT c.vip AS "customers.vip", date_trunc('quarter', o.placed_at) AS "orders.placed_at.quarter",
      sum(o.amount) AS "orders.revenue" FROM ${ordersAndCustomers} WHERE o.tenant = 'acme' GROUP BY ALL`,
  },
  {
    name: 'takes a hint of how to join',
    query: {
      measures: ['items.quantity'],
      dimensions: ['customers.country'],
      joinHints: [
        ['orders', 'items'],
        ['orders', 'customers'],
      ],
    },
    sql: `SELECT c.country AS "customers.country", sum(i.quantity) AS "items.quantity"
      FROM orders o LEFT JOIN items i ON i.order_id = o.id AND i.tenant = 'acme'
      LEFT JOIN customers c ON c.id = o.customer_id AND c.tenant = 'acme' WHERE o.tenant = 'acme' GROUP BY 1`,
  },
];
