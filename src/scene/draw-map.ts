import type { ReportSnapshot } from '../contract/dashboards.js';
import type { RowSet } from '../contract/row-set.js';
import { describeMap, leftOut, type MapMark, mapMarks } from '../elements/parts/map/map-messages.js';
import { abbreviator } from '../report/format/format.js';
import { loadAtlas } from '../report/geo/atlas.js';
import {
  type ColorSteps,
  colorSteps,
  frameMap,
  type MapFrame,
  type MapPlaces,
  placeRows,
  pointRadius,
  readMap,
} from '../report/geo/map.js';
import { columnTitle } from '../report/table/table.js';
import { mixColors } from './scene-colors.js';
import { type SceneContext, textLine } from './scene-context.js';
import { element, groupAt, round, type SvgElement } from './svg-element.js';
import type { Drawing, SceneSize } from './tile-body.js';

const swatchWidth = 32;
const labelSize = 12;
/** Share of the series color that is mixed into the surface color at each step, from the minimum to the maximum. */
const shares = [0.22, 0.41, 0.6, 0.8, 1];

/** Draws a map of regions or points. */
export async function drawMap(
  context: SceneContext,
  snapshot: ReportSnapshot,
  rowSet: RowSet,
  { width, height }: SceneSize,
): Promise<Drawing> {
  const { locale, formatter, messages, colors } = context;
  const reading = readMap(snapshot, rowSet);
  const atlas = await loadAtlas(reading.base);
  const found = placeRows(reading, rowSet, atlas);
  const presentation = { formatter, preferences: snapshot.preferences };
  const places = mapMarks(reading, found, { atlas, locale, presentation });
  const frame = frameMap(atlas, { width, height }, { hasLegend: found.steps !== null });
  const palette = stepColors(context, found.steps);
  const empty = mixColors(colors.text, 0.08, colors.surface);
  const withRows = new Set(found.places.map(({ region }) => region));
  const border = { stroke: colors.surface, 'stroke-width': round(0.75 / frame.scale), 'stroke-linejoin': 'round' };
  const ground = atlas.regions.map(({ id, path }) => (withRows.has(id) ? '' : path)).join('');
  const colorOf = ({ value }: MapMark): string | null =>
    value === null || !found.steps ? null : (palette[found.steps.step(value)] ?? null);
  const shapes = element(
    'g',
    { transform: `translate(${round(frame.left)} ${round(frame.top)}) scale(${frame.scale})` },
    [
      element('path', { d: ground, fill: empty, ...border }),
      ...(reading.type === 'regions'
        ? places.map(place => element('path', { d: place.path, fill: colorOf(place) ?? empty, ...border }))
        : []),
      element('path', { d: atlas.borders, fill: 'none', ...border }),
    ],
  );
  const points = reading.type === 'points' ? drawPoints(context, places, { frame, found, colorOf }) : [];
  const key =
    found.steps && reading.color && frame.legend > 0
      ? [
          groupAt(
            0,
            height - frame.legend,
            drawLegend(context, found.steps, { palette, title: columnTitle(reading.color), width }),
          ),
        ]
      : [];
  const { count, sentences } = leftOut(found, locale, messages.map);
  return {
    node: element('g', {}, [shapes, ...points, ...key]),
    description: describeMap({ reading, marks: places }, messages.map),
    notes: count > 0 ? [sentences] : [],
  };
}

interface PointInput {
  readonly frame: MapFrame;
  readonly found: MapPlaces;
  readonly colorOf: (place: MapMark) => string | null;
}

/** Draws large points first, so that they do not hide smaller ones. */
function drawPoints(
  { colors }: SceneContext,
  places: readonly MapMark[],
  { frame, found, colorOf }: PointInput,
): SvgElement[] {
  const stroke = colors.series[0];
  return [...places]
    .sort((a, b) => (b.size ?? 0) - (a.size ?? 0))
    .map(place =>
      element('circle', {
        cx: round(frame.left + place.at[0] * frame.scale),
        cy: round(frame.top + place.at[1] * frame.scale),
        r: round(pointRadius(place.size, found, frame)),
        fill: colorOf(place) ?? stroke,
        'fill-opacity': 0.8,
        stroke,
        'stroke-width': 1,
      }),
    );
}

/** Returns the color of each step: shades of the first series, and of the second one below zero. */
function stepColors({ colors }: SceneContext, steps: ColorSteps | null): readonly string[] {
  const { surface, muted, series } = colors;
  const [first = muted, second = muted] = series;
  const shades = shares.map(share => mixColors(first, share, surface));
  if (steps?.kind !== 'diverging') return shades;
  return [
    second,
    mixColors(second, 0.5, surface),
    mixColors(muted, 0.35, surface),
    mixColors(first, 0.5, surface),
    first,
  ];
}

interface LegendInput {
  readonly palette: readonly string[];
  readonly title: string;
  readonly width: number;
}

function drawLegend(
  context: SceneContext,
  { from, to }: ColorSteps,
  { palette, title, width }: LegendInput,
): SvgElement[] {
  const { colors, fonts, locale } = context;
  const print = abbreviator(locale);
  const end = swatchWidth * colorSteps;
  const isOne = from === to;
  const swatches = palette.map((fill, step) =>
    element('rect', { x: step * swatchWidth, y: 4, width: swatchWidth, height: 8, fill }),
  );
  const style = { size: labelSize, fill: colors.muted };
  return [
    ...(isOne ? swatches.slice(-1) : swatches),
    textLine(context, print(from), { ...style, x: isOne ? end - swatchWidth : 0, y: 27 }),
    ...(isOne ? [] : [textLine(context, print(to), { ...style, x: end, y: 27, anchor: 'end' })]),
    textLine(context, fonts.truncate(fonts.drawable(title), width - end - 10, style), { ...style, x: end + 10, y: 13 }),
  ];
}
