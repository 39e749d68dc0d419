import type { JsonObject } from '../contract/wire.js';
import type { Direction } from '../report/format/locale.js';
import { fontFamily, palette, type Shade, seriesColors } from '../report/theme/palette.js';

/** Colours and type of a chart, in CSS values: what the page's custom properties say, as one object. */
export interface ChartTheme {
  /** Axis labels, titles, legends. */
  readonly text: string;
  readonly muted: string;
  /** Gridlines and axes. */
  readonly line: string;
  /** What a chart stands on: gaps between slices and outlines of points. */
  readonly surface: string;
  /** Colours of series in order; the first also colours a chart of one series. */
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

/** Name of the signal that holds the colour of a single series, so that a compiled chart still follows the theme. */
export const accentSignal = 'paAccent';

/** Name of the signal that holds the colour of text and rules that a specification gives no colour. */
export const textSignal = 'paText';

/** Name of the signal that holds the size of the whole chart, px: parts of it that must leave room for its marks reckon with that. */
export const sizeSignal = 'paSize';

/**
 * Value of `labelOverlap` in a compiled specification for labels that are turned if they overlap. `prepareSpec` replaces it by the method of
 * `vega/labels.ts`.
 */
export const turnedLabels = 'turn';

/** The room that a chart leaves to its legends. */
export interface LegendRoom {
  /** Whether most of the height is needed for marks. */
  readonly low: boolean;
  /** Whether most of the width is needed for marks: no legend stands beside them. */
  readonly narrow: boolean;
  readonly columns: number;
  /** Lines of entries that all legends above a chart have together. */
  readonly lines: number;
}

/** Room for legends in a chart of so many pixels. Of the chart, not of its plot: that has its size when legends have theirs. */
export function legendRoom({ width, height }: { readonly width: number; readonly height: number }): LegendRoom {
  const low = height < 180;
  const column = low || width < 250 ? 70 : 127;
  return {
    low,
    narrow: width < 400,
    columns: Math.max(1, Math.floor(width / column)),
    // So that there is a chart below its legends, and an axis with a title below that.
    lines: Math.max(2, Math.floor((height * 0.4 - 40) / 14)),
  };
}

/** What the look of a chart depends on besides its theme. */
interface LookOptions {
  readonly room: LegendRoom;
  /** True if the plot is mirrored: its main y axis is on the right. */
  readonly isMirrored: boolean;
  /** Direction of the reader's language. */
  readonly text: Direction;
}

/** The look of a chart as Vega's config: no frame, hairlines, small muted type. What a specification says itself wins. */
export function vegaConfig(theme: ChartTheme, { room, isMirrored, text }: LookOptions): JsonObject {
  const { low, columns } = room;
  const start = text === 'rtl' ? 'end' : 'start';
  const titleAlign = isMirrored ? 'right' : 'left';
  const mainAxis = { domain: false, titleAlign, titleAnchor: 'end', titleAngle: 0, titleX: 0, titleY: -10 };
  const otherAxis = { domain: false, titleLimit: { signal: `0.6 * ${sizeSignal}.height` } };
  const layout = { direction: 'vertical', frame: 'bounds', anchor: start };
  const label = { font: theme.font, fontSize: 12 };
  const columnPadding = low ? 6 : 12;
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
      // Side by side they would leave the tile, and beside wide labels of an axis too: each takes as many columns as fit.
      layout: { top: layout, bottom: layout },
      offset: 10,
      rowPadding: low ? 0 : 2,
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
      // Schemes, not lists: Vega interpolates a scheme for any number of categories or bins, and repeats a list.
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
 * Defaults that Vega-Lite writes into what it compiles: colors by signal, corners, axes and titles. Marks, points, lines, opacity
 * and gaps stay those of stock Vega-Lite. No color is fixed, because a specification is compiled once, when its dashboard is
 * published, and drawn in every theme.
 */
export const vegaLiteConfig: JsonObject = {
  aria: false,
  // Categories and dates say what they are; it is figures that need a title.
  axisDiscrete: { title: null },
  axisQuantitative: { grid: true },
  axisXQuantitative: { tickCount: { signal: 'max(2, ceil(width / 80))' } },
  axisXTemporal: { tickCount: { signal: 'max(2, ceil(width / 80))' } },
  axisTemporal: { grid: false, labelFlush: true, title: null },
  axisXDiscrete: { labelAngle: 0, labelLimit: 120, labelOverlap: turnedLabels, labelSeparation: 6 },
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
  // The order of day and month is the viewer's (see `chart-locale.ts`), not the compiler's.
  timeFormat: '%x',
  view: { stroke: null },
};
