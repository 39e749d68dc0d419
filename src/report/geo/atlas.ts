import {
  type GeoPath,
  type GeoPermissibleObjects,
  type GeoProjection,
  geoAlbersUsa,
  geoNaturalEarth1,
  geoPath,
} from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { Places } from './places.js';

/** Shapes with shared borders (TopoJSON). */
export type Topology = Parameters<typeof mesh>[0];

/** A list of shapes. */
type ShapeList = Extract<Parameters<typeof mesh>[1], { type: 'GeometryCollection' }>;

/** Base map: the states of the USA, or the countries of the world. */
export type AtlasName = 'us' | 'world';

/** A region of a base map. Its path is created once; maps of other sizes scale it. */
interface AtlasRegion {
  readonly id: string;
  /** SVG path of the shape, in units of the atlas. */
  readonly path: string;
  /** Centroid of the shape. */
  readonly center: readonly [number, number];
}

/** The projected shapes of a base map. */
export interface Atlas {
  readonly name: AtlasName;
  readonly width: number;
  readonly height: number;
  readonly regions: readonly AtlasRegion[];
  /** Borders between regions as one path. */
  readonly borders: string;
  readonly places: Places;
  /** Projects a position to units of the atlas; `null` if it is outside the base map. */
  readonly project: (longitude: number, latitude: number) => readonly [number, number] | null;
}

const loaders: Readonly<Record<AtlasName, () => Promise<Atlas>>> = { us: usAtlas, world: worldAtlas };

/** Caches projected shapes for all maps of a page. */
const loaded = new Map<AtlasName, Promise<Atlas>>();

/** Loads a base map, which is a separate chunk. A failed load is retried on the next call. */
export function loadAtlas(name: AtlasName): Promise<Atlas> {
  const known = loaded.get(name);
  if (known) return known;
  const atlas = loaders[name]();
  loaded.set(name, atlas);
  atlas.catch(() => loaded.delete(name));
  return atlas;
}

async function usAtlas(): Promise<Atlas> {
  const [{ usStates }, { usPlaces }] = await Promise.all([import('./us-states.js'), import('./us-codes.js')]);
  // The shapes use this projection (us-atlas, "albers"); points must be projected in the same way.
  const projection = geoAlbersUsa().scale(1300).translate([487.5, 305]);
  return atlas({
    name: 'us',
    topology: usStates,
    object: 'states',
    size: [975, 610],
    path: geoPath(null),
    projection,
    places: usPlaces,
    isIncluded: () => true,
  });
}

/** Omits Antarctica, which takes a tenth of the height and rarely occurs in reports. */
async function worldAtlas(): Promise<Atlas> {
  const [{ countriesOfTheWorld }, { countryPlaces }] = await Promise.all([
    import('./countries.js'),
    import('./country-codes.js'),
  ]);
  const size: [number, number] = [975, 440];
  const frame: GeoPermissibleObjects = {
    type: 'MultiPoint',
    coordinates: [
      [-169, 60],
      [180, 10],
      [-180, -10],
      [0, 83.7],
      [0, -56],
    ],
  };
  const projection = geoNaturalEarth1().fitSize(size, frame);
  return atlas({
    name: 'world',
    topology: countriesOfTheWorld,
    object: 'countries',
    size,
    path: geoPath(projection),
    projection,
    places: countryPlaces,
    isIncluded: id => id !== '010',
  });
}

interface AtlasSource {
  readonly name: AtlasName;
  readonly topology: Topology;
  readonly object: string;
  readonly size: readonly [number, number];
  readonly path: GeoPath;
  readonly projection: GeoProjection;
  readonly places: (names: ReadonlyMap<string, string>) => Places;
  readonly isIncluded: (id: string) => boolean;
}

function atlas({ name, topology, object, size, path, projection, places, isIncluded }: AtlasSource): Atlas {
  const [width, height] = size;
  const print = path.digits(1);
  const shapes = topology.objects[object] as ShapeList;
  const includedShapes = { ...shapes, geometries: shapes.geometries.filter(shape => isIncluded(idOf(shape))) };
  const names = new Map(includedShapes.geometries.map(shape => [idOf(shape), nameOf(shape)]));
  return {
    name,
    width,
    height,
    regions: feature(topology, includedShapes).features.map(shape => ({
      id: idOf(shape),
      path: print(shape) ?? '',
      center: print.centroid(shape),
    })),
    borders: print(mesh(topology, includedShapes, (a, b) => a !== b)) ?? '',
    places: places(names),
    project: (longitude, latitude) => {
      const [x, y] = projection([longitude, latitude]) ?? [Number.NaN, Number.NaN];
      return x >= 0 && x <= width && y >= 0 && y <= height ? [x, y] : null;
    },
  };
}

/** Returns the id of a shape: its code, or its name if it has no code. */
function idOf(shape: {
  readonly id?: string | number | undefined;
  readonly properties?: object | null | undefined;
}): string {
  return shape.id === undefined ? nameOf(shape) : String(shape.id);
}

function nameOf({ properties }: { readonly properties?: object | null | undefined }): string {
  return properties && 'name' in properties ? String(properties.name) : '';
}
