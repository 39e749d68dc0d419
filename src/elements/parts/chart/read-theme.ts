import type { ChartTheme } from '../../../controllers/report/chart-controller.js';

/** Reads the theme from an element whose children each have one of its colors (`chart.styles.ts`). */
export function readTheme(probe: Element): ChartTheme {
  const own = getComputedStyle(probe);
  const [muted = '', line = '', ...series] = Array.from(probe.children, child => toRgb(getComputedStyle(child).color));
  return {
    text: toRgb(own.color),
    muted,
    line,
    surface: toRgb(own.backgroundColor),
    series,
    font: own.fontFamily,
  };
}

/**
 * Converts a computed color to `rgb()` or `rgba()`, because Vega cannot interpolate between colors in other notations,
 * such as `oklch()`.
 */
function toRgb(color: string): string {
  if (color.startsWith('rgb')) return color;
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  if (!canvas) return color;
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return `rgba(${red}, ${green}, ${blue}, ${alpha / 255})`;
}
