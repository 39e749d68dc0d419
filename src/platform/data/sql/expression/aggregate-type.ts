import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import { isNumber, typeWords } from './common-type.js';

const { integer, bigint, numeric, ratio, double, boolean, text, date, timestamp } = SqlType;

/** Type of a result by the type of the argument; undefined where there is no such aggregate. */
type Rule = (argument: SqlType) => SqlType | undefined;

const mean: Rule = type => (type === double ? double : isNumber(type) ? ratio : undefined);
const truth: Rule = type => (type === boolean ? boolean : undefined);
const extreme: Rule = type =>
  isNumber(type) || type === text || type === date || type === timestamp ? type : undefined;
const sum: Rule = type => (type === integer ? bigint : type === bigint ? numeric : isNumber(type) ? type : undefined);

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
/** Other names of the same. */
const synonyms: Readonly<Record<string, string>> = { every: 'bool_and', stddev: 'stddev_samp', variance: 'var_samp' };
/** Aggregates over an order: `percentile_cont(0.5) WITHIN GROUP (ORDER BY x)`. */
const ordered: Readonly<Record<string, Rule>> = {
  percentile_cont: type => (isNumber(type) ? double : undefined),
  percentile_disc: extreme,
};
/** Names of all aggregates over rows. */
export const aggregateNames: readonly string[] = [rules, synonyms, ordered].flatMap(names => Object.keys(names));

/** Whether a name is that of an aggregate that also works over a window. */
export function isPlainAggregate(name: string): boolean {
  return Object.hasOwn(rules, name) || Object.hasOwn(synonyms, name);
}

/** The name under which our list knows an aggregate. */
export function aggregateName(name: string): string {
  return (Object.hasOwn(synonyms, name) ? synonyms[name] : undefined) ?? name;
}

/**
 * Type of an aggregate's result, by Postgres' rules.
 * @param argument - type of what is aggregated.
 * @throws SqlProblem where there is no such aggregate.
 */
export function aggregateType(name: string, argument: SqlType, at?: number): SqlType {
  const own = aggregateName(name);
  const rule = Object.hasOwn(rules, own) ? rules[own] : Object.hasOwn(ordered, own) ? ordered[own] : undefined;
  const type = rule?.(argument === SqlType.other ? text : argument);
  if (type === undefined) throw new SqlProblem(`There is no ${name}(${typeWords(argument)})`, at);
  return type;
}

/** Whether a name is that of an aggregate over an order. */
export function isOrderedAggregate(name: string): boolean {
  return Object.hasOwn(ordered, name);
}
