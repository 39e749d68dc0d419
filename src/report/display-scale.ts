import type { Cell, Row } from '../contract/data.js';
import type { DisplayScale } from '../contract/report-spec.js';
import type { Column } from '../contract/row-set.js';
import { figureOf } from './figure.js';
import { alignedPrinter, isFigure, type Presentation } from './table.js';

const scales: Readonly<Record<string, { readonly by: number; readonly sign: string }>> = {
  thousands: { by: 1e3, sign: 'K' },
  millions: { by: 1e6, sign: 'M' },
  billions: { by: 1e9, sign: 'B' },
};

/**
 * Prints figures in one scale: `model` as their format has them, `absolute` with all their digits, the others divided, with the sign that
 * short numbers have. Shares stay as they are. The decimals of `rows` align.
 */
export function scaledPrinter(
  column: Column,
  presentation: Presentation,
  scale: DisplayScale,
  rows: readonly Row[],
): (value: Cell) => string {
  if (scale === 'model' || !isFigure(column) || isShare(column, presentation))
    return alignedPrinter(column, presentation, rows);
  const { by, sign } = scales[scale] ?? { by: 1, sign: '' };
  const full = alignedPrinter(unabbreviated(column), presentation, rows, 1 / by);
  if (by === 1) return full;
  return value => {
    const figure = figureOf(value);
    return figure === null ? full(value) : `${full(figure / by)}${sign}`;
  };
}

function isShare({ member, annotation }: Column, { preferences }: Presentation): boolean {
  const own = preferences?.columnFormats?.[member]?.type;
  if (own !== undefined) return own === 'percent';
  return (
    String(annotation.format).startsWith('percent') || annotation.formatDescription?.specifier.includes('%') === true
  );
}

/** Without a format that shortens numbers by itself. */
function unabbreviated(column: Column): Column {
  const { format, formatDescription, ...annotation } = column.annotation;
  const shortens = String(format).startsWith('abbr') || formatDescription?.specifier.endsWith('s') === true;
  return shortens ? { ...column, annotation } : column;
}
