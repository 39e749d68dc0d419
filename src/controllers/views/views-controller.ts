import type { ReactiveControllerHost } from 'lit';
import type { PlatformConnection } from '../../client/http/connection.js';
import * as operations from '../../client/operations/dashboard-views.js';
import type { SessionSource } from '../../client/session/session-status.js';
import type { ControlValues } from '../../contract/control-values.js';
import type { DashboardView } from '../../contract/dashboard-views.js';
import { LoadController, loadedValue } from '../load-controller.js';
import { type Problem, toProblem } from '../problem.js';

/** The views of a dashboard that the viewer sees. */
export interface LoadedViews {
  readonly items: readonly DashboardView[];
  /** The view that opens with the dashboard; `null` if there is none. */
  readonly defaultViewId: number | null;
}

interface ViewsOptions {
  readonly source: () => SessionSource | null;
  /** Public id of the dashboard; if empty, nothing is loaded. */
  readonly publicId: () => string;
}

/**
 * Loads the saved views of a dashboard, and saves, changes and deletes them. Actions return the reason of a failure, or
 * `null`.
 */
export class ViewsController extends LoadController<string, LoadedViews> {
  readonly #options: ViewsOptions;
  /** The last list, which stays if a reload fails. */
  #last: { readonly views: LoadedViews; readonly of: string } | null = null;

  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, options: ViewsOptions) {
    super(host, {
      source: options.source,
      key: () => options.publicId() || null,
      load: async (session, publicId, signal) => {
        const { items, defaultViewId = null } = await session.authorize(connection =>
          operations.listDashboardViews(connection, publicId, { signal }),
        );
        return { items, defaultViewId };
      },
    });
    this.#options = options;
  }

  /** The views, even if a reload failed; `null` until they are loaded, or if the session may not save any. */
  get loaded(): LoadedViews | null {
    const { state } = this;
    const of = JSON.stringify([this.#options.source()?.identity, this.#options.publicId()]);
    const views = loadedValue(state);
    if (views) this.#last = { views, of };
    const isKept = state.status === 'loading' || (state.status === 'failed' && state.problem.kind !== 'denied');
    return views ?? (isKept && this.#last?.of === of ? this.#last.views : null);
  }

  save(name: string, state: ControlValues): Promise<Problem | null> {
    return this.#act((connection, publicId) => operations.createDashboardView(connection, publicId, { name, state }));
  }

  /** Saves a deleted view again, as the default view if it was the default. */
  restore({ name, state, isShared }: DashboardView, options: { readonly isDefault: boolean }): Promise<Problem | null> {
    return this.#act(async (connection, publicId) => {
      const body = { name, state, isShared };
      const { id } = await operations.createDashboardView(connection, publicId, body);
      if (options.isDefault) await operations.setDefaultDashboardView(connection, publicId, { viewId: id });
    });
  }

  change(
    viewId: number,
    change: { readonly name?: string; readonly state?: ControlValues; readonly isShared?: boolean },
  ): Promise<Problem | null> {
    return this.#act((connection, publicId) =>
      operations.updateDashboardView(connection, { publicId, viewId }, change),
    );
  }

  remove(viewId: number): Promise<Problem | null> {
    return this.#act((connection, publicId) => operations.deleteDashboardView(connection, { publicId, viewId }));
  }

  /** Sets the view that opens with the dashboard; `null` clears it. */
  setDefault(viewId: number | null): Promise<Problem | null> {
    return this.#act((connection, publicId) => operations.setDefaultDashboardView(connection, publicId, { viewId }));
  }

  async #act(call: (connection: PlatformConnection, publicId: string) => Promise<unknown>): Promise<Problem | null> {
    const [session, publicId] = [this.#options.source(), this.#options.publicId()];
    if (!session || !publicId) return null;
    try {
      await session.authorize(connection => call(connection, publicId));
      await this.reload();
      return null;
    } catch (error) {
      return toProblem(error);
    }
  }
}
