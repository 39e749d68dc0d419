import type { Notice } from '../elements/messages/message-format.js';
import type { ReportInput } from './report-tile.js';
import type { SceneContext } from './scene-context.js';
import type { Drawing, SceneSize } from './tile-body.js';

/** Context shared by all drawings of a dashboard, with the function that draws its charts. */
export interface DashboardScene extends SceneContext {
  /** Aborts the drawing. */
  readonly signal: AbortSignal;
  readonly drawChart: (report: ReportInput, size: SceneSize) => Promise<Drawing>;
  /** Returns the message for an error. It must not quote data. */
  readonly noticeOf: (error: unknown) => Notice;
}
