import '../../../../src/elements/parts/table/table-element.js';
import type { ReportSnapshot } from '../../../../src/contract/dashboards.js';
import type { Row } from '../../../../src/contract/data.js';
import type { RowSet } from '../../../../src/contract/row-set.js';
import type { PaTileTable } from '../../../../src/elements/parts/table/table-element.js';
import { columnOf, rowSetOf } from '../../../report/fixtures.js';

/** Returns a table of kind `table` with this specification. */
export function tableSnapshot(spec: object, id = 1): ReportSnapshot {
  return { id, reportId: id, versionNumber: 1, kind: 'table', spec: { ...spec } };
}

/** Cities with a count each, unsorted. */
export const cities = rowSetOf(
  [columnOf('o.city', 'string', { shortTitle: 'City' }), columnOf('o.count', 'number', { shortTitle: 'Count' })],
  [
    { 'o.city': 'Waco', 'o.count': '20' },
    { 'o.city': 'Austin', 'o.count': '3' },
    { 'o.city': 'Reno', 'o.count': '100' },
    { 'o.city': 'Boise', 'o.count': '3' },
  ],
);

/** Returns the given number of columns and rows; each cell names its position. */
export function wideRows(rows: number, columns: number): RowSet {
  const named = Array.from({ length: columns }, (_, index) =>
    columnOf(`w.c${index}`, 'string', { shortTitle: `Column ${index}` }),
  );
  const data = Array.from({ length: rows }, (_, row): Row => {
    const cells = named.map(({ member }, column): [string, string] => [member, `r${row} c${column}`]);
    return Object.fromEntries(cells);
  });
  return rowSetOf(named, data);
}

/** Adds a table 300 px high to the page. */
export async function renderTable(fields: Partial<PaTileTable>, direction = 'ltr', width = 400): Promise<PaTileTable> {
  const element = document.createElement('pa-tile-table');
  for (const [name, value] of [
    ['position', 'absolute'],
    ['width', `${width}px`],
    ['height', '300px'],
    ['direction', direction],
  ] as const) {
    element.style.setProperty(name, value);
  }
  Object.assign(element, { label: 'Cities', ...fields });
  document.body.append(element);
  await settle(element);
  return element;
}

/** Waits until rendering and measuring are complete. */
export async function settle(element: PaTileTable): Promise<void> {
  while (!(await element.updateComplete)) {
    // Wait again, because measuring has caused another update.
  }
}

/** Returns the grid, which has the focus. */
export function gridOf(element: PaTileTable): HTMLElement {
  const grid = element.renderRoot.querySelector<HTMLElement>('[role=grid]');
  if (!grid) throw new Error('no grid');
  return grid;
}

/** Returns the text of every rendered row, by cell. */
export function renderedTexts(element: PaTileTable): string[][] {
  const rows = [...element.renderRoot.querySelectorAll('tbody tr:not(.spacer)')];
  return rows.map(row => [...row.querySelectorAll(':scope > :not(.spacer)')].map(cell => cell.textContent ?? ''));
}

/** Returns a cell by position; headings are in row -1. */
export function cellOf(element: PaTileTable, row: number, column: number): HTMLElement {
  const heads = element.renderRoot.querySelectorAll('thead tr').length;
  const cell = element.renderRoot.querySelector<HTMLElement>(
    `tr[aria-rowindex="${row + heads + 1}"] > [aria-colindex="${column + 1}"]`,
  );
  if (!cell) throw new Error(`Cell ${row}, ${column} is not rendered.`);
  return cell;
}

/** Presses a key on the focused element of the table. */
export async function press(element: PaTileTable, key: string, more: KeyboardEventInit = {}): Promise<KeyboardEvent> {
  const target = element.renderRoot instanceof ShadowRoot ? element.renderRoot.activeElement : null;
  const event = new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more });
  (target ?? gridOf(element)).dispatchEvent(event);
  await settle(element);
  return event;
}

/** Returns the text of the active cell. */
export function activeText(element: PaTileTable): string | null {
  const id = gridOf(element).getAttribute('aria-activedescendant');
  const cell = id === null ? null : element.renderRoot.querySelector(`#${CSS.escape(id)}`);
  return cell ? (cell.querySelector('.name') ?? cell).textContent : null;
}

/** Presses and releases a pointer on an element, like a click. */
export async function click(element: PaTileTable, target: Element, more: PointerEventInit = {}): Promise<void> {
  const { left, top } = target.getBoundingClientRect();
  const init = {
    bubbles: true,
    composed: true,
    cancelable: true,
    clientX: left + 3,
    clientY: top + 3,
    buttons: 1,
    ...more,
  };
  target.dispatchEvent(new PointerEvent('pointerdown', init));
  target.dispatchEvent(new PointerEvent('pointerup', { ...init, buttons: 0 }));
  target.dispatchEvent(new PointerEvent('click', { ...init, buttons: 0 }));
  await settle(element);
}
