import { html, nothing, type TemplateResult } from 'lit';
import type { AppConfig } from '../../contract/app-config.js';
import type { LazyDashboardStateController } from '../../controllers/dashboard/lazy-dashboard-state-controller.js';
import type { Problem } from '../../controllers/problem.js';
import type { SessionSource } from '../../controllers/session/session-context.js';
import type { PageMessages } from '../messages/page-messages.js';
import type { CommentedDashboard } from '../parts/comments/commented-dashboard.js';
import type { ShownDashboard } from '../parts/export/export-target.js';
import { heading } from '../parts/heading.js';
import { notice, problemDetails } from '../parts/notice.js';
import { renderSubscribe } from '../parts/subscribe/render-subscribe.js';
import { crossFilterOf } from '../parts/tile/mark-selection.js';
import type { TileHostController } from '../parts/tile/tile-hosting.js';
import { tileParts } from '../parts/tile/tile-parts.js';
import { renderApp } from './app/render-app.js';
import type { BoardContent, DashboardBoard } from './dashboard-board.js';
import { renderPanel } from './dashboard-states.js';
import { renderEditButton } from './editor/render-editor.js';
import { renderBoard } from './render-board.js';
import { renderViewerTools } from './viewer-tools.js';
import type { DashboardTile } from './widgets.js';

/** The state of the dashboard element for rendering. */
export interface DashboardView {
  readonly element: CommentedDashboard;
  readonly source: SessionSource | null;
  readonly account: AppConfig | null;
  readonly state: LazyDashboardStateController;
  readonly tileHosting: TileHostController;
  /** Message about the session; `null` if there is none. */
  readonly session: TemplateResult | null;
  readonly level: number;
  readonly isBlank: boolean;
  readonly isEditable: boolean;
  readonly allowsApps: boolean;
  readonly shownAs: (title: string) => ShownDashboard;
  readonly renderExport: (title: string) => unknown;
  readonly onEdit: () => void;
  readonly onRetryAll: () => void;
}

/** Renders a dashboard with its title, tools, controls and widgets. */
export function renderDashboard(board: DashboardBoard, content: BoardContent, view: DashboardView): TemplateResult {
  const { dashboard, messages, list } = content;
  const { config } = dashboard;
  const { session, source } = view;
  const hidden = list.hidden + (view.state.stateController?.unread ?? 0);
  const title = config.title || dashboard.title || messages.dashboard;
  const description = config.description || dashboard.description;
  const bar = renderControls(board, view);
  const isBeside = bar !== nothing && !board.hasControls;
  return html`<section aria-labelledby="title">
    <div class=${isBeside ? 'title with-bar' : 'title'} part="title">
      <div class="title-line">
        ${heading(view.level, 'title', title)}
        <div class="tools">
          ${renderSubscribe(source, () => view.shownAs(title))} ${view.renderExport(title)}
          ${renderViewerTools(view.element, {
            source: view.state.ready ? source : null,
            account: view.account,
            tiles: list,
            onViewOpened: board.handleViewOpened,
          })}
          ${view.isEditable ? renderEditButton({ source, workbookId: dashboard.workbookId }, view.onEdit) : nothing}
        </div>
      </div>
      ${description ? html`<p dir="auto">${description}</p>` : nothing}
      ${isBeside ? bar : nothing}
    </div>
    ${session ? html`<div class="panel banner">${session}</div>` : nothing}
    ${!session && board.allFailed ? renderAllFailed(board.allFailed, messages, view.onRetryAll) : nothing}
    <slot name="header"></slot>
    ${isBeside ? nothing : bar}
    ${
      list.tree.length === 0 ? html`<slot name="empty">${renderPanel(notice(messages.emptyDashboard))}</slot>` : nothing
    }
    ${renderAppOf(board, content, view, title) ?? renderWidgets(board, content, view)}
    ${hidden > 0 ? html`<p class="note" part="note">${messages.hiddenWidgets(hidden)}</p>` : nothing}
  </section>`;
}

/**
 * Renders the bar of controls before its code is loaded, to avoid layout shifts. Without visible controls, the bar is
 * next to the title, so that the chips of mark filters do not add a row.
 */
function renderControls(board: DashboardBoard, { state, source }: DashboardView): TemplateResult | typeof nothing {
  if (!board.hasBar) return nothing;
  const { stateController } = state;
  return html`<pa-controls
    exportparts="controls, control, panel, reset, sheet-button, sheet"
    .controls=${stateController?.controls ?? []}
    .choices=${stateController?.choices ?? []}
    .model=${stateController?.model ?? null}
    .touched=${stateController?.touched ?? false}
    .source=${source}
    .chooser=${stateController}
  ></pa-controls>`;
}

function renderAppOf(
  board: DashboardBoard,
  { dashboard }: BoardContent,
  { allowsApps, isBlank, state, tileHosting }: DashboardView,
  title: string,
): TemplateResult | undefined {
  if (!allowsApps || isBlank) return undefined;
  return renderApp(dashboard, {
    source: board.readySource,
    host: tileHosting.host,
    choicesFor: widget => state.choicesFor(widget),
    title,
  });
}

function renderWidgets(board: DashboardBoard, content: BoardContent, view: DashboardView): TemplateResult {
  const { panes } = board;
  const { state } = view;
  panes.follow(board.readySource);
  const scene = {
    list: content.list,
    board: content.layout,
    panes,
    tabOf: (containerId: string) => state.tabOf(containerId),
    onOpen: (containerId: string, tab: string) => state.openTab(containerId, tab),
    renderTile: (tile: DashboardTile, level: number) => renderTile(board, content, view, { tile, level }),
  };
  return renderBoard(scene, view.level + 1);
}

function renderTile(
  board: DashboardBoard,
  { dashboard }: BoardContent,
  { state, tileHosting }: DashboardView,
  { tile, level }: { readonly tile: DashboardTile; readonly level: number },
): TemplateResult {
  const { content, title } = board.aiTiles.faceOf(tile);
  const { widget } = tile;
  return html`<pa-tile
    exportparts=${tileParts}
    .content=${content}
    .host=${tileHosting.host}
    .widgetId=${widget.id}
    .chosen=${tileHosting.marksOf(widget.id)}
    .crossFilter=${crossFilterOf(widget, dashboard.config.settings)}
    .choices=${state.choicesFor(widget)}
    .source=${board.readySource}
    .heading=${title}
    .level=${level}
    .bare=${tile.bare}
    .quiet=${board.allFailed !== null}
    .onSettle=${board.tiles.settleCallback(widget.id)}
    .onFigure=${board.tiles.alignFigures}
  ></pa-tile>`;
}

/** Renders one message above the tiles if all of them failed. Each tile then only states that it was not loaded. */
function renderAllFailed(problem: Problem, messages: PageMessages, retry: () => void): TemplateResult {
  const [, hint] = messages.problems[problem.kind];
  const action = { label: messages.retryAll, run: retry };
  return html`<div class="panel banner">${notice([messages.allFailed, hint], action, problemDetails(problem, messages))}</div>`;
}
