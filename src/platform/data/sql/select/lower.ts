import { type Replace, rewrite, someOf } from '../rewrite.js';
import { SqlProblem } from '../sql-problem.js';
import type { Aggregate, ColumnValue, CommonTable, Expression, Select, SortKey } from '../tree.js';
import { askedOf, rowsOf } from './asked.js';
import type { From } from './from.js';
import { holdsAggregate } from './holds.js';
import { isSame } from './is-same.js';
import { placeIn } from './place.js';
import type { Reading } from './reading.js';
import type { CubeRelation, Relation } from './relation.js';
import { statementOf } from './table-select.js';
import type { Target } from './targets.js';

/** Each is compared with each other. */
const maxAggregates = 200;

/** A select as it was read. */
export interface Parts {
  readonly reading: Reading;
  readonly from: From | null;
  readonly relations: readonly Relation[];
  readonly targets: readonly Target[];
  readonly groups: readonly Expression[] | null;
  readonly having: Expression | null;
  readonly order: readonly SortKey[];
  readonly where: Expression | null;
  readonly distinct: boolean;
  /** Columns of the one cube that were asked for before WHERE was read. */
  readonly asked: number;
}

/** A select with no more in it than can be printed. */
export interface Lowered {
  readonly with: readonly CommonTable[];
  readonly body: Select;
  readonly order: readonly SortKey[];
}

/**
 * Takes a select apart: rows are put together inside, by a cube or by a grouped select, and what is made of groups stands in a select
 * around that.
 */
export function lowered(parts: Parts): Lowered {
  const { from, targets, order } = parts;
  if (from?.kind === 'cube' && from.relation.grouped) return overMeasures(parts, from.relation);
  if (isOfGroups(parts)) return overGroups(parts);
  const { where, source } = rowsOf(parts);
  return ordered(parts, { from: source, where, columns: targets.map(({ value }) => value) }, order);
}

/** Over one cube that puts rows together itself. */
function overMeasures(parts: Parts, relation: CubeRelation): Lowered {
  const { reading, groups, distinct, targets, where } = parts;
  const keys = groups ?? (isOfValues(parts) ? targets.map(({ value }) => value) : []);
  const asked = askedOf(reading, relation, { keys, where });
  const replace: Replace = (part, isInside) => {
    const key = keyOf(keys, part);
    if (key >= 0) return asked.keys[key];
    if (part.kind === 'measure') return relation.column(part);
    if (part.kind === 'member') throw ungrouped(reading, part);
    if (part.kind === 'aggregate' && !isInside)
      throw new SqlProblem(
        'an aggregate over rows can not stand beside measures: ask for it in a sub-select of its own, and join that',
        placeIn(reading.places, part),
      );
    return undefined;
  };
  const { order, ...made } = madeOf(parts, replace);
  const from = relation.toSource(asked);
  // Rows that show all that they are put together by are there once.
  const isDistinct = distinct && !asked.keys.every(key => made.columns.some(column => isSame(column, key)));
  const lower = ordered({ ...parts, distinct: isDistinct }, { ...made, from }, order);
  return { ...lower, with: [...asked.with, ...lower.with] };
}

/** Over anything else: a grouped select inside. */
function overGroups(parts: Parts): Lowered {
  const { reading, relations, groups } = parts;
  const keys = groups ?? [];
  const aggregates: Aggregate[] = [];
  const inner = reading.next();
  const own = new Set(relations.map(({ source }) => source));
  const isOwn = (part: Expression) => part.kind === 'column' && own.has(part.source);
  const replace: Replace = (part, isInside) => {
    const key = keyOf(keys, part);
    if (key >= 0) return columnOf(inner, key, part);
    if (isOwn(part)) throw ungrouped(reading, part);
    if (part.kind !== 'aggregate' || isInside) return undefined;
    if (someOf(part, (one, within) => !within && isName(one) && !isOwn(one)))
      throw new SqlProblem('an aggregate can only hold names of its own select', placeIn(reading.places, part));
    const known = aggregates.findIndex(one => isSame(one, part));
    if (known < 0 && aggregates.length === maxAggregates)
      throw new SqlProblem(`a select may have ${maxAggregates} aggregates`, placeIn(reading.places, part));
    return columnOf(inner, keys.length + (known >= 0 ? known : aggregates.push(part) - 1), part);
  };
  const { order, ...made } = madeOf(parts, replace);
  const { where, source } = rowsOf(parts);
  const columns = [...keys, ...aggregates];
  if (columns.length === 0) throw new SqlProblem('a select with HAVING or GROUP BY () needs an aggregate');
  const statement = statementOf({ kind: 'select', distinct: false, from: source, columns, where, grouped: true });
  return ordered(parts, { ...made, from: { kind: 'statement', source: inner, statement } }, order);
}

function isOfGroups({ groups, having, targets, order }: Parts): boolean {
  const values = [...targets, ...order].map(({ value }) => value);
  return groups !== null || having !== null || values.some(holdsAggregate);
}

/** Rows that are there once are put together by all that they show. */
function isOfValues(parts: Parts): boolean {
  return parts.distinct && !isOfGroups(parts);
}

/** Place of the key that a value is; a constant stays what it is. */
function keyOf(keys: readonly Expression[], value: Expression): number {
  return value.kind === 'literal' ? -1 : keys.findIndex(key => isSame(key, value));
}

/** What stands around groups: HAVING is a condition there like any other. */
function madeOf({ targets, having, order }: Parts, replace: Replace) {
  return {
    columns: targets.map(({ value }) => rewrite(value, replace)),
    where: having && rewrite(having, replace),
    order: order.map(key => ({ ...key, value: rewrite(key.value, replace) })),
  };
}

/** A distinct select is ordered by a select around it, since it can only be ordered by its own columns. */
function ordered(
  { reading, distinct }: Parts,
  select: Pick<Select, 'from' | 'where' | 'columns'>,
  order: readonly SortKey[],
): Lowered {
  const body: Select = { kind: 'select', grouped: false, ...select, distinct };
  if (!distinct || order.length === 0) return { with: [], body, order };
  const source = reading.next();
  const columns = select.columns.map((value, index) => columnOf(source, index, value));
  const keys = order.map(key => {
    const value = columns[select.columns.findIndex(one => isSame(one, key.value))];
    if (value === undefined)
      throw new SqlProblem(
        'with SELECT DISTINCT, what stands in ORDER BY must stand in the select list',
        placeIn(reading.places, key.value),
      );
    return { ...key, value };
  });
  const from = { kind: 'statement', source, statement: statementOf(body) } as const;
  return {
    with: [],
    body: { kind: 'select', distinct: false, grouped: false, from, where: null, columns },
    order: keys,
  };
}

function columnOf(source: number, column: number, { type }: Expression): ColumnValue {
  return { kind: 'column', source, column, type };
}

function isName({ kind }: Expression): boolean {
  return kind === 'column' || kind === 'member';
}

function ungrouped({ places }: Reading, part: Expression): SqlProblem {
  const { name = 'this column', at } = places.get(part) ?? {};
  return new SqlProblem(`${name} must stand in GROUP BY or in an aggregate`, at);
}
