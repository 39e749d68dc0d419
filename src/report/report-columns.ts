import type { Cell } from '../contract/data.js';
import type { Column, RowSet } from '../contract/row-set.js';

/** A report that can't be drawn as it was made. The words are for its author: they name columns and keys, no values. */
export class DrawingError extends Error {
  override name = 'DrawingError';
}

/** `spec` of a snapshot as an object, whatever came: text counts as what JSON it holds, anything else as nothing. */
export function specObject(spec: unknown): Readonly<Record<string, unknown>> {
  const value = typeof spec === 'string' ? parsed(spec) : spec;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
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

/** The measures of an answer, else its columns of figures. */
export function measuresOf({ columns }: RowSet): readonly Column[] {
  const measures = columns.filter(({ kind }) => kind === 'measure');
  return measures.length > 0 ? measures : columns.filter(({ annotation }) => annotation.type === 'number');
}

/** What is no measure: what a row stands for. */
export function dimensionsOf({ columns }: RowSet): readonly Column[] {
  return columns.filter(({ kind }) => kind !== 'measure');
}

/** The figure that a cell holds; null where it holds none. */
export function toFigure(cell: Cell | undefined): number | null {
  if (cell === null || cell === undefined || cell === '' || typeof cell === 'boolean') return null;
  const figure = Number(cell);
  return Number.isFinite(figure) ? figure : null;
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
