import type { A_Const, SQLValueFunction } from 'libpg-query';
import type { Scope } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { Literal } from '../tree.js';
import { literal, literalOf } from './literals.js';

/** Reads a constant. Text and NULL have no type yet. */
export function readConstant(constant: A_Const): Literal {
  const { location: at } = constant;
  if (constant.isnull) return literal(SqlType.unknown, null);
  if (constant.ival) return literal(SqlType.integer, constant.ival.ival ?? 0);
  if (constant.boolval) return literal(SqlType.boolean, constant.boolval.boolval ?? false);
  if (constant.sval) return literal(SqlType.unknown, constant.sval.sval ?? '');
  if (constant.fval) return readNumber(constant.fval.fval ?? '', at);
  throw new SqlProblem('Bit strings are not supported', at);
}

const whole = /^(-?)(\d+|0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/;

/** A number that is too long for the parser, or has a fraction. */
function readNumber(text: string, at: number | undefined): Literal {
  const plain = text.replaceAll('_', '');
  const [, sign = '', digits] = whole.exec(plain) ?? [];
  if (digits === undefined) return literalOf(SqlType.numeric, plain, at);
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits);
  if (value === BigInt.asIntN(32, value)) return literal(SqlType.integer, Number(value));
  if (value === BigInt.asIntN(64, value)) return literal(SqlType.bigint, String(value));
  return literalOf(SqlType.numeric, String(value), at);
}

/** Reads `current_date` and what else is a word for now. */
export function readMoment({ op, location }: SQLValueFunction, scope: Scope): Literal {
  switch (op) {
    case 'SVFOP_CURRENT_DATE':
      return literal(SqlType.date, scope.now.slice(0, 10));
    case 'SVFOP_CURRENT_TIMESTAMP':
    case 'SVFOP_LOCALTIMESTAMP':
      return moment(scope);
    default:
      throw new SqlProblem(
        `${(op ?? '').replace(/^SVFOP_|_N$/g, '').toLowerCase()} is not supported; use current_date or localtimestamp`,
        location,
      );
  }
}

/** The moment of the statement, on the clock of the query's time zone. */
export function moment(scope: Scope): Literal {
  return literal(SqlType.timestamp, scope.now);
}
