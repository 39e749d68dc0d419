import { and, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/** A table of content. */
export type ContentTable = PgTable & { readonly id: PgColumn };

/** One way to rows of a table that a caller may read. */
export interface Way {
  readonly where: SQL;
  /**
   * What finds the first of the rows in some order: an index on the condition and the order in one; or the rows are found by an index on
   * the condition, all of them, and then ordered. Left to itself the planner would guess that a walk through the whole table in that order
   * meets enough of them soon, while those of others may all come first.
   */
  readonly order: 'by index' | 'afterwards';
}

/**
 * Ways to rows of one table of which each gives some. An index serves each alone, as none would serve all of them in one condition, so
 * that a list passes over whatever others have.
 */
export type Ways = readonly [Way, ...Way[]];

/** The first rows in an order, and how many; of an empty order any rows. */
export interface First {
  readonly orderBy: readonly SQL[];
  readonly limit: number;
}

/** For FROM, under the name of the table: its rows that are reached in one way. */
export function rowsBy(table: ContentTable, { where, order }: Way, further?: SQL): SQL {
  // OFFSET keeps the planner from taking the statement around it into account.
  const fence = order === 'by index' ? sql`` : sql` offset 0`;
  return sql`(select * from ${table} where ${and(where, further)}${fence}) ${sql.identifier(getTableName(table))}`;
}

/**
 * A condition that holds for the rows that one of the ways leads to.
 * @param further - another condition on the rows.
 * @param first - of each way no more than these are looked at: those of the whole are among them.
 */
export function reachedBy(table: ContentTable, ways: Ways, further?: SQL, first?: First): SQL | undefined {
  const [way, ...others] = ways;
  if (others.length === 0) return and(way.where, further);
  return sql`${table.id} in (${idsBy(table, ways, further, first)})`;
}

/** A statement that gives the ids of the rows that one of the ways leads to, each once. */
export function idsBy(table: ContentTable, ways: Ways, further?: SQL, first?: First): SQL {
  const order = first?.orderBy.length ? sql` order by ${sql.join([...first.orderBy], sql`, `)}` : sql``;
  const tail = first ? sql`${order} limit ${first.limit}` : sql``;
  const parts = ways.map(way => sql`(select ${table.id} from ${rowsBy(table, way, further)}${tail})`);
  return sql.join(parts, sql` union `);
}
