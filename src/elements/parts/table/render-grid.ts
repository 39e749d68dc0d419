import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { isSameMark } from '../../../report/marks/mark.js';
import { cellTone, heatOf } from '../../../report/table/cell-graphics.js';
import { maxColumnWidth, minColumnWidth } from '../../../report/table/column-layout.js';
import type { TableCell, TableHead, TableRow } from '../../../report/table/table.js';
import { cellId, type GridFrame, headRows, isInRange } from './grid-cells.js';
import { type CellContext, renderCell } from './render-cell.js';
import type { TableMessages } from './table-messages.js';

/** Context for rendering the table head. */
export interface HeadContext {
  readonly messages: TableMessages;
  /** Tooltip of a heading that describes sorting. */
  readonly hint: string;
}

/** Renders the header rows: the heading levels of a pivot, then the column headings that sort the rows. */
export function renderHead(frame: GridFrame, context: HeadContext): TemplateResult[] {
  const { table, pinned, columns } = frame;
  const leaf = headRows(table);
  const levels = table.heads.map(
    (level, depth) =>
      html`<tr aria-rowindex=${depth + 1}>
        ${level.map(head => renderSpan(frame, head, depth - leaf, [0, pinned]))} ${renderSpacer(columns.before)}
        ${level.map(head => renderSpan(frame, head, depth - leaf, [columns.first, columns.last]))} ${renderSpacer(columns.after)}
      </tr>`,
  );
  return [
    ...levels,
    html`<tr aria-rowindex=${leaf}>
      ${renderColumns(frame, context, [0, pinned])} ${renderSpacer(columns.before)}
      ${renderColumns(frame, context, [columns.first, columns.last])} ${renderSpacer(columns.after)}
    </tr>`,
  ];
}

/** Renders the placeholder for columns that are not rendered. */
function renderSpacer(width: number): TemplateResult | typeof nothing {
  return width > 0 ? html`<td class="spacer" aria-hidden="true"></td>` : nothing;
}

/** Renders the part of a spanning heading that overlaps a range of columns. */
function renderSpan(
  { active, pinned }: GridFrame,
  { title, from, span, kind }: TableHead,
  row: number,
  [first, last]: readonly [number, number],
): TemplateResult | typeof nothing {
  const [start, end] = [Math.max(from, first), Math.min(from + span, last)];
  if (end <= start) return nothing;
  // If pinned columns split a heading, only one part has the id.
  const isNamed = first < pinned || from >= pinned;
  const isActive = active?.row === row && active.column >= from && active.column < from + span;
  const classes = ['span', kind, isActive ? 'active' : '', start < pinned ? `pin pin-${start}` : ''].join(' ');
  const id = isNamed ? cellId(row, from) : nothing;
  if (title === '') {
    return html`<td id=${id} class=${classes} colspan=${end - start} aria-colindex=${start + 1}></td>`;
  }
  return html`<th
    id=${id}
    scope=${kind === 'corner' ? nothing : 'colgroup'}
    class=${classes}
    colspan=${end - start}
    aria-colindex=${start + 1}
    title=${title}
  >
    <span class="name" dir="auto">${title}</span>
  </th>`;
}

function renderColumns(
  frame: GridFrame,
  context: HeadContext,
  [first, last]: readonly [number, number],
): TemplateResult[] {
  return Array.from({ length: last - first }, (_, index) => renderColumn(frame, context, first + index));
}

function renderColumn(
  { table, sorts, widths, active, pinned }: GridFrame,
  { messages, hint }: HeadContext,
  index: number,
): TemplateResult {
  const { title = '', align = 'start', kind } = table.columns[index] ?? {};
  const rank = sorts.findIndex(({ column }) => column === index);
  const sort = sorts[rank];
  const sorted = sort?.descending ? 'descending' : 'ascending';
  const direction = sort ? sorted : 'none';
  const classes = [
    align,
    kind === 'total' ? 'total' : '',
    active?.row === -1 && active.column === index ? 'active' : '',
    index < pinned ? `pin pin-${index}` : '',
  ].join(' ');
  return html`<th
    id=${cellId(-1, index)}
    scope="col"
    class=${classes}
    aria-colindex=${index + 1}
    aria-sort=${rank > 0 ? nothing : direction}
  >
    <button type="button" class="sort ${direction}" tabindex="-1" title=${`${title}\n${hint}`}>
      <span class="name" dir="auto">${title}</span>${sort && sorts.length > 1 ? html`<span class="rank">${rank + 1}</span>` : nothing}${arrow}
    </button>
    <span
      class="handle"
      role="separator"
      tabindex="-1"
      aria-orientation="vertical"
      aria-label=${messages.width(title)}
      aria-valuenow=${Math.round(widths[index] ?? 0)}
      aria-valuemin=${minColumnWidth}
      aria-valuemax=${maxColumnWidth}
    ></span>
  </th>`;
}

const arrow = html`<svg class="arrow" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
  <path d="M8 13V3M4 7l4-4 4 4" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" />
</svg>`;

/**
 * Renders the visible rows. A row is re-rendered only if its content or selection has changed, and rows that stay in
 * view are not moved, so the browser lays out only new rows.
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
    ${renderCells(frame, context, { row, index }, [0, pinned])}${renderSpacer(columns.before)}${renderCells(
      frame,
      context,
      { row, index },
      [columns.first, columns.last],
    )}${renderSpacer(columns.after)}
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
  const shown = frame.wraps && column.settings.overflow === 'wrap' ? html`<div class="wrap">${content}</div>` : content;
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

/** Renders a cell that contains only text, as nearly all cells do. Setting the text as a property is faster. */
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
  return mark !== null && selected.some(one => isSameMark(one, mark));
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
  const { settings, align } = column;
  let classes: string = align;
  if (settings.overflow === 'truncate') classes += ' one-line';
  if (at < pinned) classes += ` pin pin-${at}`;
  if (cell.kind === 'total') classes += ' total';
  else if (cell.kind !== 'header') {
    const tone = cellTone(cell, column);
    if (tone !== null) classes += ` tone ${tone}`;
    const heat = settings.scale === null ? null : heatOf(settings.scale, cell.value, range(at));
    if (heat !== null) classes += ` ${heat}`;
  }
  if (inRange) classes += ' in-range';
  if (isSelected) classes += ' chosen';
  if (active?.row === index && active.column === at) classes += ' active';
  return classes;
}
