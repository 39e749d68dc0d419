import { retryLoad } from './retry-load.js';

/** Loads the tile element and everything that queries reports; runs while the session is created. */
export function loadTile() {
  return retryLoad(() => import('./tile/pa-tile.js'));
}

/** Loads the tile element, and the layout and rendering of widgets. */
export async function loadBoard() {
  const [kit, board] = await Promise.all([loadTile(), retryLoad(() => import('../dashboard/board.js'))]);
  return { ...kit, ...board };
}

/** Loads the controller of the dashboard state: filters, selections and tabs. */
export function loadDashboardState() {
  return retryLoad(() => import('../../controllers/dashboard/dashboard-state-controller.js'));
}

/** Loads the code that prints the page. */
export function loadPrinting() {
  return retryLoad(() => import('./print-page.js'));
}

/** Loads the code that converts selected marks into filters. */
export function loadMarkFilters() {
  return retryLoad(() => import('./tile/choose-marks.js'));
}

/** Loads the element for exports by the host's server. */
export async function loadExport(): Promise<void> {
  await retryLoad(() => import('./export/export-element.js'));
}

/** Loads the element for the `debug` attribute. */
export async function loadDebug(): Promise<void> {
  await retryLoad(() => import('./debug/debug-element.js'));
}

/** Loads the elements for containers and widget errors. */
export async function loadContainers(): Promise<void> {
  await retryLoad(() => import('./container/pa-container.js'));
}

/** Loads the controls bar. */
export async function loadControls(): Promise<void> {
  await retryLoad(() => import('./controls/controls-element.js'));
}

/** Loads the element for comments. */
export async function loadComments(): Promise<void> {
  await retryLoad(() => import('./comments/comments-element.js'));
}

/** Loads the button that edits a dashboard. */
export async function loadEditButton(): Promise<void> {
  await retryLoad(() => import('../dashboard/editor/edit-button-element.js'));
}

/** Loads the element for dashboards of kind APP. */
export async function loadApp(): Promise<void> {
  await retryLoad(() => import('../dashboard/app/app-element.js'));
}

/** Loads the element for saved views. */
export async function loadViews(): Promise<void> {
  await retryLoad(() => import('./views/views-element.js'));
}
