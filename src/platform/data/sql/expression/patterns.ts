import type { A_Expr, Node } from 'libpg-query';
import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { Expression } from '../tree.js';
import { call } from './call.js';
import { literal } from './literals.js';
import { checkPatternLength } from './pattern-cost.js';
import { present, type Reader, wordOf } from './reader.js';
import { regexCost } from './regex-subset.js';

/** Reads `LIKE` and `ILIKE`, also with NOT and ESCAPE. */
export function readLike({ lexpr, rexpr, name, location: at }: A_Expr, reader: Reader): Expression {
  const operator = wordOf(name) ?? '';
  const isFolded = operator.endsWith('*');
  const { pattern, mark } = likeParts(present(rexpr), reader, at);
  if (endsInMark(pattern, mark)) throw new SqlProblem('A pattern of LIKE must not end with the escape character', at);
  checkLike(pattern, mark, isFolded, at);
  const like = call(isFolded ? 'ilike' : 'like', [reader.read(present(lexpr)), pattern, mark], at);
  return operator.startsWith('!') ? call('not', [like], at) : like;
}

/** A pattern with its escape: a backslash, unless another one is named. */
function likeParts(node: Node, reader: Reader, at: number | undefined): { pattern: Expression; mark: Expression } {
  const backslash = literal(SqlType.text, '\\');
  if (!('FuncCall' in node) || wordAt(node.FuncCall.funcname, 1) !== 'like_escape') {
    return { pattern: reader.read(node), mark: backslash };
  }
  const [pattern, mark] = node.FuncCall.args ?? [];
  const character = reader.read(present(mark));
  if (character.kind !== 'literal' || typeof character.value !== 'string' || [...character.value].length > 1) {
    throw new SqlProblem('ESCAPE is followed by one character in quotes', at);
  }
  return { pattern: reader.read(present(pattern)), mark: character };
}

/** @throws SqlProblem for a constant that is too long, and for an escape that ILIKE would convert to lower case with the pattern. */
function checkLike(pattern: Expression, mark: Expression, isFolded: boolean, at: number | undefined): void {
  if (pattern.kind === 'literal') checkPatternLength(String(pattern.value ?? '').length, at);
  else if (isFolded && mark.kind === 'literal' && /\p{L}/u.test(String(mark.value)))
    throw new SqlProblem('ILIKE with a pattern that is not constant takes no letter as its escape character', at);
}

/** An escape of nothing: Postgres has an error. */
function endsInMark(pattern: Expression, mark: Expression): boolean {
  if (pattern.kind !== 'literal' || mark.kind !== 'literal' || mark.value === '') return false;
  const text = String(pattern.value ?? '');
  let marks = 0;
  while (marks < text.length && text.charAt(text.length - 1 - marks) === mark.value) marks += 1;
  return marks % 2 === 1;
}

function wordAt(nodes: readonly Node[] | undefined, index: number): string | undefined {
  const node = nodes?.[index];
  return node && 'String' in node ? node.String.sval : undefined;
}

/** Reads `~`, `~*` and their negations: patterns in quotes that both engines understand alike. */
export function readMatch(
  operator: string,
  value: Expression,
  pattern: Expression,
  at: number | undefined,
): Expression {
  const text = pattern.kind === 'literal' && typeof pattern.value === 'string' ? pattern.value : undefined;
  const cost = text === undefined ? undefined : regexCost(text);
  if (text === undefined || cost === undefined) {
    throw new SqlProblem(
      `${operator} takes a plain pattern in quotes: characters, ., \\d, sets like [a-z], groups, |, *, +, ?, {2,3}, ^ first and $ last`,
      at,
    );
  }
  checkPatternLength(Math.max(text.length, cost.states), at);
  const match = call(operator.replace('!', ''), [value, pattern], at);
  return operator.startsWith('!') ? call('not', [match], at) : match;
}
