import { SqlDialect } from '../../engine.js';
import type { Dialect } from './dialect.js';
import { duckdb } from './duckdb.js';
import { postgres } from './postgres.js';

/** The texts of a dialect. */
export function dialectOf(name: SqlDialect): Dialect {
  return name === SqlDialect.postgres ? postgres : duckdb;
}
