import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { Call, Expression } from '../tree.js';
import { commonType, typeWords } from './common-type.js';
import { converted } from './conversion.js';
import type { Operation } from './operation.js';
import { chooseOperation, operationsOf, parametersOf } from './operations.js';

/**
 * A call of an operation of our list, its arguments converted to what the operation takes.
 * @throws SqlProblem where Postgres has no such operation for these types, or where we don't.
 */
export function call(name: string, args: readonly Expression[], at: number | undefined): Call {
  const [first] = operationsOf(name);
  if (first?.args === 'alike') return alikeCall(first, args, at);
  const types = args.map(({ type }) => type);
  const operation = chooseOperation(name, types);
  if (!operation) throw noOperation(name, types, at);
  if (operation.exactOnly && types.includes(SqlType.ratio)) {
    throw new SqlProblem(`${name} takes no quotient: round it first, as in round(x, 6)`, at);
  }
  const parameters = parametersOf(operation, args.length) ?? [];
  return {
    kind: 'call',
    name,
    type: resultOf(operation, types),
    args: args.map((arg, index) => converted(arg, parameters[index] ?? arg.type, at)),
  };
}

/** A call of which all arguments are of one type: a comparison, a choice. */
function alikeCall({ name, result }: Operation, args: readonly Expression[], at: number | undefined): Call {
  const type = commonType(
    args.map(arg => arg.type),
    at,
  );
  return {
    kind: 'call',
    name,
    type: result === 'same' ? type : result,
    args: args.map(arg => converted(arg, type, at)),
  };
}

function resultOf({ result, exact }: Operation, types: readonly SqlType[]): SqlType {
  if (result === 'same') return types[0] ?? SqlType.unknown;
  return result === SqlType.numeric && !exact && types.includes(SqlType.ratio) ? SqlType.ratio : result;
}

function noOperation(name: string, types: readonly SqlType[], at: number | undefined): SqlProblem {
  const given = types.map(typeWords);
  if (/^\w+$/.test(name) && name !== 'negate') {
    const hint = types.includes(SqlType.double)
      ? 'cast the double precision to numeric'
      : 'cast what is of another type';
    return new SqlProblem(`There is no ${name}(${given.join(', ')}): ${hint}`, at);
  }
  const operator = name === 'negate' ? '-' : name;
  const shown = given.length === 1 ? `${operator} ${given[0]}` : given.join(` ${operator} `);
  return new SqlProblem(`The operator does not exist: ${shown}; cast one side`, at);
}
