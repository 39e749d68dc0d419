import { html, nothing, type TemplateResult } from 'lit';
import type { TableHead } from '../../../report/table.js';
import { narrowestColumn, widestColumn } from './column-layout.js';
import { cellId, type GridFrame, headRows } from './grid-frame.js';
import type { TableMessages } from './messages/messages.js';

/** What the head is drawn by. */
export interface HeadContext {
  readonly messages: TableMessages;
  /** What sorting does, for whoever points at a heading. */
  readonly hint: string;
}

/** The rows of a table's head: levels of headings of a pivot, then the columns' own, by which the rows are sorted. */
export function renderHead(frame: GridFrame, context: HeadContext): TemplateResult[] {
  const { table, pinned, columns } = frame;
  const leaf = headRows(table);
  const levels = table.heads.map(
    (level, depth) =>
      html`<tr aria-rowindex=${depth + 1}>
        ${level.map(head => renderSpan(frame, head, depth - leaf, [0, pinned]))} ${renderRoom(columns.before)}
        ${level.map(head => renderSpan(frame, head, depth - leaf, [columns.first, columns.last]))} ${renderRoom(columns.after)}
      </tr>`,
  );
  return [
    ...levels,
    html`<tr aria-rowindex=${leaf}>
      ${renderColumns(frame, context, [0, pinned])} ${renderRoom(columns.before)}
      ${renderColumns(frame, context, [columns.first, columns.last])} ${renderRoom(columns.after)}
    </tr>`,
  ];
}

/** Stands for the columns that are not drawn. */
export function renderRoom(width: number): TemplateResult | typeof nothing {
  return width > 0 ? html`<td class="room" aria-hidden="true"></td>` : nothing;
}

/** What of a heading over several columns stands in a stretch of them. */
function renderSpan(
  { active, pinned }: GridFrame,
  { title, from, span, kind }: TableHead,
  row: number,
  [first, last]: readonly [number, number],
): TemplateResult | typeof nothing {
  const [start, end] = [Math.max(from, first), Math.min(from + span, last)];
  if (end <= start) return nothing;
  // A heading that is cut in two where columns stay in sight has its name once.
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
  const direction = sort ? (sort.descending ? 'descending' : 'ascending') : 'none';
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
      aria-valuemin=${narrowestColumn}
      aria-valuemax=${widestColumn}
    ></span>
  </th>`;
}

const arrow = html`<svg class="arrow" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
  <path d="M8 13V3M4 7l4-4 4 4" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" />
</svg>`;
