import type { A_Expr, BoolExpr, BooleanTest, Node, NullTest } from 'libpg-query';
import { SqlProblem } from '../sql-problem.js';
import { commonType, isNumber, SqlType, typeWords } from '../sql-type.js';
import type { Expression } from '../tree.js';
import { textOf } from './casts.js';
import { coerce, literal } from './literals.js';
import { call } from './operations.js';
import { checkRepetition, present, type Reader, wordOf } from './reader.js';
import { checkPatternLength, regexCost } from './regex-pattern.js';

/** Reads `LIKE` and `ILIKE` with optional NOT and ESCAPE. */
function readLike({ lexpr, rexpr, name, location: at }: A_Expr, reader: Reader): Expression {
  const operator = wordOf(name) ?? '';
  const isFolded = operator.endsWith('*');
  const { pattern, mark } = likeParts(present(rexpr), reader, at);
  if (endsInMark(pattern, mark)) throw new SqlProblem('A LIKE pattern must not end with the escape character', at);
  checkLike({ pattern, mark, isFolded }, at);
  const like = call(isFolded ? 'ilike' : 'like', [reader.read(present(lexpr)), pattern, mark], at);
  return operator.startsWith('!') ? call('not', [like], at) : like;
}

/** Reads a pattern and its escape character, a backslash by default. */
function likeParts(node: Node, reader: Reader, at: number | undefined): { pattern: Expression; mark: Expression } {
  const backslash = literal(SqlType.text, '\\');
  if (!('FuncCall' in node) || wordAt(node.FuncCall.funcname, 1) !== 'like_escape') {
    return { pattern: reader.read(node), mark: backslash };
  }
  const [pattern, mark] = node.FuncCall.args ?? [];
  const character = reader.read(present(mark));
  if (character.kind !== 'literal' || typeof character.value !== 'string' || [...character.value].length > 1) {
    throw new SqlProblem('ESCAPE requires one character in quotes', at);
  }
  return { pattern: reader.read(present(pattern)), mark: character };
}

interface LikePattern {
  readonly pattern: Expression;
  readonly mark: Expression;
  /** Whether the operator is ILIKE. */
  readonly isFolded: boolean;
}

/**
 * @throws SqlProblem for a constant that is too long, and for an escape character that ILIKE would convert to lower
 * case.
 */
function checkLike({ pattern, mark, isFolded }: LikePattern, at: number | undefined): void {
  if (pattern.kind === 'literal') checkPatternLength(String(pattern.value ?? '').length, at);
  else if (isFolded && mark.kind === 'literal' && /\p{L}/u.test(String(mark.value)))
    throw new SqlProblem('ILIKE with a pattern that is not constant does not support a letter as escape character', at);
}

/** Whether a pattern ends with an escape character that escapes nothing, which is an error in Postgres. */
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

/** Reads `~`, `~*` and their negations. Supports only constant patterns with the same meaning in both engines. */
function readMatch(operator: string, value: Expression, pattern: Expression, at: number | undefined): Expression {
  const text = pattern.kind === 'literal' && typeof pattern.value === 'string' ? pattern.value : undefined;
  const cost = text === undefined ? undefined : regexCost(text);
  if (text === undefined || cost === undefined) {
    throw new SqlProblem(
      `${operator} requires a constant pattern of characters, ., \\d, sets like [a-z], groups, |, *, +, ?, {2,3}, ^ at the start and $ at the end`,
      at,
    );
  }
  checkPatternLength(Math.max(text.length, cost.states), at);
  const match = call(operator.replace('!', ''), [value, pattern], at);
  return operator.startsWith('!') ? call('not', [match], at) : match;
}

const binary: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', '^']);
const matches: ReadonlySet<string> = new Set(['~', '~*', '!~', '!~*']);

/** Reads operators and the forms that the parser represents as such: LIKE, IN, BETWEEN, NULLIF. */
export function readOperator(node: A_Expr, reader: Reader): Expression {
  const at = node.location;
  const operands = () => [reader.read(present(node.lexpr)), reader.read(present(node.rexpr))];
  switch (node.kind) {
    case 'AEXPR_OP':
      return node.lexpr ? readBinary(node, reader) : readUnary(node, reader);
    case 'AEXPR_DISTINCT':
      return call('is_distinct', operands(), at);
    case 'AEXPR_NOT_DISTINCT':
      return call('is_not_distinct', operands(), at);
    case 'AEXPR_NULLIF':
      return call('nullif', operands(), at);
    case 'AEXPR_IN':
      return readIn(node, reader);
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE':
      return readLike(node, reader);
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN':
    case 'AEXPR_BETWEEN_SYM':
    case 'AEXPR_NOT_BETWEEN_SYM':
      return readBetween(node, reader);
    case 'AEXPR_SIMILAR':
      throw new SqlProblem('SIMILAR TO is not supported: use LIKE or ~', at);
    case 'AEXPR_OP_ANY':
    case 'AEXPR_OP_ALL':
      return readAny(node, reader);
    default:
      throw new SqlProblem('This operator is not supported', at);
  }
}

function readBinary(node: A_Expr, reader: Reader): Expression {
  const at = node.location;
  const operator = wordOf(node.name) ?? '';
  const [left, right] = [reader.read(present(node.lexpr)), reader.read(present(node.rexpr))];
  if (operator === '||') return concatenate(left, right, at);
  if (matches.has(operator)) return readMatch(operator, left, right, at);
  if (!binary.has(operator)) throw new SqlProblem(`The operator ${operator} is not supported`, at);
  return call(operator, [left, right], at);
}

/** Concatenates strings. A chain of `||` becomes one call, so that its length is checked once. */
function concatenate(left: Expression, right: Expression, at: number | undefined): Expression {
  const isText = ({ type }: Expression) => type === SqlType.text || type === SqlType.unknown || type === SqlType.other;
  if (!isText(left) && !isText(right)) return call('||', [left, right], at);
  const parts = [left, right].flatMap(one => (one.kind === 'call' && one.name === '||' ? one.args : [one]));
  return call(
    '||',
    parts.map(part => textOf(part, at)),
    at,
  );
}

function readUnary(node: A_Expr, reader: Reader): Expression {
  const at = node.location;
  const operator = wordOf(node.name) ?? '';
  const operand = reader.read(present(node.rexpr));
  if (operator === '-') return call('negate', [operand], at);
  if (operator === '+' && isNumber(operand.type)) return operand;
  throw new SqlProblem(`The prefix operator ${operator} is not supported`, at);
}

function listOf(node: Node | undefined): readonly Node[] {
  return node && 'List' in node ? (node.List.items ?? []) : [];
}

function readIn(node: A_Expr, reader: Reader): Expression {
  const values = [present(node.lexpr), ...listOf(node.rexpr)].map(one => reader.read(one));
  const isIn = call('in', values, node.location);
  return wordOf(node.name) === '<>' ? call('not', [isIn], node.location) : isIn;
}

/**
 * Reads `x = ANY (ARRAY[…])` as IN, and `x <> ALL (ARRAY[…])` as NOT IN, except that the array has its own
 * common type.
 */
function readAny(node: A_Expr, reader: Reader): Expression {
  const at = node.location;
  const operator = wordOf(node.name);
  const isIn = operator === '=' && node.kind === 'AEXPR_OP_ANY';
  const values = node.rexpr && 'A_ArrayExpr' in node.rexpr ? (node.rexpr.A_ArrayExpr.elements ?? []) : [];
  if (values.length === 0 || !(isIn || (operator === '<>' && node.kind === 'AEXPR_OP_ALL')))
    throw new SqlProblem(
      'ANY and ALL are supported only in = ANY (ARRAY[…]) and <> ALL (ARRAY[…]): write x IN (…) or x NOT IN (…)',
      at,
    );
  const read = values.map(one => reader.read(one));
  const type = commonType(
    read.map(one => one.type),
    at,
  );
  const among = call('in', [reader.read(present(node.lexpr)), ...read.map(one => coerce(one, type, at))], at);
  return isIn ? among : call('not', [among], at);
}

function readBetween(node: A_Expr, reader: Reader): Expression {
  const at = node.location;
  const [low, high] = listOf(node.rexpr);
  const value = reader.read(present(node.lexpr));
  const [from, to] = [reader.read(present(low)), reader.read(present(high))];
  const between = call('between', [value, from, to], at);
  const isSymmetric = node.kind?.endsWith('_SYM');
  if (isSymmetric) checkRepetition([value, from, to], 2, at);
  const either = isSymmetric ? call('or', [between, call('between', [value, to, from], at)], at) : between;
  return node.kind?.includes('NOT') ? call('not', [either], at) : either;
}

/** Reads AND, OR and NOT. */
export function readLogic({ boolop, args, location: at }: BoolExpr, reader: Reader): Expression {
  const binary = boolop === 'AND_EXPR' ? 'and' : 'or';
  const name = boolop === 'NOT_EXPR' ? 'not' : binary;
  return call(
    name,
    (args ?? []).map(one => truthOf(reader.read(one), name.toUpperCase(), at)),
    at,
  );
}

/**
 * Converts a value to a boolean.
 * @param where - the clause or operator that requires a boolean, for the message.
 * @throws SqlProblem if the value is not a boolean.
 */
export function truthOf(value: Expression, where: string, at: number | undefined): Expression {
  if (value.type === SqlType.boolean || value.type === SqlType.unknown) return coerce(value, SqlType.boolean, at);
  throw new SqlProblem(`The argument of ${where} must be of type boolean, not ${typeWords(value.type)}`, at);
}

/** Reads `IS NULL` and `IS NOT NULL`. */
export function readNullTest({ arg, nulltesttype, location: at }: NullTest, reader: Reader): Expression {
  const value = reader.read(present(arg));
  return call(nulltesttype === 'IS_NULL' ? 'is_null' : 'is_not_null', [value], at);
}

/** Reads `IS [NOT] TRUE`, `IS [NOT] FALSE` and `IS [NOT] UNKNOWN`. */
export function readTruthTest(
  { arg, booltesttype = 'IS_TRUE', location: at }: BooleanTest,
  reader: Reader,
): Expression {
  const value = truthOf(reader.read(present(arg)), booltesttype.replaceAll('_', ' '), at);
  if (booltesttype === 'IS_UNKNOWN') return call('is_null', [value], at);
  if (booltesttype === 'IS_NOT_UNKNOWN') return call('is_not_null', [value], at);
  return call(booltesttype.toLowerCase(), [value], at);
}
