import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import { createFormatter } from '../../../report/format/format.js';
import type { Mark, Pick } from '../../../report/marks/mark.js';
import type { ReportData } from '../../../report/query/report-data.js';
import type { ColumnOrder } from '../../../report/table/column-layout.js';
import { columnKeys } from '../../../report/table/column-needs.js';
import { columnGroups, reportTable, selectColumns } from '../../../report/table/report-table.js';
import type { Table } from '../../../report/table/table.js';
import { readTableSettings } from '../../../report/table/table-settings.js';
import { dashboardTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { visuallyHiddenStyles } from '../visually-hidden.styles.js';
import { ColumnSizes } from './column-sizes.js';
import { cellCount, copyCells, maxCopiedCells } from './copy-cells.js';
import {
  type CellPosition,
  cellAt,
  cellElement,
  cellId,
  columnAt,
  fittingWidth,
  type GridFrame,
  type GridSize,
  handleAt,
  headRows,
  renderedColumns,
  spanAt,
} from './grid-cells.js';
import { GridController } from './grid-controller.js';
import { GridLayout } from './grid-layout.js';
import { PrintController } from './print-controller.js';
import { type CellContext, cellLink } from './render-cell.js';
import { type HeadContext, renderBody, renderHead } from './render-grid.js';
import { SortOrder } from './sort-order.js';
import { tableStyles } from './table.styles.js';
import { type TableMessages, tableMessages } from './table-messages.js';

/** Message catalog of tables. */
export const tableCatalog = defineCatalog(tableMessages, dashboardTranslations('table'));

const noTotals: ReportData['totals'] = new Map();
const noMarks: readonly Mark[] = [];
const noOrigins: readonly string[] = [];

/**
 * Renders the rows of a report as a grid. Headings sort and resize columns, the keyboard navigates cells, and ranges
 * can be copied to spreadsheets. The head is sticky; long or wide tables are virtualized.
 *
 * @summary The table of a report, inside a tile.
 * @tagname pa-tile-table
 * @csspart table - The table.
 * @csspart table-filters - The active filters of the rows.
 * @csspart cell-link - A link in a cell.
 * @csspart cell-image - An image in a cell.
 */
export class PaTileTable extends LitElement {
  static override styles = [visuallyHiddenStyles, tableStyles];
  /**
   * Disables a warning in development builds of Lit, because a second update uses the sizes measured in the first one.
   */
  static override enabledWarnings: NonNullable<(typeof LitElement)['enabledWarnings']> = [];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #words = new LocaleController(this, tableCatalog, () => this.#outer.value.locale);
  readonly #sort = new SortOrder();
  readonly #print = new PrintController(this, () => {
    this.requestUpdate();
    // The browser captures the page when its event handlers return, so render synchronously.
    this.performUpdate();
  });
  readonly #grid = new GridController(this, {
    size: () => this.#size,
    spanAt: place => (this.#table ? spanAt(this.#table, place) : { from: place.column, span: 1 }),
    isRightToLeft: () => this.#isRightToLeft,
    reveal: place => this.#layout.reveal(place),
    sort: (column, how) => this.#sortBy(column, how),
    pick: (place, how) => this.#pick(place, how),
    follow: place => this.#follow(place),
    editWidth: column => this.#headingAt(column)?.querySelector<HTMLElement>('.handle')?.focus(),
  });
  readonly #sizes = new ColumnSizes(this, {
    keyOf: column => this.#layout.keys[column],
    widthOf: column => this.#layout.widths[column] ?? 0,
    fittingWidth: column => fittingWidth(this.renderRoot, column),
    isRightToLeft: () => this.#isRightToLeft,
    leave: () => this.#gridElement?.focus({ preventScroll: true }),
  });
  readonly #layout: GridLayout = new GridLayout(this, {
    root: () => this.renderRoot,
    chosenWidth: key => this.#sizes.chosen(key),
    isPrinting: () => this.#print.isPrinting,
  });

  /** The published report. */
  @property({ attribute: false }) snapshot: ReportSnapshot | null = null;
  /** Data to render; `null` while loading. */
  @property({ attribute: false }) data: ReportData | null = null;
  /** Rows to render instead of `data` if there are no totals. */
  @property({ attribute: false }) rowSet: RowSet | null = null;
  /** Accessible name of the table. */
  @property({ attribute: false }) label = '';
  /** Marks whose cells are shown as selected. */
  @property({ attribute: false }) selected: readonly Mark[] = noMarks;
  /** Origins that images may load from. Default: none; the text of an image is shown instead. */
  @property({ attribute: false }) imageOrigins: readonly string[] = noOrigins;
  /** If false, cells cannot be copied as a table because the viewer may not download data. */
  @property({ attribute: false }) copyable = true;
  /** Called before the cells of `rows` rows are copied; return false to prevent the copy. */
  @property({ attribute: false }) onCopy: (rows: number) => boolean = () => true;
  /** Called after the table was rendered. */
  @property({ attribute: false }) onRendered: () => void = () => {};
  /**
   * Called when the viewer picks a cell. If `null`, cells cannot be picked and the browser's context menu opens on
   * them.
   */
  @property({ attribute: false }) onPick: ((pick: Pick) => void) | null = null;

  /** Last action, announced to assistive technology. */
  @state() private announcement = '';
  /** The column group of a pivot that a narrow box shows; `null` for all groups. */
  @state() private group: number | null = 0;

  /** The table before sorting; the table after sorting and arranging columns. */
  #given: Table | null = null;
  #table: Table | null = null;
  #arranged: { readonly sorted: Table; readonly columns: readonly number[]; readonly table: Table } | null = null;
  #order: ColumnOrder | null = null;
  #cells: CellContext | null = null;
  #madeOf: readonly unknown[] = [];
  /** Whether long headings are cut off with an ellipsis. */
  #hasFlatHead = false;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { locale, messages } = this.#words.value;
    const { snapshot, imageOrigins } = this;
    const rowSet = this.#rowSet;
    if (changed.has('snapshot') && changed.get('snapshot')?.id !== snapshot?.id) this.#forgetChoices();
    const madeOf = [rowSet, this.data, snapshot, locale, messages, imageOrigins];
    if (rowSet && madeOf.some((part, index) => part !== this.#madeOf[index])) {
      this.#madeOf = madeOf;
      const { preferences } = snapshot ?? {};
      const presentation = { formatter: createFormatter(locale), preferences, totalTitle: messages.total };
      this.#given = reportTable(this.data ?? { rowSet, totals: noTotals }, snapshot, presentation);
      this.#hasFlatHead = readTableSettings(snapshot).header === 'truncate';
      const keys = columnKeys(this.#given);
      this.#layout.take(this.#given, keys);
      this.#sort.take(this.#given, keys, locale);
      const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
      const range = (column: number) => this.#table?.range(column) ?? null;
      const fromRight = this.matches(':dir(rtl)');
      this.#cells = { messages, imageOrigins, fromRight, range, count: value => numbers.format(value) };
    }
    this.#order = this.#given && this.#layout.arrange(this.group);
    this.#table = this.#arrange(this.#sort.table, this.#order);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!this.#table) return;
    this.#layout.apply();
    if (changed.has('rowSet') || changed.has('data')) this.onRendered();
  }

  override render(): TemplateResult | typeof nothing {
    const [table, cells] = [this.#table, this.#cells];
    if (!table || !cells) return nothing;
    const frame = this.#frame(table);
    const { active } = frame;
    const activeFrom = active ? spanAt(table, active).from : 0;
    return html`${this.#renderFilters(table)} ${this.#renderGroups(cells.messages)}
      <div class="box">
      <div class="scroller">
        ${this.#layout.probes}
        <table
          part="table"
          role="grid"
          class=${`${this.#layout.classes}${this.#hasFlatHead ? ' one-line' : ''}`}
          tabindex="0"
          aria-label=${this.label}
          aria-readonly="true"
          aria-multiselectable="true"
          aria-rowcount=${table.rowCount + headRows(table)}
          aria-colcount=${table.columns.length}
          aria-activedescendant=${active && this.#layout.isCellRendered(active) ? cellId(active.row, activeFrom) : nothing}
          @focus=${this.#handleFocus}
          @keydown=${this.#handleKeydown}
          @pointerdown=${this.#handlePress}
          @pointermove=${this.#handlePointerMove}
          @pointerup=${this.#handleRelease}
          @pointercancel=${this.#handleRelease}
          @pointerover=${this.#handleOver}
          @dragstart=${this.#handleDragStart}
          @click=${this.#handleClick}
          @dblclick=${this.#handleDoubleClick}
          @contextmenu=${this.#handleMenu}
          @copy=${this.#handleCopy}
        >
          ${this.#renderColumns(frame)}
          <thead>
            ${renderHead(frame, this.#headContext)}
          </thead>
          <tbody>
            ${this.#renderSpacer('above', frame.rows.before)} ${renderBody(frame, cells)}
            ${this.#renderSpacer('below', frame.rows.after)}
          </tbody>
        </table>
        ${this.#renderLeftOut(table, frame)}
      </div>
      <i class="edge before" aria-hidden="true"></i><i class="edge after" aria-hidden="true"></i>
      </div>
      ${table.cut ? html`<p class="note">${cells.messages.cut}</p>` : nothing}
      <p class="unseen" role="status">${this.announcement}</p>`;
  }

  #renderFilters({ filters }: Table): TemplateResult | typeof nothing {
    if (filters.length === 0) return nothing;
    return html`<ul part="table-filters" class="filters">
      ${filters.map(text => html`<li>${text}</li>`)}
    </ul>`;
  }

  /** Renders the list that selects a column group of a pivot if the box fits only one group. */
  #renderGroups({ columnGroup, allGroups }: TableMessages): TemplateResult | typeof nothing {
    if (!this.#order?.isGrouped || !this.#given) return nothing;
    const { group } = this.#order;
    return html`<select class="groups" aria-label=${columnGroup} @change=${this.#handleGroup}>
      ${columnGroups(this.#given).map(
        ({ title }, index) => html`<option value=${index} .selected=${index === group}>${title}</option>`,
      )}
      <option value="" .selected=${group === null}>${allGroups}</option>
    </select>`;
  }

  #renderColumns(frame: GridFrame): unknown[] {
    const { columns, pinned } = frame;
    const shown = renderedColumns(frame).map(index => columnSlot(index));
    if (columns.before > 0) shown.splice(pinned, 0, columnSlot('before'));
    if (columns.after > 0) shown.push(columnSlot('after'));
    return shown;
  }

  /** Renders the placeholder for rows that are not rendered. */
  #renderSpacer(side: 'above' | 'below', height: number): TemplateResult | typeof nothing {
    if (height <= 0) return nothing;
    return html`<tr class="spacer ${side}" aria-hidden="true"><td colspan=${this.#table?.columns.length || 1}></td></tr>`;
  }

  #renderLeftOut({ rowCount }: Table, { rows }: GridFrame): TemplateResult | typeof nothing {
    const left = rowCount - rows.last;
    if (!this.#print.isPrinting || left <= 0) return nothing;
    const { locale, messages } = this.#words.value;
    return html`<p class="left-out">${messages.leftOut(left, new Intl.NumberFormat(locale).format(left))}</p>`;
  }

  #frame(table: Table): GridFrame {
    const { active, range } = this.#grid;
    const shown = this.#order?.columns ?? [];
    const sorts = this.#sort.sorts.map(sort => ({ ...sort, column: shown.indexOf(sort.column) }));
    return { ...this.#layout.frame(table), sorts, active, range, selected: this.selected };
  }

  /** Returns the same object until the rows or columns change. */
  #arrange(sorted: Table | null, order: ColumnOrder | null): Table | null {
    if (!sorted || !order) return null;
    const { columns } = order;
    if (this.#arranged?.sorted !== sorted || this.#arranged.columns !== columns)
      this.#arranged = { sorted, columns, table: selectColumns(sorted, columns) };
    return this.#arranged.table;
  }

  get #headContext(): HeadContext {
    const { messages } = this.#words.value;
    const isCut = this.#rowSet?.truncated === true || this.#given?.cut === true;
    return { messages, hint: isCut ? `${messages.sortHint}\n${messages.sortsShown}` : messages.sortHint };
  }

  get #rowSet(): RowSet | null {
    return this.data?.rowSet ?? this.rowSet;
  }

  get #size(): GridSize {
    const table = this.#table;
    if (!table) return { rows: 0, columns: 0, headRows: 0, page: 1 };
    const { rowCount: rows, columns } = table;
    return { rows, columns: columns.length, headRows: headRows(table), page: this.#layout.page };
  }

  get #isRightToLeft(): boolean {
    return getComputedStyle(this).direction === 'rtl';
  }

  get #gridElement(): HTMLElement | null {
    return this.renderRoot.querySelector('table');
  }

  #headingAt(column: number): Element | null {
    return this.#elementAt({ row: -1, column });
  }

  #elementAt(place: CellPosition): HTMLElement | null {
    return this.#table && cellElement(this.renderRoot, this.#table, place);
  }

  #forgetChoices(): void {
    this.group = 0;
    this.#sort.clear();
    this.#sizes.clear();
    this.#grid.clearRange();
  }

  #sortBy(column: number, how: { readonly extend: boolean }): void {
    const { locale, messages } = this.#words.value;
    this.#sort.cycle(this.#order?.columns[column] ?? column, how);
    this.#grid.clearRange();
    this.#layout.toTop();
    const names = this.#sort.sorts.map(({ column: index, descending }) => {
      const title = this.#given?.columns[index]?.title ?? '';
      return descending ? messages.descending(title) : messages.ascending(title);
    });
    const list = new Intl.ListFormat(locale).format(names);
    const isCut = names.length > 0 && this.#rowSet?.truncated;
    this.announcement = `${names.length > 0 ? messages.sortedBy(list) : messages.unsorted}${isCut ? `. ${messages.sortsShown}` : ''}`;
    this.requestUpdate();
  }

  #pick(
    place: CellPosition,
    { intent, extend }: { readonly intent: Pick['intent']; readonly extend: boolean },
  ): boolean {
    const mark = this.#table?.mark(place.row, place.column);
    const { left, top, right, bottom } =
      this.#elementAt(place)?.getBoundingClientRect() ?? this.getBoundingClientRect();
    if (!mark || !this.onPick) return false;
    this.onPick({ mark, intent, extend, anchor: { left, top, right, bottom } });
    return true;
  }

  #follow(place: CellPosition): boolean {
    const cell = this.#table?.row(place.row)?.cells[place.column];
    const link = this.#elementAt(place)?.querySelector('a');
    if (!link || !cell || !cellLink(cell)) return false;
    link.click();
    return true;
  }

  readonly #handleGroup = (event: Event): void => {
    if (!(event.target instanceof HTMLSelectElement)) return;
    this.group = event.target.value === '' ? null : Number(event.target.value);
    this.#grid.clearRange();
  };

  readonly #handleFocus = (): void => this.#grid.enter();

  readonly #handleKeydown = (event: KeyboardEvent): void => {
    const handle = handleAt(event);
    if (handle) this.#sizes.handleKey(columnAt(handle), event);
    else this.#grid.handleKey(event);
  };

  readonly #handlePress = (event: PointerEvent): void => {
    const handle = handleAt(event);
    const place = cellAt(event, this.#size);
    if (handle) this.#sizes.press(columnAt(handle), event);
    else if (place) this.#grid.press(place, event);
  };

  readonly #handlePointerMove = (event: PointerEvent): void => this.#sizes.move(event);

  readonly #handleRelease = (): void => this.#sizes.release();

  readonly #handleOver = (event: PointerEvent): void => {
    const place = cellAt(event, this.#size);
    if (!place) return;
    this.#grid.enterCell(place, event);
    const cell = place.row < 0 ? null : this.#elementAt(place);
    // Shows cut-off text in full on hover.
    if (cell) cell.title = cell.scrollWidth > cell.clientWidth ? (cell.textContent ?? '') : '';
  };

  /** Prevents a press on selected text from dragging the text, so that it selects cells. */
  readonly #handleDragStart = (event: DragEvent): void => {
    if (!(event.target instanceof Element && event.target.closest('a'))) event.preventDefault();
  };

  readonly #handleClick = (event: MouseEvent): void => {
    const place = cellAt(event, this.#size);
    const target = event.target instanceof Element ? event.target : null;
    const isClick = this.#grid.isClick(event);
    if (!place || !isClick || handleAt(event) || target?.closest('a')) return;
    if (place.row === -1) {
      this.#gridElement?.focus({ preventScroll: true });
      this.#sortBy(place.column, { extend: event.shiftKey });
    } else if (place.row >= 0 && !event.shiftKey) {
      this.#pick(place, { intent: 'choose', extend: event.ctrlKey || event.metaKey });
    }
  };

  readonly #handleDoubleClick = (event: MouseEvent): void => {
    const handle = handleAt(event);
    if (handle) this.#sizes.fit(columnAt(handle));
  };

  readonly #handleMenu = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null;
    const place = cellAt(event, this.#size);
    // Links and images use the browser's context menu.
    if (!this.onPick || target?.closest('a, img') || (place && place.row < 0)) return;
    if (place) {
      if (!this.#grid.range) this.#grid.goTo(place);
      if (this.#pick(place, { intent: 'menu', extend: false })) event.preventDefault();
    } else if (target === this.#gridElement) {
      // The keyboard shortcut for the menu was already handled.
      event.preventDefault();
    }
  };

  readonly #handleCopy = (event: ClipboardEvent): void => {
    const { locale, messages } = this.#words.value;
    const { active } = this.#grid;
    const numbers = new Intl.NumberFormat(locale);
    if (!this.copyable || !this.#table || !active || !event.clipboardData || getSelection()?.toString()) return;
    const range = this.#grid.range ?? { top: active.row, bottom: active.row, start: active.column, end: active.column };
    event.preventDefault();
    const count = cellCount(range);
    if (count > maxCopiedCells) {
      this.announcement = messages.copyTooMany(numbers.format(maxCopiedCells));
      return;
    }
    if (!this.onCopy(range.bottom - Math.max(0, range.top) + 1)) return;
    copyCells(this.#table, range, event.clipboardData);
    this.announcement = messages.copied(count, numbers.format(count));
  };
}

/** Renders the element that sets the width of a column, or of the placeholder for columns that are not rendered. */
function columnSlot(name: number | 'before' | 'after'): TemplateResult {
  return html`<colgroup><col data-column=${name} /></colgroup>`;
}

register('pa-tile-table', PaTileTable);

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-table': PaTileTable;
  }
}
