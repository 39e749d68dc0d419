import { getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './database.js';
import * as schema from './schema.js';

/** A column of a table. */
export interface CatalogColumn {
  readonly name: string;
  /** As a cast writes it. */
  readonly type: string;
  /** Whether its values come from a sequence. */
  readonly isIdentity: boolean;
}

/** A table of the platform as the database has it. */
export interface CatalogTable {
  readonly name: string;
  readonly columns: readonly CatalogColumn[];
}

/** A foreign key. */
export interface CatalogReference {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** What of a database a backup holds. */
export interface Catalog {
  /** Each after the tables that it refers to, as far as that can be. */
  readonly tables: readonly CatalogTable[];
  /** Foreign keys to the same table or a later one: rows can't be in an order that suits them. */
  readonly forwardReferences: readonly CatalogReference[];
}

/** Names of all tables that the platform has; whatever else is in the database is not ours. */
export const tableNames: readonly string[] = Object.values<unknown>(schema)
  .filter(each => is(each, PgTable))
  .map(getTableName);

/** Reads what there is from the database itself, so that a table that has yet to be thought of is not left out. */
export async function readCatalog(db: Db): Promise<Catalog> {
  const columns = await db.execute<{ table: string; name: string; type: string; isIdentity: boolean }>(sql`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attidentity <> '' as "isIdentity"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname in ${tableNames}
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by c.relname, a.attnum`);
  const { rows: references } = await db.execute<{ name: string; from: string; to: string }>(sql`
    select conname as name, f.relname as "from", t.relname as "to"
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and f.relname in ${tableNames}
    order by conname`);
  const order = inOrder([...new Set(columns.rows.map(({ table }) => table))], references);
  const place = new Map(order.map((name, index) => [name, index]));
  return {
    tables: order.map(name => ({ name, columns: columns.rows.filter(({ table }) => table === name) })),
    forwardReferences: references.filter(({ from, to }) => (place.get(to) ?? 0) >= (place.get(from) ?? 0)),
  };
}

/** Each name after those that it refers to; of a circle, in the order in which they are come by. */
function inOrder(names: readonly string[], references: readonly CatalogReference[]): string[] {
  const placed = new Set<string>();
  const visiting = new Set<string>();
  const visit = (name: string) => {
    if (placed.has(name) || visiting.has(name)) return;
    visiting.add(name);
    for (const { from, to } of references) if (from === name) visit(to);
    placed.add(name);
  };
  for (const name of names) visit(name);
  return [...placed];
}
