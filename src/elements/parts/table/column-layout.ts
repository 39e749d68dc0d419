import type { ColumnWidth } from '../../../report/table-look.js';

/** Narrowest that a column can be, px. */
export const narrowestColumn = 48;
/** Widest that a column can be, px. */
export const widestColumn = 1200;
/** Width that a share of what is left keeps for what stands in its column, px. */
const leastShare = 120;

/** A width as a column may have it. */
export function boundedWidth(px: number): number {
  return Math.round(Math.max(narrowestColumn, Math.min(px, widestColumn)));
}

interface Sizing {
  readonly share: number;
  readonly isFixed: boolean;
  readonly least: number;
}

/**
 * Widths of all columns, px, in a box of `room` px: fixed ones as they are, those without a width (null) at least as wide as `needed`. What is
 * left goes to the shares (`fr`), or where there are none to the columns without a width, in proportion. Where too little is left the table scrolls.
 */
export function layOutColumns(
  widths: readonly (ColumnWidth | null)[],
  needed: readonly number[],
  room: number,
): number[] {
  const columns = widths.map<Sizing>((width, index) => ({
    share: width?.unit === 'fr' ? width.size : 0,
    isFixed: width?.unit === 'px',
    least: leastWidth(width, needed[index] ?? narrowestColumn),
  }));
  const shared = columns.filter(({ share }) => share > 0);
  const fixed = leastOf(columns.filter(({ isFixed }) => isFixed));
  const byContent = leastOf(columns.filter(({ isFixed, share }) => !isFixed && share === 0));
  const unit = widthOfShare(shared, room - fixed - byContent);
  const stretch = shared.length > 0 || byContent === 0 ? 1 : Math.max(1, (room - fixed) / byContent);
  return columns.map(({ share, isFixed, least }) => {
    if (isFixed) return least;
    return share > 0 ? Math.max(least, Math.floor(unit * share)) : Math.floor(least * stretch);
  });
}

function leastOf(columns: readonly Sizing[]): number {
  return columns.reduce((total, { least }) => total + least, 0);
}

/** Width of one share, px. Columns that need more than their part get what they need, and the others the rest. */
function widthOfShare(columns: readonly Sizing[], left: number): number {
  const shares = columns.reduce((total, { share }) => total + share, 0);
  const unit = shares > 0 ? left / shares : 0;
  const fed = columns.filter(({ share, least }) => unit * share >= least);
  if (fed.length === columns.length) return unit;
  const starved = columns.filter(({ share, least }) => unit * share < least);
  return widthOfShare(fed, left - leastOf(starved));
}

function leastWidth(width: ColumnWidth | null, needed: number): number {
  if (width?.unit === 'px') return boundedWidth(width.size);
  return Math.max(narrowestColumn, Math.ceil(width ? Math.min(needed, leastShare) : needed));
}
