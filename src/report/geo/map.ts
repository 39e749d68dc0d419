import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import type { Mark } from '../marks/mark.js';
import { cellOf } from '../query/groups.js';
import {
  DrawingError,
  dimensionsOf,
  figureAt,
  indexesOfLargest,
  measuresOf,
  namedColumn,
} from '../table/report-columns.js';
import { readObject } from '../table/table-settings.js';
import type { Atlas, AtlasName } from './atlas.js';
import type { Places } from './places.js';

/** Number of steps in a color scale. */
export const colorSteps = 5;

/** A color scale in steps. Values on both sides of zero use a diverging scale, whose middle step contains zero. */
export interface ColorSteps {
  readonly kind: 'sequential' | 'diverging';
  readonly from: number;
  readonly to: number;
  /** Returns the zero-based step of a value. */
  readonly step: (value: number) => number;
}

/** Returns a color scale for the values, or `null` if there are none. */
export function stepsOf(values: Iterable<number>): ColorSteps | null {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  if (min > max) return null;
  const diverges = min < 0 && max > 0;
  const reach = Math.max(-min, max);
  const [from, to] = diverges ? [-reach, reach] : [min, max];
  // Half of the range, because the difference of the smallest and the largest double overflows.
  const width = to / 2 - from / 2;
  const last = colorSteps - 1;
  const step = (value: number): number => {
    // A single value has the strongest color.
    if (width === 0) return last;
    return Math.max(0, Math.min(last, Math.floor(((value / 2 - from / 2) / width) * colorSteps)));
  };
  return { kind: diverges ? 'diverging' : 'sequential', from, to, step };
}

/** Maximum number of points on a map; the largest are drawn. */
export const maxPoints = 2000;
/** Maximum number of rows for which regions are looked up. No base map has that many regions. */
const maxRegionRows = 50_000;

/** The base map of a report and its columns. */
export interface MapReading {
  readonly type: 'points' | 'regions';
  readonly base: AtlasName;
  /** Column of the region names in a map of regions. */
  readonly region: Column | null;
  readonly latitude: Column | null;
  readonly longitude: Column | null;
  readonly size: Column | null;
  readonly color: Column | null;
  /** Column of the displayed names. */
  readonly label: Column | null;
}

/** One place on a map, without its shape. */
export interface MapPlace {
  readonly row: Row;
  readonly mark: Mark;
  /** Value that determines the color. */
  readonly value: number | null;
  /** Value that determines the size of a point. */
  readonly size: number | null;
  /** Id of the region; `null` for points. */
  readonly region: string | null;
  /** Position in units of the atlas. */
  readonly at: readonly [number, number];
}

/** The places of a map in row order, and counts of the rows that are not shown. */
export interface MapPlaces {
  readonly places: readonly MapPlace[];
  readonly steps: ColorSteps | null;
  /** Value of the largest point. */
  readonly largest: number;
  /** Number of rows whose place is not on the map, and the names of some of these places. */
  readonly unfound: number;
  readonly examples: readonly string[];
  /** Number of rows that repeat a place. */
  readonly repeated: number;
  /** Number of omitted points (the smallest) and of rows beyond the limit. */
  readonly omitted: number;
}

/**
 * Reads the columns and the base map of a map report (`MapSpec`).
 * @throws DrawingError if the specification or the rows do not define a map.
 */
export function readMap(snapshot: ReportSnapshot, rowSet: RowSet): MapReading {
  const spec = readObject(snapshot.spec);
  const label = namedColumn(rowSet, spec, 'label');
  const color = namedColumn(rowSet, spec, 'color');
  const size = namedColumn(rowSet, spec, 'size');
  const none = { region: null, latitude: null, longitude: null, size: null };
  if (spec.type === 'us-states' || spec.type === 'countries') {
    const region = namedColumn(rowSet, spec, 'region') ?? dimensionsOf(rowSet)[0];
    if (!region) throw new DrawingError('A map of regions requires a column with the names of the regions ("region").');
    const base = spec.type === 'countries' ? 'world' : 'us';
    return { ...none, type: 'regions', base, region, label, color: color ?? measuresOf(rowSet)[0] ?? null };
  }
  const latitude = namedColumn(rowSet, spec, 'latitude') ?? columnMatching(rowSet, /(^|[._])lat(itude)?$/i);
  const longitude =
    namedColumn(rowSet, spec, 'longitude') ?? columnMatching(rowSet, /(^|[._])(lng|lon|long|longitude)$/i);
  if (spec.type !== 'points' || !latitude || !longitude) {
    throw new DrawingError(
      spec.type === 'points'
        ? 'A map of points requires columns with coordinates in degrees ("latitude" and "longitude").'
        : 'A map requires a "type": "points", "us-states" or "countries".',
    );
  }
  const measure = measuresOf(rowSet).find(column => column !== latitude && column !== longitude) ?? null;
  const base = spec.base === 'us' || spec.base === 'world' ? spec.base : baseMapOf(rowSet, { latitude, longitude });
  return { ...none, type: 'points', base, latitude, longitude, label, color, size: size ?? (color ? null : measure) };
}

/** Finds the places of the rows on the base map. */
export function placeRows(reading: MapReading, rowSet: RowSet, atlas: Atlas): MapPlaces {
  const found = reading.type === 'regions' ? placeRegions(reading, rowSet, atlas) : placePoints(reading, rowSet, atlas);
  const values = found.places.flatMap(({ value }) => (value === null ? [] : [value]));
  const largest = found.places.reduce((max, { size }) => Math.max(max, size ?? 0), 0);
  return { ...found, steps: stepsOf(values), largest };
}

type Found = Omit<MapPlaces, 'steps' | 'largest'>;

function placeRegions(reading: MapReading, { columns, rows }: RowSet, atlas: Atlas): Found {
  const { region, color } = reading;
  const shapes = new Map(atlas.regions.map(shape => [shape.id, shape]));
  const find = cachedLookup(atlas.places);
  const markOf = marker(columns, color);
  const places = new Map<string, MapPlace>();
  const examples = new Set<string>();
  let [unfound, repeated] = [0, 0];
  for (const row of rows.slice(0, maxRegionRows)) {
    const name = region ? cellOf(row, region.member) : null;
    const id = find(name);
    const shape = id === null ? undefined : shapes.get(id);
    if (id === null || !shape) {
      unfound++;
      if (examples.size < 3 && typeof name === 'string') examples.add(name.slice(0, 40));
    } else if (places.has(id)) repeated++;
    else {
      const value = figureAt(row, color);
      places.set(id, { row, mark: markOf(row), value, size: null, region: id, at: shape.center });
    }
  }
  const omitted = Math.max(0, rows.length - maxRegionRows);
  return { places: [...places.values()], unfound, repeated, omitted, examples: [...examples] };
}

function placePoints(reading: MapReading, { columns, rows }: RowSet, atlas: Atlas): Found {
  const { size, color } = reading;
  const markOf = marker(columns, color ?? size);
  const found: { row: Row; at: readonly [number, number]; size: number | null }[] = [];
  let unfound = 0;
  for (const row of rows) {
    const place = degreesOf(reading, row);
    const at = place && atlas.project(place[0], place[1]);
    const figure = figureAt(row, size);
    // A negative size cannot be drawn as an area.
    if (!at || (size && (figure === null || figure < 0))) unfound++;
    else found.push({ row, at, size: figure });
  }
  const largestIndexes = indexesOfLargest(
    found.map(point => point.size ?? 0),
    maxPoints,
  );
  const places = largestIndexes.flatMap(index => {
    const point = found[index];
    if (!point) return [];
    const value = figureAt(point.row, color);
    return [{ ...point, mark: markOf(point.row), value, region: null }];
  });
  return { places, unfound, repeated: 0, omitted: found.length - places.length, examples: [] };
}

type Degrees = Pick<MapReading, 'latitude' | 'longitude'>;

/** Returns longitude and latitude of a row; `null` if they are missing or out of range. */
function degreesOf({ latitude, longitude }: Degrees, row: Row): [number, number] | null {
  const north = figureAt(row, latitude);
  const east = figureAt(row, longitude);
  return north === null || east === null || Math.abs(north) > 90 || Math.abs(east) > 180 ? null : [east, north];
}

/**
 * Bounding boxes of the USA: the contiguous states, Alaska, the islands west of the date line, and Hawaii. West, south,
 * east, north.
 */
const usBoxes = [
  [-125.5, 24, -66.5, 49.6],
  [-180, 51, -129.5, 72],
  [172, 51, 180, 54],
  [-161, 18.5, -154, 23],
] as const;

/** Returns `us` if all points are in the boxes of the USA, otherwise `world`. */
function baseMapOf({ rows }: RowSet, degrees: Degrees): AtlasName {
  let some = false;
  for (const row of rows) {
    const place = degreesOf(degrees, row);
    if (!place) continue;
    some = true;
    const [x, y] = place;
    if (!usBoxes.some(([west, south, east, north]) => x >= west && x <= east && y >= south && y <= north))
      return 'world';
  }
  return some ? 'us' : 'world';
}

/** Returns a function that creates the mark of a row. */
function marker(columns: readonly Column[], measure: Column | null): (row: Row) => Mark {
  const dimensions = columns.filter(({ kind }) => kind !== 'measure');
  return row => ({
    values: Object.fromEntries(dimensions.map(({ member }) => [member, cellOf(row, member)])),
    measure: measure?.member ?? null,
  });
}

function columnMatching({ columns }: RowSet, name: RegExp): Column | null {
  return columns.find(({ member }) => name.test(member)) ?? null;
}

/** Caches lookups of places by cell. */
function cachedLookup(places: Places): (cell: Cell) => string | null {
  const known = new Map<Cell, string | null>();
  return cell => {
    let id = known.get(cell);
    if (id === undefined) {
      id = cell === null || typeof cell === 'boolean' ? null : places.find(String(cell));
      known.set(cell, id);
    }
    return id;
  };
}

/** Size of a drawing, px. */
interface DrawingArea {
  readonly width: number;
  readonly height: number;
}

/** Transformation of an atlas to a drawing: (x, y) is drawn at (left + x * scale, top + y * scale). */
export interface MapFrame {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  /** Radius of the largest point, px. */
  readonly radius: number;
  /** Height of the legend below the map; 0 if there is no space for one. */
  readonly legend: number;
}

const legendHeight = 36;
const minSizeForLegend = { width: 200, height: 150 };
const minRadius = 2.5;

/** Centers an atlas in a drawing above the legend, as large as possible. */
export function frameMap(
  { width, height }: Pick<Atlas, 'width' | 'height'>,
  area: DrawingArea,
  { hasLegend }: { readonly hasLegend: boolean },
): MapFrame {
  const fits = area.width >= minSizeForLegend.width && area.height >= minSizeForLegend.height;
  const legend = hasLegend && fits ? legendHeight : 0;
  const free = Math.max(1, area.height - legend);
  const scale = Math.max(0.001, Math.min(area.width / width, free / height));
  return {
    scale,
    left: (area.width - width * scale) / 2,
    top: (free - height * scale) / 2,
    radius: Math.max(5, Math.min(22, Math.min(area.width, free) / 18)),
    legend,
  };
}

/** Returns the radius of a point, px. The area is proportional to the value. */
export function pointRadius(size: number | null, { largest }: Pick<MapPlaces, 'largest'>, frame: MapFrame): number {
  if (size === null || largest <= 0) return size === null ? 4 : minRadius;
  return Math.max(minRadius, Math.sqrt(size / largest) * frame.radius);
}
