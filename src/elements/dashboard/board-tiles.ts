import type { ReactiveControllerHost } from 'lit';
import type { Problem } from '../../controllers/problem.js';
import type { ViewportController } from '../../controllers/viewport-controller.js';
import type { FigureFacts } from '../parts/kpi/kpi-element.js';
import type { PaTile } from '../parts/tile/tile-element.js';

interface FigureTile {
  readonly tile: PaTile;
  readonly figure: FigureFacts;
  /** Height of the tile's heading, px. */
  readonly heading: number;
}

/**
 * Gives the KPI figures of equal tiles in a row the same font size (that of the longest figure) and the same vertical
 * position: below the tallest heading of the row, or centered in the tile if no tile of the row shows more than its
 * figure.
 */
function alignFigures(tiles: readonly PaTile[]): void {
  const rows = new Map<Element, Map<string, FigureTile[]>>();
  for (const tile of tiles) {
    const { figure } = tile;
    const cell = tile.parentElement;
    const grid = cell?.parentElement;
    if (!figure || !cell || !grid) continue;
    const place = ['y', 'w', 'h', 'weight'].map(name => cell.style.getPropertyValue(`--_${name}`)).join(' ');
    const places = rows.get(grid) ?? new Map<string, FigureTile[]>();
    rows.set(grid, places.set(place, [...(places.get(place) ?? []), { tile, figure, heading: tile.headingHeight }]));
  }
  for (const row of [...rows.values()].flatMap(places => [...places.values()])) {
    const isAlone = row.every(({ figure }) => figure.isAlone);
    const properties = {
      'row-characters': String(Math.max(...row.map(({ figure }) => figure.characters))),
      'row-height-share': isAlone ? '60' : '40',
      'row-heading': `${Math.max(...row.map(({ heading }) => heading))}px`,
      'row-figure-place': isAlone ? 'safe center' : 'normal',
    };
    for (const { tile } of row) {
      for (const [name, value] of Object.entries(properties)) tile.style.setProperty(`--_${name}`, value);
    }
  }
}

/** Interface of the dashboard element that `BoardTiles` uses. */
interface BoardTilesOptions {
  /** Root that contains the tiles; `null` before the dashboard is first connected. */
  readonly root: () => ParentNode | null;
  /** Controller that loads tiles when they approach the viewport; `null` while no tiles are rendered. */
  readonly near: () => ViewportController<PaTile> | null;
  /** Called each time a tile settles, with the id of its widget. `problem` is `null` if the tile shows its content. */
  readonly onSettle: (widgetId: string, problem: Problem | null) => void;
}

/** Tracks the tiles of a dashboard: loads them on demand and counts failed tiles. */
export class BoardTiles {
  readonly #host: ReactiveControllerHost;
  readonly #options: BoardTilesOptions;
  readonly #callbacks = new Map<string, (problem: Problem | null) => void>();
  readonly #failed = new Map<string, Problem>();
  /** Tiles in closed tabs that the last refresh skipped. */
  #stale: ReadonlySet<PaTile> = new Set();
  #aligning: Promise<void> | null = null;
  /** The layout for which `ViewportController.checkElements` last ran. */
  #checkedLayout: unknown = null;

  constructor(host: ReactiveControllerHost, options: BoardTilesOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** Tiles that are not in a closed tab. */
  get shown(): PaTile[] {
    return this.#all.filter(tile => !tile.closest('.closed'));
  }

  /** Number of failed tiles. */
  get failed(): number {
    return this.#failed.size;
  }

  /** The first problem, if at least two tiles failed and every requested report tile failed; otherwise `null`. */
  get allFailed(): Problem | null {
    const [first = null] = this.#failed.values();
    if (this.#failed.size < 2) return null;
    const reports = this.#all.filter(({ isRequested, content }) => isRequested && content.type === 'report');
    return reports.every(({ outcome }) => outcome === 'failed') ? first : null;
  }

  /** Reloads the failed tiles. */
  retryFailed(): void {
    for (const tile of this.#all) if (tile.outcome === 'failed') void tile.reload();
    this.#host.requestUpdate();
  }

  /** Resets the list of failed tiles. */
  forget(): void {
    this.#failed.clear();
  }

  /**
   * Synchronizes with the rendered tiles; call it after every update.
   * @param laidOut - identifies the final layout of the tiles; `null` while the layout can still change.
   */
  follow(laidOut: unknown): void {
    const near = this.#options.near();
    if (!near) return;
    const { shown } = this;
    near.watch(shown.filter(tile => !tile.isRequested));
    // Render tiles in view immediately, so that their first render already has content.
    if (laidOut !== null && laidOut !== this.#checkedLayout) near.checkElements();
    this.alignFigures();
    this.#checkedLayout = laidOut;
    for (const tile of shown) if (this.#stale.has(tile)) void tile.reload();
    this.#stale = new Set([...this.#stale].filter(tile => !shown.includes(tile)));
  }

  /** Aligns the KPI figures of each row, once per microtask for all tiles that rendered together. */
  readonly alignFigures = (): void => {
    this.#aligning ??= Promise.resolve().then(() => {
      this.#aligning = null;
      alignFigures(this.#all);
    });
  };

  /** Queries and renders all tiles; resolves when every tile has settled. */
  async loadAll(): Promise<void> {
    await Promise.all(this.#all.map(tile => tile.load()));
  }

  /** Reloads the visible tiles now, and requested tiles in closed tabs when their tab opens. */
  async refresh(): Promise<void> {
    const { shown } = this;
    const requested = this.#all.filter(tile => tile.isRequested);
    this.#stale = new Set(requested.filter(tile => !shown.includes(tile)));
    await Promise.all(requested.filter(tile => shown.includes(tile)).map(tile => tile.reload()));
  }

  /** Returns a stable callback per widget, so that a tile receives the same function on every update. */
  settleCallback(widgetId: string): (problem: Problem | null) => void {
    const known = this.#callbacks.get(widgetId);
    if (known) return known;
    const callback = (problem: Problem | null): void => this.#handleSettle(widgetId, problem);
    this.#callbacks.set(widgetId, callback);
    return callback;
  }

  get #all(): PaTile[] {
    return [...(this.#options.root()?.querySelectorAll('pa-tile') ?? [])];
  }

  #handleSettle(widgetId: string, problem: Problem | null): void {
    this.#options.onSettle(widgetId, problem);
    if (!problem && !this.#failed.has(widgetId)) return;
    if (problem) this.#failed.set(widgetId, problem);
    else this.#failed.delete(widgetId);
    this.#host.requestUpdate();
  }
}
