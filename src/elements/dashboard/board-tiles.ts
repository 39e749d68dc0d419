import type { ReactiveControllerHost } from 'lit';
import type { Problem } from '../../controllers/problem.js';
import type { ViewportController } from '../../controllers/viewport-controller.js';
import type { FigureFacts } from '../parts/kpi/kpi-element.js';
import type { PaTile } from '../parts/tile/tile-element.js';

interface FigureTile {
  readonly tile: PaTile;
  readonly figure: FigureFacts;
  /** Height of its heading, px. */
  readonly heading: number;
}

/**
 * Gives the figures of equal tiles in a row one size, that of the longest, and one place: below the highest of their headings, and in the
 * middle of the tile if none of them has more to show.
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

/** What the tiles of a dashboard need of it. */
interface BoardTilesOptions {
  /** What the tiles are drawn in; null before the dashboard was ever on a page. */
  readonly root: () => ParentNode | null;
  /** Has tiles load when they come near; null while none are drawn. */
  readonly near: () => ViewportController<PaTile> | null;
  /** Called whenever a tile comes to rest, with its widget: with null when it shows what it holds, with the problem when it can't. */
  readonly onSettle: (widgetId: string, problem: Problem | null) => void;
}

/** The tiles of a dashboard: has them load when they are wanted, and counts those that failed. */
export class BoardTiles {
  readonly #host: ReactiveControllerHost;
  readonly #options: BoardTilesOptions;
  readonly #callbacks = new Map<string, (problem: Problem | null) => void>();
  readonly #failed = new Map<string, Problem>();
  /** Tiles of tabs that are not open, which a refresh has passed over. */
  #stale: ReadonlySet<PaTile> = new Set();
  #aligning: Promise<void> | null = null;
  /** What the tiles on the screen were looked for in. */
  #looked: unknown = null;

  constructor(host: ReactiveControllerHost, options: BoardTilesOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** Tiles that don't stand in a tab which is not open. */
  get shown(): PaTile[] {
    return this.#all.filter(tile => !tile.closest('.closed'));
  }

  /** How many failed. */
  get failed(): number {
    return this.#failed.size;
  }

  /** Why, if all tiles with a report that were asked for have failed, two at the least; null otherwise. */
  get allFailed(): Problem | null {
    const [first = null] = this.#failed.values();
    if (this.#failed.size < 2) return null;
    const reports = this.#all.filter(({ wanted, content }) => wanted && content.type === 'report');
    return reports.every(({ rest }) => rest === 'failed') ? first : null;
  }

  /** Queries again what failed. */
  retryFailed(): void {
    for (const tile of this.#all) if (tile.rest === 'failed') void tile.reload();
    this.#host.requestUpdate();
  }

  /** Forgets which failed. */
  forget(): void {
    this.#failed.clear();
  }

  /**
   * Follows what is drawn; call it after every update.
   * @param laidOut - what the tiles were laid out for, as they will stand; null where they won't.
   */
  follow(laidOut: unknown): void {
    const near = this.#options.near();
    if (!near) return;
    const { shown } = this;
    near.watch(shown.filter(tile => !tile.wanted));
    // Tiles that were never drawn are drawn once, with what they hold.
    if (laidOut !== null && laidOut !== this.#looked) near.look();
    this.alignFigures();
    this.#looked = laidOut;
    for (const tile of shown) if (this.#stale.has(tile)) void tile.reload();
    this.#stale = new Set([...this.#stale].filter(tile => !shown.includes(tile)));
  }

  /** Gives the figures of equal tiles in a row one size and height, once for all that were drawn together. */
  readonly alignFigures = (): void => {
    this.#aligning ??= Promise.resolve().then(() => {
      this.#aligning = null;
      alignFigures(this.#all);
    });
  };

  /** Queries and draws all; resolves when each has come to rest. */
  async loadAll(): Promise<void> {
    const tiles = this.#all;
    for (const tile of tiles) tile.wanted = true;
    await Promise.all(tiles.map(tile => tile.settled));
  }

  /** Queries again what is shown, and the rest of what was wanted once its tab opens. */
  async refresh(): Promise<void> {
    const { shown } = this;
    const wanted = this.#all.filter(tile => tile.wanted);
    this.#stale = new Set(wanted.filter(tile => !shown.includes(tile)));
    await Promise.all(wanted.filter(tile => shown.includes(tile)).map(tile => tile.reload()));
  }

  /** One function per widget, so that a tile sees the same one on every update. */
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
