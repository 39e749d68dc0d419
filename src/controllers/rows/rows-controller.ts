import type { ReactiveControllerHost } from 'lit';
import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import { LoadController, loadedValue } from '../load-controller.js';
import type { Problem } from '../problem.js';
import type { SessionSource } from '../session/session-context.js';
import { SessionController, type SessionHost } from '../session/session-controller.js';

/** Status of rows: `waiting` without query or session, `loading` during the first load and every reload. */
export type RowsStatus = 'waiting' | 'loading' | 'ready' | 'failed';

/** Options of a rows controller. */
export interface RowsOptions {
  /**
   * Returns the query, or semantic SQL as text; `null` if there is none. Called before each update. An equal query is
   * not sent again.
   */
  readonly query: () => Query | string | null;
}

/** Options of a rows controller with the page's own session, such as one of `createSessionSource()`. */
export interface RowsSessionOptions extends RowsOptions {
  /** The session; `null` while there is none. The page starts and ends it. */
  readonly session: () => SessionSource | null;
}

/** A host that is not an element. */
type PlainHost = ReactiveControllerHost & { readonly isConnected: boolean };

/**
 * Loads the rows of a query for an element that draws them itself, and updates the element when they change.
 *
 * Uses the session of the nearest `<pa-session>`. Without one, uses the host's own properties `sessionUrl` (or
 * `session`) and `baseUrl`. The latest query wins and aborts the previous one. A renewal of the session changes
 * nothing. If the identity changes, the rows are dropped and reloaded.
 */
export class RowsController {
  readonly #load: LoadController<Query | string, RowSet>;
  #query: { readonly text: string; readonly value: Query | string } | null = null;

  constructor(host: SessionHost, options: RowsOptions);
  constructor(host: PlainHost, options: RowsSessionOptions);
  constructor(host: SessionHost | PlainHost, options: RowsOptions | RowsSessionOptions) {
    const source = 'session' in options ? options.session : ownSource(host);
    this.#load = new LoadController(host, {
      source,
      key: () => this.#currentQuery(options.query()),
      load: (session, query, signal) =>
        typeof query === 'string' ? session.sql(query, { signal }) : session.load(query, { signal }),
    });
  }

  /** Status of the rows of the current query. */
  get status(): RowsStatus {
    const { status } = this.#load.state;
    return status === 'stopped' ? 'waiting' : status;
  }

  /** Rows of the current query, which remain available during a reload; `null` if there are none yet. */
  get rows(): RowSet | null {
    return loadedValue(this.#load.state);
  }

  /** Reason why the rows could not be loaded; `null` if there is no error. Contains no token and no row values. */
  get error(): Problem | null {
    const { state } = this.#load;
    return state.status === 'failed' ? state.problem : null;
  }

  /** Reloads the rows. Resolves when they are loaded or have failed; never rejects. */
  async refresh(): Promise<void> {
    await this.#load.reload();
  }

  /** Returns the same object for equal queries, because a load controller compares keys by identity. */
  #currentQuery(value: Query | string | null): Query | string | null {
    if (value === null) return null;
    const text = JSON.stringify(value);
    if (this.#query?.text !== text) this.#query = { text, value };
    return this.#query.value;
  }
}

function ownSource(host: SessionHost | PlainHost): () => SessionSource | null {
  // The overloads of the constructor exclude hosts that have no session properties.
  const session = new SessionController(host as SessionHost);
  return () => session.source;
}
