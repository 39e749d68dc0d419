/**
 * Customers, orders and items of the fixture: each tenant reads its own orders and their items. Only the
 * group `sales` sees customers, and only the group `finance` sees salaries.
 */
export const shop = `
cubes:
  - name: customers
    sql_table: customers
    public: false
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: name, sql: "{CUBE}.name", type: string }
      - { name: country, sql: "{CUBE}.country", type: string }
    measures:
      - { name: count, type: count }
    access_policy:
      - group: sales
        row_level: { filters: [{ member: country, operator: set } ] }

  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
      - { name: items, sql: "{CUBE}.id = {items.order_id}", relationship: one_to_many }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: "{CUBE}.tenant", type: string, public: false }
      - { name: region, sql: "{CUBE}.region", type: string }
      - { name: customer, sql: "{customers.name}", type: string }
      - name: created
        sql: "{CUBE}.created"
        type: time
        granularities:
          - { name: fortnight, interval: 2 weeks, origin: "2001-01-01" }
          - { name: sunday_week, interval: 1 week, offset: -1 day }
          - { name: fiscal_year, interval: 1 year, offset: 3 months, title: Fiscal year }
      - { name: paid, sql: "{CUBE}.paid", type: boolean }
      - { name: amount, sql: "{CUBE}.amount", type: number, format: currency, currency: eur }
      - { name: code, sql: "regexp_replace({CUBE}.region, '\\\\W.*$', '') || '\\"\`$'", type: string }
    measures:
      - { name: count, type: count, title: Orders, format: number_0, drill_members: [id, customer, amount] }
      - { name: revenue, sql: "{CUBE}.amount", type: sum, format: currency, meta: { unit: EUR } }
      - { name: average, sql: "{revenue} / {count}", type: number }
      - { name: regions, sql: "{CUBE}.region", type: count_distinct }
      - { name: regions_about, sql: "{CUBE}.region", type: count_distinct_approx }
      - { name: paid_revenue, sql: "{CUBE}.amount", type: sum, filters: [{ sql: "{paid}" } ] }
      - { name: last, sql: "max({CUBE}.created)", type: time }
    segments:
      - { name: large, sql: "{CUBE}.amount >= 50", title: Large orders }
    access_policy:
      - group: "*"
        member_level: { excludes: [amount, revenue, average, large] }
        row_level: { filters: [{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] } ] }
      - group: finance
        row_level: { filters: [{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] } ] }

  - name: items
    sql_table: items
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: order_id, sql: "{CUBE}.order_id", type: number }
    measures:
      - { name: count, type: count }
      - { name: quantity, sql: "{CUBE}.quantity", type: sum }
    access_policy:
      - group: "*"
        row_level: { allow_all: true }

views:
  - name: sales
    description: Orders with what is in them
    cubes:
      - { join_path: orders, includes: "*", excludes: [regions_about] }
      - { join_path: orders.items, prefix: true, includes: [count, quantity] }
      - join_path: orders.customers
        includes: [name, { name: country, alias: land, title: Country }, { name: count, alias: customers } ]
    access_policy:
      - group: "*"
        row_level: { allow_all: true }

  - name: north
    cubes:
      - { join_path: orders, includes: "*" }
      - { join_path: orders.items, prefix: true, includes: [count, quantity] }
    access_policy:
      - group: "*"
        row_level: { filters: [{ or: [{ member: region, operator: contains, values: [north] }, { member: region, operator: notSet } ] } ] }

  - name: nobody
    cubes:
      - { join_path: orders, includes: "*" }
`;
