import type { JsonObject } from '../contract/wire.js';
import type { Direction } from '../report/format/locale.js';
import { fontFamily, palette, type Shade, seriesColors } from '../report/theme/palette.js';

/** Colors and font of a chart as CSS values: the page's custom properties as an object. */
export interface ChartTheme {
  /** Color of axis labels, titles and legends. */
  readonly text: string;
  readonly muted: string;
  /** Color of gridlines and axes. */
  readonly line: string;
  /** Background behind the chart: the color of gaps between slices and outlines of points. */
  readonly surface: string;
  /** Colors of series in order; a chart of one series uses the first. */
  readonly series: readonly string[];
  readonly font: string;
}

function themeOf(scheme: keyof Shade): ChartTheme {
  return {
    text: palette.text[scheme],
    muted: palette.muted[scheme],
    line: palette.line[scheme],
    surface: palette.surface[scheme],
    series: seriesColors.map(color => color[scheme]),
    font: fontFamily,
  };
}

/** The tokens of the light scheme. */
export const lightTheme: ChartTheme = themeOf('light');

/** The tokens of the dark scheme. */
export const darkTheme: ChartTheme = themeOf('dark');

/** Name of the signal that contains the color of a single series, so that a compiled chart follows the theme. */
export const accentSignal = 'paAccent';

/** Name of the signal that contains the color of text and rule marks for which the specification sets no color. */
export const textSignal = 'paText';

/**
 * Name of the signal that contains the size of the whole chart, px. Parts that must leave space for the marks compute
 * their limits from it.
 */
export const sizeSignal = 'paSize';

/**
 * Value of `labelOverlap` in a compiled specification for labels that are rotated if they overlap. `prepareSpec`
 * replaces it with the options of `vega/labels.ts`.
 */
export const rotatedLabels = 'turn';

/** The space that a chart provides for its legends. */
export interface LegendSpace {
  /** True if the chart needs most of its height for marks. */
  readonly isLow: boolean;
  /** True if the chart needs most of its width for marks. Legends are then not placed next to the marks. */
  readonly isNarrow: boolean;
  readonly columns: number;
  /** Total lines of entries of all legends above the chart. */
  readonly lines: number;
}

/**
 * Computes the space for legends from the size of the chart, px. The size of the plot is known only after the legends
 * are laid out.
 */
export function legendSpaceOf({ width, height }: { readonly width: number; readonly height: number }): LegendSpace {
  const isLow = height < 180;
  const column = isLow || width < 250 ? 70 : 127;
  return {
    isLow,
    isNarrow: width < 400,
    columns: Math.max(1, Math.floor(width / column)),
    // Reserves height for the chart and for an axis with a title below the legends.
    lines: Math.max(2, Math.floor((height * 0.4 - 40) / 14)),
  };
}

/** Options of `vegaConfig` in addition to the theme. */
interface ConfigOptions {
  readonly legendSpace: LegendSpace;
  /** True if the plot is mirrored, that is, its main y axis is on the right. */
  readonly isMirrored: boolean;
  /** Direction of the reader's language. */
  readonly text: Direction;
}

/**
 * Returns the Vega config of a theme: no frame, hairlines, small muted text. Settings of the specification take
 * precedence.
 */
export function vegaConfig(theme: ChartTheme, { legendSpace, isMirrored, text }: ConfigOptions): JsonObject {
  const { isLow, columns } = legendSpace;
  const start = text === 'rtl' ? 'end' : 'start';
  const titleAlign = isMirrored ? 'right' : 'left';
  const mainAxis = { domain: false, titleAlign, titleAnchor: 'end', titleAngle: 0, titleX: 0, titleY: -10 };
  const otherAxis = { domain: false, titleLimit: { signal: `0.6 * ${sizeSignal}.height` } };
  const layout = { direction: 'vertical', frame: 'bounds', anchor: start };
  const label = { font: theme.font, fontSize: 12 };
  const columnPadding = isLow ? 6 : 12;
  const ramp = { scheme: [theme.line, theme.series[0], theme.text], extent: [0, 0.75] };
  return {
    aria: false,
    background: null,
    font: theme.font,
    axis: {
      domainColor: theme.line,
      gridColor: theme.line,
      gridWidth: 1,
      labelColor: theme.muted,
      labelFontSize: 12,
      labelPadding: 6,
      tickColor: theme.line,
      ticks: false,
      titleColor: theme.muted,
      titleFontSize: 12,
      titleFontWeight: 'normal',
      titleLimit: { signal: `0.6 * ${sizeSignal}.width` },
      titlePadding: 8,
    },
    axisLeft: isMirrored ? otherAxis : mainAxis,
    axisRight: isMirrored ? mainAxis : otherAxis,
    legend: {
      columnPadding,
      columns,
      direction: 'horizontal',
      gradientLength: 120,
      gradientThickness: 8,
      labelColor: theme.text,
      labelFontSize: 12,
      labelLimit: { signal: `${sizeSignal}.width / ${columns} - ${columnPadding + 18}` },
      // Do not place legends side by side, because they could overflow the tile, especially next to wide axis labels.
      // Each legend gets as many columns as fit.
      layout: { top: layout, bottom: layout },
      offset: 10,
      rowPadding: isLow ? 0 : 2,
      orient: 'top',
      symbolSize: 80,
      symbolType: 'circle',
      titleAnchor: start,
      titleColor: theme.muted,
      titleFontSize: 12,
      titleFontWeight: 'normal',
    },
    range: {
      category: theme.series,
      // Vega interpolates schemes for any number of categories or bins, but repeats lists of colors.
      diverging: { scheme: [theme.series[1], theme.line, theme.series[0]] },
      heatmap: ramp,
      ordinal: { scheme: [theme.surface, theme.series[0], theme.text], extent: [0.2, 0.8] },
      ramp,
    },
    rule: { stroke: theme.muted },
    style: {
      cell: { fill: 'transparent', stroke: null },
      'group-subtitle': { ...label, fill: theme.muted },
      'group-title': { ...label, fill: theme.text, fontSize: 14, fontWeight: 600 },
      'guide-label': { ...label, fill: theme.muted },
      'guide-title': { ...label, fill: theme.muted, fontWeight: 'normal' },
      text: { ...label, fill: theme.text },
    },
    text: { ...label, fill: theme.text },
    title: { anchor: start, color: theme.text, fontSize: 14, fontWeight: 600, subtitleColor: theme.muted },
  };
}

/**
 * Defaults that Vega-Lite writes into the compiled specification: colors (as signals), corners, axes and titles. Marks,
 * points, lines, opacity and gaps are those of stock Vega-Lite. Colors are never fixed, because a specification is
 * compiled once, when its dashboard is published, and rendered in every theme.
 */
export const vegaLiteConfig: JsonObject = {
  aria: false,
  // Categories and dates are self-explanatory; only numbers need a title.
  axisDiscrete: { title: null },
  axisQuantitative: { grid: true },
  axisXQuantitative: { labelSeparation: 8, tickCount: { signal: 'max(2, ceil(width / 80))' } },
  axisXTemporal: { labelSeparation: 8, tickCount: { signal: 'max(2, ceil(width / 80))' } },
  axisTemporal: { grid: false, labelFlush: true, title: null },
  axisXDiscrete: { labelAngle: 0, labelLimit: 120, labelOverlap: rotatedLabels, labelSeparation: 6 },
  axisYDiscrete: { labelLimit: 160, labelOverlap: 'parity' },
  bar: { cornerRadiusEnd: 2 },
  header: { labelFontWeight: 'normal', title: null },
  legend: { title: null },
  line: { strokeCap: 'round', strokeJoin: 'round' },
  mark: { color: { expr: accentSignal }, tooltip: true },
  params: [
    { name: accentSignal, value: lightTheme.series[0] },
    { name: textSignal, value: lightTheme.text },
  ],
  rule: { color: { expr: textSignal } },
  text: { color: { expr: textSignal } },
  // The viewer's locale, not the compiler's, determines the order of day and month (see `chart-locale.ts`).
  timeFormat: '%x',
  view: { stroke: null },
};
