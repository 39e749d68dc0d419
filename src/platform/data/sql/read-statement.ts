import type { SelectStmt } from 'libpg-query';
import { SqlProblem } from './sql-problem.js';

/** Postgres' own parser; where nobody sends SQL its package need not be there. */
export async function loadParser() {
  const parser = await import('libpg-query');
  await parser.loadModule();
  return parser;
}

/** What a text may be: `operators` is far below what the parser has stack for, since a parser that once ran out of it is broken. */
const limits = { bytes: 64 * 1024, operators: 4000, depth: 100 } as const;

/** What makes a tree deeper each time: a sign can be an operator of its own. Those inside literals and comments are counted, too. */
const deepening = /[-+*/<>=~!@#%^&|`?:]|\b(?:not|isnull|notnull)\b/gi;

/**
 * Reads the text of one SELECT into Postgres' own tree. Nothing in it is checked but its size and depth.
 * @throws SqlProblem that shows where, for anything else than one SELECT.
 */
export async function readStatement(text: string): Promise<SelectStmt> {
  checkText(text);
  const { stmts = [] } = await parse(text);
  const [first, second] = stmts;
  if (first?.stmt === undefined) throw new SqlProblem('the statement is empty: write a SELECT');
  if (second !== undefined)
    throw new SqlProblem('one statement at a time: take out what stands after the semicolon', second.stmt_location);
  if (!('SelectStmt' in first.stmt)) throw new SqlProblem('only SELECT is supported', first.stmt_location);
  checkDepth(first.stmt);
  return first.stmt.SelectStmt;
}

function checkText(text: string): void {
  if (Buffer.byteLength(text) > limits.bytes)
    throw new SqlProblem(`a statement may be ${limits.bytes / 1024} KB long at most`);
  // The parser would read no further.
  const end = text.indexOf('\0');
  if (end >= 0) throw new SqlProblem('a statement may not hold the character 0', byteOf(text, end));
  const operators = text.match(deepening)?.length ?? 0;
  if (operators > limits.operators)
    throw new SqlProblem(`a statement may hold ${limits.operators} operators and signs at most`);
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

/** What others' SQL has where Postgres' parser stops: by the text up to there, and what to write. */
const dialects: readonly (readonly [end: RegExp, advice: string])[] = [
  [/\btop\s*\(?\s*\d$/i, 'write LIMIT at the end'],
  [/\bconvert\s*\(\s*\w+\s*(?:\(\d+\)\s*)?[,(]$/i, 'write CAST(x AS type)'],
  [/\binterval\s+[-\d]$/i, "write INTERVAL '1 day'"],
  [/`[^`]*`[^`']*$/, 'names stand in double quotes'],
  [/\[$/, 'names stand in double quotes'],
];

function adviceOn(end: string): string {
  const advice = dialects.find(([pattern]) => pattern.test(end.slice(-100)))?.[1];
  return advice === undefined ? '' : `: ${advice}`;
}

function tooDeep(): SqlProblem {
  return new SqlProblem('the statement is nested too deeply: take it apart with WITH');
}

/** The parser counts characters where it tells of an error, and bytes in its tree. */
function byteOfCharacter(text: string, character: number): number {
  return Buffer.byteLength([...text].slice(0, character).join(''));
}

function byteOf(text: string, index: number): number {
  return Buffer.byteLength(text.slice(0, index));
}

/** Everything that reads a tree calls itself as often as the tree is deep. A node is an object in an object that tells its kind. */
function checkDepth(root: object): void {
  const rest: (readonly [value: object, depth: number])[] = [[root, 0]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [value, depth] = next;
    if (depth > 2 * limits.depth) throw tooDeep();
    const own = Array.isArray(value) ? depth : depth + 1;
    for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) rest.push([part, own]);
  }
}
