/** A range of offsets in a text, without its end. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

const wordCharacter = /[\p{L}\p{N}_$]/u;
const dollarTag = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;

/**
 * Returns the ranges of the string literals in SQL, in order, including their quotes. Strings with escapes (`E'…'`),
 * dollar-quoted strings, quoted identifiers and comments are not literals. A literal without an end is not returned.
 * Takes linear time for any text.
 */
export function stringLiterals(sql: string): TextRange[] {
  const literals: TextRange[] = [];
  let at = 0;
  while (at < sql.length) {
    const start = at;
    at = endOfPart(sql, start);
    const isLiteral = sql[start] === "'" && !isEscapeString(sql, start) && at - start > 1 && at <= sql.length;
    if (isLiteral) literals.push({ start, end: at });
  }
  return literals;
}

/**
 * Returns the end offset of the comment, string or single character at an offset. If the comment or string is not
 * terminated, returns more than the length of the SQL.
 */
function endOfPart(sql: string, start: number): number {
  const character = sql[start];
  if (character === "'") return endOfQuoted(sql, start, { quote: "'", hasEscapes: isEscapeString(sql, start) });
  if (character === '"') return endOfQuoted(sql, start, { quote: '"', hasEscapes: false });
  if (character === '-' && sql[start + 1] === '-') return endAfter(sql, '\n', start);
  if (character === '/' && sql[start + 1] === '*') return endOfComment(sql, start);
  if (character === '$' && !isWordBefore(sql, start)) return endOfDollarQuoted(sql, start);
  return start + 1;
}

function endOfQuoted(
  sql: string,
  start: number,
  { quote, hasEscapes }: { readonly quote: string; readonly hasEscapes: boolean },
): number {
  for (let at = start + 1; at < sql.length; at += 1) {
    if (hasEscapes && sql[at] === '\\') at += 1;
    else if (sql[at] === quote && sql[at + 1] === quote) at += 1;
    else if (sql[at] === quote) return at + 1;
  }
  return sql.length + 1;
}

/** Comments can be nested. */
function endOfComment(sql: string, start: number): number {
  let depth = 0;
  for (let at = start; at < sql.length; at += 1) {
    const pair = sql.slice(at, at + 2);
    if (pair !== '/*' && pair !== '*/') continue;
    depth += pair === '/*' ? 1 : -1;
    at += 1;
    if (depth === 0) return at + 1;
  }
  return sql.length + 1;
}

function endOfDollarQuoted(sql: string, start: number): number {
  dollarTag.lastIndex = start;
  const tag = dollarTag.exec(sql)?.[0];
  return tag === undefined ? start + 1 : endAfter(sql, tag, start + tag.length);
}

function endAfter(sql: string, mark: string, from: number): number {
  const found = sql.indexOf(mark, from);
  return found < 0 ? sql.length + 1 : found + mark.length;
}

function isEscapeString(sql: string, start: number): boolean {
  return /[eE]/.test(sql[start - 1] ?? '') && !isWordBefore(sql, start - 1);
}

function isWordBefore(sql: string, at: number): boolean {
  return at > 0 && wordCharacter.test(sql[at - 1] ?? '');
}
