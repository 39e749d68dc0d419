import type { ReactiveControllerHost } from 'lit';
import { PaError, PaErrorCode } from '../../client/errors.js';
import type { SessionSource } from '../../client/session/session-status.js';
import type { Dashboard } from '../../contract/dashboards.js';
import { LoadController } from '../load-controller.js';
import type { Problem } from '../problem.js';

/** Options of a dashboard controller. */
export interface DashboardOptions {
  readonly source: () => SessionSource | null;
  /** Public id of the dashboard; empty if there is none. */
  readonly publicId: () => string;
  readonly onProblem: (problem: Problem) => void;
}

/** Loads a published dashboard with the snapshots of its reports. */
export class DashboardController extends LoadController<string, Dashboard> {
  readonly #request: { isFresh: boolean };

  constructor(
    host: ReactiveControllerHost & { readonly isConnected: boolean },
    { source, publicId, onProblem }: DashboardOptions,
  ) {
    const request = { isFresh: false };
    super(host, {
      source,
      key: () => publicId() || null,
      load: (session, id, signal) => session.getDashboard(id, { signal, ...request }).catch(explainId),
      onProblem,
    });
    this.#request = request;
  }

  /** Loads the dashboard as it is published now, without the cache of the session. */
  async reloadPublished(): Promise<void> {
    this.#request.isFresh = true;
    const reload = this.reload();
    this.#request.isFresh = false;
    await reload;
  }
}

/** Rethrows an error of the request. The request contains only the id, so 400 means that no dashboard has this id. */
function explainId(error: unknown): never {
  if (!(error instanceof PaError) || error.status !== 400) throw error;
  const { status, requestId } = error;
  throw new PaError(PaErrorCode.notFound, 'No dashboard with this public id.', { status, requestId });
}
