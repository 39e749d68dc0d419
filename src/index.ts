// Import the session first, so that the elements inside it find it when they are upgraded.
import './elements/session/pa-session.js';

export type { PaErrorCode } from './client/errors.js';
export type { Dashboard, DashboardConfig, DashboardWidget, ReportSnapshot } from './contract/dashboards.js';
export type { EmbedSessionSettings } from './contract/embed.js';
export type { Query } from './contract/query.js';
export type { RowSet } from './contract/row-set.js';
export type { FilterCondition } from './contract/widget-config.js';
export type { ToolRenderers } from './elements/chat/chat-context.js';
export { PaChat } from './elements/chat/pa-chat.js';
export { PaDashboard } from './elements/dashboard/pa-dashboard.js';
export {
  type DrillTarget,
  type MarkSubject,
  type PaChatErrorDetail,
  PaChatErrorEvent,
  type PaChatFeedbackDetail,
  PaChatFeedbackEvent,
  type PaChatMessageDetail,
  PaChatMessageEvent,
  type PaChatToolDetail,
  PaChatToolEvent,
  type PaDownloadDetail,
  PaDownloadEvent,
  type PaDrillDetail,
  PaDrillEvent,
  type PaErrorDetail,
  PaErrorEvent,
  type PaFilterChangeDetail,
  PaFilterChangeEvent,
  type PaLoadDetail,
  PaLoadEvent,
  PaMarkClickEvent,
  type PaOpenDetail,
  PaOpenEvent,
  type PaPublishDetail,
  PaPublishEvent,
  PaSessionExpiredEvent,
  PaSessionExpiringEvent,
  PaSessionReadyEvent,
  type PaTimingDetail,
  PaTimingEvent,
  type TileSubject,
} from './elements/events.js';
export {
  type Rendered,
  type Renderer,
  type RendererInput,
  type RendererTheme,
  type RenderFunction,
  registerRenderer,
} from './elements/parts/custom/renderers.js';
export type { HostMenuItem, HostMenuItems, MenuContext } from './elements/parts/tile/tile-host.js';
export { type PreloadOptions, preload } from './elements/preload.js';
export { PaReport } from './elements/report/pa-report.js';
export { PaSession } from './elements/session/pa-session.js';
export { PaWorkbook } from './elements/workbook/pa-workbook.js';
export { PaWorkspace } from './elements/workspace/pa-workspace.js';
export type { Filters } from './report/controls/control-state.js';
export type { DashboardState } from './report/controls/dashboard-state.js';
export type { DashboardTheme } from './report/theme/theme.js';
