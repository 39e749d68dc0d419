import { allRowsPolicy } from '../../data/model/model-yaml.js';

/**
 * A shop with joined cubes, synonyms, two dates, a boolean, and values shared by dimensions (`Vienna` is a city and a
 * brand).
 */
export const shopModel = `
cubes:
  - name: orders
    sql_table: orders
    title: Orders
    meta: { suggestions: ["Revenue by category last month", "What is the meaning of life?"] }
    joins:
      - { name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers.id}" }
      - { name: products, relationship: many_to_one, sql: "{CUBE}.product_id = {products.id}" }
    dimensions:
      - { name: id, sql: "{CUBE}.id", type: number, primary_key: true }
      - { name: status, sql: "{CUBE}.status", type: string }
      - { name: channel, sql: "{CUBE}.channel", type: string, title: Sales channel }
      - { name: created_at, sql: "{CUBE}.created_at", type: time, title: Order date }
      - { name: shipped_at, sql: "{CUBE}.shipped_at", type: time, title: Shipping date }
      - { name: amount, sql: "{CUBE}.amount", type: number, title: Order amount, format: currency, currency: EUR }
      - { name: is_gift, sql: "{CUBE}.is_gift", type: boolean, title: Gift }
    measures:
      - { name: count, type: count, title: Orders, meta: { synonyms: [purchases, sales orders] } }
      - { name: revenue, sql: "{CUBE}.amount", type: sum, title: Revenue, format: currency, currency: EUR, meta: { synonyms: [turnover, sales, income] } }
      - { name: average_order_value, sql: "{CUBE}.amount", type: avg, title: Average order value, format: currency, currency: EUR, meta: { synonyms: [AOV, basket size] } }
      - { name: items, sql: "{CUBE}.quantity", type: sum, title: Items sold, meta: { synonyms: [units, units sold] } }
      - { name: discount_rate, sql: "avg({CUBE}.discount)", type: number, title: Discount rate, format: percent_1 }
      - { name: refunds, sql: "{CUBE}.refund", type: sum, title: Refunded amount, format: currency, currency: EUR }
    segments:
      - { name: express, sql: "{CUBE}.express", title: Express delivery }
    ${allRowsPolicy}
  - name: customers
    sql_table: customers
    title: Customers
    dimensions:
      - { name: id, sql: "{CUBE}.id", type: number, primary_key: true }
      - { name: name, sql: "{CUBE}.name", type: string, title: Customer }
      - { name: country, sql: "{CUBE}.country", type: string }
      - { name: city, sql: "{CUBE}.city", type: string }
      - { name: segment, sql: "{CUBE}.segment", type: string, title: Customer segment }
      - { name: signed_up, sql: "{CUBE}.signed_up", type: time, title: Signed up }
    measures:
      - { name: count, type: count, title: Customers, meta: { synonyms: [buyers, clients] } }
    ${allRowsPolicy}
  - name: products
    sql_table: products
    title: Products
    dimensions:
      - { name: id, sql: "{CUBE}.id", type: number, primary_key: true }
      - { name: name, sql: "{CUBE}.name", type: string, title: Product, meta: { synonyms: [article] } }
      - { name: category, sql: "{CUBE}.category", type: string, meta: { synonyms: [product group] } }
      - { name: brand, sql: "{CUBE}.brand", type: string }
      - { name: price, sql: "{CUBE}.price", type: number, format: currency, currency: EUR }
    measures:
      - { name: count, type: count, title: Products }
    ${allRowsPolicy}
`;

/** Rows that are computed from the row number, so that every run has the same data. */
export const shopTables = `
  CREATE TABLE customers AS SELECT id, 'Customer ' || id AS name,
    ['Germany', 'Germany', 'Germany', 'France', 'France', 'Austria', 'Switzerland', 'United States', 'United Kingdom'][1 + id % 9] AS country,
    ['Berlin', 'Munich', 'Hamburg', 'Paris', 'Lyon', 'Vienna', 'Zürich', 'New York', 'London'][1 + id % 9] AS city,
    ['Consumer', 'Corporate', 'Small Business'][1 + id % 3] AS segment,
    TIMESTAMP '2023-01-01' + to_days(CAST(id * 3 AS INTEGER)) AS signed_up
  FROM range(1, 181) t(id);
  CREATE TABLE products AS SELECT * FROM (VALUES
    (1, 'Road Bike 500', 'Bikes', 'Northwind', 899.0), (2, 'City Bike', 'Bikes', 'Kestrel', 499.0), (3, 'Kids Bike', 'Bikes', 'Vienna', 199.0),
    (4, 'Rain Jacket', 'Clothing', 'Alpina', 89.0), (5, 'Wool Socks', 'Clothing', 'Northwind', 15.0), (6, 'Trail Helmet', 'Helmets', 'Alpina', 79.0),
    (7, 'Urban Helmet', 'Helmets', 'Kestrel', 69.0), (8, 'Bike Lock', 'Accessories', 'Vienna', 39.0)) t(id, name, category, brand, price);
  CREATE TABLE orders AS SELECT id, 1 + (id * 7) % 180 AS customer_id, 1 + (id * 5) % 8 AS product_id,
    ['delivered', 'delivered', 'shipped', 'new', 'paid', 'cancelled', 'returned'][1 + id % 7] AS status,
    ['Web', 'Store', 'Phone', 'Marketplace'][1 + (id * 3) % 4] AS channel,
    TIMESTAMP '2023-01-01 08:00:00' + to_hours(CAST(id * 6 AS INTEGER)) AS created_at,
    TIMESTAMP '2023-01-03 08:00:00' + to_hours(CAST(id * 6 AS INTEGER)) AS shipped_at,
    (10 + (id * 37) % 900)::DOUBLE AS amount, 1 + id % 4 AS quantity, ((id * 3) % 20) / 100.0 AS discount,
    CASE WHEN id % 7 = 6 THEN 10.0 ELSE 0 END AS refund, id % 11 = 0 AS is_gift, id % 5 = 0 AS express
  FROM range(1, 2121) t(id);
`;
