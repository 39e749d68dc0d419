import type { ColumnWidth } from '../../../report/table-look.js';

/** Narrowest that a column can be, px. */
export const narrowestColumn = 48;
/** Widest that a column can be, px. */
export const widestColumn = 1200;

/** A width as a column may have it. */
export function boundedWidth(px: number): number {
  return Math.round(Math.max(narrowestColumn, Math.min(px, widestColumn)));
}

/**
 * Widths of all columns, px, in a box of `room` px: fixed ones as they are, those without a width (null) at least as wide as `needed`. What is
 * left goes to the shares (`fr`), or where there are none to the columns without a width, in proportion. Where nothing is left the table scrolls.
 */
export function layOutColumns(
  widths: readonly (ColumnWidth | null)[],
  needed: readonly number[],
  room: number,
): number[] {
  const columns = widths.map((width, index) => ({
    share: width?.unit === 'fr' ? width.size : 0,
    isFixed: width?.unit === 'px',
    least: leastWidth(width, needed[index] ?? narrowestColumn),
  }));
  const sum = (measure: (column: (typeof columns)[number]) => number): number =>
    columns.reduce((total, column) => total + measure(column), 0);
  const shares = sum(({ share }) => share);
  const fixed = sum(({ isFixed, least }) => (isFixed ? least : 0));
  const byContent = sum(({ isFixed, share, least }) => (isFixed || share > 0 ? 0 : least));
  const left = room - fixed - byContent;
  const stretch = shares > 0 || byContent === 0 ? 1 : Math.max(1, (room - fixed) / byContent);
  return columns.map(({ share, isFixed, least }) => {
    if (isFixed) return least;
    return share > 0 ? Math.max(least, Math.floor((left * share) / shares)) : Math.floor(least * stretch);
  });
}

function leastWidth(width: ColumnWidth | null, needed: number): number {
  if (width?.unit === 'px') return boundedWidth(width.size);
  return width ? narrowestColumn : Math.max(narrowestColumn, Math.ceil(needed));
}
