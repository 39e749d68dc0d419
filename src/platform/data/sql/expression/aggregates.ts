import type { FuncCall } from 'libpg-query';
import { Clause, type Scope } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import { commonType, isNumber, SqlType, typeWords } from '../sql-type.js';
import type { Aggregate, Expression, SortKey } from '../tree.js';
import { coerce, literal } from './literals.js';
import { truthOf } from './operators.js';
import { present, type Reader, sortKey, Within, wordsOf } from './reader.js';

const { integer, bigint, numeric, ratio, double, boolean, text, date, timestamp } = SqlType;

/** Returns the type of the result for an argument type, or `undefined` if the aggregate does not support it. */
type Rule = (argument: SqlType) => SqlType | undefined;

const mean: Rule = type => {
  if (type === double) return double;
  return isNumber(type) ? ratio : undefined;
};
const truth: Rule = type => (type === boolean ? boolean : undefined);
const extreme: Rule = type =>
  isNumber(type) || type === text || type === date || type === timestamp ? type : undefined;
const sum: Rule = type => {
  if (type === integer) return bigint;
  if (type === bigint) return numeric;
  return isNumber(type) ? type : undefined;
};

const rules: Readonly<Record<string, Rule>> = {
  count: () => bigint,
  sum,
  avg: mean,
  min: extreme,
  max: extreme,
  bool_and: truth,
  bool_or: truth,
  stddev_samp: mean,
  stddev_pop: mean,
  var_samp: mean,
  var_pop: mean,
};
/** Synonyms of aggregates. */
const synonyms: Readonly<Record<string, string>> = { every: 'bool_and', stddev: 'stddev_samp', variance: 'var_samp' };
/** Ordered-set aggregates: `percentile_cont(0.5) WITHIN GROUP (ORDER BY x)`. */
const ordered: Readonly<Record<string, Rule>> = {
  percentile_cont: type => (isNumber(type) ? double : undefined),
  percentile_disc: extreme,
};
/** Names of all aggregates over rows. */
export const aggregateNames: readonly string[] = [rules, synonyms, ordered].flatMap(names => Object.keys(names));

/** Whether a function is an aggregate that also works over a window. */
export function isPlainAggregate(name: string): boolean {
  return Object.hasOwn(rules, name) || Object.hasOwn(synonyms, name);
}

/** Returns the canonical name of an aggregate. */
export function aggregateName(name: string): string {
  return (Object.hasOwn(synonyms, name) ? synonyms[name] : undefined) ?? name;
}

/**
 * Returns the type of an aggregate's result, by the rules of Postgres.
 * @param argument - type of the aggregated values.
 * @throws SqlProblem if the aggregate does not support the type.
 */
export function aggregateType(name: string, argument: SqlType, at?: number): SqlType {
  const own = aggregateName(name);
  const rule = [rules, ordered].find(group => Object.hasOwn(group, own))?.[own];
  const type = rule?.(argument === SqlType.other ? text : argument);
  if (type === undefined) throw new SqlProblem(`Function ${name}(${typeWords(argument)}) does not exist`, at);
  return type;
}

/** Whether a function is an ordered-set aggregate. */
function isOrderedAggregate(name: string): boolean {
  return Object.hasOwn(ordered, name);
}

/** Aggregates whose argument can be a measure. */
const measures: ReadonlySet<string> = new Set(['measure', 'count', 'sum', 'avg', 'min', 'max']);
const clauses: ReadonlySet<Clause> = new Set([Clause.select, Clause.having, Clause.order]);

/** Whether a function is an aggregate, including `measure`. */
export function isAggregate(name: string): boolean {
  return name === 'measure' || isOrderedAggregate(name) || isPlainAggregate(name);
}

/** Reads an aggregate, either of a measure or over rows. */
export function readAggregate(name: string, node: FuncCall, reader: Reader): Expression {
  const at = node.location;
  const { clause } = reader.scope;
  if (!clauses.has(clause)) {
    throw new SqlProblem(
      `Aggregate functions are not allowed in ${clause}${clause === Clause.where ? ': use HAVING' : ''}`,
      at,
    );
  }
  if (reader.within === Within.aggregate) throw new SqlProblem('Aggregate functions cannot be nested', at);
  return (
    readMeasure(name, node, reader.scope) ??
    (node.agg_within_group ? readOrdered(name, node, reader) : readPlain(name, node, reader))
  );
}

function readMeasure(name: string, node: FuncCall, scope: Scope): Expression | null {
  const at = node.location;
  const [column, ...others] = node.args ?? [];
  if (name === 'count' && node.agg_star) return node.agg_filter ? null : scope.countRows(at);
  const words = column && 'ColumnRef' in column && others.length === 0 ? wordsOf(column.ColumnRef.fields) : null;
  const aggregate = { call: name, distinct: node.agg_distinct ?? false };
  const found = words && measures.has(name) ? scope.measure(aggregate, words, at) : null;
  if (found === null && name === 'measure') throw new SqlProblem('MEASURE() requires the name of a measure', at);
  if (found !== null && node.agg_order)
    throw new SqlProblem('A measure does not support ORDER BY inside the aggregate: remove it', at);
  if (found !== null && node.agg_filter)
    throw new SqlProblem('A measure does not support FILTER: use WHERE, or a measure that has the filter', at);
  return found;
}

function readPlain(name: string, node: FuncCall, reader: Reader): Aggregate {
  const at = node.location;
  if (node.agg_order) throw new SqlProblem(`${name}() does not support ORDER BY`, at);
  const args = aggregateArguments(name, node, reader.inside(Within.aggregate));
  return {
    kind: 'aggregate',
    type: aggregateType(name, args[0]?.type ?? SqlType.bigint, at),
    name: aggregateName(name),
    args,
    distinct: node.agg_distinct ?? false,
    filter: readFilter(node, reader),
    order: [],
  };
}

/**
 * Reads the argument of an aggregate: one value, or none for `count(*)`.
 * @param reader - reader for expressions inside the aggregate.
 */
export function aggregateArguments(name: string, node: FuncCall, reader: Reader): readonly Expression[] {
  const nodes = node.args ?? [];
  if (!isPlainAggregate(name)) throw new SqlProblem(`${name}() requires WITHIN GROUP (ORDER BY …)`, node.location);
  if (node.agg_star ? name !== 'count' : nodes.length !== 1) {
    throw new SqlProblem(`${name}() requires one argument`, node.location);
  }
  return nodes.map(one => resolveUnknownType(reader.read(one), node.location));
}

/** Reads the condition of FILTER. */
export function readFilter({ agg_filter: filter, location: at }: FuncCall, reader: Reader): Expression | null {
  return filter ? truthOf(reader.inside(Within.aggregate).read(filter), 'FILTER', at) : null;
}

/** Returns the argument. Constants without a type become text. */
export function resolveUnknownType(value: Expression, at: number | undefined): Expression {
  return coerce(value, commonType([value.type], at), at);
}

function readOrdered(name: string, node: FuncCall, reader: Reader): Aggregate {
  const at = node.location;
  const [fraction, ...others] = (node.args ?? []).map(one => reader.inside(Within.aggregate).read(one));
  const key = orderOf(node, reader);
  const part = fraction?.kind === 'literal' && fraction.value !== null ? Number(fraction.value) : Number.NaN;
  if (!(part >= 0 && part <= 1) || others.length > 0) {
    throw new SqlProblem(`${name}() requires a constant from 0 to 1`, at);
  }
  return {
    kind: 'aggregate',
    type: aggregateType(name, key.value.type, at),
    name,
    args: [literal(SqlType.double, part)],
    distinct: false,
    filter: readFilter(node, reader),
    order: [key],
  };
}

function orderOf({ agg_order: order = [], location: at }: FuncCall, reader: Reader): SortKey {
  const [first, ...others] = order;
  if (others.length > 0 || first === undefined || !('SortBy' in first)) {
    throw new SqlProblem('WITHIN GROUP requires one ORDER BY key', at);
  }
  return sortKey(
    first.SortBy,
    resolveUnknownType(reader.inside(Within.aggregate).read(present(first.SortBy.node)), at),
  );
}
