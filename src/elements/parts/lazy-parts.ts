import { retryLoad } from './retry-load.js';

/** Loads the element of tiles, with all that it takes to ask for a report: while the session is minted. */
export function loadTile() {
  return retryLoad(() => import('./tile/pa-tile.js'));
}

/** Loads the element of tiles, and what lays out and draws the widgets of a dashboard. */
export async function loadBoard() {
  const [kit, board] = await Promise.all([loadTile(), retryLoad(() => import('../dashboard/board.js'))]);
  return { ...kit, ...board };
}

/** Loads the frames of containers, and the words in the place of widgets. */
export async function loadContainers(): Promise<void> {
  await retryLoad(() => import('./container/pa-container.js'));
}

/** Loads what keeps the choices on a dashboard. */
export function loadDashboardState() {
  return retryLoad(() => import('../../controllers/dashboard/dashboard-state-controller.js'));
}

/** Loads what prints the page. */
export function loadPrinting() {
  return retryLoad(() => import('./print-page.js'));
}

/** Loads what says by which conditions marks filter other tiles. */
export function loadMarkFilters() {
  return retryLoad(() => import('../../report/marks/mark-filters.js'));
}

/** Loads the bar of a dashboard's controls. */
export async function loadControls(): Promise<void> {
  await retryLoad(() => import('./controls/pa-controls.js'));
}

/** Loads what explains an element that shows nothing. */
export async function loadDebug(): Promise<void> {
  await retryLoad(() => import('./debug/pa-debug.js'));
}
