import { DuckDBTypeId } from '@duckdb/node-api';
import { SqlType } from '../sql/sql-type.js';

/** The type of a column in SQL, of how the engine holds it. */
export function sqlTypeOf(type: DuckDBTypeId): SqlType {
  switch (type) {
    case DuckDBTypeId.BOOLEAN:
      return SqlType.boolean;
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.UTINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.USMALLINT:
    case DuckDBTypeId.INTEGER:
      return SqlType.integer;
    case DuckDBTypeId.UINTEGER:
    case DuckDBTypeId.BIGINT:
      return SqlType.bigint;
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
    case DuckDBTypeId.BIGNUM:
    case DuckDBTypeId.DECIMAL:
      return SqlType.numeric;
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return SqlType.double;
    default:
      return textOrTime(type);
  }
}

function textOrTime(type: DuckDBTypeId): SqlType {
  switch (type) {
    case DuckDBTypeId.VARCHAR:
    case DuckDBTypeId.ENUM:
    case DuckDBTypeId.UUID:
    // What is NULL in every row is text, as in Postgres.
    case DuckDBTypeId.SQLNULL:
      return SqlType.text;
    case DuckDBTypeId.DATE:
      return SqlType.date;
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_TZ:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
      return SqlType.timestamp;
    case DuckDBTypeId.INTERVAL:
      return SqlType.interval;
    default:
      return SqlType.other;
  }
}
