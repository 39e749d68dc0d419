import { createHash } from 'node:crypto';
import type { EngineCell } from '../engine.js';

/** Tables that the role of a data source can access. */
export interface Catalog {
  /** Names of the tables, views and foreign tables that the role may read. */
  readonly tables: readonly string[];
  /** The tables that the role may also write to. */
  readonly writable: readonly string[];
  /** Text that changes when a table or its columns change. */
  readonly version: string;
}

/** Lists the tables of schema `$1`. Reads `pg_class`, because the information schema omits materialized views. */
export const catalogSql = `SELECT c.relname::text, has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE'),
  c.oid::text || string_agg(' ' || quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod), ',' ORDER BY a.attnum)
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE n.nspname = CAST($1 AS text) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
GROUP BY c.oid, c.relname
ORDER BY c.relname`;

/** Converts the result of `catalogSql` to a catalog. */
export function readCatalog(columns: readonly (readonly EngineCell[])[]): Catalog {
  const [names = [], isWritable = []] = columns;
  const tables = names.map(String);
  const version = createHash('sha256').update(JSON.stringify(columns)).digest('hex').slice(0, 16);
  return { tables, writable: tables.filter((_, index) => isWritable[index] === true), version };
}
