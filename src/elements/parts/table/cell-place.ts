/** A cell by its place as it is shown: rows from 0, those of the head before them (-1 is the lowest one); columns as they stand. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** Cells between two corners, both included. */
export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly start: number;
  readonly end: number;
}

/** What there is to move in. */
export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  readonly headRows: number;
  /** Rows that a page is. */
  readonly page: number;
}

/** A key as it was pressed; `forward` is the key that points where the text runs to. */
export interface GridKey {
  readonly key: string;
  readonly far: boolean;
  readonly forward: 'ArrowRight' | 'ArrowLeft';
}

/** Where a key moves to; null where it doesn't move. */
export function moved(from: CellPlace, { key, far, forward }: GridKey, size: GridSize): CellPlace | null {
  const last = { row: size.rows - 1, column: size.columns - 1 };
  const first = -size.headRows;
  const step = key === forward ? 1 : -1;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowRight':
      return inside({ ...from, column: far ? (step > 0 ? last.column : 0) : from.column + step }, size);
    case 'ArrowDown':
      return inside({ ...from, row: far ? last.row : from.row + 1 }, size);
    case 'ArrowUp':
      return inside({ ...from, row: far ? first : from.row - 1 }, size);
    case 'Home':
      return inside({ row: far ? 0 : from.row, column: 0 }, size);
    case 'End':
      return inside({ row: far ? last.row : from.row, column: last.column }, size);
    case 'PageDown':
      return inside({ ...from, row: from.row + size.page }, size);
    case 'PageUp':
      return inside({ ...from, row: from.row < 0 ? from.row : Math.max(0, from.row - size.page) }, size);
    default:
      return null;
  }
}

/** The nearest cell there is. */
export function inside({ row, column }: CellPlace, { rows, columns, headRows }: GridSize): CellPlace {
  return {
    row: Math.max(-headRows, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  };
}

/** The cells between two. */
export function rangeOf(a: CellPlace, b: CellPlace): CellRange {
  return {
    top: Math.min(a.row, b.row),
    bottom: Math.max(a.row, b.row),
    start: Math.min(a.column, b.column),
    end: Math.max(a.column, b.column),
  };
}

/** Whether a cell is one of a range. */
export function isInRange(range: CellRange | null, row: number, column: number): boolean {
  return range !== null && row >= range.top && row <= range.bottom && column >= range.start && column <= range.end;
}
