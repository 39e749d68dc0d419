import type { Cell, Row } from '../contract/data.js';
import type { MetaResponse } from '../contract/meta.js';
import type { RowSet } from '../contract/row-set.js';
import { compareCells, sumOf } from './decimal.js';
import { cellOf, rowKey } from './groups.js';

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
