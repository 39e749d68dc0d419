import { loadVega } from '../../charts/load-vega.js';

/** Starts loading what charts are drawn by, beside the element that shows them. Failing is left to the chart that needs it. */
export function preloadCharts(): void {
  loadVega().catch(() => {});
}
