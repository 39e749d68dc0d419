import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { sameMark } from '../../../report/mark.js';
import type { TableCell, TableRow } from '../../../report/table.js';
import { heatOf } from './cell-look.js';
import { isInRange } from './cell-place.js';
import { cellId, type GridFrame, headRows } from './grid-frame.js';
import { type CellContext, cellTone, renderCell } from './render-cell.js';
import { renderRoom } from './render-head.js';

/**
 * The rows that are drawn. One is made again only where it, or what is chosen in it, has changed, and none of those that stay
 * is moved: then the browser lays out again only those that are new.
 */
export function renderBody(frame: GridFrame, context: CellContext): unknown {
  const { table, rows, pinned, columns, active, range, selected } = frame;
  const indexes = Array.from({ length: rows.last - rows.first }, (_, index) => rows.first + index);
  const shared = [table, context, pinned, columns.first, columns.last, columns.before > 0, columns.after > 0, selected];
  return repeat(
    indexes,
    index => index,
    index => {
      const isCrossed = range !== null && index >= range.top && index <= range.bottom;
      const own = [
        active?.row === index ? active.column : null,
        isCrossed ? range.start : null,
        isCrossed ? range.end : null,
      ];
      return guard([...shared, ...own], () => renderRow(frame, context, index));
    },
  );
}

function renderRow(frame: GridFrame, context: CellContext, index: number): TemplateResult | typeof nothing {
  const { table, pinned, columns } = frame;
  const row = table.row(index);
  if (!row) return nothing;
  return html`<tr class=${row.kind} aria-rowindex=${index + headRows(table) + 1}>
    ${renderCells(frame, context, { row, index }, [0, pinned])}${renderRoom(columns.before)}${renderCells(
      frame,
      context,
      { row, index },
      [columns.first, columns.last],
    )}${renderRoom(columns.after)}
  </tr>`;
}

interface Line {
  readonly row: TableRow;
  readonly index: number;
}

function renderCells(
  frame: GridFrame,
  context: CellContext,
  line: Line,
  [first, last]: readonly [number, number],
): unknown[] {
  const cells: unknown[] = [];
  for (let column = first; column < last; column++) cells.push(renderOne(frame, context, line, column));
  return cells;
}

function renderOne(frame: GridFrame, context: CellContext, { row, index }: Line, at: number): unknown {
  const column = frame.table.columns[at];
  const cell = row.cells[at];
  if (!column || !cell) return nothing;
  const inRange = isInRange(frame.range, index, at);
  const isSelected = isMarked(frame, index, at);
  const classes = cellClasses(frame, context, cell, { index, at, inRange, isSelected });
  const content = renderCell(cell, column, at, context);
  const shown = frame.wraps && column.look.overflow === 'wrap' ? html`<div class="wrap">${content}</div>` : content;
  const isActive = frame.active?.row === index && frame.active.column === at;
  const attributes: CellAttributes = {
    id: isActive ? cellId(index, at) : nothing,
    classes,
    column: at + 1,
    selected: inRange || isSelected ? 'true' : nothing,
  };
  if (cell.kind === 'header' && cell.text !== '' && at < frame.table.headerCount)
    return renderHeader(attributes, shown);
  return typeof shown === 'string' ? renderPlain(attributes, shown) : renderRich(attributes, shown);
}

interface CellAttributes {
  readonly id: string | typeof nothing;
  readonly classes: string;
  readonly column: number;
  readonly selected: 'true' | typeof nothing;
}

function renderHeader({ id, classes, column, selected }: CellAttributes, content: unknown): TemplateResult {
  return html`<th id=${id} scope="row" class=${classes} aria-colindex=${column} aria-selected=${selected}>${content}</th>`;
}

/** Nearly all cells are text alone, which costs less as a property. */
function renderPlain({ id, classes, column, selected }: CellAttributes, text: string): TemplateResult {
  return html`<td
    id=${id}
    class=${classes}
    aria-colindex=${column}
    aria-selected=${selected}
    .textContent=${text}
  ></td>`;
}

function renderRich({ id, classes, column, selected }: CellAttributes, content: unknown): TemplateResult {
  return html`<td id=${id} class=${classes} aria-colindex=${column} aria-selected=${selected}>${content}</td>`;
}

function isMarked({ table, selected }: GridFrame, row: number, column: number): boolean {
  if (selected.length === 0) return false;
  const mark = table.mark(row, column);
  return mark !== null && selected.some(one => sameMark(one, mark));
}

interface CellState {
  readonly index: number;
  readonly at: number;
  readonly inRange: boolean;
  readonly isSelected: boolean;
}

function cellClasses(frame: GridFrame, { range }: CellContext, cell: TableCell, state: CellState): string {
  const { table, pinned, active } = frame;
  const { index, at, inRange, isSelected } = state;
  const column = table.columns[at];
  if (!column) return '';
  const { look, align } = column;
  let classes: string = align;
  if (look.overflow === 'truncate') classes += ' one-line';
  if (at < pinned) classes += ` pin pin-${at}`;
  if (cell.kind === 'total') classes += ' total';
  else if (cell.kind !== 'header') {
    const tone = cellTone(cell, column);
    if (tone !== null) classes += ` tone ${tone}`;
    const heat = look.scale === null ? null : heatOf(look.scale, cell.value, range(at));
    if (heat !== null) classes += ` ${heat}`;
  }
  if (inRange) classes += ' in-range';
  if (isSelected) classes += ' chosen';
  if (active?.row === index && active.column === at) classes += ' active';
  return classes;
}
