import { html, nothing, type TemplateResult } from 'lit';
import type { AppConfig } from '../../contract/app-config.js';
import type { SessionSource } from '../../controllers/session/session-context.js';
import type { CommentedDashboard } from '../parts/comments/commented-dashboard.js';
import { loadComments } from '../parts/lazy-parts.js';

/** Renders the buttons next to the title of a dashboard with which viewers work together. */
export function renderViewerTools(
  dashboard: CommentedDashboard,
  source: SessionSource | null,
  account: AppConfig | null,
): TemplateResult | typeof nothing {
  if (account?.embedding?.enableDashboardComments !== true) return nothing;
  // If it cannot be loaded, the dashboard is shown without comments.
  loadComments().catch(() => {});
  return html`<pa-comments
    exportparts="comments-button, comments, comment"
    .source=${source}
    .publicId=${dashboard.publicId}
    .dashboard=${dashboard}
  ></pa-comments>`;
}
