import { SqlProblem } from '../sql-problem.js';
import { commonType, SqlType, typeWords, widens } from '../sql-type.js';
import type { Call, Expression } from '../tree.js';
import type { Operation } from './define-operation.js';
import { coerce } from './literals.js';
import { logicOperations } from './logic-operations.js';
import { numberOperations } from './number-operations.js';
import { textOperations } from './text-operations.js';
import { timeOperations } from './time-operations.js';

const operations: ReadonlyMap<string, readonly Operation[]> = byName([
  ...logicOperations,
  ...numberOperations,
  ...textOperations,
  ...timeOperations,
]);

function byName(all: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const names = new Map<string, Operation[]>();
  for (const one of all) names.set(one.name, [...(names.get(one.name) ?? []), one]);
  return names;
}

/** Names of all scalar functions, without operators and operations with special syntax. */
export const rowFunctions: ReadonlySet<string> = new Set(
  [...numberOperations, ...textOperations, ...timeOperations]
    .filter(({ name, syntax }) => !syntax && /^\w+$/.test(name))
    .map(({ name }) => name),
);

/** Returns all operations with this name, or an empty array. */
function operationsOf(name: string): readonly Operation[] {
  return operations.get(name) ?? [];
}

/** Returns the operation of a `Call`, whose arguments already have the types of the operation. */
export function operationOf(name: string, types: readonly SqlType[]): Operation {
  const found = operationsOf(name).find(
    one => one.args === 'alike' || matches(parametersOf(one, types.length), types.map(exactly)),
  );
  if (!found) throw new Error(`no operation ${name}(${types.join()})`);
  return found;
}

/** Returns the parameter types for a number of arguments, or `undefined` if the number does not match. */
function parametersOf({ args, variadic }: Operation, count: number): readonly SqlType[] | undefined {
  if (args === 'alike') return undefined;
  if (count === args.length) return args;
  const last = args.at(-1);
  if (!variadic || last === undefined || count < args.length) return undefined;
  return [...args, ...Array<SqlType>(count - args.length).fill(last)];
}

/**
 * Returns the operation that Postgres would choose for the argument types, or `undefined` if there is none or several
 * match.
 */
function chooseOperation(name: string, types: readonly SqlType[]): Operation | undefined {
  const known = types.map(exactly);
  const given = known.find(type => type !== SqlType.unknown);
  const candidates = operationsOf(name).filter(one => fits(one, known));
  // An unknown literal takes the type of the other operand if there is a matching operator.
  const resolved = known.map(type => (type === SqlType.unknown && given !== undefined ? given : type));
  const assumed = candidates.find(one => matches(parametersOf(one, types.length), resolved));
  if (assumed) return assumed;
  // Do not choose an operator if several match.
  if (candidates.length > 1 && known.includes(SqlType.unknown) && !/^(?!negate)\w/.test(name)) return undefined;
  const closest = highestScored(candidates, one => count(one, known, (parameter, type) => parameter === type));
  const preferred = highestScored(closest, one =>
    count(one, known, (parameter, type) => parameter !== type && isPreferred(parameter)),
  );
  return preferred.length === 1 || !known.includes(SqlType.unknown) ? preferred[0] : undefined;
}

function fits(operation: Operation, types: readonly SqlType[]): boolean {
  return (
    parametersOf(operation, types.length)?.every((parameter, index) => widens(types[index] ?? parameter, parameter)) ??
    false
  );
}

function matches(parameters: readonly SqlType[] | undefined, types: readonly SqlType[]): boolean {
  return parameters?.every((parameter, index) => parameter === types[index]) ?? false;
}

function count(
  operation: Operation,
  types: readonly SqlType[],
  test: (parameter: SqlType, type: SqlType | undefined) => boolean,
): number {
  return parametersOf(operation, types.length)?.filter((parameter, index) => test(parameter, types[index])).length ?? 0;
}

function highestScored(candidates: readonly Operation[], score: (one: Operation) => number): readonly Operation[] {
  const best = Math.max(...candidates.map(score));
  return candidates.filter(one => score(one) === best);
}

/** Whether Postgres prefers the type over other types of the same category. */
function isPreferred(type: SqlType): boolean {
  return type === SqlType.double || type === SqlType.text || type === SqlType.timestamp;
}

function exactly(type: SqlType): SqlType {
  return type === SqlType.ratio ? SqlType.numeric : type;
}

/**
 * Builds a call of an operation and converts the arguments to the types of the operation.
 * @throws SqlProblem if no operation supports the argument types.
 */
export function call(name: string, args: readonly Expression[], at: number | undefined): Call {
  const [first] = operationsOf(name);
  if (first?.args === 'alike') return alikeCall(first, args, at);
  const types = args.map(({ type }) => type);
  const operation = chooseOperation(name, types);
  if (!operation) throw noOperation(name, types, at);
  if (operation.exactOnly && types.includes(SqlType.ratio)) {
    throw new SqlProblem(`${name} does not support the result of a division: round it first, as in round(x, 6)`, at);
  }
  const parameters = parametersOf(operation, args.length) ?? [];
  return {
    kind: 'call',
    name,
    type: resultOf(operation, types),
    args: args.map((arg, index) => coerce(arg, parameters[index] ?? arg.type, at)),
  };
}

/** Builds a call whose arguments are converted to one common type, such as a comparison. */
function alikeCall({ name, result }: Operation, args: readonly Expression[], at: number | undefined): Call {
  const type = commonType(
    args.map(arg => arg.type),
    at,
  );
  return {
    kind: 'call',
    name,
    type: result === 'same' ? type : result,
    args: args.map(arg => coerce(arg, type, at)),
  };
}

function resultOf({ result, exact }: Operation, types: readonly SqlType[]): SqlType {
  if (result === 'same') return types[0] ?? SqlType.unknown;
  return result === SqlType.numeric && !exact && types.includes(SqlType.ratio) ? SqlType.ratio : result;
}

function noOperation(name: string, types: readonly SqlType[], at: number | undefined): SqlProblem {
  const given = types.map(typeWords);
  if (/^\w+$/.test(name) && name !== 'negate') {
    const hint = types.includes(SqlType.double) ? 'cast the double precision to numeric' : 'cast the arguments';
    return new SqlProblem(`Function ${name}(${given.join(', ')}) does not exist: ${hint}`, at);
  }
  const operator = name === 'negate' ? '-' : name;
  const expressionText = given.length === 1 ? `${operator} ${given[0]}` : given.join(` ${operator} `);
  return new SqlProblem(`Operator ${expressionText} does not exist: cast one operand`, at);
}
