import type { ChartTheme } from '../../../controllers/chart-controller.js';

/** Reads the theme off an element whose children each wear one of its colours (`chart.styles.ts`). */
export function readTheme(probe: Element): ChartTheme {
  const own = getComputedStyle(probe);
  const [muted = '', line = '', ...series] = Array.from(probe.children, child => getComputedStyle(child).color);
  return { text: own.color, muted, line, surface: own.backgroundColor, series, font: own.fontFamily };
}
