import type { Row } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { toNumber } from '../format/numeric-value.js';
import { cellOf } from '../query/groups.js';
import { isFigure } from './table.js';

/** A report that can't be drawn as it was made. The words are for its author: they name columns and keys, no values. */
export class DrawingError extends Error {
  override name = 'DrawingError';
}

/**
 * The column that a key of a specification names; null where it names none.
 * @throws DrawingError where it names one that is not there.
 */
export function namedColumn({ columns }: RowSet, spec: Readonly<Record<string, unknown>>, key: string): Column | null {
  const name = spec[key];
  if (typeof name !== 'string' || name === '') return null;
  const column = columns.find(({ member }) => member === name);
  if (!column) throw new DrawingError(`"${key}" names a column that the report does not have: ${name.slice(0, 100)}`);
  return column;
}

/** The measures of an answer but for those that compare another, else its columns of figures. */
export function measuresOf({ columns }: RowSet): readonly Column[] {
  const measures = columns.filter(({ kind, comparison }) => kind === 'measure' && !comparison);
  return measures.length > 0 ? measures : columns.filter(isFigure);
}

/** What is no measure: what a row stands for. */
export function dimensionsOf({ columns }: RowSet): readonly Column[] {
  return columns.filter(({ kind }) => kind !== 'measure');
}

/** The figure that a row has in a column; null where it has none. */
export function figureAt(row: Row, column: Column | null): number | null {
  return column ? toNumber(cellOf(row, column.member)) : null;
}

/** Places of the largest values, at most so many, in the order that they have. */
export function placesOfLargest(values: readonly number[], most: number): number[] {
  if (values.length <= most) return values.map((_, place) => place);
  const least = Float64Array.from(values).sort()[values.length - most] ?? 0;
  // As many of those that equal the least as there is room for beside what is larger.
  let room = most - values.reduce((count, value) => (value > least ? count + 1 : count), 0);
  const places: number[] = [];
  values.forEach((value, place) => {
    if (value > least || (value === least && room-- > 0)) places.push(place);
  });
  return places;
}
