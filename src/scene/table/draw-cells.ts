import {
  barOf,
  cellTone,
  heatOf,
  lineOf,
  linePath,
  maxScaleShare,
  scaleSteps,
} from '../../report/table/cell-graphics.js';
import type { TableCell, TableColumn } from '../../report/table/table.js';
import { defaultColumnSettings } from '../../report/table/table-settings.js';
import { mixColors } from '../scene-colors.js';
import { textLine } from '../scene-context.js';
import { element, groupAt, round, type SvgElement } from '../svg-element.js';
import type { FontWeight } from '../text-fitter.js';
import { aligned, cellPadding, cellText, type Grid, lineHeight, textSize } from './grid.js';
import { webAddress } from './html-table.js';

const maxCellLines = 6;

/** A cell with the lines of its text. */
export interface PrintedCell {
  readonly cell: TableCell;
  readonly column: TableColumn;
  readonly index: number;
  readonly lines: readonly string[];
  readonly weight: FontWeight;
}

export function readCell(
  { context, table, widths }: Grid,
  cell: TableCell,
  { column: index, isTotal }: { readonly column: number; readonly isTotal: boolean },
): PrintedCell {
  const { fonts } = context;
  const column = table.columns[index] ?? noColumn;
  const tone = cellTone(cell, column);
  const isStrong = isTotal || cell.kind === 'total' || (tone !== null && tone !== 'muted');
  const weight: FontWeight = isStrong ? 600 : 400;
  const availableWidth = textWidthOf(cell, column, widths[index] ?? 0);
  const text = fonts.drawable(cell.text, weight);
  const style = { size: textSize, weight };
  if (sparklinePath(cell, column) !== '') return { cell, column, index, lines: [], weight };
  const isWhole = cell.kind === 'figure' || column.isTime === true;
  const lines = isWhole
    ? [fonts.truncate(text, availableWidth, style)]
    : fonts.wrap(text, availableWidth, style, maxCellLines);
  return { cell, column, index, lines, weight };
}

const noColumn: TableColumn = { member: '', title: '', align: 'start', kind: 'text', settings: defaultColumnSettings };

/** Returns the width available for the text of a cell. A bar takes half of its cell. */
function textWidthOf({ kind }: TableCell, { settings }: TableColumn, width: number): number {
  const availableWidth = Math.max(8, width - 2 * cellPadding);
  return settings.display === 'bar' && kind === 'figure' ? availableWidth / 2 - 4 : availableWidth + 2;
}

/** Draws a cell: its background, its text, or its drawing. */
export function drawCell(
  grid: Grid,
  { cell, column, index, lines, weight }: PrintedCell,
  { height, isShown }: { readonly height: number; readonly isShown: boolean },
): SvgElement[] {
  const { context, lefts, widths } = grid;
  const { colors } = context;
  const [left, width] = [lefts[index] ?? 0, widths[index] ?? 0];
  const look = cellColors(grid, cell, column, index);
  const nodes: SvgElement[] = [];
  if (look.background) {
    nodes.push(element('rect', { x: round(left), y: 0, width: round(width), height, fill: look.background }));
  }
  if (!isShown) return nodes;
  const x = left + cellPadding;
  const availableWidth = width - 2 * cellPadding;
  const drawing =
    cell.kind === 'figure' || cell.kind === 'text' ? drawingOf(grid, cell, { column, index, x, availableWidth }) : null;
  if (drawing) nodes.push(drawing.node);
  if (drawing?.isComplete) return nodes;
  const href = column.settings.display === 'link' && cell.kind !== 'total' ? webAddress(cell.address) : null;
  const text = lines.map((line, at) =>
    textLine(context, line, {
      ...aligned(context, column.align, x, availableWidth),
      y: 18.5 + at * lineHeight,
      size: textSize,
      weight,
      fill: href ? colors.accent : look.text,
      href,
    }),
  );
  return [...nodes, cellText(cell.kind === 'header' ? 'TH' : 'TD', text)];
}

interface CellColors {
  readonly background: string | null;
  readonly text: string;
}

function cellColors({ context, table }: Grid, cell: TableCell, column: TableColumn, index: number): CellColors {
  const { colors } = context;
  const plain = { background: null, text: colors.text };
  if (cell.kind === 'total' || cell.kind === 'header') return plain;
  const tone = cellTone(cell, column);
  if (tone === 'muted') return { ...plain, text: colors.muted };
  if (tone !== null) {
    const tones = {
      positive: colors.success,
      negative: colors.danger,
      warning: colors.warn,
      accent: colors.accent,
    } as const;
    return { background: mixColors(tones[tone], 0.1, colors.surface), text: tones[tone] };
  }
  const heat = column.settings.scale === null ? null : heatOf(column.settings.scale, cell.value, table.range(index));
  if (heat === null) return plain;
  const [kind, step] = heat.split('-');
  const share = (maxScaleShare / 100) * (Number(step) / scaleSteps);
  return {
    ...plain,
    background: mixColors(kind === 'cold' ? colors.danger : colors.accent, share, colors.surface),
  };
}

interface DrawingInput {
  readonly column: TableColumn;
  readonly index: number;
  readonly x: number;
  readonly availableWidth: number;
}

/** Draws the bar or the sparkline of a cell; `null` if it has none. */
function drawingOf(
  { context, table }: Grid,
  cell: TableCell,
  { column, index, x, availableWidth }: DrawingInput,
): { readonly node: SvgElement; readonly isComplete: boolean } | null {
  const { colors, direction } = context;
  if (column.settings.display === 'bar' && cell.kind === 'figure') {
    const bar = barOf(cell.value, table.range(index));
    if (!bar) return null;
    const half = availableWidth / 2;
    const start = bar.from * half;
    const length = bar.length * half;
    const fill = mixColors(bar.isNegative ? colors.danger : colors.accent, 0.55, colors.surface);
    const left = direction === 'rtl' ? x + availableWidth - start - length : x + start;
    return {
      node: element('rect', { x: round(left), y: 8, width: round(length), height: 12, fill }),
      isComplete: false,
    };
  }
  const d = sparklinePath(cell, column).replace(
    /([ML])([\d.]+) ([\d.]+)/g,
    (_, command: string, px: string, py: string) => `${command}${round((Number(px) * availableWidth) / 100)} ${py}`,
  );
  if (d === '') return null;
  const line = element('path', {
    d,
    fill: 'none',
    stroke: colors.accent,
    'stroke-width': 1.5,
    'stroke-linejoin': 'round',
  });
  return { node: groupAt(x, 4, [line]), isComplete: true };
}

/** Returns the path of the sparkline in a cell, in a box of 100 by 20; empty if it has none. */
function sparklinePath(cell: TableCell, column: TableColumn): string {
  return column.settings.display === 'sparkline' && cell.kind !== 'header' ? linePath(lineOf(cell.value)) : '';
}
