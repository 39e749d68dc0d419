export { cube, type Dialect } from '../client/dialect.js';
export { PaError, PaErrorCode } from '../client/errors.js';
export type { ChatSessionSettings } from '../contract/chat.js';
export type { EmbedGrant } from '../contract/embed-grant.js';
export type {
  DashboardOutput,
  FailedTile,
  PageFormat,
  RenderControls,
  RenderDashboardOptions,
  RenderedDashboard,
  RenderedReport,
  RenderReportOptions,
  RenderSize,
  RenderTheme,
  ReportOutput,
  RowRequestOptions,
  RowSource,
} from '../render/render-options.js';
export { type ChatProxyHandler, type ChatProxyOptions, chatProxyHandler } from './chat-proxy-handler.js';
export { createEmbedSession, type EmbedSessionOptions } from './create-embed-session.js';
export { type EmbedSessionHandlerOptions, embedSessionHandler } from './embed-session-handler.js';
export { type ExportHandler, type ExportHandlerOptions, exportHandler } from './export-handler.js';
export { renderDashboard, renderReport } from './render.js';
export { type NodeHandler, toNodeHandler, type WebHandler } from './to-node-handler.js';
