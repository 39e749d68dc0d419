'use client';

import { useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { SessionSource } from '../../client/session/session-status.js';
import type { Query } from '../../contract/query.js';
import { watchSession } from '../../controllers/rows/find-session.js';
import { type Rows, RowsStore } from './rows-store.js';
import { SessionElement } from './session-element.js';

/** Options of `useRows`. */
export interface UseRowsOptions {
  /** The session, such as one of `createSessionSource()`. Default: that of the nearest `<PaSession>`. */
  readonly session?: SessionSource | null | undefined;
}

/**
 * Loads the rows of a query for a component that draws them itself. Equal queries are sent once; a new query aborts the
 * previous one. A renewal of the session changes nothing. On a server, nothing is loaded.
 * @param query - the query, or semantic SQL as text; `null` if there is none.
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
