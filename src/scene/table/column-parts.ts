import { columnWidthLimits, layOutColumns, type MeasuredTexts } from '../../report/table/column-layout.js';
import { columnNeeds } from '../../report/table/column-needs.js';
import type { Table } from '../../report/table/table.js';
import type { SceneContext } from '../scene-context.js';
import { headingSize, sum, textSize } from './grid.js';

/** Smallest scale of a table. If the columns still do not fit, they continue in another table below. */
const minScale = 0.72;

/** Columns that are drawn next to each other, with their widths before scaling. */
export interface ColumnPart {
  readonly columns: readonly number[];
  readonly widths: readonly number[];
  readonly scale: number;
}

/** Divides the columns of a table into parts that fit a width. The row headers are repeated in each part. */
export function columnParts({ fonts }: SceneContext, table: Table, width: number): ColumnPart[] {
  const texts: MeasuredTexts = {
    digit: fonts.width('0', { size: textSize }),
    of: ({ text, style }) =>
      fonts.width(text, {
        size: style === 'heading' ? headingSize : textSize,
        weight: style === 'body' ? 400 : 600,
      }),
  };
  const needs = columnNeeds(table);
  const own = table.columns.map(({ settings }) => settings.width);
  const measure = (availableWidth: number) =>
    layOutColumns(own, columnWidthLimits(needs, texts, availableWidth), availableWidth);
  const all = table.columns.map((_, index) => index);
  const fitting = measure(width);
  const total = sum(fitting);
  if (total <= width / minScale) return [{ columns: all, widths: fitting, scale: Math.min(1, width / total) }];
  const availableWidth = width / minScale;
  const widths = measure(availableWidth);
  const leading = leadingColumns(table, widths, availableWidth);
  const parts: number[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const column of all.slice(leading.length)) {
    const needed = widths[column] ?? 0;
    if (used + needed > availableWidth) {
      parts.push([...leading]);
      used = sum(leading.map(index => widths[index] ?? 0));
    }
    parts.at(-1)?.push(column);
    used += needed;
  }
  return parts.map(columns => {
    const chosen = columns.map(index => widths[index] ?? 0);
    const scale = Math.max(minScale, Math.min(1, width / sum(chosen)));
    // A column is at most as wide as the page; its text wraps.
    const maxWidth = width / scale;
    return { columns, widths: chosen.map(each => Math.min(each, maxWidth)), scale };
  });
}

/** Returns the columns that each part repeats: the row headers of a pivot, otherwise the first column. */
function leadingColumns({ headerCount }: Table, widths: readonly number[], availableWidth: number): readonly number[] {
  const count = Math.max(1, headerCount);
  return sum(widths.slice(0, count)) < availableWidth / 2 ? Array.from({ length: count }, (_, index) => index) : [];
}
