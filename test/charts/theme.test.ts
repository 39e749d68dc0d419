import { describe, expect, it } from 'vitest';
import { dataMarks } from '../../src/charts/scene.js';
import { darkTheme, lightTheme, vegaConfig } from '../../src/charts/theme.js';
import { createView } from '../../src/charts/view.js';
import { palette } from '../../src/report/theme/palette.js';
import { columnOf, rowSetOf } from '../report/fixtures.js';

type Rgb = readonly [number, number, number];

/** Returns red, green and blue in linear light, 0 to 1. */
function linear(hex: string): Rgb {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function contrast(a: string, b: string): number {
  const luminance = (hex: string) => {
    const [red, green, blue] = linear(hex);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const apply = (matrix: readonly Rgb[], [x, y, z]: Rgb): Rgb => {
  const row = (r: Rgb | undefined) => (r ? r[0] * x + r[1] * y + r[2] * z : 0);
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
};

/**
 * Matrices that simulate color vision deficiencies at full severity, on linear light (Machado, Oliveira and Fernandes,
 * 2009).
 */
const deficiencies: Readonly<Record<string, readonly Rgb[]>> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

/** Converts a color to CIE Lab (D65). */
function lab(color: Rgb): Rgb {
  const [x, y, z] = apply(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    color.map(value => Math.min(1, Math.max(0, value))) as unknown as Rgb,
  );
  const f = (value: number) => (value > 216 / 24389 ? Math.cbrt(value) : (value * 24389) / 27 / 116 + 16 / 116);
  const [fx, fy, fz] = [f(x / 0.95047), f(y), f(z / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

const distance = (a: Rgb, b: Rgb) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

describe.each([
  ['light', lightTheme, palette.page.light],
  ['dark', darkTheme, palette.page.dark],
] as const)('the %s theme', (_name, theme, page) => {
  it.each(theme.series.map((color, index) => [index + 1, color] as const))(
    'gives series %i (%s) a contrast of 3:1 to page and surface',
    (_index, color) => {
      expect(contrast(color, page)).toBeGreaterThanOrEqual(3);
      expect(contrast(color, theme.surface)).toBeGreaterThanOrEqual(3);
    },
  );

  it('gives labels a contrast of 4.5:1', () => {
    expect(contrast(theme.text, theme.surface)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(theme.muted, theme.surface)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(theme.muted, page)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(Object.entries(deficiencies))('keeps the first six series 12 apart under %s', (_deficiency, matrix) => {
    const seen = theme.series.slice(0, 6).map(color => lab(apply(matrix, linear(color))));
    const distances = seen.flatMap((a, index) => seen.slice(index + 1).map(b => distance(a, b)));
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(12);
  });

  it('draws no frame and no background', () => {
    const legendSpace = { isLow: false, isNarrow: false, columns: 3, lines: 3 };
    expect(vegaConfig(theme, { legendSpace, isMirrored: false, text: 'ltr' })).toMatchObject({
      background: null,
      style: { cell: { stroke: null } },
    });
  });
});

/** Returns the colors of dots for a scale with this number of categories or bins, in order. */
async function colorsOf(color: object, count: number, theme: typeof lightTheme): Promise<string[]> {
  const columns = [columnOf('value', 'number')];
  const rows = Array.from({ length: count }, (_, index) => ({ value: index + 0.5 }));
  const spec = { mark: 'circle', encoding: { x: { field: 'value', type: 'quantitative' }, color } };
  const rowSet = rowSetOf(columns, rows);
  const chart = await createView({ spec, rowSet, theme, locale: 'en', size: { width: 400, height: 300 } });
  const [dots] = [...dataMarks(chart.scene.root)];
  chart.dispose();
  return dots?.mark.items?.map(({ fill }) => String(fill)) ?? [];
}

describe.each([
  ['light', lightTheme],
  ['dark', darkTheme],
  ['account', { ...lightTheme, series: ['rgb(200, 30, 90)', 'rgb(0, 90, 60)'], surface: 'rgba(250, 250, 240, 1)' }],
] as const)('the scales of the %s theme', (_name, theme) => {
  const domain = (count: number) => ({ domain: [0, count] });
  const edges = (count: number) => Array.from({ length: count - 1 }, (_, index) => index + 1);
  const scales: readonly (readonly [string, (count: number) => object])[] = [
    ['ordinal', () => ({ type: 'ordinal' })],
    ['binned', count => ({ type: 'quantitative', bin: { step: 1, extent: [0, count] } })],
    ['continuous', count => ({ type: 'quantitative', scale: domain(count) })],
    ['threshold', count => ({ type: 'quantitative', scale: { type: 'threshold', domain: edges(count) } })],
    ['diverging', count => ({ type: 'quantitative', scale: { ...domain(count), domainMid: count / 2 } })],
  ];

  it.each(scales)('give every category or bin of an %s scale a distinct color', async (_type, channel) => {
    for (const count of [3, 12]) {
      const colors = await colorsOf({ field: 'value', ...channel(count) }, count, theme);
      expect(new Set(colors).size, colors.join(' ')).toBe(count);
    }
  });

  it('distinguish a single category from the surface', async () => {
    const [only = ''] = await colorsOf({ field: 'value', type: 'ordinal' }, 1, theme);
    expect(only).not.toBe(theme.surface);
  });
});

describe('contrast', () => {
  it('is high between black and white, and none between equal colors', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#123456', '#123456')).toBe(1);
  });
});
