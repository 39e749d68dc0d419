import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import type { Mark } from '../marks/mark.js';
import { cellOf } from '../query/groups.js';
import {
  DrawingError,
  dimensionsOf,
  figureAt,
  measuresOf,
  namedColumn,
  placesOfLargest,
} from '../table/report-columns.js';
import { readObject } from '../table/table-look.js';
import type { Atlas, AtlasName } from './atlas.js';
import type { Places } from './places.js';

/** How many steps a scale of colours has. */
export const colorSteps = 5;

/** A scale of colours in steps. What is on both sides of zero diverges from it: the step in the middle holds zero. */
export interface ColorSteps {
  readonly kind: 'sequential' | 'diverging';
  readonly from: number;
  readonly to: number;
  /** Step of a value, 0 to 4. */
  readonly step: (value: number) => number;
}

/** Returns a color scale for the values, or `null` if there are none. */
export function stepsOf(values: Iterable<number>): ColorSteps | null {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (least > most) return null;
  const diverges = least < 0 && most > 0;
  const reach = Math.max(-least, most);
  const [from, to] = diverges ? [-reach, reach] : [least, most];
  // Halves, since the width of what ranges from the least to the greatest double is none.
  const width = to / 2 - from / 2;
  const last = colorSteps - 1;
  const step = (value: number): number => {
    // One value alone is as strong as a colour gets.
    if (width === 0) return last;
    return Math.max(0, Math.min(last, Math.floor(((value / 2 - from / 2) / width) * colorSteps)));
  };
  return { kind: diverges ? 'diverging' : 'sequential', from, to, step };
}

/** Most points of a map; the largest are drawn. */
export const maxPoints = 2000;
/** Rows whose places are looked up: there are fewer places than that on any map. */
const maxRegionRows = 50_000;

/** What a map is about: its ground, and the columns that it is drawn from. */
export interface MapReading {
  readonly type: 'points' | 'regions';
  readonly base: AtlasName;
  /** Column that names a region, of a map of regions. */
  readonly region: Column | null;
  readonly latitude: Column | null;
  readonly longitude: Column | null;
  readonly size: Column | null;
  readonly color: Column | null;
  /** Column that names a place to the reader. */
  readonly label: Column | null;
}

/** One place of a map, without its shape. */
export interface MapPlace {
  readonly row: Row;
  readonly mark: Mark;
  /** Figure by which it is coloured. */
  readonly value: number | null;
  /** Figure by which a point is sized. */
  readonly size: number | null;
  /** Id of its region; null of a point. */
  readonly region: string | null;
  /** In units of the atlas. */
  readonly at: readonly [number, number];
}

/** The places of a map, in the order of the rows, and what of the rows is not among them. */
export interface MapPlaces {
  readonly places: readonly MapPlace[];
  readonly steps: ColorSteps | null;
  /** Figure of the largest point. */
  readonly largest: number;
  /** Rows whose place is not on the map, and what some of them say. */
  readonly unfound: number;
  readonly examples: readonly string[];
  /** Further rows of a place that has one. */
  readonly repeated: number;
  /** Points that were left out as the smallest, and rows that were not looked at. */
  readonly omitted: number;
}

/**
 * Reads what a map is drawn from (`MapSpec`).
 * @throws DrawingError when the rows can't be a map.
 */
export function readMap(snapshot: ReportSnapshot, rowSet: RowSet): MapReading {
  const spec = readObject(snapshot.spec);
  const label = namedColumn(rowSet, spec, 'label');
  const color = namedColumn(rowSet, spec, 'color');
  const size = namedColumn(rowSet, spec, 'size');
  const none = { region: null, latitude: null, longitude: null, size: null };
  if (spec.type === 'us-states' || spec.type === 'countries') {
    const region = namedColumn(rowSet, spec, 'region') ?? dimensionsOf(rowSet)[0];
    if (!region) throw new DrawingError('A map of regions needs a column that names them ("region").');
    const base = spec.type === 'countries' ? 'world' : 'us';
    return { ...none, type: 'regions', base, region, label, color: color ?? measuresOf(rowSet)[0] ?? null };
  }
  const latitude = namedColumn(rowSet, spec, 'latitude') ?? ending(rowSet, /(^|[._])lat(itude)?$/i);
  const longitude = namedColumn(rowSet, spec, 'longitude') ?? ending(rowSet, /(^|[._])(lng|lon|long|longitude)$/i);
  if (spec.type !== 'points' || !latitude || !longitude) {
    throw new DrawingError(
      spec.type === 'points'
        ? 'A map of points needs columns of degrees ("latitude" and "longitude").'
        : 'A map needs a "type": "points", "us-states" or "countries".',
    );
  }
  const measure = measuresOf(rowSet).find(column => column !== latitude && column !== longitude) ?? null;
  const base = spec.base === 'us' || spec.base === 'world' ? spec.base : groundOf(rowSet, { latitude, longitude });
  return { ...none, type: 'points', base, latitude, longitude, label, color, size: size ?? (color ? null : measure) };
}

/** Finds the places of the rows on their ground. */
export function placeRows(reading: MapReading, rowSet: RowSet, atlas: Atlas): MapPlaces {
  const found = reading.type === 'regions' ? placeRegions(reading, rowSet, atlas) : placePoints(reading, rowSet, atlas);
  const values = found.places.flatMap(({ value }) => (value === null ? [] : [value]));
  const largest = found.places.reduce((most, { size }) => Math.max(most, size ?? 0), 0);
  return { ...found, steps: stepsOf(values), largest };
}

type Found = Omit<MapPlaces, 'steps' | 'largest'>;

function placeRegions(reading: MapReading, { columns, rows }: RowSet, atlas: Atlas): Found {
  const { region, color } = reading;
  const shapes = new Map(atlas.regions.map(shape => [shape.id, shape]));
  const find = remembering(atlas.places);
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
    // An area can't be less than none.
    if (!at || (size && (figure === null || figure < 0))) unfound++;
    else found.push({ row, at, size: figure });
  }
  const kept = placesOfLargest(
    found.map(point => point.size ?? 0),
    maxPoints,
  );
  const places = kept.flatMap(index => {
    const point = found[index];
    if (!point) return [];
    const value = figureAt(point.row, color);
    return [{ ...point, mark: markOf(point.row), value, region: null }];
  });
  return { places, unfound, repeated: 0, omitted: found.length - places.length, examples: [] };
}

type Degrees = Pick<MapReading, 'latitude' | 'longitude'>;

/** Longitude and latitude of a row; null where they are none. */
function degreesOf({ latitude, longitude }: Degrees, row: Row): [number, number] | null {
  const north = figureAt(row, latitude);
  const east = figureAt(row, longitude);
  return north === null || east === null || Math.abs(north) > 90 || Math.abs(east) > 180 ? null : [east, north];
}

/** Boxes around the USA: the states in one piece, Alaska, the islands past the date line, Hawaii. West, south, east, north. */
const usBoxes = [
  [-125.5, 24, -66.5, 49.6],
  [-180, 51, -129.5, 72],
  [172, 51, 180, 54],
  [-161, 18.5, -154, 23],
] as const;

/** The USA where every point is in its boxes, else the world. */
function groundOf({ rows }: RowSet, degrees: Degrees): AtlasName {
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

/** Makes the mark of a row: what it stands for, and the measure that is shown. */
function marker(columns: readonly Column[], measure: Column | null): (row: Row) => Mark {
  const dimensions = columns.filter(({ kind }) => kind !== 'measure');
  return row => ({
    values: Object.fromEntries(dimensions.map(({ member }) => [member, cellOf(row, member)])),
    measure: measure?.member ?? null,
  });
}

function ending({ columns }: RowSet, name: RegExp): Column | null {
  return columns.find(({ member }) => name.test(member)) ?? null;
}

/** Finds places, and each text once. */
function remembering(places: Places): (cell: Cell) => string | null {
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

/** Room of a drawing, px. */
interface Room {
  readonly width: number;
  readonly height: number;
}

/** How an atlas is laid into its room: what was at (x, y) stands at (left + x * scale, top + y * scale). */
export interface MapFrame {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  /** Radius of the largest point, px. */
  readonly radius: number;
  /** Height of the legend below the map, 0 where there is no room for one. */
  readonly legend: number;
}

const legendHeight = 36;
const smallestWithLegend = { width: 200, height: 150 };
const smallestRadius = 2.5;

/** Lays an atlas as large as it gets into the middle of its room, above the legend. */
export function frameMap({ width, height }: Pick<Atlas, 'width' | 'height'>, room: Room, hasLegend: boolean): MapFrame {
  const fits = room.width >= smallestWithLegend.width && room.height >= smallestWithLegend.height;
  const legend = hasLegend && fits ? legendHeight : 0;
  const free = Math.max(1, room.height - legend);
  const scale = Math.max(0.001, Math.min(room.width / width, free / height));
  return {
    scale,
    left: (room.width - width * scale) / 2,
    top: (free - height * scale) / 2,
    radius: Math.max(5, Math.min(22, Math.min(room.width, free) / 18)),
    legend,
  };
}

/** Radius of a point, px: its area is as its figure. */
export function pointRadius(size: number | null, { largest }: Pick<MapPlaces, 'largest'>, frame: MapFrame): number {
  if (size === null || largest <= 0) return size === null ? 4 : smallestRadius;
  return Math.max(smallestRadius, Math.sqrt(size / largest) * frame.radius);
}
