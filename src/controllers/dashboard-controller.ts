import type { ReactiveControllerHost } from 'lit';
import type { SessionSource } from '../client/session-status.js';
import type { Dashboard } from '../contract/dashboards.js';
import { LoadController } from './load-controller.js';
import type { Problem } from './problem.js';

/** What a dashboard controller needs from its host. */
export interface DashboardOptions {
  readonly source: () => SessionSource | null;
  /** Public id of the dashboard; empty asks for none. */
  readonly publicId: () => string;
  readonly onProblem: (problem: Problem) => void;
}

/** Loads a published dashboard with the snapshots of its reports. */
export class DashboardController extends LoadController<string, Dashboard> {
  constructor(
    host: ReactiveControllerHost & { readonly isConnected: boolean },
    { source, publicId, onProblem }: DashboardOptions,
  ) {
    super(host, {
      source,
      key: () => publicId() || null,
      load: (session, id, signal) => session.getDashboard(id, { signal }),
      onProblem,
    });
  }
}
