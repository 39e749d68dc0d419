import type { Row } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { toNumber } from '../format/numeric-value.js';
import { cellOf } from '../query/groups.js';
import { isFigure } from './table.js';

/**
 * A report cannot be rendered as authored. The message is for its author. It contains names of columns and keys, but no
 * values.
 */
export class DrawingError extends Error {
  override name = 'DrawingError';
}

/**
 * Returns the column that a key of a specification names; `null` if it names none.
 * @throws DrawingError if the column does not exist.
 */
export function namedColumn({ columns }: RowSet, spec: Readonly<Record<string, unknown>>, key: string): Column | null {
  const name = spec[key];
  if (typeof name !== 'string' || name === '') return null;
  const column = columns.find(({ member }) => member === name);
  if (!column) throw new DrawingError(`"${key}" names a column that the report does not have: ${name.slice(0, 100)}`);
  return column;
}

/** Returns the measures of a result without comparisons, otherwise its numeric columns. */
export function measuresOf({ columns }: RowSet): readonly Column[] {
  const measures = columns.filter(({ kind, comparison }) => kind === 'measure' && !comparison);
  return measures.length > 0 ? measures : columns.filter(isFigure);
}

/** Returns the columns that are not measures. */
export function dimensionsOf({ columns }: RowSet): readonly Column[] {
  return columns.filter(({ kind }) => kind !== 'measure');
}

/** Returns the number of a row in a column; `null` if there is none. */
export function figureAt(row: Row, column: Column | null): number | null {
  return column ? toNumber(cellOf(row, column.member)) : null;
}

/** Returns the indexes of the `max` largest values in their original order. */
export function indexesOfLargest(values: readonly number[], max: number): number[] {
  if (values.length <= max) return values.map((_, place) => place);
  const threshold = Float64Array.from(values).sort()[values.length - max] ?? 0;
  // How many values equal to `threshold` may still be included.
  let remaining = max - values.reduce((count, value) => (value > threshold ? count + 1 : count), 0);
  const places: number[] = [];
  values.forEach((value, place) => {
    if (value > threshold || (value === threshold && remaining-- > 0)) places.push(place);
  });
  return places;
}
