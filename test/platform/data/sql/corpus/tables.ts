/** A small table, in SQL that means the same in DuckDB and Postgres. */
interface Table {
  /** Name and type of each column; both engines have these types. */
  readonly columns: Readonly<Record<string, string>>;
  /** Rows for `VALUES`. */
  readonly rows: string;
}

/** NULLs, ties, negative numbers, ends of months, and strings with special characters of LIKE and quotes. */
const tables: Readonly<Record<string, Table>> = {
  orders: {
    columns: {
      id: 'INTEGER',
      customer_id: 'INTEGER',
      status: 'TEXT',
      amount: 'NUMERIC(10,2)',
      quantity: 'INTEGER',
      discount: 'DOUBLE PRECISION',
      paid: 'BOOLEAN',
      placed_at: 'TIMESTAMP',
      due: 'TIMESTAMP',
      note: 'TEXT',
      big: 'BIGINT',
    },
    rows: `
      (1, 1, 'done', '10.50', 2, '0.1', true, '2024-01-31 10:15:30', '2024-02-29', 'plain', 1),
      (2, 1, 'done', '20.00', 3, NULL, true, '2024-01-31 23:59:59.999', '2024-02-29', '100% sure', 9007199254740993),
      (3, 2, 'open', '-5.25', -1, '0.25', false, '2024-02-29 00:00:00', NULL, 'a_b', -9007199254740993),
      (4, 2, 'open', '20.00', 7, '0', NULL, '2024-03-01 12:00:00', '2024-03-31', 'back\\slash', 0),
      (5, 3, NULL, '0.00', 0, '1.5', false, '2024-03-31 18:30:00', '2024-04-30', NULL, NULL),
      (6, NULL, 'lost', NULL, NULL, NULL, NULL, '2024-03-31 18:30:00', NULL, '', 4),
      (7, 3, 'lost', '99.99', 10, '-0.75', false, '2023-12-31 23:00:00', '2024-01-31', 'O''Hara "quoted"', 5),
      (8, 4, 'done', '99.99', 1, '2.5', true, '2023-12-31 23:00:00', '2024-01-31', 'äöüé ÄÖÜ', 12),
      (9, 4, 'Done', '7.77', 4, '0.5', true, '2024-05-15 06:45:00', '2024-06-15', ' spaces ', 13),
      (10, 5, 'open', '-5.25', 5, '0.125', false, '2024-05-15 06:45:00', '2024-06-15', 'emoji 😀 here', 100),
      (11, 5, NULL, NULL, -3, '3.25', true, '2025-01-01 00:00:00', NULL, 'tab	and -- dashes', 1000),
      (12, 1, 'done', '1234.56', 12, '1e10', true, '2025-02-28 23:59:59', '2025-03-31', 'Plain', 123456789012),
      (13, 99, 'open', '0.01', 1, NULL, NULL, '2024-12-30 08:00:00', '2025-01-05', 'a%b', 7),
      (14, 2, 'done', '15.00', 2, '1e-3', true, '2024-12-29 08:00:00', '2025-01-04', '12', 8)`,
  },
  customers: {
    columns: {
      id: 'INTEGER',
      name: 'TEXT',
      city: 'TEXT',
      score: 'INTEGER',
      vip: 'BOOLEAN',
      since: 'TIMESTAMP',
    },
    rows: `
      (1, 'Ada', 'Rome', 90, true, '2020-02-29'),
      (2, 'Bob', 'Oslo', 55, false, '2021-06-30'),
      (3, 'Çem', NULL, NULL, NULL, '2022-12-31'),
      (4, 'dora', 'Rome', -10, true, NULL),
      (5, 'Eve', 'oslo', 55, false, '2024-02-29'),
      (6, 'Nobody', 'Rome', 0, NULL, '2024-02-29')`,
  },
  items: {
    columns: { id: 'INTEGER', order_id: 'INTEGER', product: 'TEXT', price: 'NUMERIC(8,3)', pieces: 'INTEGER' },
    rows: `
      (1, 1, 'pen', '1.250', 4),
      (2, 1, 'ink', '5.500', 1),
      (3, 2, 'pen', '1.250', 16),
      (4, 3, 'desk', '150.000', 1),
      (5, 4, 'pen', '1.125', 8),
      (6, 4, 'lamp', '20.005', NULL),
      (7, 7, NULL, '99.990', 1),
      (8, 8, 'desk', NULL, 1),
      (9, 12, 'desk', '150.000', 8),
      (10, NULL, 'ink', '5.500', -2)`,
  },
  days: {
    columns: { id: 'INTEGER', day: 'TIMESTAMP', label: 'TEXT', holiday: 'BOOLEAN', visits: 'INTEGER' },
    rows: `
      (1, '2024-02-27', 'Tue', false, 10),
      (2, '2024-02-28', 'Wed', false, 30),
      (3, '2024-02-29', 'Thu', true, NULL),
      (4, '2024-03-01', 'Fri', false, 30),
      (5, '2024-03-02', 'Sat', true, -5),
      (6, '2024-03-03', 'Sun', true, 0),
      (7, '2024-03-31', 'Sun', true, 12),
      (8, '2024-04-01', 'Mon', NULL, 12)`,
  },
};

/** SELECTs of the tables, by name. */
export const tableSelects: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(tables).map(([name, { columns, rows }]) => {
    const list = Object.entries(columns).map(([column, type]) => `CAST(${column} AS ${type}) AS ${column}`);
    return [name, `SELECT ${list.join(', ')} FROM (VALUES ${rows}) AS rows(${Object.keys(columns).join(', ')})`];
  }),
);

/** The model's view as SQL for Postgres. */
export const viewSelects: Readonly<Record<string, string>> = {
  sales: `SELECT o.id, o.status, o.amount, o.quantity, o.paid, o.placed_at, c.name, c.city
    FROM orders o LEFT JOIN customers c ON o.customer_id = c.id`,
};
