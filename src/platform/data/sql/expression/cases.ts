import type { CaseExpr, CoalesceExpr, MinMaxExpr } from 'libpg-query';
import { SqlProblem } from '../sql-problem.js';
import type { Case, Expression } from '../tree.js';
import { call } from './call.js';
import { commonType } from './common-type.js';
import { converted } from './conversion.js';
import { truthOf } from './operators.js';
import { present, type Reader, readArguments } from './reader.js';
import { repeated } from './repeated.js';

/** Reads CASE. With an operand, each branch compares it. */
export function readCase({ arg, args = [], defresult, location: at }: CaseExpr, reader: Reader): Case {
  const operand = arg && reader.read(arg);
  if (operand) repeated([operand], args.length, at);
  const branches = args.map(node => {
    if (!('CaseWhen' in node)) throw new SqlProblem('CASE takes WHEN', at);
    const { expr, result, location } = node.CaseWhen;
    const given = reader.read(present(expr));
    const when = operand ? call('=', [operand, given], location) : truthOf(given, 'WHEN', location);
    return { when, value: reader.read(present(result)) };
  });
  const otherwise = defresult ? reader.read(defresult) : null;
  const results: Expression[] = [...branches.map(({ value }) => value), ...(otherwise ? [otherwise] : [])];
  const type = commonType(
    results.map(result => result.type),
    at,
  );
  return {
    kind: 'case',
    type,
    branches: branches.map(({ when, value }) => ({ when, value: converted(value, type, at) })),
    otherwise: otherwise && converted(otherwise, type, at),
  };
}

/** Reads COALESCE. */
export function readCoalesce({ args, location }: CoalesceExpr, reader: Reader): Expression {
  return call('coalesce', readArguments(args, reader, location), location);
}

/** Reads GREATEST and LEAST, which pass over NULL. */
export function readExtreme({ op, args, location }: MinMaxExpr, reader: Reader): Expression {
  return call(op === 'IS_LEAST' ? 'least' : 'greatest', readArguments(args, reader, location), location);
}
