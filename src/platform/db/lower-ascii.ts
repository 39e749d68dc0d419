import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** SQL expression: the text with the letters A to Z in lower case, like `lowerAscii` of the contract. */
export function lowerAsciiSql(text: SQLWrapper): SQL<string> {
  return sql<string>`lower(${text} collate "C")`;
}
