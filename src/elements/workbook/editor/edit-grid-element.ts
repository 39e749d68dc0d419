import '../../creator/menu/action-menu-element.js';
import '../../parts/controls/controls-element.js';
import '../../parts/tile/pa-tile.js';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { DashboardConfig, DashboardWidget, ReportSnapshot } from '../../../contract/dashboards.js';
import {
  DashboardStateController,
  type StateSubject,
} from '../../../controllers/dashboard/dashboard-state-controller.js';
import type { Problem } from '../../../controllers/problem.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import type { ControlState } from '../../../report/controls/control-state.js';
import { duplicateTile, type EditBoard, editBoard, removeTile, withItems } from '../../../report/layout/edit-board.js';
import { dissolveContainer, isContainer } from '../../../report/layout/edit-containers.js';
import { inReadingOrder, moveItem, resizeItem } from '../../../report/layout/edit-layout.js';
import type { GridItem } from '../../../report/layout/grid-layout.js';
import { widgetMarkdown } from '../../../report/layout/tile-title.js';
import { membersOf } from '../../../report/query/member-names.js';
import { icon } from '../../creator/creator-icons.js';
import type { MenuAction } from '../../creator/menu/action-menu-element.js';
import { nearTiles } from '../../parts/tile/lazy-tiles.js';
import { noHost, type TileHost } from '../../parts/tile/tile-host.js';
import type { TileContent } from '../../parts/tile/tile-view.js';
import { controls } from '../../parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../../parts/visually-hidden.styles.js';
import { register } from '../../register.js';
import { type WorkbookMessages, workbookMessages } from '../workbook-messages.js';
import { ContainerMoves } from './container-moves.js';
import { editGridStyles } from './edit-grid.styles.js';
import { PlacedTiles } from './placed-tiles.js';
import { TileDrag } from './tile-drag.js';
import { tileName } from './tile-name.js';

const noTabs: StateSubject['tabs'] = new Map();
/** Steps of the arrow keys, in columns and rows. */
const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The tiles of a draft, which the user moves and resizes with pointer, touch and keyboard, and its controls, which
 * filter the tiles as in the published dashboard. While a tile is dragged, only the positions of elements change; the
 * tiles do not render again.
 *
 * @summary The grid of the editor.
 * @tagname pa-edit-grid
 */
class PaEditGrid extends LitElement {
  static override styles = [controls, visuallyHiddenStyles, editGridStyles];

  readonly #choices = new DashboardStateController(this, {
    source: () => this.source,
    filters: () => null,
    lockedFilters: () => null,
    timezone: () => null,
    urlState: () => null,
  });

  /** Loads tiles when they approach the viewport. */
  readonly #near = nearTiles(this);

  /** The draft. */
  @property({ attribute: false }) config: DashboardConfig = {};
  @property({ attribute: false }) reports: ReadonlyMap<number, ReportSnapshot> = new Map();
  @property({ attribute: false }) source: SessionSource | null = null;
  @property({ attribute: false }) messages: WorkbookMessages = workbookMessages;
  /** Whether downloading and copying rows is disabled. */
  @property({ attribute: false }) restricted = true;
  /** Whether the tiles can only be viewed. */
  @property({ attribute: false }) isPreview = false;
  /** Width of the page whose layout is shown, px; `null` for the widest layout. */
  @property({ attribute: false }) previewWidth: number | null = null;
  /** Called with the changed draft. */
  @property({ attribute: false }) onChange: (config: DashboardConfig) => void = () => {};
  /** Called when the user edits a chart or a text tile. */
  @property({ attribute: false }) onEdit: (widget: DashboardWidget) => void = () => {};

  @state() private announcement = '';
  /** The reports that could not be loaded. */
  @state() private failed: ReadonlySet<ReportSnapshot> = new Set();

  #board: EditBoard = editBoard({});
  readonly #tiles = new PlacedTiles(() => this.renderRoot);
  readonly #containers = new ContainerMoves({
    grid: () => this.renderRoot.querySelector<HTMLElement>('.grid'),
    board: () => this.#board,
    tiles: this.#tiles,
    view: () => this,
    titleOf: widget => this.#titleOf(widget),
    isEditable: widget => this.#isEditable(widget),
    onChange: (config, announcement, focusId) => {
      this.announcement = announcement;
      this.#focusNext = focusId;
      this.onChange(config);
    },
  });
  readonly #drag = new TileDrag({
    targets: this.#containers.targets,
    containers: id => this.#containers.targetIds(id),
    onDropInto: (id, { container, index }) => this.#containers.move(id, container, { index }),
    grid: this,
    board: () => this.#board,
    tileOf: id => this.#tiles.of(id),
    place: items => this.#tiles.place(items),
    onDrop: items => this.onChange(withItems(this.config, items)),
  });
  /** The focused tile before an update, and its position in reading order. */
  #focused: { readonly id: string; readonly index: number } | null = null;
  /** The tile that gets the focus with the next update. */
  #focusNext = '';
  #host: TileHost = noHost;
  readonly #contents = new WeakMap<object, TileContent>();

  constructor() {
    super();
    // The choices apply to a draft, so they affect neither the page nor the enclosing dashboard.
    this.addEventListener('pa-filter-change', event => event.stopPropagation());
  }

  /** The controls of the draft with the values that the user has chosen in the editor. */
  get controlStates(): readonly ControlState[] {
    return this.#choices.controls;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // The tiles do not receive the event of the released pointer.
    this.#drag.cancel();
    this.#containers.drag.cancel();
  }

  /** Focuses a tile. */
  focusTile(id: string): void {
    this.#tiles.handleOf(id)?.focus();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('config') || changed.has('previewWidth')) {
      const id = this.shadowRoot?.activeElement?.closest<HTMLElement>('.tile')?.dataset.id;
      this.#focused = id ? { id, index: this.#order.indexOf(id) } : null;
      this.#board = editBoard(this.config, this.previewWidth ?? undefined);
    }
    if (changed.has('config') || changed.has('reports')) this.#followControls();
    if (changed.has('restricted')) this.#host = this.#createHost();
  }

  /** Keeps the values that the user has chosen when the draft changes. */
  #followControls(): void {
    const snapshots = [...this.reports.values()];
    this.#choices.use({ widgets: this.#board.controls, snapshots, attributes: {}, tabs: noTabs });
  }

  #createHost(): TileHost {
    return {
      ...noHost,
      restricted: this.restricted,
      requests: () => this.#choices.request,
      canClear: filter => this.#choices.canClear(filter),
      clear: filters => this.#choices.clear(filters),
    };
  }

  protected override updated(changed: PropertyValues<this>): void {
    const grid = this.renderRoot.querySelector<HTMLElement>('.grid');
    grid?.style.setProperty('--columns', String(this.#board.columns));
    grid?.style.setProperty('--row-height', `${this.#board.rowHeight}px`);
    this.#tiles.refresh();
    this.#tiles.place(this.#board.items);
    this.#near.watch([...this.renderRoot.querySelectorAll('pa-tile')].filter(tile => !tile.isRequested));
    if (changed.has('config')) this.#restoreFocus();
  }

  /**
   * Restores the focus, which an element loses if it is removed or moved in the document. The next key, for example
   * Ctrl+Z, then reaches the editor.
   */
  #restoreFocus(): void {
    const order = this.#order;
    if (this.#focusNext) this.focusTile(this.#focusNext);
    else if (this.#focused && !this.shadowRoot?.activeElement) {
      const { id, index } = this.#focused;
      this.focusTile(order.includes(id) ? id : (order[index] ?? order.at(-1) ?? ''));
    }
    this.#focusNext = '';
  }

  /** Ids of the tiles in reading order. */
  get #order(): readonly string[] {
    return inReadingOrder(this.#board.items).map(item => item.id);
  }

  override render(): TemplateResult {
    const { messages } = this;
    return html`${this.#renderControls()}
      <div class=${this.previewWidth === null ? 'grid' : 'grid narrow'} role="group" aria-label=${messages.board}>
        ${repeat(
          inReadingOrder(this.#board.items),
          ({ id }) => id,
          ({ id }) => this.#renderTile(this.#board.widgets.get(id)),
        )}
        <div class="placeholder" hidden></div>
      </div>
      <p class="unseen" id="hint">${messages.arrangeHint}</p>
      <p class="unseen" id="hint-inside">${messages.arrangeInside}</p>
      <p class="unseen" role="status">${this.announcement}</p>`;
  }

  #renderControls(): TemplateResult | typeof nothing {
    const choices = this.#choices;
    if (choices.controls.every(({ control }) => control.visibility === 'hidden')) return nothing;
    return html`<pa-controls
      .controls=${choices.controls}
      .choices=${choices.choices}
      .model=${choices.model}
      .touched=${choices.touched}
      .source=${this.source}
      .chooser=${choices}
    ></pa-controls>`;
  }

  #renderTile(widget: DashboardWidget | undefined): TemplateResult | typeof nothing {
    if (!widget) return nothing;
    const { messages } = this;
    const { id } = widget;
    const title = this.#titleOf(widget);
    if (this.isPreview) {
      return html`<article class=${`tile ${this.#kindOf(widget)}`} data-id=${id} aria-label=${title}>
        <header><span class="name" dir="auto">${title}</span></header>
        <div class="body">${this.#renderBody(widget, title)}</div>
      </article>`;
    }
    return html`<article class=${`tile ${this.#kindOf(widget)}`} data-id=${id} aria-label=${title}>
      <header>
        <button
          type="button"
          class="handle"
          aria-label=${messages.moveTile(title)}
          aria-describedby="hint"
          title=${messages.arrangeHint}
          @keydown=${(event: KeyboardEvent) => this.#handleKey(event, widget)}
          @pointerdown=${(event: PointerEvent) => this.#drag.start(event, id, 'move')}
          @pointermove=${this.#drag.move}
          @pointerup=${this.#drag.drop}
          @pointercancel=${this.#drag.cancel}
        >
          <span class="grip">${icon('grip')}</span> <span class="label" dir="auto">${title}</span>
        </button>
        <pa-action-menu .label=${messages.tileActions(title)} .actions=${this.#actionsOf(widget)}></pa-action-menu>
      </header>
      <div class="body" data-container=${isContainer(widget) ? id : nothing}>${this.#renderBody(widget, title)}</div>
      <span
        class="resize"
        @pointerdown=${(event: PointerEvent) => this.#drag.start(event, id, 'resize')}
        @pointermove=${this.#drag.move}
        @pointerup=${this.#drag.drop}
        @pointercancel=${this.#drag.cancel}
      ></span>
    </article>`;
  }

  #renderBody(widget: DashboardWidget, title: string): TemplateResult {
    const content = this.#contentOf(widget);
    if (content === 'missing') return html`<p class="note">${this.messages.missingReport}</p>`;
    if (isContainer(widget)) return this.#containers.render(widget);
    if (content === 'fixed') return html`<p class="note">${this.messages.fixedTile}</p>`;
    const snapshot = this.reports.get(Number(widget.config?.reportId));
    const missing = this.#missingFields(snapshot);
    if (missing) return html`<p class="note" role="alert">${this.messages.missingFields(missing)}</p>`;
    return html`<pa-tile
      .content=${content}
      .source=${this.#choices.ready ? this.source : null}
      .host=${this.#host}
      .choices=${this.#choices.choicesFor(widget)}
      .heading=${title}
      .level=${3}
      .onSettle=${(problem: Problem | null) => this.#handleSettle(problem, snapshot)}
    ></pa-tile>`;
  }

  /** A query that fails may use fields that the model does not have. Only the author's editor names them. */
  #handleSettle(problem: Problem | null, snapshot: ReportSnapshot | undefined): void {
    if (!problem || !snapshot) return;
    this.failed = new Set(this.failed).add(snapshot);
    this.#choices.wantModel();
  }

  /** Returns the names of the fields of a failed query that the model does not have; empty if it has all. */
  #missingFields(snapshot: ReportSnapshot | undefined): string {
    const { model } = this.#choices;
    const query = snapshot && this.failed.has(snapshot) ? snapshot.meta?.jsonQuery : null;
    // If the model could not be loaded, it is empty.
    if (!query || !model?.size) return '';
    return [...membersOf(query)].filter(name => !model.has(name)).join(', ');
  }

  #contentOf({ type, config }: DashboardWidget): TileContent | 'missing' | 'fixed' {
    if (type === 'TEXT') return this.#cached(config ?? {}, () => ({ type: 'text', markdown: widgetMarkdown(config) }));
    if (type !== 'CHART') return 'fixed';
    const snapshot = this.reports.get(Number(config?.reportId));
    return snapshot ? this.#cached(snapshot, () => ({ type: 'report', snapshot })) : 'missing';
  }

  /** Returns the same content for the same report, so that its tile does not reload. */
  #cached(key: object, create: () => TileContent): TileContent {
    const known = this.#contents.get(key);
    if (known) return known;
    const content = create();
    this.#contents.set(key, content);
    return content;
  }

  /** Returns the kind of a tile, which determines its height on phones. */
  #kindOf({ type, config }: DashboardWidget): 'text' | 'figure' | 'chart' {
    if (type === 'TEXT') return 'text';
    return this.reports.get(Number(config?.reportId))?.kind === 'kpi' ? 'figure' : 'chart';
  }

  #titleOf(widget: DashboardWidget): string {
    return tileName(widget, this.reports, this.messages);
  }

  #actionsOf(widget: DashboardWidget): readonly MenuAction[] {
    const { messages } = this;
    const { id } = widget;
    const edit: MenuAction = { label: messages.edit, icon: 'pencil', run: () => this.onEdit(widget) };
    const arrange = (label: string, name: MenuAction['icon'], key: string, how: 'move' | 'resize'): MenuAction => ({
      label,
      icon: name,
      run: () => this.#step(widget, key, how),
    });
    return [
      ...(this.#isEditable(widget) ? [edit] : []),
      ...(isContainer(widget)
        ? [
            {
              label: messages.dissolve,
              icon: 'board' as const,
              run: () => this.onChange(dissolveContainer(this.config, id)),
            },
          ]
        : [{ label: messages.duplicate, icon: 'copy' as const, run: () => this.#duplicate(id) }]),
      ...this.#containers.moveActions(widget),
      arrange(messages.earlier, 'up', 'ArrowUp', 'move'),
      arrange(messages.later, 'down', 'ArrowDown', 'move'),
      arrange(messages.wider, 'wider', 'ArrowRight', 'resize'),
      arrange(messages.narrower, 'narrower', 'ArrowLeft', 'resize'),
      { label: messages.remove, icon: 'trash', isDangerous: true, run: () => this.#remove(widget) },
    ];
  }

  #isEditable(widget: DashboardWidget): boolean {
    const { type, config } = widget;
    const snapshot = this.reports.get(Number(config?.reportId));
    const isChart = type === 'CHART' && Boolean(snapshot?.meta?.jsonQuery) && !snapshot?.sqlQuery;
    return type === 'TEXT' || isContainer(widget) || isChart;
  }

  #duplicate(id: string): void {
    const copy = duplicateTile(this.config, id);
    this.#focusNext = copy.id;
    this.onChange(copy.config);
  }

  #remove(widget: DashboardWidget): void {
    this.announcement = this.messages.removed(this.#titleOf(widget));
    this.onChange(removeTile(this.config, widget.id));
  }

  /** Moves or resizes a tile by one step of an arrow key, and announces its position. */
  #step(widget: DashboardWidget, key: string, how: 'move' | 'resize'): void {
    const step = steps[key];
    const item = this.#board.items.find(({ id }) => id === widget.id);
    if (!step || !item) return;
    const isMirrored = this.matches(':dir(rtl)');
    const [x, y] = [isMirrored ? -step[0] : step[0], step[1]];
    const { columns } = this.#board;
    const items =
      how === 'resize'
        ? resizeItem(this.#board.items, item.id, item.w + x, item.h + y, columns)
        : this.#moved(item, x, y);
    const now = items.find(({ id }) => id === item.id) ?? item;
    this.announcement = this.messages.placed(this.#titleOf(widget), now.x + 1, now.y + 1, now.w, now.h);
    this.onChange(withItems(this.config, items));
  }

  /**
   * Moves a tile by one column, or in rows until something changes. Gaps are closed, so a step of one row would often
   * have no effect.
   */
  #moved(item: GridItem, x: number, y: number): readonly GridItem[] {
    const { items, columns } = this.#board;
    const rows = Math.max(0, ...items.map(each => each.y + each.h));
    for (let row = item.y + y, tries = 0; tries <= rows; row += y || 1, tries += 1) {
      const moved = moveItem(items, item.id, item.x + x, row, columns);
      const place = moved.find(({ id }) => id === item.id);
      if (y === 0 || row < 0 || place?.y !== item.y) return moved;
    }
    return items;
  }

  #handleKey(event: KeyboardEvent, widget: DashboardWidget): void {
    if (event.key === 'Escape' && this.#drag.cancel()) event.stopPropagation();
    else if (event.key === 'Delete' || event.key === 'Backspace') this.#remove(widget);
    else if (steps[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.#step(widget, event.key, event.shiftKey ? 'resize' : 'move');
    } else if (event.key === 'Enter') this.onEdit(widget);
    else return;
    event.preventDefault();
  }
}

register('pa-edit-grid', PaEditGrid);

declare global {
  interface HTMLElementTagNameMap {
    'pa-edit-grid': PaEditGrid;
  }
}
