import { PaAbortError } from '../../client/errors.js';
import type { SessionSource } from '../../client/session/session-status.js';
import type { MetaResponse } from '../../contract/meta.js';
import type { SqlReportSource } from '../../report/query/load-report.js';

/** Loads rows of reports from a session. One signal aborts all requests. */
export function reportSourceOf(session: SessionSource, signal: AbortSignal): SqlReportSource {
  return {
    load: query => session.load(query, { signal }),
    sql: text => session.sql(text, { signal }),
    meta: () => readModel(session, signal),
  };
}

/** Returns the model; `null` if it cannot be loaded. */
async function readModel(session: SessionSource, signal: AbortSignal): Promise<MetaResponse | null> {
  try {
    return await session.meta({ signal });
  } catch (error) {
    if (signal.aborted || error instanceof PaAbortError) throw error;
    return null;
  }
}
