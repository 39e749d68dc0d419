import type { ReactiveControllerHost } from 'lit';
import type { SessionSource } from '../../client/session/session-status.js';
import type { AiWidget } from '../../contract/ai-widgets.js';
import type { Dashboard } from '../../contract/dashboards.js';
import { LoadController, loadedValue } from '../load-controller.js';

/** An answer of a chat, as it is pinned to a widget. */
export interface AnswerName {
  /** `null` undoes the last change to the widget. */
  readonly threadId: string | null;
  readonly checksum: string;
}

/** The AI widgets of a dashboard, by widget id. */
export interface LoadedAiWidgets {
  /** Whether the viewer may pin answers. */
  readonly canPin: boolean;
  readonly byId: ReadonlyMap<string, AiWidget>;
}

interface AiWidgetsOptions {
  readonly source: () => SessionSource | null;
  readonly dashboard: () => Dashboard | null;
}

/** Loads the AI widgets of a dashboard as its viewer sees them, and pins answers to them. */
export class AiWidgetsController extends LoadController<Dashboard, LoadedAiWidgets> {
  readonly #options: AiWidgetsOptions;

  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, options: AiWidgetsOptions) {
    let last: LoadedAiWidgets | null = null;
    super(host, {
      source: options.source,
      key: () => withAiWidgets(options.dashboard()),
      load: async (session, { publicId }, signal) => {
        const { listAiWidgets } = await import('../../client/operations/ai-widgets.js');
        const { canPin, items } = await session.authorize(connection =>
          listAiWidgets(connection, publicId, { signal }),
        );
        // Equal widgets stay the same objects, so that their tiles do not render again.
        const known = last?.byId;
        last = {
          canPin,
          byId: new Map(items.map(item => [item.widgetId, unchanged(known?.get(item.widgetId), item)])),
        };
        return last;
      },
      isCompatible: (loaded, requested) => loaded.publicId === requested.publicId,
    });
    this.#options = options;
  }

  /** The widgets; `null` until they are loaded. */
  get loaded(): LoadedAiWidgets | null {
    return loadedValue(this.state);
  }

  /** Resolves when the widgets are loaded or have failed; immediately if the dashboard has none. */
  override async settled(): Promise<void> {
    if (withAiWidgets(this.#options.dashboard())) await super.settled();
  }

  /** Pins an answer to a widget and shows it. Rejects with PaError. */
  async pin(widgetId: string, answer: AnswerName): Promise<void> {
    const [session, dashboard] = [this.#options.source(), this.#options.dashboard()];
    if (!session || !dashboard) return;
    const { updatePublishedDashboardAiWidgetThread: update } = await import('../../client/operations/workbooks.js');
    const { deploymentId, workbookId } = dashboard;
    await session.authorize(connection => update(connection, { deploymentId, workbookId }, { widgetId, ...answer }));
    await this.reload();
  }
}

/** Returns the dashboard if it has AI widgets. */
function withAiWidgets(dashboard: Dashboard | null): Dashboard | null {
  return dashboard?.config.widgets?.some(({ type }) => type === 'AI') ? dashboard : null;
}

function unchanged(before: AiWidget | undefined, now: AiWidget): AiWidget {
  return before && JSON.stringify(before) === JSON.stringify(now) ? before : now;
}
