import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { PaLoadEvent } from '../../../controllers/dashboard/dashboard-events.js';
import type { DashboardStateController } from '../../../controllers/dashboard/dashboard-state-controller.js';
import type { LazyDashboardStateController } from '../../../controllers/dashboard/lazy-dashboard-state-controller.js';
import { chunkProblem, type Problem } from '../../../controllers/problem.js';
import type { ViewportController } from '../../../controllers/viewport-controller.js';
import type { Mark } from '../../../report/marks/mark.js';
import { loadMarkFilters } from '../lazy-parts.js';
import { applicableMarks, columnsKey, emptySelection, type MarkSelection } from './mark-selection.js';
import type { PaTile } from './tile-element.js';
import type { HostMenuItems, TileContext, TileHost } from './tile-host.js';

/** What hosting needs from the public element. */
interface TileHostOptions {
  readonly restricted: () => boolean;
  /** These two as the host gives them: they may be anything. */
  readonly imageOrigins: () => unknown;
  readonly menuItems: () => unknown;
  /** Who keeps what is chosen. */
  readonly choosing: LazyDashboardStateController;
  /** There are other tiles, which marks of one can filter. */
  readonly crossFilters: boolean;
  /** The tiles that are there. */
  readonly tiles: () => readonly PaTile[];
}

/** What it takes to filter by marks; it is loaded when the first is chosen. */
interface MarkChoosing extends Pick<Awaited<ReturnType<typeof loadMarkFilters>>, 'choiceOfMarks'> {
  readonly keeper: DashboardStateController;
}

/** What a public element settles for its tiles: what may leave the page, whose marks are chosen, and when all is at rest. */
export class TileHostController implements ReactiveController {
  readonly #element: ReactiveControllerHost & EventTarget & { readonly isConnected: boolean };
  readonly #options: TileHostOptions;
  readonly #marks = new Map<string, MarkSelection>();
  #host: TileHost;
  /** What that was made of. */
  #given: readonly unknown[] = [];
  #isLoading = true;
  #checking: ReturnType<typeof setTimeout> | null = null;

  constructor(
    element: ReactiveControllerHost & EventTarget & { readonly isConnected: boolean },
    options: TileHostOptions,
  ) {
    this.#element = element;
    this.#options = options;
    this.#host = this.#toHost();
    element.addController(this);
  }

  /** What its tiles are given: the same object as long as it is the same. */
  get host(): TileHost {
    return this.#host;
  }

  hostUpdate(): void {
    const { restricted, imageOrigins, menuItems } = this.#options;
    const given = [restricted(), imageOrigins(), menuItems()];
    if (given.every((value, index) => value === this.#given[index])) return;
    this.#given = given;
    this.#host = this.#toHost();
  }

  hostDisconnected(): void {
    if (this.#checking !== null) clearTimeout(this.#checking);
    this.#checking = null;
  }

  /** Marks of a tile that filter the others; a reset takes them back. */
  marksOf(widgetId: string): MarkSelection {
    const chosen = this.#marks.get(widgetId);
    if (!chosen) return emptySelection;
    if (this.#options.choosing.keeper?.marks.has(widgetId)) return chosen;
    this.#marks.delete(widgetId);
    return emptySelection;
  }

  /** All is loaded anew: the next rest is told again. */
  restart(): void {
    this.#isLoading = true;
  }

  /** A tile has come to rest. Others may be wanted only then, so whether all are is looked at a moment later. */
  settle(): void {
    if (!this.#isLoading || this.#checking !== null) return;
    this.#checking = setTimeout(() => {
      this.#checking = null;
      this.#tellRest();
    });
  }

  #tellRest(): void {
    const tiles = this.#options.tiles();
    const wanted = tiles.filter(tile => tile.wanted);
    if (wanted.some(({ rest }) => rest === null) || wanted.length === 0) return;
    this.#isLoading = false;
    const failed = wanted.filter(({ rest }) => rest === 'failed').length;
    this.#element.dispatchEvent(
      new PaLoadEvent({ tiles: wanted.length, failed, waiting: tiles.length - wanted.length }),
    );
  }

  #toHost(): TileHost {
    const { restricted, imageOrigins, menuItems, crossFilters } = this.#options;
    return {
      restricted: restricted(),
      imageOrigins: textsIn(imageOrigins()),
      menuItems: menuItemsIn(menuItems()),
      requests: () => this.#options.choosing.keeper?.request ?? null,
      fire: event => this.#element.dispatchEvent(event),
      choose: crossFilters ? this.#choose : null,
      canClear: filter => this.#options.choosing.keeper?.canClear(filter) ?? false,
      clear: filters => this.#options.choosing.keeper?.clear(filters),
    };
  }

  readonly #choose = (tile: TileContext, picked: readonly Mark[], how: 'add' | 'replace'): void => {
    // Without what filters by marks they filter nothing.
    Promise.all([this.#options.choosing.load(), loadMarkFilters()]).then(
      ([keeper, { choiceOfMarks }]) => this.#chooseBy({ keeper, choiceOfMarks }, tile, picked, how),
      () => {},
    );
  };

  #chooseBy(
    { keeper, choiceOfMarks }: MarkChoosing,
    { widgetId, request, data }: TileContext,
    picked: readonly Mark[],
    how: 'add' | 'replace',
  ): void {
    if (widgetId === null || !request || !data) return;
    const before = this.marksOf(widgetId);
    const chosen = { request, rowSet: data.rowSet, marks: applicableMarks(request, before) };
    const { marks, filters } = choiceOfMarks(chosen, picked, how);
    if (marks.length === 0 && before.marks.length === 0) return;
    if (keeper.chooseMarks(widgetId, filters)) this.#marks.set(widgetId, { marks, columns: columnsKey(request) });
    this.#element.requestUpdate();
  }
}

function textsIn(given: unknown): readonly string[] {
  return Array.isArray(given) ? given.filter(value => typeof value === 'string') : [];
}

/** Its items are read one by one when a menu is opened. */
function menuItemsIn(given: unknown): HostMenuItems {
  return Array.isArray(given) || isFunction(given) ? given : [];
}

function isFunction(value: unknown): value is Extract<HostMenuItems, (...args: never) => unknown> {
  return typeof value === 'function';
}

/** What is loaded with the element of tiles. */
export interface TileKit {
  readonly nearTiles: (host: ReactiveControllerHost) => ViewportController<PaTile>;
}

/** Loads the element of tiles while the session is minted and the dashboard asked for: by then it is there, and nobody waits for it. */
export class TileLoader<Kit extends TileKit> implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #load: () => Promise<Kit>;
  readonly #onProblem: (problem: Problem) => void;
  #loading: Promise<void> | null = null;
  #kit: Kit | null = null;
  #near: ViewportController<PaTile> | null = null;
  #problem: Problem | null = null;

  /**
   * @param load - loads it, with what else takes part in drawing.
   * @param onProblem - called when it can't be loaded.
   */
  constructor(host: ReactiveControllerHost, load: () => Promise<Kit>, onProblem: (problem: Problem) => void) {
    this.#host = host;
    this.#load = load;
    this.#onProblem = onProblem;
    host.addController(this);
  }

  /** What tiles are drawn with; null while none can be. */
  get kit(): Kit | null {
    return this.#kit;
  }

  /** Has tiles load when they come near; null while none can be drawn. */
  get near(): ViewportController<PaTile> | null {
    return this.#near;
  }

  /** Why none can. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** Resolves when tiles can be drawn, or can't. */
  get settled(): Promise<void> {
    this.#loading ??= this.#start();
    return this.#loading;
  }

  hostConnected(): void {
    void this.settled;
  }

  /** Tries again what could not be loaded. */
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
