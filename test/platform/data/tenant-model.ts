/** Tenants with rows. Every string in a row starts with its tenant; IDs repeat between tenants. */
export const tenants = ['tenant_a', 'tenant_b'] as const;

/** Row policies: each tenant sees its own rows, or all callers see all rows. */
export const RowLevel = {
  own: `filters: [{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] }]`,
  all: 'allow_all: true',
} as const;
/** A row policy. */
export type RowLevel = (typeof RowLevel)[keyof typeof RowLevel];

/** SELECTs of the tables: rows of each tenant with distinct numbers. Tables and types exist even without tenants. */
export function tableSelects(present: readonly string[]): Record<string, string> {
  const rowsOf = (select: (tenant: string, place: number) => string) =>
    tenants
      .map((tenant, place) => `(${select(tenant, place + 1)} ${present.includes(tenant) ? '' : 'LIMIT 0'})`)
      .join(' UNION ALL ');
  return {
    orders: rowsOf(
      (
        tenant,
        place,
      ) => `SELECT range AS id, '${tenant}' AS tenant, '${tenant} ' || (['Rom', 'Köln', 'O''Hara', 'a%b_c\\'])[1 + range % 4] AS city,
        range * 7 % 100 * ${place} AS amount, TIMESTAMP '2024-01-01 22:30:00' + INTERVAL (range * 31 * ${place}) HOUR AS placed_at,
        1 + range % 5 AS customer_id, '${tenant} secret' AS secret, range % 3 = 0 AS paid
        FROM range(${100 + 20 * place})`,
    ),
    items: rowsOf(
      (tenant, place) =>
        `SELECT range AS id, '${tenant}' AS tenant, range % 90 AS order_id, (1 + range % 4) * ${place} AS quantity FROM range(200)`,
    ),
    customers: rowsOf(
      (tenant, place) =>
        `SELECT 1 + range AS id, '${tenant}' AS tenant, '${tenant} customer ' || range AS name FROM range(${4 + place})`,
    ),
  };
}

/** Returns a model of these tables, with members and cubes hidden from all callers. */
export function modelText(rowLevel: RowLevel): string {
  return `
cubes:
  - name: orders
    sql_table: orders
    joins:
      - name: customers
        sql: "{CUBE}.customer_id = {customers}.id"
        relationship: many_to_one
      - name: items
        sql: "{CUBE}.id = {items}.order_id"
        relationship: one_to_many
      - name: vault
        sql: "{CUBE}.id = {vault}.id"
        relationship: one_to_one
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: quantity, sql: "{items.quantity}", type: number, sub_query: true }
      - { name: hoard, sql: "{vault.count}", type: number, sub_query: true }
      - { name: tenant, sql: tenant, type: string }
      - { name: city, sql: city, type: string }
      - { name: amount, sql: amount, type: number }
      - { name: paid, sql: paid, type: boolean }
      - name: placed_at
        sql: placed_at
        type: time
        granularities:
          - { name: half, interval: 6 months, origin: "2024-01-01" }
          - { name: fiscal, interval: 1 year, offset: 1 month }
      - { name: secret, sql: secret, type: string }
      - { name: internal, sql: secret, type: string, public: false }
    measures:
      - { name: count, type: count, drill_members: [id, city, secret] }
      - { name: total, sql: amount, type: sum }
      - { name: average, sql: amount, type: avg }
      - { name: largest, sql: amount, type: max }
      - { name: cities, sql: city, type: count_distinct }
      - { name: leaked, sql: secret, type: max }
      - { name: big, type: count, filters: [{ sql: "{CUBE}.amount > 50" }] }
      - { name: lately, type: count, rolling_window: { trailing: 1 month } }
      - { name: running, sql: amount, type: sum, rolling_window: { trailing: unbounded } }
      - { name: each, sql: "{total} * 1.0 / NULLIF({count}, 0)", type: number }
    segments:
      - { name: large, sql: "{CUBE}.amount > 50" }
      - { name: guarded, sql: "{CUBE}.secret IS NOT NULL" }
    access_policy:
      - group: "*"
        row_level: { ${rowLevel} }
        member_level: { excludes: [secret, leaked, guarded] }
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: tenant, type: string }
      - { name: name, sql: name, type: string }
    measures:
      - { name: count, type: count }
      - { name: last, sql: name, type: max }
    access_policy:
      - group: "*"
        row_level: { ${rowLevel} }
  - name: items
    sql_table: items
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: tenant, sql: tenant, type: string }
    measures:
      - { name: count, type: count }
      - { name: quantity, sql: quantity, type: sum }
    access_policy:
      - group: "*"
        row_level: { ${rowLevel} }
  - name: vault
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: secret, sql: secret, type: string }
      - { name: placed_at, sql: placed_at, type: time }
    measures:
      - { name: count, type: count }
    segments:
      - { name: large, sql: "{CUBE}.amount > 50" }
    access_policy:
      - group: nobody
        row_level: { allow_all: true }
views:
  - name: sales
    cubes:
      - join_path: orders
        includes: [count, total, lately, city, tenant, placed_at, secret, quantity, hoard]
      - join_path: orders.customers
        includes: [name]
    access_policy:
      - group: "*"
        row_level: { allow_all: true }
  - name: vault_view
    cubes:
      - join_path: vault
        includes: "*"
    access_policy:
      - group: "*"
        row_level: { allow_all: true }
`;
}
