import type { PartKind } from './tile-view.js';

const loaders: Readonly<Record<PartKind, () => Promise<unknown>>> = {
  vega: () => import('../chart/pa-tile-chart.js'),
  table: () => import('../table/pa-tile-table.js'),
  kpi: () => import('../kpi/pa-tile-kpi.js'),
  text: () => import('../text/pa-tile-text.js'),
};

/** Loads the element that draws one kind of body: each is a chunk of its own, which pages without that kind never load. */
export async function loadPart(kind: PartKind): Promise<void> {
  await loaders[kind]();
}

/** Loads the element that stands on a tile while its query takes long. */
export async function loadWait(): Promise<void> {
  await import('../wait/pa-tile-wait.js');
}

/** Loads the element of a dashboard's control. */
export async function loadControl(): Promise<void> {
  await import('../control/pa-control.js');
}
