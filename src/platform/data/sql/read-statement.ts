import type { SelectStmt } from 'libpg-query';
import { SqlProblem } from './sql-problem.js';

/** Loads the Postgres parser on demand. The package is required only for the SQL API. */
export async function loadParser() {
  const parser = await import('libpg-query');
  await parser.loadModule();
  return parser;
}

/**
 * Limits of a statement. `operators` is far below the stack limit of the parser, because a stack overflow makes the
 * parser unusable.
 */
const limits = { bytes: 64 * 1024, operators: 4000, depth: 100 } as const;

/**
 * Characters and words that can each increase the depth of the tree. Occurrences in literals and comments also count.
 */
const deepening = /[-+*/<>=~!@#%^&|`?:]|\b(?:not|isnull|notnull)\b/gi;

/**
 * Parses one SELECT into a Postgres parse tree. Checks only the size and depth of the statement.
 * @throws SqlProblem with the location for anything except a single SELECT.
 */
export async function readStatement(text: string): Promise<SelectStmt> {
  checkText(text);
  const { stmts = [] } = await parse(text);
  const [first, second] = stmts;
  if (first?.stmt === undefined) throw new SqlProblem('The statement is empty: write a SELECT');
  if (second !== undefined)
    throw new SqlProblem('Only one statement is supported: remove the text after the semicolon', second.stmt_location);
  if (!('SelectStmt' in first.stmt)) throw new SqlProblem('Only SELECT is supported', first.stmt_location);
  checkDepth(first.stmt);
  return first.stmt.SelectStmt;
}

function checkText(text: string): void {
  if (Buffer.byteLength(text) > limits.bytes)
    throw new SqlProblem(`The statement exceeds the limit of ${limits.bytes / 1024} KB`);
  // Reject NUL characters, because the parser stops at them.
  const end = text.indexOf('\0');
  if (end >= 0) throw new SqlProblem('The statement contains a NUL character: remove it', byteOf(text, end));
  const operators = text.match(deepening)?.length ?? 0;
  if (operators > limits.operators)
    throw new SqlProblem(`The statement exceeds the limit of ${limits.operators} operators and symbols`);
}

async function parse(text: string) {
  const parser = await loadParser();
  try {
    return parser.parseSync(text === '' ? ' ' : text);
  } catch (error) {
    const details = parser.hasSqlDetails(error) ? error.sqlDetails : undefined;
    if (details === undefined || details.message.startsWith('memory exhausted')) throw tooDeep();
    const characters = [...text];
    const advice = adviceOn(characters.slice(0, details.cursorPosition + 1).join(''));
    throw new SqlProblem(`${details.message}${advice}`, byteOfCharacter(text, details.cursorPosition));
  }
}

/** Hints for syntax of other SQL dialects, by a pattern for the text up to the syntax error. */
const dialects: readonly (readonly [end: RegExp, advice: string])[] = [
  [/\btop\s*\(?\s*\d$/i, 'write LIMIT at the end'],
  [/\bconvert\s*\(\s*\w+\s*(?:\(\d+\)\s*)?[,(]$/i, 'write CAST(x AS type)'],
  [/\binterval\s+[-\d]$/i, "write INTERVAL '1 day'"],
  [/`[^`]*`[^`']*$/, 'write names in double quotes'],
  [/\[$/, 'write names in double quotes'],
];

function adviceOn(end: string): string {
  const advice = dialects.find(([pattern]) => pattern.test(end.slice(-100)))?.[1];
  return advice === undefined ? '' : `: ${advice}`;
}

function tooDeep(): SqlProblem {
  return new SqlProblem('The statement is nested too deeply: move parts of it to WITH');
}

/**
 * Converts a position in characters to bytes. The parser reports errors in characters, but locations in the tree in
 * bytes.
 */
function byteOfCharacter(text: string, character: number): number {
  return Buffer.byteLength([...text].slice(0, character).join(''));
}

function byteOf(text: string, index: number): number {
  return Buffer.byteLength(text.slice(0, index));
}

/**
 * Limits the depth of the tree, because all readers are recursive. In the tree, an object that names the kind wraps
 * each node.
 */
function checkDepth(root: object): void {
  const rest: (readonly [value: object, depth: number])[] = [[root, 0]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [value, depth] = next;
    if (depth > 2 * limits.depth) throw tooDeep();
    const own = Array.isArray(value) ? depth : depth + 1;
    for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) rest.push([part, own]);
  }
}
