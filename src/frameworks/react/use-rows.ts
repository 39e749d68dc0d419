'use client';

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { SessionSource } from '../../client/session/session-status.js';
import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import type { Problem } from '../../controllers/problem.js';
import { watchSession } from '../../controllers/rows/find-session.js';
import { RowsController, type RowsStatus } from '../../controllers/rows/rows-controller.js';
import { SessionElement } from './session-element.js';

/** Rows of a query, and how they are loaded. */
export interface Rows {
  readonly status: RowsStatus;
  /** Rows of the current query, also while they are loaded again; `null` if there are none yet. */
  readonly rows: RowSet | null;
  /** Why the rows could not be loaded; `null` if there is no error. Contains no token and no row values. */
  readonly error: Problem | null;
  /** Loads the rows again. Resolves when they are loaded or have failed; never rejects. */
  readonly refresh: () => Promise<void>;
}

/** Options of `useRows`. */
export interface UseRowsOptions {
  /** The session, such as one of `createSessionSource()`. Default: that of the nearest `<PaSession>`. */
  readonly session?: SessionSource | null | undefined;
}

/**
 * Loads the rows of a query for a component that draws them itself. Equal queries are sent once; a new query aborts the
 * previous one. A renewal of the session changes nothing. On a server, nothing is loaded.
 * @param query - the query, or semantic SQL as text; `null` for none.
 */
export function useRows(query: Query | string | null, { session }: UseRowsOptions = {}): Rows {
  const [store] = useState(() => new RowsStore());
  const element = useContext(SessionElement);
  useEffect(() => store.connect(), [store]);
  useEffect(() => {
    if (session !== undefined || !element) return store.useSession(session ?? null);
    return watchSession(element, source => store.useSession(source));
  }, [store, session, element]);
  useEffect(() => store.useQuery(query), [store, query]);
  return useSyncExternalStore(store.subscribe, store.read, store.read);
}

/** Runs a rows controller outside of an element, and notifies React of its changes. */
class RowsStore implements ReactiveControllerHost {
  isConnected = false;
  readonly #controllers: ReactiveController[] = [];
  readonly #listeners = new Set<() => void>();
  #query: Query | string | null = null;
  #session: SessionSource | null = null;
  #pending: Promise<boolean> | null = null;
  readonly #rows = new RowsController(this, { query: () => this.#query, session: () => this.#session });
  readonly #refresh = (): Promise<void> => this.#rows.refresh();
  #result: Rows = { status: 'waiting', rows: null, error: null, refresh: this.#refresh };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): Rows => this.#result;

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
    if (status !== last.status || rows !== last.rows || error !== last.error) {
      this.#result = { status, rows, error, refresh: this.#refresh };
      for (const listener of this.#listeners) listener();
    }
    return true;
  }
}
