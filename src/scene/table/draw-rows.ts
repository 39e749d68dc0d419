import type { TableHead } from '../../report/table/table.js';
import { atStart, textLine } from '../scene-context.js';
import { element, round, type SvgElement } from '../svg-element.js';
import type { Strip } from '../tile-body.js';
import { drawCell, type PrintedCell, readCell } from './draw-cells.js';
import {
  aligned,
  cellPadding,
  cellText,
  type Grid,
  headingSize,
  lineHeight,
  row,
  rowHeight,
  rule,
  sum,
} from './grid.js';

/** Draws a level of the headings of a pivot. */
export function levelStrip(grid: Grid, level: readonly TableHead[]): Strip {
  const { context, lefts, widths } = grid;
  const { fonts, colors } = context;
  const cells = level.flatMap(({ title, from, span }) => {
    const columns = Array.from({ length: span }, (_, index) => from + index);
    const left = Math.min(...columns.map(column => lefts[column] ?? 0));
    const width = sum(columns.map(column => widths[column] ?? 0));
    const availableWidth = width - 2 * cellPadding;
    const text = fonts.truncate(fonts.drawable(title, 600), availableWidth, { size: headingSize, weight: 600 });
    const style = { y: 18, size: headingSize, weight: 600, fill: colors.muted } as const;
    const underline = element('rect', {
      x: round(left + 4),
      y: rowHeight - 1,
      width: round(Math.max(0, width - 8)),
      height: 1,
      fill: colors.line,
    });
    return title === ''
      ? []
      : [
          underline,
          cellText('TH', [
            textLine(context, text, { ...style, ...atStart(context, left + cellPadding, availableWidth) }),
          ]),
        ];
  });
  return { height: rowHeight, nodes: [row(cells)] };
}

/** Draws the headings of the columns. */
export function headingStrip(grid: Grid): Strip {
  const { context, table, lefts, widths } = grid;
  const { fonts, colors } = context;
  const style = { size: headingSize, weight: 600 } as const;
  const headings = table.columns.map(({ title, align }, index) => {
    const availableWidth = (widths[index] ?? 0) - 2 * cellPadding;
    const lines = fonts.wrap(fonts.drawable(title, 600), availableWidth, style, 3);
    return { lines, align, x: (lefts[index] ?? 0) + cellPadding, availableWidth };
  });
  const lineCount = Math.max(1, ...headings.map(({ lines }) => lines.length));
  const height = 14 + lineCount * 15;
  const cells = headings.map(({ lines, align, x, availableWidth }) =>
    cellText(
      'TH',
      lines.map((line, index) =>
        textLine(context, line, {
          ...aligned(context, align, x, availableWidth),
          ...style,
          y: height - 10 - (lines.length - 1 - index) * 15,
          fill: colors.muted,
        }),
      ),
    ),
  );
  return { height, nodes: [row(cells), rule(grid, height, colors.muted)] };
}

/** Draws a row; `null` if it does not exist. */
export function rowStrip(grid: Grid, index: number): Strip | null {
  const { context, table } = grid;
  const line = table.row(index);
  if (!line) return null;
  const isTotal = line.kind === 'total';
  const cells = line.cells.map((cell, column) => readCell(grid, cell, { column, isTotal }));
  const lineCount = Math.max(1, ...cells.map(({ lines }) => lines.length));
  const height = rowHeight + (lineCount - 1) * lineHeight;
  const draw = (which: (cell: PrintedCell) => boolean): SvgElement[] => [
    row(cells.flatMap(cell => drawCell(grid, cell, { height, isShown: which(cell) }))),
    ...(isTotal ? [rule(grid, 0, context.colors.muted)] : []),
    rule(grid, height),
  ];
  const nodes = draw(({ cell }) => !cell.repeats);
  return cells.some(({ cell }) => cell.repeats) ? { height, nodes, topNodes: draw(() => true) } : { height, nodes };
}
