import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { SessionSource } from '../../client/session/session-status.js';
import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import type { Problem } from '../../controllers/problem.js';
import { RowsController, type RowsStatus } from '../../controllers/rows/rows-controller.js';

/** Rows of a query, and how they are loaded. */
export interface Rows {
  readonly status: RowsStatus;
  /** Rows of the current query, which remain available during a reload; `null` if there are none yet. */
  readonly rows: RowSet | null;
  /** Reason why the rows could not be loaded; `null` if there is no error. Contains no token and no row values. */
  readonly error: Problem | null;
  /** Loads the rows again. Resolves when they are loaded or have failed; never rejects. */
  readonly refresh: () => Promise<void>;
}

/** Runs a rows controller outside of an element, and notifies React of its changes. */
export class RowsStore implements ReactiveControllerHost {
  isConnected = false;
  readonly #controllers: ReactiveController[] = [];
  readonly #listeners = new Set<() => void>();
  #query: Query | string | null = null;
  #session: SessionSource | null = null;
  #pending: Promise<boolean> | null = null;
  readonly #rows = new RowsController(this, { query: () => this.#query, session: () => this.#session });
  readonly #refresh = (): Promise<void> => this.#rows.refresh();
  /** Identity that `#result` was loaded for. */
  #identity: string | null | undefined;
  #result: Rows = { status: 'waiting', rows: null, error: null, refresh: this.#refresh };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the same object until the rows change. */
  readonly read = (): Rows => {
    // React renders a hidden `<Activity>` again before its effects run, and the identity may have changed since.
    if (this.#result.rows && this.#identity !== this.#session?.identity)
      this.#result = { status: 'waiting', rows: null, error: null, refresh: this.#refresh };
    return this.#result;
  };

  useQuery(query: Query | string | null): void {
    this.#query = query;
    this.requestUpdate();
  }

  useSession(session: SessionSource | null): void {
    this.#session = session;
    this.requestUpdate();
  }

  /** Starts loading. Returns a function that aborts it. */
  connect(): () => void {
    this.isConnected = true;
    for (const controller of this.#controllers) controller.hostConnected?.();
    this.requestUpdate();
    return () => {
      this.isConnected = false;
      for (const controller of this.#controllers) controller.hostDisconnected?.();
    };
  }

  addController(controller: ReactiveController): void {
    this.#controllers.push(controller);
  }

  removeController(): void {}

  get updateComplete(): Promise<boolean> {
    return this.#pending ?? Promise.resolve(true);
  }

  requestUpdate(): void {
    this.#pending ??= Promise.resolve().then(() => this.#update());
  }

  #update(): boolean {
    this.#pending = null;
    if (!this.isConnected) return true;
    for (const controller of this.#controllers) controller.hostUpdate?.();
    for (const controller of this.#controllers) controller.hostUpdated?.();
    const { status, rows, error } = this.#rows;
    const last = this.#result;
    this.#identity = this.#session?.identity;
    if (status !== last.status || rows !== last.rows || error !== last.error) {
      this.#result = { status, rows, error, refresh: this.#refresh };
      for (const listener of this.#listeners) listener();
    }
    return true;
  }
}
