import { html, nothing, type ReactiveControllerHost } from 'lit';
import { PaMarkClickEvent } from '../../../controllers/dashboard/dashboard-events.js';
import type { Mark, Pick } from '../../../report/marks/mark.js';
import { retryLoad } from '../retry-load.js';
import { type DrillSubject, dispatchCopyEvent, type MenuRequest, subjectOf, type TileContext } from './tile-host.js';

/** Handles selected marks, and renders the menus and the drill dialog of a tile. */
export class TileOverlays {
  readonly #host: ReactiveControllerHost;
  readonly #context: () => TileContext;
  /** Whether the rows are shown as a table instead of the body. */
  asTable = false;
  #menu: MenuRequest | null = null;
  #drill: DrillSubject | null = null;
  /** Whether the menu element is rendered. It stays after its first use, because it announces results. */
  #hasMenu = false;
  #wasOpenOnPress = false;

  constructor(host: ReactiveControllerHost, context: () => TileContext) {
    this.#host = host;
    this.#context = context;
  }

  /** Whether the menu of the tile is open. */
  get isOpen(): boolean {
    return this.#menu !== null && this.#menu.mark === null;
  }

  /** Closes the overlays when the report changes. */
  reset(): void {
    this.asTable = false;
    this.#menu = null;
    this.#drill = null;
  }

  /** Called on `pointerdown` on the menu button, which itself closes an open menu. */
  readonly press = (): void => {
    this.#wasOpenOnPress = this.isOpen;
  };

  /** Called on `click` on the menu button. */
  readonly toggle = (event: Event): void => {
    const wasOpen = this.#wasOpenOnPress;
    this.#wasOpenOnPress = false;
    if (wasOpen || !(event.currentTarget instanceof Element)) return;
    this.open({ anchor: event.currentTarget.getBoundingClientRect(), mark: null, intent: 'menu' });
  };

  /** Opens the menu of the tile or of a mark. */
  open(menu: MenuRequest): void {
    this.#menu = menu;
    this.#hasMenu = true;
    // If the menu cannot be loaded, it does not open; the viewer can try again.
    loadMenu().catch(() => this.#closeMenu());
    this.#host.requestUpdate();
  }

  /** Shows the rows as a table, or the published body. */
  show(as: 'table' | 'chart'): void {
    this.asTable = as === 'table';
    this.#host.requestUpdate();
  }

  /** Opens the drill dialog for a mark. */
  drill(subject: DrillSubject): void {
    this.#drill = subject;
    loadDrill().catch(() => this.#closeDrill());
    this.#host.requestUpdate();
  }

  /** Handles a selected mark: dispatches `pa-mark-click`, then filters other tiles or opens the menu of the mark. */
  readonly pick = ({ mark, intent, extend, anchor }: Pick): void => {
    const context = this.#context();
    const { host, widgetId, crossFilter } = context;
    if (intent === 'choose') {
      const { values, measure } = mark;
      if (!host.fire(new PaMarkClickEvent({ ...subjectOf(context), values, measure }))) return;
      if (crossFilter && host.choose && widgetId !== null && Object.keys(values).length > 0) {
        host.choose(context, [mark], extend ? 'add' : 'replace');
        return;
      }
    }
    this.open({ anchor, mark, intent });
  };

  /** Filters other tiles by brushed marks; an empty brush clears the selection, unless it extends one. */
  readonly brush = (marks: readonly Mark[], how: 'add' | 'replace'): void => {
    if (marks.length === 0 && how === 'add') return;
    const context = this.#context();
    context.host.choose?.(context, marks, how);
  };

  /** Called before cells are copied; returns `false` if the page cancels it. */
  readonly copy = (rows: number): boolean => dispatchCopyEvent(this.#context(), rows);

  /** Clears the selection of this tile. */
  unselect(): void {
    const context = this.#context();
    context.host.choose?.(context, [], 'replace');
  }

  render(): unknown {
    return html`${
      this.#hasMenu
        ? html`<pa-tile-menu
            exportparts="menu, menu-item"
            .context=${this.#context()}
            .request=${this.#menu}
            .onClose=${this.#closeMenu}
          ></pa-tile-menu>`
        : nothing
    }${
      this.#drill
        ? html`<pa-drill
            exportparts="dialog, dialog-title, table, table-filters, cell-link, cell-image, notice, button, skeleton"
            .context=${this.#context()}
            .subject=${this.#drill}
            .onClose=${this.#closeDrill}
          ></pa-drill>`
        : nothing
    }`;
  }

  readonly #closeMenu = (): void => {
    this.#menu = null;
    this.#host.requestUpdate();
  };

  readonly #closeDrill = (): void => {
    this.#drill = null;
    this.#host.requestUpdate();
  };
}

/** Loads the overlay for tiles whose query is slow. */
export async function loadWait(): Promise<void> {
  await retryLoad(() => import('../wait/wait-element.js'));
}

/** Loads the menus of a tile. */
async function loadMenu(): Promise<void> {
  await retryLoad(() => import('../menu/menu-element.js'));
}

/** Loads the drill dialog. */
async function loadDrill(): Promise<void> {
  await retryLoad(() => import('../drill/drill-element.js'));
}
