import type { Cell } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Mark } from '../../report/marks/mark.js';
import { columnPrinter, columnTitle, isFigure, type Presentation } from '../../report/table/table.js';
import { cellReader } from '../chart-rows.js';
import type { SceneItem } from '../scene.js';
import { isObject, walk } from '../spec/spec.js';
import { tooltipEntries } from './tooltip.js';

/** Title and formatted value of one column that a mark shows. */
export interface MarkFact {
  readonly title: string;
  readonly value: string;
}

const maxFacts = 6;

/** Maps the items of a chart to the rows of the report that they represent. */
export class DataMarks {
  readonly #columns: readonly Column[];
  readonly #rowSet: RowSet;
  readonly #spec: JsonObject;
  readonly #referencedColumns: readonly Column[];
  #placed: ReadonlyMap<string, readonly Column[]> | null = null;
  /** Cells of a column by their values in the chart. */
  readonly #cells = new Map<string, ReadonlyMap<unknown, Cell>>();

  /** @param spec The Vega specification that the chart is rendered from. */
  constructor(rowSet: RowSet, spec: JsonObject) {
    this.#columns = rowSet.columns;
    this.#rowSet = rowSet;
    this.#referencedColumns = namedIn(spec.marks ?? [], rowSet.columns);
    this.#spec = spec;
  }

  /** Returns the dimension values of an item, as in the rows of the report; `null` if the item has no column. */
  markOf(item: SceneItem): Mark | null {
    const datum = datumOf(item);
    if (!datum) return null;
    const values: Record<string, Cell> = Object.create(null);
    let found = 0;
    for (const column of this.#columns) {
      if (!Object.hasOwn(datum, column.member)) continue;
      found++;
      if (column.kind === 'measure') continue;
      const cell = this.#cellOf(column, datum[column.member]);
      if (cell !== undefined) values[column.member] = cell;
    }
    return found === 0 ? null : { values: { ...values }, measure: this.#measureOf(item, datum) };
  }

  /** True for columns that the marks of the chart reference. */
  isReferenced(column: Column): boolean {
    return this.#referencedColumns.includes(column);
  }

  /**
   * Returns a key that identifies what an item represents: the values of its columns, otherwise its tooltip. `null` if
   * it has neither.
   */
  keyOf(item: SceneItem): string | null {
    const datum = datumOf(item);
    const present = datum ? this.#columns.filter(({ member }) => Object.hasOwn(datum, member)) : [];
    if (present.length > 0) return JSON.stringify(present.map(({ member }) => datum?.[member]));
    const entries = tooltipEntries(item);
    return entries.length > 0 ? JSON.stringify(entries) : null;
  }

  /** Returns what an item shows, in the formats of the report: its columns, otherwise its tooltip. */
  factsOf(item: SceneItem, presentation: Presentation, readable: (title: string) => string): readonly MarkFact[] {
    const datum = datumOf(item);
    const present = datum ? this.#referencedColumns.filter(({ member }) => Object.hasOwn(datum, member)) : [];
    const names = this.#columns.filter(column => !isFigure(column));
    const isName = ([title]: readonly [string, string]) => names.some(({ member }) => title.includes(member));
    const entries = tooltipEntries(item)
      .sort((a, b) => Number(isName(b)) - Number(isName(a)))
      .map(([title, value]) => ({ title: readable(title), value }));
    // If no column of the item is a number, the chart computes its value, so use the entries of the tooltip.
    if (entries.length > 0 && !present.some(isFigure)) return entries.slice(0, maxFacts);
    const inOrder = [...present].sort((a, b) => Number(isFigure(a)) - Number(isFigure(b)));
    return inOrder.slice(0, maxFacts).map(column => ({
      title: columnTitle(column),
      value: columnPrinter(column, presentation)(toCell(datum?.[column.member])),
    }));
  }

  /** Returns a predicate for the items that represent any of these marks. */
  isOneOf(marks: readonly Mark[]): (item: SceneItem) => boolean {
    const expected = marks.map(({ values }) =>
      this.#columns.flatMap(column => {
        const cell = values[column.member];
        return cell === undefined ? [] : [{ member: column.member, value: comparable(cellReader(column)(cell)) }];
      }),
    );
    return item => {
      const datum = datumOf(item);
      if (!datum) return false;
      return expected.some(pairs => {
        const present = pairs.filter(({ member }) => Object.hasOwn(datum, member));
        return present.length > 0 && present.every(({ member, value }) => comparable(datum[member]) === value);
      });
    };
  }

  #measureOf(item: SceneItem, datum: JsonObject): string | null {
    const present = this.#columns.filter(({ kind, member }) => kind === 'measure' && Object.hasOwn(datum, member));
    if (present.length === 1) return present[0]?.member ?? null;
    this.#placed ??= placedColumns(this.#spec, this.#columns.filter(isFigure));
    const placed = this.#placed.get(String(item.mark?.name)) ?? [];
    const shown = present.filter(column => placed.includes(column));
    return shown.length === 1 ? (shown[0]?.member ?? null) : null;
  }

  /** Returns the cell behind a chart value; `undefined` if the chart computed the value. */
  #cellOf(column: Column, value: unknown): Cell | undefined {
    if (value === null || value === undefined) return null;
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    const cells = this.#cells.get(column.member) ?? this.#readCells(column);
    return cells.get(comparable(value));
  }

  #readCells({ member, annotation }: Column): ReadonlyMap<unknown, Cell> {
    const read = cellReader({ member, annotation, kind: 'dimension' });
    const cells = new Map<unknown, Cell>();
    for (const row of this.#rowSet.rows) {
      const cell = row[member] ?? null;
      const value = cell === null ? null : comparable(read(cell));
      if (cell !== null && !cells.has(value)) cells.set(value, cell);
    }
    this.#cells.set(member, cells);
    return cells;
  }
}

/** Returns the row behind an item. An item of nested groups inherits the row of the nearest group that has one. */
function datumOf({ datum }: SceneItem): JsonObject | null {
  return isObject(datum) ? datum : null;
}

function comparable(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}

function toCell(value: unknown): Cell {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString().slice(0, 23);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** Returns the columns that a part of a specification references. */
function namedIn(part: unknown, columns: readonly Column[]): Column[] {
  const text = JSON.stringify(part).replaceAll('\\', '');
  return columns.filter(({ member }) => text.includes(member));
}

/**
 * Returns the numeric columns that the position of each named mark encodes. If the position encodes none, returns the
 * columns of the angle, size, fill or text.
 */
function placedColumns(spec: JsonObject, figures: readonly Column[]): Map<string, readonly Column[]> {
  const placed = new Map<string, readonly Column[]>();
  walk(spec.marks, (mark, key) => {
    if (key !== '' || typeof mark.name !== 'string' || !isObject(mark.encode)) return;
    const sets = Object.values(mark.encode).filter(isObject);
    for (const channels of [
      ['y', 'y2'],
      ['x', 'x2'],
      ['startAngle', 'endAngle', 'size', 'fill', 'text'],
    ]) {
      const found = namedIn(
        sets.map(set => channels.map(channel => set[channel])),
        figures,
      );
      if (found.length > 0 && !placed.has(mark.name)) placed.set(mark.name, found);
    }
  });
  return placed;
}
