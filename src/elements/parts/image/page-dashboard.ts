import type { AiWidget } from '../../../contract/ai-widgets.js';
import type { Dashboard } from '../../../contract/dashboards.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';

/** A dashboard that the page writes to a file. */
export interface PageDashboard {
  readonly dashboard: Dashboard;
  readonly aiWidgets: readonly AiWidget[];
  readonly source: SessionSource;
  /** An element that inherits the theme. */
  readonly frame: HTMLElement;
}
