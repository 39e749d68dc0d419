import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { SessionSource } from '../../client/session/session-status.js';
import { LoadController, loadedValue } from '../load-controller.js';
import { type Problem, toProblem } from '../problem.js';
import type { Creator } from './creator.js';
import { type WorkspaceItem, type WorkspacePage, WorkspaceService, type WorkspaceView } from './workspace-service.js';

/** Options of a workspace controller. */
export interface WorkspaceOptions {
  readonly source: () => SessionSource | null;
  readonly creator: () => Creator | null;
  /** Called for every request that failed. */
  readonly onProblem: (problem: Problem) => void;
}

/** How long a deletion can be undone, in ms. */
const undoMs = 8_000;

/** The list that a workspace shows first. */
const firstView: WorkspaceView = { scope: 'own', folderId: null, search: '', order: 'name', favorites: false };

/**
 * The list of a workspace, page by page, and the actions of the user on its items. A deletion is sent only when it can
 * no longer be undone: after some seconds, with the next deletion, or when the element leaves the page.
 */
export class WorkspaceController implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #options: WorkspaceOptions;
  readonly #list: LoadController<WorkspaceView, WorkspacePage>;
  #view: WorkspaceView = firstView;
  /** The list after loading further pages and after changes. Valid only while `of` is the loaded first page. */
  #rest: { readonly of: WorkspacePage; readonly items: readonly WorkspaceItem[]; readonly next: string | null } | null =
    null;
  #isReadingMore = false;
  #pending: { readonly item: WorkspaceItem; readonly timer: ReturnType<typeof setTimeout> } | null = null;
  #problem: Problem | null = null;

  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, options: WorkspaceOptions) {
    this.#host = host;
    this.#options = options;
    this.#list = new LoadController(host, {
      source: options.source,
      key: () => (options.creator() ? this.#view : null),
      load: (_source, view, signal) => this.#required.list(view, null, signal),
      isCompatible: (loaded, requested) =>
        (['scope', 'folderId', 'favorites'] as const).every(name => loaded[name] === requested[name]),
      onProblem: options.onProblem,
    });
    host.addController(this);
  }

  /** Scope, folder, search, order and filter of the list. */
  get view(): WorkspaceView {
    return this.#view;
  }

  /** State of the list. */
  get state(): 'loading' | 'ready' | 'failed' {
    const { status } = this.#list.state;
    if (status === 'failed') return 'failed';
    return status === 'ready' ? 'ready' : 'loading';
  }

  /** Why the list could not be loaded; `null` if it was loaded or is loading. */
  get listProblem(): Problem | null {
    return this.#list.state.status === 'failed' ? this.#list.state.problem : null;
  }

  /** The items loaded so far; `null` until the first page is loaded. */
  get items(): readonly WorkspaceItem[] | null {
    const page = loadedValue(this.#list.state);
    if (!page) return null;
    const items = this.#rest?.of === page ? this.#rest.items : page.items;
    const deleted = this.#pending?.item;
    return deleted ? items.filter(item => !isSame(item, deleted)) : items;
  }

  /** Whether there are more pages. */
  get hasMore(): boolean {
    return this.#next !== null;
  }

  /** The item whose deletion can still be undone. */
  get deleted(): WorkspaceItem | null {
    return this.#pending?.item ?? null;
  }

  /** Reason why the last action failed; `null` after a successful one. */
  get problem(): Problem | null {
    return this.#problem;
  }

  hostDisconnected(): void {
    void this.flush();
  }

  /** Shows another list. */
  show(view: Partial<WorkspaceView>): void {
    this.#view = { ...this.#view, ...view };
    this.#problem = null;
    this.#host.requestUpdate();
  }

  /** Reloads the list. */
  async reload(): Promise<void> {
    await this.#list.reload();
  }

  /** Loads the next page. */
  async more(): Promise<void> {
    const page = loadedValue(this.#list.state);
    const next = this.#next;
    if (!page || next === null || this.#isReadingMore) return;
    this.#isReadingMore = true;
    const before = this.#rest?.of === page ? this.#rest.items : page.items;
    await this.#act(async service => {
      const more = await service.list(this.#view, next, new AbortController().signal);
      const added = more.items.filter(item => !before.some(known => isSame(known, item)));
      this.#rest = { of: page, items: [...before, ...added], next: more.next };
    });
    this.#isReadingMore = false;
  }

  /** Returns the user's own folders in a folder; `null` if they could not be loaded. */
  async folders(parentId: number | null) {
    return this.#act(service => service.folders(parentId));
  }

  /** Creates a workbook in the current folder. Returns `null` if that failed. */
  async createWorkbook(name: string): Promise<WorkspaceItem | null> {
    const created = await this.#act(service => service.createWorkbook(name, this.#view.folderId));
    if (created) void this.reload();
    return created;
  }

  /** Creates a folder in the current folder. */
  async createFolder(name: string): Promise<void> {
    await this.#act(service => service.createFolder(name, this.#view.folderId));
    await this.reload();
  }

  /** Renames an item. */
  async rename(item: WorkspaceItem, name: string): Promise<void> {
    await this.#act(async service => {
      await service.rename(item, name);
      this.#change(items => items.map(each => (isSame(each, item) ? { ...each, name } : each)));
    });
  }

  /** Adds an item to the user's favorites, or removes it. It stays in the list until the list is reloaded. */
  async setFavorite(item: WorkspaceItem, mark: Pick<WorkspaceItem, 'isFavorite'>): Promise<void> {
    const show = (isFavorite: boolean) => {
      this.#change(items => items.map(each => (isSame(each, item) ? { ...each, isFavorite } : each)));
      this.#host.requestUpdate();
    };
    show(mark.isFavorite);
    await this.#act(service => service.setFavorite(item, mark));
    if (this.#problem) show(item.isFavorite);
  }

  /** Moves an item into a folder, or to the root (`null`). */
  async move(item: WorkspaceItem, folderId: number | null): Promise<void> {
    await this.#act(async service => {
      await service.move(item, folderId);
      if (this.#view.search) await this.reload();
      else this.#change(items => items.filter(each => !isSame(each, item)));
    });
  }

  /** Copies a workbook. Returns `null` if that failed. */
  async duplicate(item: WorkspaceItem): Promise<WorkspaceItem | null> {
    const copy = await this.#act(service => service.duplicate(item, this.#view.scope));
    if (copy) this.show({ scope: 'own', ...(this.#view.scope === 'shared' && { folderId: null, search: '' }) });
    if (copy) await this.reload();
    return copy;
  }

  /** Removes an item from the list, and deletes it unless the user undoes this. */
  remove(item: WorkspaceItem): void {
    void this.flush();
    this.#pending = { item, timer: setTimeout(() => void this.flush(), undoMs) };
    this.#host.requestUpdate();
  }

  /** Cancels the pending deletion. */
  undo(): void {
    if (this.#pending) clearTimeout(this.#pending.timer);
    this.#pending = null;
    this.#host.requestUpdate();
  }

  /** Sends the pending deletion. */
  async flush(): Promise<void> {
    const pending = this.#pending;
    if (!pending) return;
    clearTimeout(pending.timer);
    this.#change(items => items.filter(item => !isSame(item, pending.item)));
    this.#pending = null;
    await this.#act(service => service.remove(pending.item));
    if (this.#problem) await this.reload();
    // The content of a folder moves to the root.
    else if (pending.item.type === 'FOLDER' && this.#view.folderId === null) await this.reload();
  }

  get #next(): string | null {
    const page = loadedValue(this.#list.state);
    if (!page) return null;
    return this.#rest?.of === page ? this.#rest.next : page.next;
  }

  get #service(): WorkspaceService | null {
    const [source, creator] = [this.#options.source(), this.#options.creator()];
    return source && creator && new WorkspaceService(source, creator);
  }

  get #required(): WorkspaceService {
    const service = this.#service;
    if (!service) throw new Error('The session does not have creator mode.');
    return service;
  }

  #change(change: (items: readonly WorkspaceItem[]) => readonly WorkspaceItem[]): void {
    const page = loadedValue(this.#list.state);
    if (!page) return;
    const items = this.#rest?.of === page ? this.#rest.items : page.items;
    this.#rest = { of: page, items: change(items), next: this.#next };
  }

  async #act<T>(work: (service: WorkspaceService) => Promise<T>): Promise<T | null> {
    const service = this.#service;
    if (!service) return null;
    this.#problem = null;
    try {
      return await work(service);
    } catch (error) {
      this.#problem = toProblem(error);
      this.#options.onProblem(this.#problem);
      return null;
    } finally {
      this.#host.requestUpdate();
    }
  }
}

function isSame(a: WorkspaceItem, b: WorkspaceItem): boolean {
  return a.type === b.type && a.id === b.id;
}
