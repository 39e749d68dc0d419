import { retried } from './tile/retried.js';

/** Loads the element of tiles, with all that it takes to ask for a report: while the session is minted. */
export function loadTile() {
  return retried(() => import('./tile/pa-tile.js'));
}

/** Loads the element of tiles, and what lays out and draws the widgets of a dashboard. */
export async function loadBoard() {
  const [kit, board] = await Promise.all([loadTile(), retried(() => import('../dashboard/board.js'))]);
  return { ...kit, ...board };
}

/** Loads the frames of containers, and the words in the place of widgets. */
export async function loadContainers(): Promise<void> {
  await retried(() => import('./container/pa-container.js'));
}

/** Loads what keeps the choices on a dashboard. */
export function loadKeeper() {
  return retried(() => import('../../controllers/dashboard-state-controller.js'));
}

/** Loads what prints the page. */
export function loadPrinting() {
  return retried(() => import('./print-page.js'));
}

/** Loads what says by which conditions marks filter other tiles. */
export function loadMarkFilters() {
  return retried(() => import('../../report/mark-filters.js'));
}

/** Loads the bar of a dashboard's controls. */
export async function loadControls(): Promise<void> {
  await retried(() => import('./controls/pa-controls.js'));
}

/** Loads what explains an element that shows nothing. */
export async function loadDebug(): Promise<void> {
  await retried(() => import('./debug/pa-debug.js'));
}
