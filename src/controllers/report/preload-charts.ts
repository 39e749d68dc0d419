import { loadVega } from '../../charts/load-vega.js';

/**
 * Prefetches the chart modules in parallel to the chart element. Errors are ignored here; the chart that needs the
 * modules reports them.
 */
export function preloadCharts(): void {
  loadVega().catch(() => {});
}
