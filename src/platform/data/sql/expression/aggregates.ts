import type { FuncCall } from 'libpg-query';
import { Clause, type Scope } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { Aggregate, Expression, SortKey } from '../tree.js';
import { aggregateName, aggregateType, isOrderedAggregate, isPlainAggregate } from './aggregate-type.js';
import { commonType } from './common-type.js';
import { converted } from './conversion.js';
import { literal } from './literals.js';
import { truthOf } from './operators.js';
import { present, type Reader, Within, wordsOf } from './reader.js';
import { sortKey } from './sort-key.js';

/** What may be the aggregate that a measure is made by. */
const measures: ReadonlySet<string> = new Set(['measure', 'count', 'sum', 'avg', 'min', 'max']);
const clauses: ReadonlySet<Clause> = new Set([Clause.select, Clause.having, Clause.order]);

/** Whether a name is that of an aggregate; `measure` is one, too. */
export function isAggregate(name: string): boolean {
  return name === 'measure' || isOrderedAggregate(name) || isPlainAggregate(name);
}

/** Reads an aggregate: a measure where it means one, else one over rows. */
export function readAggregate(name: string, node: FuncCall, reader: Reader): Expression {
  const at = node.location;
  const { clause } = reader.scope;
  if (!clauses.has(clause)) {
    throw new SqlProblem(`${clause} can't hold an aggregate${clause === Clause.where ? ': use HAVING' : ''}`, at);
  }
  if (reader.within === Within.aggregate) throw new SqlProblem("An aggregate can't hold another one", at);
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
  const found = words && measures.has(name) ? scope.measure(name, node.agg_distinct ?? false, words, at) : null;
  if (found === null && name === 'measure') throw new SqlProblem('MEASURE takes the name of a measure', at);
  if (found !== null && (node.agg_filter || node.agg_order)) {
    throw new SqlProblem("A measure can't be filtered: filter by WHERE, or use a measure that has the filter", at);
  }
  return found;
}

function readPlain(name: string, node: FuncCall, reader: Reader): Aggregate {
  const at = node.location;
  if (node.agg_order) throw new SqlProblem(`${name}() takes no ORDER BY`, at);
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
 * What an aggregate is over: one value, or nothing of `count(*)`.
 * @param reader - of what stands inside.
 */
export function aggregateArguments(name: string, node: FuncCall, reader: Reader): readonly Expression[] {
  const nodes = node.args ?? [];
  if (!isPlainAggregate(name)) throw new SqlProblem(`${name}() takes WITHIN GROUP (ORDER BY …)`, node.location);
  if (node.agg_star ? name !== 'count' : nodes.length !== 1) {
    throw new SqlProblem(`${name}() takes one value`, node.location);
  }
  return nodes.map(one => settled(reader.read(one), node.location));
}

/** The condition of FILTER. */
export function readFilter({ agg_filter: filter, location: at }: FuncCall, reader: Reader): Expression | null {
  return filter ? truthOf(reader.inside(Within.aggregate).read(filter), 'FILTER', at) : null;
}

/** A value that has a type: constants without one are text. */
export function settled(value: Expression, at: number | undefined): Expression {
  return converted(value, commonType([value.type], at), at);
}

function readOrdered(name: string, node: FuncCall, reader: Reader): Aggregate {
  const at = node.location;
  const [fraction, ...others] = (node.args ?? []).map(one => reader.inside(Within.aggregate).read(one));
  const key = orderOf(node, reader);
  const part = fraction?.kind === 'literal' && fraction.value !== null ? Number(fraction.value) : Number.NaN;
  if (!(part >= 0 && part <= 1) || others.length > 0) {
    throw new SqlProblem(`${name}() takes a number from 0 to 1 that is written out`, at);
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
    throw new SqlProblem('WITHIN GROUP takes one ORDER BY', at);
  }
  return sortKey(first.SortBy, settled(reader.inside(Within.aggregate).read(present(first.SortBy.node)), at));
}
