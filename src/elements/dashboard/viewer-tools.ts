import { html, nothing, type TemplateResult } from 'lit';
import type { AppConfig } from '../../contract/app-config.js';
import type { SessionSource } from '../../controllers/session/session-context.js';
import type { CommentedDashboard } from '../parts/comments/commented-dashboard.js';
import { loadComments, loadViews } from '../parts/lazy-parts.js';

/** Renders the buttons next to the title of a dashboard with which viewers save views and work together. */
export function renderViewerTools(
  dashboard: CommentedDashboard,
  source: SessionSource | null,
  account: AppConfig | null,
): TemplateResult {
  const hasViews = source?.settings?.allowSavedViews === true;
  return html`${hasViews ? renderViews(dashboard, source) : nothing}
  ${account?.embedding?.enableDashboardComments === true ? renderComments(dashboard, source) : nothing}`;
}

function renderViews(dashboard: CommentedDashboard, source: SessionSource): TemplateResult {
  // If it cannot be loaded, the dashboard is shown without saved views.
  loadViews().catch(() => {});
  return html`<pa-views
    exportparts="views-button, views"
    .source=${source}
    .publicId=${dashboard.publicId}
    .dashboard=${dashboard}
    .values=${dashboard.getState()}
  ></pa-views>`;
}

function renderComments(dashboard: CommentedDashboard, source: SessionSource | null): TemplateResult {
  // If it cannot be loaded, the dashboard is shown without comments.
  loadComments().catch(() => {});
  return html`<pa-comments
    exportparts="comments-button, comments, comment"
    .source=${source}
    .publicId=${dashboard.publicId}
    .dashboard=${dashboard}
  ></pa-comments>`;
}
