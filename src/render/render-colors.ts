import type { Dashboard } from '../contract/dashboards.js';
import { palette, type Shade, seriesColors } from '../report/theme/palette.js';
import { schemeOf, type ThemeTokens, themeTokens } from '../report/theme/theme.js';
import { hexOf, type Rgb, type SceneColors } from '../scene/scene-colors.js';
import type { RenderTheme } from './render-options.js';

/** Resolves a CSS color to red, green and blue; `null` if it is not a color. */
export type ColorReader = (css: string) => Rgb | null;

/** Resolves the tokens of all themes. Colors that cannot be resolved fall back to their defaults. */
export function renderColors(
  { scheme, own, session, account }: RenderTheme,
  dashboard: Dashboard['config']['theme'],
  read: ColorReader,
): SceneColors {
  const tokens = themeTokens({ element: own, session, dashboard, account: account ?? null });
  const chosen = scheme ?? schemeOf(tokens) ?? 'light';
  const color = (name: string, fallback: Shade | string): string => {
    const value = tokenColor(tokens, name, chosen);
    const rgb = value === null ? null : read(value);
    if (rgb) return hexOf(rgb);
    return typeof fallback === 'string' ? fallback : fallback[chosen];
  };
  const line = color('line', palette.line);
  const text = color('text', palette.text);
  return {
    scheme: chosen,
    page: color('background', palette.surface),
    surface: color('surface', palette.surface),
    text,
    muted: color('muted', palette.muted),
    line,
    accent: color('accent', palette.accent),
    danger: color('danger', palette.danger),
    success: color('success', palette.success),
    warn: color('warn', palette.warn),
    border: color('tile-border-color', line),
    title: color('title-color', text),
    series: seriesColors.map((shade, index) => color(`series-${index + 1}`, shade)),
    radius: lengthOf(tokens, 'radius', 10, 40),
    padding: lengthOf(tokens, 'tile-padding', 16, 48),
    borderWidth: tokens.get('tile-border-style') === 'none' ? 0 : lengthOf(tokens, 'tile-border-width', 1, 8),
    titleSize: Math.max(10, lengthOf(tokens, 'title-size', 14, 28)),
  };
}

/** Returns the value of a token in one scheme. */
function tokenColor(tokens: ThemeTokens, name: string, scheme: 'light' | 'dark'): string | null {
  const value = tokens.get(name) ?? null;
  const [, light, dark] = /^light-dark\((.+), (.+)\)$/.exec(value ?? '') ?? [];
  return (scheme === 'light' ? light : dark) ?? value;
}

const unitSizes: Readonly<Record<string, number>> = { px: 1, rem: 16, em: 16, pt: 4 / 3 };

/** Returns a length in px; of several lengths, the first one. */
function lengthOf(tokens: ThemeTokens, name: string, fallback: number, max: number): number {
  const [, number, unit = 'px'] = /^([\d.]+)(px|rem|em|pt)?(?:\s|$)/.exec(tokens.get(name) ?? '') ?? [];
  const length = Number(number) * (unitSizes[unit] ?? Number.NaN);
  return Number.isFinite(length) ? Math.min(length, max) : fallback;
}
