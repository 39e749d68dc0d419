import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { Expression, Literal } from '../tree.js';
import { typeWords, widens } from './common-type.js';
import { literal, literalOf } from './literals.js';

/**
 * A value as another type, where it becomes that without being asked: a constant without a type is read as the type (and refused where
 * it is none), a number is widened, a date becomes its midnight.
 * @throws SqlProblem where it takes a cast, or where a constant can't be read.
 */
export function converted(expression: Expression, type: SqlType, at?: number): Expression {
  if (expression.type === type) return expression;
  if (expression.kind === 'literal') {
    const constant = convertedLiteral(expression, type, at);
    if (constant) return constant;
  }
  if (!widens(expression.type, type)) {
    throw new SqlProblem(`${typeWords(expression.type)} does not become ${typeWords(type)} by itself: cast it`, at);
  }
  // A quotient is a numeric already, and never becomes exact again.
  if (expression.type === SqlType.ratio && type === SqlType.numeric) return expression;
  return { kind: 'cast', type, value: expression };
}

function convertedLiteral({ type: from, value }: Literal, to: SqlType, at: number | undefined): Literal | undefined {
  if (from !== SqlType.unknown && !widens(from, to)) return undefined;
  if (value === null) return literal(to, null);
  if (from === SqlType.unknown) return literalOf(to, String(value), at);
  if (to === SqlType.double) return literal(to, Number(value));
  if (to === SqlType.timestamp) return literal(to, `${value}T00:00:00.000`);
  return to === SqlType.bigint || to === SqlType.numeric ? literal(to, String(value)) : undefined;
}
