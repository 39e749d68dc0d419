import type { ReactiveControllerHost } from 'lit';
import { listDashboardVersions } from '../../client/operations/workbooks.js';
import type { SessionSource } from '../../client/session/session-status.js';
import { LoadController } from '../load-controller.js';
import type { Creator } from './creator.js';

/** Options of an edit access controller. */
export interface EditAccessOptions {
  readonly source: () => SessionSource | null;
  readonly creator: () => Creator | null;
  /** Number of the workbook; 0 if there is none. */
  readonly workbookId: () => number;
}

/** Whether the user may edit a workbook. The platform lists the versions of a workbook only for its editors. */
export class EditAccessController extends LoadController<number, true> {
  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, options: EditAccessOptions) {
    const { source, creator, workbookId } = options;
    super(host, {
      source,
      key: () => (creator() && workbookId()) || null,
      load: async (session, id, signal) => {
        const ref = { deploymentId: creator()?.deploymentId ?? 0, workbookId: id };
        await session.authorize(connection => listDashboardVersions(connection, ref, { signal }));
        return true;
      },
    });
  }

  get isAllowed(): boolean {
    return this.state.status === 'ready';
  }
}
