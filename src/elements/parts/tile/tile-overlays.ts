import { html, nothing, type ReactiveControllerHost } from 'lit';
import { PaMarkClickEvent } from '../../../controllers/dashboard/dashboard-events.js';
import type { Mark, Pick } from '../../../report/marks/mark.js';
import { retryLoad } from '../retry-load.js';
import { type DrillSubject, dispatchCopyEvent, type MenuRequest, subjectOf, type TileContext } from './tile-host.js';

/** Tells what was pointed at, and keeps what stands over a tile for the time being: its menus and the rows behind a mark. */
export class TileOverlays {
  readonly #host: ReactiveControllerHost;
  readonly #context: () => TileContext;
  /** Its rows stand as a table in the place of its body. */
  asTable = false;
  #menu: MenuRequest | null = null;
  #drill: DrillSubject | null = null;
  /** Stays once it was opened: it says what became of what was chosen. */
  #hasMenu = false;
  #pressedOpen = false;

  constructor(host: ReactiveControllerHost, context: () => TileContext) {
    this.#host = host;
    this.#context = context;
  }

  /** The menu of the tile is open. */
  get isOpen(): boolean {
    return this.#menu !== null && this.#menu.mark === null;
  }

  /** Another report has nothing over it. */
  reset(): void {
    this.asTable = false;
    this.#menu = null;
    this.#drill = null;
  }

  /** The button of the menu is pressed: on a menu that is open, which the press itself closes. */
  readonly press = (): void => {
    this.#pressedOpen = this.isOpen;
  };

  /** The button of the menu was clicked. */
  readonly toggle = (event: Event): void => {
    const wasOpen = this.#pressedOpen;
    this.#pressedOpen = false;
    if (wasOpen || !(event.currentTarget instanceof Element)) return;
    this.open({ anchor: event.currentTarget.getBoundingClientRect(), mark: null, intent: 'menu' });
  };

  /** Opens the menu of the tile, or of a mark. */
  open(menu: MenuRequest): void {
    this.#menu = menu;
    this.#hasMenu = true;
    // Without it there is no menu: what it offers can be had later.
    loadMenu().catch(() => this.#closeMenu());
    this.#host.requestUpdate();
  }

  /** Shows the rows as a table, or the body as it was published. */
  show(as: 'table' | 'chart'): void {
    this.asTable = as === 'table';
    this.#host.requestUpdate();
  }

  /** Opens what stands behind a mark. */
  drill(subject: DrillSubject): void {
    this.#drill = subject;
    loadDrill().catch(() => this.#closeDrill());
    this.#host.requestUpdate();
  }

  /** Somebody pointed at a mark: the page is told, then other tiles are filtered by it, or its menu opens. */
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

  /** Marks were brushed: other tiles are filtered by them, or by none where none were. None beside others change nothing. */
  readonly brush = (marks: readonly Mark[], how: 'add' | 'replace'): void => {
    if (marks.length === 0 && how === 'add') return;
    const context = this.#context();
    context.host.choose?.(context, marks, how);
  };

  /** Cells of a table are about to be copied; false where the page prevents it. */
  readonly copy = (rows: number): boolean => dispatchCopyEvent(this.#context(), rows);

  /** The other tiles are filtered by no mark of this one any more. */
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

/** Loads the element that stands on a tile while its query takes long. */
export async function loadWait(): Promise<void> {
  await retryLoad(() => import('../wait/pa-tile-wait.js'));
}

/** Loads the menus of a tile. */
async function loadMenu(): Promise<void> {
  await retryLoad(() => import('../menu/pa-tile-menu.js'));
}

/** Loads the dialog with what is behind a mark. */
async function loadDrill(): Promise<void> {
  await retryLoad(() => import('../drill/pa-drill.js'));
}
