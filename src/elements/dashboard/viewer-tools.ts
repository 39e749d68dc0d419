import { html, nothing, type TemplateResult } from 'lit';
import type { AppConfig } from '../../contract/app-config.js';
import type { SessionSource } from '../../controllers/session/session-context.js';
import type { CommentedDashboard, PlacedTiles } from '../parts/comments/commented-dashboard.js';
import { loadComments, loadViews } from '../parts/lazy-parts.js';

interface ViewerToolsOptions {
  /** The session; `null` until the filter state is known. */
  readonly source: SessionSource | null;
  readonly account: AppConfig | null;
  readonly tiles: PlacedTiles;
  /** Called when the default view was applied, or when there is none. */
  readonly onViewOpened: () => void;
}

/** Whether the viewer can save views. If so, tiles wait for the default view. */
export function hasSavedViews(source: SessionSource | null): boolean {
  return source?.settings?.allowSavedViews === true;
}

/** Renders the buttons for saved views and comments, next to the title of a dashboard. */
export function renderViewerTools(dashboard: CommentedDashboard, options: ViewerToolsOptions): TemplateResult {
  const { source, account } = options;
  return html`${source && hasSavedViews(source) ? renderViews(dashboard, { ...options, source }) : nothing}
  ${account?.embedding?.enableDashboardComments === true ? renderComments(dashboard, options) : nothing}`;
}

function renderViews(
  dashboard: CommentedDashboard,
  { source, onViewOpened }: Pick<ViewerToolsOptions, 'onViewOpened'> & { readonly source: SessionSource },
): TemplateResult {
  // If the element cannot be loaded, the dashboard is shown without saved views.
  loadViews().catch(onViewOpened);
  return html`<pa-views
    exportparts="views-button, views"
    .source=${source}
    .publicId=${dashboard.publicId}
    .dashboard=${dashboard}
    .values=${dashboard.getState()}
    .onOpened=${onViewOpened}
  ></pa-views>`;
}

function renderComments(
  dashboard: CommentedDashboard,
  { source, tiles }: Pick<ViewerToolsOptions, 'source' | 'tiles'>,
): TemplateResult {
  // If the element cannot be loaded, the dashboard is shown without comments.
  loadComments().catch(() => {});
  return html`<pa-comments
    exportparts="comments-button, comments, comment"
    .source=${source}
    .publicId=${dashboard.publicId}
    .dashboard=${dashboard}
    .tiles=${tiles}
  ></pa-comments>`;
}
