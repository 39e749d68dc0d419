import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** Returns the SQL expression for the text with the letters A to Z in lower case, like `lowerAscii` of the contract. */
export function lowerAsciiSql(text: SQLWrapper): SQL<string> {
  return sql<string>`lower(${text} collate "C")`;
}
