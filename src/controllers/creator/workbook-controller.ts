import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { PaConnectionError, PaError, PaErrorCode } from '../../client/errors.js';
import { type SessionSource, SessionStatus } from '../../client/session/session-status.js';
import type { Dashboard, DashboardConfig, ReportSnapshot } from '../../contract/dashboards.js';
import type { DashboardVersion } from '../../contract/workbooks.js';
import type { DashboardTemplate } from '../../report/explore/templates.js';
import { type BoardVersion, isSameBoard } from '../../report/layout/board-differences.js';
import { addTile } from '../../report/layout/edit-board.js';
import { addStep, type History, redoStep, startHistory, undoStep } from '../../report/layout/edit-history.js';
import { LoadController, type LoadState } from '../load-controller.js';
import { type Problem, toProblem } from '../problem.js';
import type { Creator } from './creator.js';
import type { UnsavedDrafts } from './unsaved-draft.js';
import { type LoadedVersion, type LoadedWorkbook, type NewReport, WorkbookService } from './workbook-service.js';

/** Options of a workbook controller. */
export interface WorkbookOptions {
  readonly source: () => SessionSource | null;
  readonly creator: () => Creator | null;
  /** Number of the workbook; 0 if there is none. */
  readonly workbookId: () => number;
  /** Drafts that could not be stored. */
  readonly drafts: () => UnsavedDrafts;
  /** Called for every request that failed. */
  readonly onProblem: (problem: Problem) => void;
}

/** Whether the draft is stored on the platform. */
export type SaveState =
  | { readonly status: 'saved' | 'unsaved' | 'saving' | 'offline' }
  /** Another editor has stored a different draft. Both started with `base`. */
  | { readonly status: 'conflict'; readonly theirs: LoadedWorkbook; readonly base: BoardVersion }
  | { readonly status: 'failed'; readonly problem: Problem };

const saveDelayMs = 700;
const retryDelayMs = 5_000;

/**
 * A workbook in the editor: its draft with undo, its reports, autosave and publishing. Every change is a new draft. A
 * draft is stored only if no other editor has stored one since; otherwise the user decides.
 */
export class WorkbookController implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #options: WorkbookOptions;
  readonly #loading: LoadController<number, LoadedWorkbook>;
  #workbook: LoadedWorkbook | null = null;
  /** Key of the user and the workbook. */
  #key = '';
  #name = '';
  #history: History<DashboardConfig> = startHistory({});
  #reports: ReadonlyMap<number, ReportSnapshot> = new Map();
  /** The draft that is stored, and its revision. */
  #stored: { readonly config: DashboardConfig; readonly revision: string | null } = { config: {}, revision: null };
  #published: Dashboard | null = null;
  #isShared = false;
  #save: SaveState = { status: 'saved' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> | null = null;
  #session: SessionSource | null = null;
  #unsubscribe: (() => void) | undefined;

  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, options: WorkbookOptions) {
    this.#host = host;
    this.#options = options;
    this.#loading = new LoadController(host, {
      source: options.source,
      key: () => (options.creator() ? options.workbookId() || null : null),
      load: (_source, _key, signal) => this.#service.load(signal),
      onProblem: options.onProblem,
    });
    host.addController(this);
  }

  /** State of the request of the workbook. */
  get state(): LoadState<LoadedWorkbook> {
    return this.#loading.state;
  }

  get name(): string {
    return this.#name;
  }

  /** The draft. */
  get config(): DashboardConfig {
    return this.#history.present;
  }

  /** The reports of the draft and of its undo history, by id. */
  get reports(): ReadonlyMap<number, ReportSnapshot> {
    return this.#reports;
  }

  get published(): Dashboard | null {
    return this.#published;
  }

  get isShared(): boolean {
    return this.#isShared;
  }

  get saveState(): SaveState {
    return this.#save;
  }

  get canUndo(): boolean {
    return this.#history.past.length > 0;
  }

  get canRedo(): boolean {
    return this.#history.future.length > 0;
  }

  hostConnected(): void {
    window.addEventListener('beforeunload', this.#handleUnload);
    window.addEventListener('online', this.#handleOnline);
  }

  hostDisconnected(): void {
    window.removeEventListener('beforeunload', this.#handleUnload);
    window.removeEventListener('online', this.#handleOnline);
    this.#unsubscribe?.();
    this.#session = null;
    void this.#leave();
  }

  hostUpdate(): void {
    this.#followSession();
    const { state } = this.#loading;
    const loaded = state.status === 'ready' ? state.value : null;
    if (!loaded || loaded === this.#workbook) return;
    this.#workbook = loaded;
    this.#name = loaded.name;
    this.#history = startHistory(loaded.draft.config);
    this.#stored = loaded.draft;
    this.#reports = loaded.reports;
    this.#published = loaded.published;
    this.#isShared = loaded.isShared;
    this.#show({ status: 'saved' });
    this.#restoreUnsaved();
  }

  /** Reloads the workbook. */
  async reload(): Promise<void> {
    await this.#loading.reload();
  }

  /** Replaces the draft. The change can be undone. */
  change(config: DashboardConfig): void {
    if (config === this.config) return;
    this.#history = addStep(this.#history, config);
    this.#schedule();
  }

  undo(): void {
    this.#history = undoStep(this.#history);
    this.#schedule();
  }

  redo(): void {
    this.#history = redoStep(this.#history);
    this.#schedule();
  }

  /** Creates a report. Rejects with PaError. */
  async createReport(report: NewReport): Promise<ReportSnapshot> {
    const created = await this.#service.createReport(report);
    this.#reports = new Map(this.#reports).set(created.reportId, created);
    return created;
  }

  /** Adds the charts of a template, as a step that can be undone. Rejects with PaError. */
  async addTemplate({ text, charts }: DashboardTemplate): Promise<void> {
    const created: ReportSnapshot[] = [];
    for (const { title, query, meta } of charts) created.push(await this.createReport({ title, query, meta }));
    const textTile = text ? [{ type: 'TEXT' as const, config: { markdown: text }, w: 12, h: 3 }] : [];
    const tiles = charts.map(({ w, h }, index) => {
      return { type: 'CHART' as const, config: { reportId: created[index]?.reportId ?? 0 }, w, h };
    });
    this.change([...textTile, ...tiles].reduce((config, tile) => addTile(config, tile).config, this.config));
  }

  /** Renames the workbook. */
  async rename(name: string): Promise<void> {
    const before = this.#name;
    this.#name = name;
    this.#host.requestUpdate();
    try {
      await this.#service.rename(name);
    } catch (error) {
      this.#name = before;
      this.#fail(error);
    }
  }

  /** Stores the draft now. Resolves when it is stored, or could not be. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#saving;
    if (this.#isStored || this.#save.status === 'conflict') return;
    this.#saving = this.#store();
    await this.#saving;
    this.#saving = null;
  }

  /** Stores and publishes the draft. Rejects with PaError. */
  async publish(options: { readonly isShared: boolean }): Promise<Dashboard | null> {
    await this.flush();
    if (!this.#isStored) return null;
    this.#published = await this.#service.publish({ title: this.#name, ...options });
    this.#isShared = options.isShared;
    this.#host.requestUpdate();
    return this.#published;
  }

  /** Returns the published versions, newest first. Rejects with PaError. */
  versions(): Promise<readonly DashboardVersion[]> {
    return this.#service.versions();
  }

  /** Returns a published version. Rejects with PaError. */
  version(versionNumber: number): Promise<LoadedVersion> {
    return this.#service.version(versionNumber);
  }

  /** Replaces the draft with a version, as a step that can be undone. Rejects with PaError. */
  async restore(version: LoadedVersion): Promise<void> {
    const { config, reports } = await this.#service.restore(version);
    this.#reports = new Map([...this.#reports, ...reports]);
    this.change(config);
  }

  /**
   * Resolves a conflict: `mine` replaces the stored draft; `theirs` replaces the user's, as a step that can be undone.
   */
  async resolve(choice: 'mine' | 'theirs'): Promise<void> {
    if (this.#save.status !== 'conflict') return;
    const { theirs } = this.#save;
    this.#stored = theirs.draft;
    this.#reports = new Map([...this.#reports, ...theirs.reports]);
    if (choice === 'theirs') this.#history = addStep(this.#history, theirs.draft.config);
    this.#show({ status: this.#isStored ? 'saved' : 'unsaved' });
    await this.flush();
  }

  /** Resolves a conflict: stores the user's draft as a new workbook, and continues with the stored one. */
  async resolveByCopy(name: string): Promise<void> {
    if (this.#save.status !== 'conflict') return;
    try {
      await this.#service.copy(name, this.config, this.#reports);
    } catch (error) {
      this.#options.onProblem(toProblem(error));
      return;
    }
    await this.resolve('theirs');
  }

  /** Stores the draft. If that fails, keeps it for the next editor of the same user. */
  async #leave(): Promise<void> {
    if (this.#isStored) return;
    const [key, drafts] = [this.#key, this.#options.drafts()];
    drafts.keep({ key, config: this.config, stored: this.#stored });
    await this.flush();
    if (this.#isStored) drafts.take(key);
  }

  /** Continues with a draft that was not stored. If the stored one has changed since, the user decides. */
  #restoreUnsaved(): void {
    this.#key = this.#currentKey;
    const unsaved = this.#options.drafts().take(this.#key);
    if (!unsaved) return;
    this.#stored = unsaved.stored;
    this.change(unsaved.config);
  }

  /** Stores the draft when a session of the same user has started again. */
  #followSession(): void {
    const session = this.#options.source();
    // An update may be pending when the element is removed.
    if (session === this.#session || !this.#host.isConnected) return;
    this.#unsubscribe?.();
    this.#session = session;
    this.#unsubscribe = session?.subscribe(event => {
      const isStarted = event.type === 'status' && event.status === SessionStatus.ready;
      if (isStarted && this.#save.status === 'failed' && this.#key === this.#currentKey) void this.flush();
    });
  }

  get #currentKey(): string {
    return JSON.stringify([this.#options.source()?.identity, this.#options.workbookId()]);
  }

  get #isStored(): boolean {
    return this.config === this.#stored.config;
  }

  get #service(): WorkbookService {
    const [source, creator] = [this.#options.source(), this.#options.creator()];
    if (!source || !creator) throw new PaError(PaErrorCode.sessionEnded, 'The session has ended.');
    return new WorkbookService(source, creator, this.#options.workbookId());
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#save.status !== 'conflict') {
      this.#save = { status: this.#isStored ? 'saved' : 'unsaved' };
      this.#timer = setTimeout(() => void this.flush(), saveDelayMs);
    }
    this.#host.requestUpdate();
  }

  async #store(): Promise<void> {
    const { config } = this;
    this.#show({ status: 'saving' });
    try {
      const revision = await this.#service.save({ config, revision: this.#stored.revision });
      this.#stored = { config, revision };
      this.#show({ status: this.#isStored ? 'saved' : 'unsaved' });
      if (!this.#isStored) this.#schedule();
    } catch (error) {
      if (error instanceof PaError && error.code === PaErrorCode.draftChanged) await this.#showConflict();
      else if (error instanceof PaConnectionError) this.#retryLater();
      else this.#fail(error);
    }
  }

  async #showConflict(): Promise<void> {
    try {
      const theirs = await this.#service.load(new AbortController().signal);
      const base = { config: this.#stored.config, reports: this.#reports };
      if (isSameBoard(theirs.draft.config, this.config)) {
        this.#stored = { config: this.config, revision: theirs.draft.revision };
        this.#show({ status: 'saved' });
      } else this.#show({ status: 'conflict', theirs, base });
    } catch (error) {
      this.#fail(error);
    }
  }

  #retryLater(): void {
    this.#show({ status: 'offline' });
    this.#timer = setTimeout(() => void this.flush(), retryDelayMs);
  }

  #fail(error: unknown): void {
    const problem = toProblem(error);
    this.#show({ status: 'failed', problem });
    this.#options.onProblem(problem);
  }

  #show(state: SaveState): void {
    this.#save = state;
    this.#host.requestUpdate();
  }

  /** Makes the browser warn the user before it discards changes that are not stored. */
  readonly #handleUnload = (event: BeforeUnloadEvent): void => {
    if (!this.#isStored) event.preventDefault();
  };

  readonly #handleOnline = (): void => {
    if (this.#save.status === 'offline') void this.flush();
  };
}
