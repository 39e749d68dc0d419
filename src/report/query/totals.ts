import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { MetaCube, MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import { compareCells, sumOf } from '../format/decimal.js';
import { pivotItems, pivotLayout, pivotTotals } from '../table/pivot-layout.js';
import { readObject } from '../table/table-settings.js';
import { type ColumnKeys, cellOf, keyOf, rowKey } from './groups.js';
import { keysOf } from './member-names.js';

/**
 * How the values of groups combine to a total; `null` if they do not, so that the total must be queried. Without any
 * group, the total of a count is zero and that of a sum is `null`.
 */
export type Additive = 'count' | 'sum' | 'min' | 'max' | null;

/** Facts about a measure that totals and missing rows need. */
export interface MeasureFacts {
  readonly additive: Additive;
  /** True if the value without rows is zero, as for counts and sums; otherwise it is `null`. */
  readonly countsNothing: boolean;
}

const additive: ReadonlyMap<string, Additive> = new Map([
  ['count', 'count'],
  ['sum', 'sum'],
  ['min', 'min'],
  ['max', 'max'],
]);
const counting = new Set(['count', 'countDistinct', 'countDistinctApprox', 'sum']);

/**
 * Returns the facts about the measures of a model, by name. Measures over a rolling window have neither totals nor
 * zeros.
 */
export function measureFacts({ cubes }: MetaResponse): ReadonlyMap<string, MeasureFacts> {
  const measures = cubes.flatMap(cube => cube.measures);
  return new Map(
    measures.map(({ name, aggType, cumulative }) => {
      const type = cumulative ? '' : (aggType ?? '');
      return [name, { additive: additive.get(type) ?? null, countsNothing: counting.has(type) }];
    }),
  );
}

/** Computes totals of rows by the columns of `groups` for additive measures; the rows do not contain other measures. */
export function addUp(rowSet: RowSet, groups: readonly string[], additiveOf: (column: string) => Additive): RowSet {
  const members = new Map<string, Row[]>();
  for (const row of rowSet.rows) {
    const key = rowKey(row, groups);
    const group = members.get(key);
    if (group) group.push(row);
    else members.set(key, [row]);
  }
  // The grand total exists even if there are no rows.
  if (groups.length === 0 && members.size === 0) members.set('', []);
  const measures = rowSet.columns.flatMap(({ member, kind }) => {
    const how = kind === 'measure' ? additiveOf(member) : null;
    return how ? [{ member, how }] : [];
  });
  const rows = [...members.values()].map(
    (group): Row =>
      Object.fromEntries([
        ...groups.map((column): [string, Cell] => [column, group[0] ? cellOf(group[0], column) : null]),
        ...measures.map(({ member, how }): [string, Cell] => [member, total(group, member, how)]),
      ]),
  );
  const shown = new Set([...groups, ...measures.map(({ member }) => member)]);
  return { ...rowSet, columns: rowSet.columns.filter(({ member }) => shown.has(member)), rows };
}

function total(rows: readonly Row[], member: string, how: NonNullable<Additive>): Cell {
  if (how === 'sum') return sumOf(cellsOf(rows, member));
  if (how === 'count') return sumOf(cellsOf(rows, member)) ?? '0';
  const sign = how === 'max' ? 1 : -1;
  let found: Cell = null;
  for (const cell of cellsOf(rows, member)) {
    if (cell !== null && (found === null || compareCells(cell, found) === sign)) found = cell;
  }
  return found;
}

function* cellsOf(rows: readonly Row[], member: string): Iterable<Cell> {
  for (const row of rows) yield cellOf(row, member);
}

/**
 * Returns true if a group of a dimension can count a row of the measure's cube more than once; the groups then do not
 * add up.
 */
export type FanOutCheck = (measure: string, dimensions: readonly string[]) => boolean;

const toOne = new Set(['belongsTo', 'hasOne', 'many_to_one', 'one_to_one']);

/**
 * Creates a fan-out check from the joins of a model: a row of the measure's cube can match several rows of the
 * dimension's cube unless all joins between the cubes are to one row. If the model does not contain the cubes, no
 * fan-out is assumed.
 */
export function fanOutCheck({ cubes }: MetaResponse): FanOutCheck {
  const known = new Map(cubes.flatMap(cube => (cube.type === 'cube' ? [[cube.name, cube] as const] : [])));
  const members = cubes.flatMap(cube => [...cube.measures, ...cube.dimensions]);
  const aliases = new Map(
    members.flatMap(({ name, aliasMember }) => (aliasMember ? [[name, aliasMember] as const] : [])),
  );
  const cubeOf = (member: string): MetaCube | undefined => {
    const own = member.split('.').slice(0, 2).join('.');
    return known.get((aliases.get(own) ?? own).split('.')[0] ?? '');
  };
  const reached = new Map<string, ReadonlySet<string>>();
  return (measure, dimensions) => {
    const from = cubeOf(measure);
    if (!from) return false;
    const single = reached.get(from.name) ?? reachOf(from, known);
    reached.set(from.name, single);
    return dimensions.some(dimension => {
      const cube = cubeOf(dimension);
      return cube !== undefined && !single.has(cube.name);
    });
  };
}

/** Returns the cubes that have at most one row for each row of this cube. */
function reachOf(from: MetaCube, known: ReadonlyMap<string, MetaCube>): ReadonlySet<string> {
  const found = new Set([from.name]);
  // Iterating over a set includes items that are added in the meantime.
  for (const name of found) {
    for (const join of known.get(name)?.joins ?? []) if (toOne.has(join.relationship)) found.add(join.name);
  }
  return found;
}

/**
 * Returns the groupings for which a report shows totals, as columns of its rows; an empty grouping is the grand total.
 */
export function totalGroups(
  snapshot: ReportSnapshot,
  query: Query,
  columns: ColumnKeys,
): readonly (readonly string[])[] {
  const names = columns ? Object.keys(columns) : keysOf(query);
  const measures = new Set(query.measures);
  const shown = names.map(member => ({
    member,
    kind: measures.has(keyOf(member, columns)) ? ('measure' as const) : ('dimension' as const),
  }));
  const isGrouped = shown.some(({ kind }) => kind === 'dimension');
  if (!isGrouped || measures.size === 0) return [];
  const spec = readObject(snapshot.spec);
  if (snapshot.kind === 'kpi') return spec.display === 'sparkline' ? [[]] : [];
  if (snapshot.kind !== 'table') return [];
  const items = pivotItems(snapshot);
  if (items) return pivotTotals(items, pivotLayout(items, shown));
  return spec.showTotals === true ? [[]] : [];
}
