/** Access policy that lets every caller read all rows. */
export const allRowsPolicy = 'access_policy: [{ group: "*", row_level: { allow_all: true } } ]';

/** Access policy that lets each tenant read its own rows. */
export const tenantRowsPolicy =
  'access_policy: [{ group: "*", row_level: { filters: [{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] } ] } } ]';

/**
 * Start of a cube over the table `customers`, with dimensions that query a joined cube `orders`. The list of dimensions
 * is open: a model adds further ones on the next lines, then the measures.
 */
export const customersCubeStart = `- name: customers
    sql_table: customers
    joins:
      - { name: orders, sql: "{CUBE}.id = {orders.customer_id}", relationship: one_to_many }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: name, sql: name, type: string }
      - { name: revenue, sql: "{orders.revenue}", type: number, sub_query: true }
      - { name: found, sql: "{orders.revenue}", type: number, sub_query: true, propagate_filters_to_sub_query: true }`;

/** Cube over the table `items`. */
export const itemsCube = `- name: items
    sql_table: items
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: order_id, sql: order_id, type: number }
      - { name: quantity_of_it, sql: quantity, type: number }
    measures:
      - { name: count, type: count }
      - { name: quantity, sql: quantity, type: sum }
    ${allRowsPolicy}`;
