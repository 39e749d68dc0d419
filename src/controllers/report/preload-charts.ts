import { loadVega } from '../../charts/load-vega.js';

/** Prefetches the chart modules in parallel to the chart element. */
export function preloadCharts(): void {
  // The chart that needs the modules loads them again and reports the error.
  loadVega().catch(() => {});
}
