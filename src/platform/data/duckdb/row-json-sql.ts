import { DuckDBDecimalType, type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';

/**
 * SQL that gives each row of a statement as one text, a JSON array of text and NULL, in the statement's order; and after the last of them,
 * once, NULL. The engine keeps the order of sub-selects and of UNION ALL, so whoever has seen that NULL has seen every row.
 */
export function rowJsonSql(sql: string, types: readonly DuckDBType[]): string {
  const names = types.map((_, index) => `c${index}`);
  const values = types.map((type, index) => textOf(`c${index}`, type));
  return `SELECT json_array(${values.join(', ')})::VARCHAR FROM (${sql}) AS q(${names.join(', ')}) UNION ALL SELECT NULL`;
}

/** A value as text, as `cellFormat` writes it; but dates are dates, and what is not a number is named. */
function textOf(column: string, type: DuckDBType): string {
  switch (type.typeId) {
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return doubleText(column);
    case DuckDBTypeId.DECIMAL:
      return type instanceof DuckDBDecimalType && type.scale > 0
        ? `rtrim(rtrim(${column}::VARCHAR, '0'), '.')`
        : `${column}::VARCHAR`;
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_TZ:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
      return `strftime(${column}::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%g')`;
    default:
      return `${column}::VARCHAR`;
  }
}

/** Whole numbers without a point. */
function doubleText(column: string): string {
  return `CASE WHEN ${column} = trunc(${column}) AND abs(${column}) < 1e15 THEN ${column}::BIGINT::VARCHAR
    WHEN isfinite(${column}) THEN ${column}::VARCHAR
    WHEN isnan(${column}) THEN 'NaN'
    WHEN ${column} > 0 THEN 'Infinity'
    WHEN ${column} < 0 THEN '-Infinity' END`;
}
