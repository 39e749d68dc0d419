import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { MetaCube, MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import { compareCells, sumOf } from '../format/decimal.js';
import { pivotItems, pivotLayout, pivotTotals } from '../table/pivot-layout.js';
import { readObject } from '../table/table-look.js';
import { type ColumnKeys, cellOf, keyOf, rowKey } from './groups.js';
import { keysOf } from './member-names.js';

/**
 * How figures of groups make the figure of all of them; null where they don't: it has to be asked for. The sum of no counts is nought, of
 * no sums there is none.
 */
export type Additive = 'count' | 'sum' | 'min' | 'max' | null;

/** What a model says of a measure, as far as totals and missing rows need it. */
export interface MeasureFacts {
  readonly additive: Additive;
  /** No rows are a figure, nought: of counts and sums. Else they are none. */
  readonly countsNothing: boolean;
}

const additive: ReadonlyMap<string, Additive> = new Map([
  ['count', 'count'],
  ['sum', 'sum'],
  ['min', 'min'],
  ['max', 'max'],
]);
const counting = new Set(['count', 'countDistinct', 'countDistinctApprox', 'sum']);

/** Facts of the measures of a model, by name. Of a measure over a rolling window neither sums nor noughts are known. */
export function measureFacts({ cubes }: MetaResponse): ReadonlyMap<string, MeasureFacts> {
  const measures = cubes.flatMap(cube => cube.measures);
  return new Map(
    measures.map(({ name, aggType, cumulative }) => {
      const type = cumulative ? '' : (aggType ?? '');
      return [name, { additive: additive.get(type) ?? null, countsNothing: counting.has(type) }];
    }),
  );
}

/** Totals of rows by the columns of `groups`, of the measures that can be added up; the others are missing in its rows. */
export function addUp(rowSet: RowSet, groups: readonly string[], additiveOf: (column: string) => Additive): RowSet {
  const members = new Map<string, Row[]>();
  for (const row of rowSet.rows) {
    const key = rowKey(row, groups);
    const group = members.get(key);
    if (group) group.push(row);
    else members.set(key, [row]);
  }
  // Without groups there is a total, whether there are rows or not.
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
  const wanted = how === 'max' ? 1 : -1;
  let found: Cell = null;
  for (const cell of cellsOf(rows, member)) {
    if (cell !== null && (found === null || compareCells(cell, found) === wanted)) found = cell;
  }
  return found;
}

function* cellsOf(rows: readonly Row[], member: string): Iterable<Cell> {
  for (const row of rows) yield cellOf(row, member);
}

/** Tells whether rows of a measure's cube are counted in more than one group of a dimension: then its groups don't add up. */
export type FanOutCheck = (measure: string, dimensions: readonly string[]) => boolean;

const toOne = new Set(['belongsTo', 'hasOne', 'many_to_one', 'one_to_one']);

/**
 * Finds that out by the joins of a model: from a measure's cube to that of a dimension there is one row, or there may be more. Where the
 * model doesn't show the cubes, nothing is known to be multiplied.
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

/** Cubes of which one row at most belongs to a row of this one. */
function reachOf(from: MetaCube, known: ReadonlyMap<string, MetaCube>): ReadonlySet<string> {
  const found = new Set([from.name]);
  // A set is gone through to its end, with what is added meanwhile.
  for (const name of found) {
    for (const join of known.get(name)?.joins ?? []) if (toOne.has(join.relationship)) found.add(join.name);
  }
  return found;
}

/** Groups that a report shows totals by, as columns of its rows; one without any is the total of all. */
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
