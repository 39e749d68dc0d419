import type { A_Expr, Node } from 'libpg-query';
import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { Expression } from '../tree.js';
import { call } from './call.js';
import { literal } from './literals.js';
import { present, type Reader, wordOf } from './reader.js';
import { isCommonPattern } from './regex-subset.js';

/** Reads `LIKE` and `ILIKE`, also with NOT and ESCAPE. */
export function readLike({ lexpr, rexpr, name, location: at }: A_Expr, reader: Reader): Expression {
  const operator = wordOf(name) ?? '';
  const { pattern, mark } = likeParts(present(rexpr), reader, at);
  if (endsInMark(pattern, mark)) throw new SqlProblem('A pattern of LIKE must not end with the escape character', at);
  const like = call(operator.endsWith('*') ? 'ilike' : 'like', [reader.read(present(lexpr)), pattern, mark], at);
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
  if (pattern.kind !== 'literal' || typeof pattern.value !== 'string' || !isCommonPattern(pattern.value)) {
    throw new SqlProblem(
      `${operator} takes a plain pattern in quotes: characters, ., \\d, sets like [a-z], groups, |, *, +, ?, {2,3}, ^ first and $ last`,
      at,
    );
  }
  const match = call(operator.replace('!', ''), [value, pattern], at);
  return operator.startsWith('!') ? call('not', [match], at) : match;
}
