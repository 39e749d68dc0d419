import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { PaLoadEvent } from '../../../controllers/dashboard/dashboard-events.js';
import type { LazyDashboardStateController } from '../../../controllers/dashboard/lazy-dashboard-state-controller.js';
import { chunkProblem, type Problem } from '../../../controllers/problem.js';
import type { ViewportController } from '../../../controllers/viewport-controller.js';
import { answerSource, type Mark } from '../../../report/marks/mark.js';
import type { ReportData } from '../../../report/query/report-data.js';
import type { ReportRequest } from '../../../report/query/report-request.js';
import { loadMarkFilters } from '../lazy-parts.js';
import { setMarkTarget } from '../mark-target.js';
import { applicableMarks, emptySelection, type MarkSelection } from './mark-selection.js';
import type { PaTile } from './tile-element.js';
import type { HostMenuItems, TileContext, TileHost } from './tile-host.js';

/** Interface of the public element that the controller uses. */
interface TileHostOptions {
  readonly restricted: () => boolean;
  /** `imageOrigins` and `menuItems` return the values that the host set, not validated. */
  readonly imageOrigins: () => unknown;
  readonly menuItems: () => unknown;
  /** Starts an export by the host's server; `null` if the page creates the files. */
  readonly startExport: () => TileHost['startExport'];
  /** The controller of filters and selections. */
  readonly choosing: LazyDashboardStateController;
  /** Whether marks of one tile can filter other tiles. */
  readonly crossFilters: boolean;
  /** Whether the loaded dashboard allows filtering by marks. */
  readonly allowsCrossFilters: () => boolean;
  /** The rendered tiles. */
  readonly tiles: () => readonly PaTile[];
}

/** Rows whose marks filter tiles, and the tile or answer that shows them. */
export interface MarkRows {
  readonly source: string;
  readonly request: ReportRequest;
  readonly data: ReportData;
}

/**
 * Shares settings with the tiles of a public element, stores their selected marks, and dispatches `pa-load` when all
 * have settled.
 */
export class TileHostController implements ReactiveController {
  readonly #element: ReactiveControllerHost & Element & { readonly isConnected: boolean };
  readonly #options: TileHostOptions;
  readonly #marks = new Map<string, MarkSelection>();
  readonly #listeners = new Set<() => void>();
  /** The marks in the last notification of the listeners. */
  #notified: unknown = null;
  #host: TileHost;
  /** Inputs that `#host` was created from. */
  #given: readonly unknown[] = [];
  #isLoading = true;
  #checking: ReturnType<typeof setTimeout> | null = null;

  constructor(element: ReactiveControllerHost & Element & { readonly isConnected: boolean }, options: TileHostOptions) {
    this.#element = element;
    this.#options = options;
    this.#host = this.#toHost();
    element.addController(this);
    if (options.crossFilters) this.#offerToChats();
  }

  /** The object passed to the tiles; a new object only if a setting changes. */
  get host(): TileHost {
    return this.#host;
  }

  hostUpdate(): void {
    const { restricted, imageOrigins, menuItems, startExport } = this.#options;
    const given = [restricted(), imageOrigins(), menuItems(), startExport()];
    if (given.every((value, index) => value === this.#given[index])) return;
    this.#given = given;
    this.#host = this.#toHost();
  }

  hostUpdated(): void {
    const marks = this.#options.choosing.stateController?.marks ?? null;
    if (marks === this.#notified) return;
    this.#notified = marks;
    for (const listener of this.#listeners) listener();
  }

  hostDisconnected(): void {
    if (this.#checking !== null) clearTimeout(this.#checking);
    this.#checking = null;
  }

  /** Marks of a tile or an answer that filter tiles; empty after a reset. */
  marksOf(source: string): MarkSelection {
    const chosen = this.#marks.get(source);
    if (!chosen) return emptySelection;
    if (this.#options.choosing.stateController?.marks.has(source)) return chosen;
    this.#marks.delete(source);
    return emptySelection;
  }

  /** Starts a new load: `pa-load` fires again when all tiles have settled. */
  restart(): void {
    this.#isLoading = true;
  }

  /** Called when a tile settles. Checks later whether all have, because others may be requested in response. */
  settle(): void {
    if (!this.#isLoading || this.#checking !== null) return;
    this.#checking = setTimeout(() => {
      this.#checking = null;
      this.#dispatchLoad();
    });
  }

  #dispatchLoad(): void {
    const tiles = this.#options.tiles();
    const requested = tiles.filter(tile => tile.isRequested);
    if (requested.some(({ outcome }) => outcome === null) || requested.length === 0) return;
    this.#isLoading = false;
    const failed = requested.filter(({ outcome }) => outcome === 'failed').length;
    this.#element.dispatchEvent(
      new PaLoadEvent({ tiles: requested.length, failed, waiting: tiles.length - requested.length }),
    );
  }

  #toHost(): TileHost {
    const { restricted, imageOrigins, menuItems, startExport, crossFilters } = this.#options;
    return {
      restricted: restricted(),
      imageOrigins: textsIn(imageOrigins()),
      menuItems: menuItemsIn(menuItems()),
      startExport: startExport(),
      requests: () => this.#options.choosing.stateController?.request ?? null,
      fire: event => this.#element.dispatchEvent(event),
      choose: crossFilters ? this.#choose : null,
      canClear: filter => this.#options.choosing.stateController?.canClear(filter) ?? false,
      clear: filters => this.#options.choosing.stateController?.clear(filters),
    };
  }

  #offerToChats(): void {
    const { allowsCrossFilters } = this.#options;
    setMarkTarget(this.#element, {
      get isOn() {
        return allowsCrossFilters();
      },
      choose: (answer, { request, data }, picked, how) =>
        this.#chooseFrom({ source: answerSource(answer), request, data }, picked, how),
      marksOf: (answer, { request }) => applicableMarks(request, this.marksOf(answerSource(answer))),
      watch: listener => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    });
  }

  readonly #choose = (
    { widgetId, request, data }: TileContext,
    picked: readonly Mark[],
    how: 'add' | 'replace',
  ): void => {
    if (widgetId !== null && request && data) this.#chooseFrom({ source: widgetId, request, data }, picked, how);
  };

  #chooseFrom(from: MarkRows, picked: readonly Mark[], how: 'add' | 'replace'): void {
    // If the code cannot be loaded, marks do not filter.
    Promise.all([this.#options.choosing.load(), loadMarkFilters()]).then(
      ([stateController, { chooseMarks }]) => {
        const chosen = chooseMarks(stateController, { ...from, before: this.marksOf(from.source), picked, how });
        if (chosen) this.#marks.set(from.source, chosen);
        this.#element.requestUpdate();
      },
      () => {},
    );
  }
}

function textsIn(given: unknown): readonly string[] {
  return Array.isArray(given) ? given.filter(value => typeof value === 'string') : [];
}

/** Checks the type of the host's menu items. Each item is validated when a menu opens. */
function menuItemsIn(given: unknown): HostMenuItems {
  return Array.isArray(given) || isFunction(given) ? given : [];
}

function isFunction(value: unknown): value is Extract<HostMenuItems, (...args: never) => unknown> {
  return typeof value === 'function';
}

/** Exports of the lazy-loaded tile chunk. */
export interface TileKit {
  readonly nearTiles: (host: ReactiveControllerHost) => ViewportController<PaTile>;
}

/** Loads the tile element in parallel with the session and the dashboard configuration. */
export class TileLoader<Kit extends TileKit> implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #load: () => Promise<Kit>;
  readonly #onProblem: (problem: Problem) => void;
  #loading: Promise<void> | null = null;
  #kit: Kit | null = null;
  #near: ViewportController<PaTile> | null = null;
  #problem: Problem | null = null;

  /**
   * @param load - loads the tile element and its rendering code.
   * @param onProblem - called if loading fails.
   */
  constructor(host: ReactiveControllerHost, load: () => Promise<Kit>, onProblem: (problem: Problem) => void) {
    this.#host = host;
    this.#load = load;
    this.#onProblem = onProblem;
    host.addController(this);
  }

  /** The loaded module; `null` until then. */
  get kit(): Kit | null {
    return this.#kit;
  }

  /** Controller that loads tiles when they approach the viewport; `null` until the module is loaded. */
  get near(): ViewportController<PaTile> | null {
    return this.#near;
  }

  /** The problem if loading failed. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** Resolves when loading has succeeded or failed. */
  get settled(): Promise<void> {
    this.#loading ??= this.#start();
    return this.#loading;
  }

  hostConnected(): void {
    void this.settled;
  }

  /** Retries a failed load. */
  readonly retry = (): void => {
    this.#problem = null;
    this.#loading = this.#start();
    this.#host.requestUpdate();
  };

  async #start(): Promise<void> {
    try {
      const kit = await this.#load();
      this.#near ??= kit.nearTiles(this.#host);
      this.#kit = kit;
    } catch {
      this.#problem = chunkProblem();
      this.#onProblem(this.#problem);
    }
    this.#host.requestUpdate();
  }
}
