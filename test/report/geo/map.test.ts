import { beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../../src/contract/data.js';
import { type Atlas, loadAtlas } from '../../../src/report/geo/atlas.js';
import {
  frameMap,
  type MapPlaces,
  maxPoints,
  placeRows,
  pointRadius,
  readMap,
  stepsOf,
} from '../../../src/report/geo/map.js';
import { DrawingError } from '../../../src/report/table/report-columns.js';
import fc from '../../property.js';
import { columnOf, rowSetOf } from '../fixtures.js';

const state = columnOf('orders.state', 'string');
const count = columnOf('orders.count', 'number');
const total = columnOf('orders.total', 'number');
const latitude = { ...columnOf('orders.latitude', 'number'), kind: 'dimension' as const };
const longitude = { ...columnOf('orders.longitude', 'number'), kind: 'dimension' as const };

let us: Atlas;
let world: Atlas;

beforeAll(async () => {
  [us, world] = await Promise.all([loadAtlas('us'), loadAtlas('world')]);
});

const report = (spec: unknown) => ({ id: 1, reportId: 1, versionNumber: 1, spec: spec as string });
const stateRow = (name: unknown, figure: unknown = 1) => ({ 'orders.state': name, 'orders.count': figure }) as Row;
const pointRow = (north: unknown, east: unknown, figure: unknown = 1) =>
  ({ 'orders.latitude': north, 'orders.longitude': east, 'orders.count': figure }) as Row;

function regions(rows: readonly Row[], type = 'us-states'): MapPlaces {
  const rowSet = rowSetOf([state, count], rows);
  const reading = readMap(report({ type }), rowSet);
  return placeRows(reading, rowSet, reading.base === 'us' ? us : world);
}

function points(rows: readonly Row[], spec: Record<string, unknown> = {}): MapPlaces {
  const rowSet = rowSetOf([latitude, longitude, count], rows);
  const reading = readMap(report({ type: 'points', ...spec }), rowSet);
  return placeRows(reading, rowSet, reading.base === 'us' ? us : world);
}

describe('names of places', () => {
  it('finds states by postal code, FIPS, ISO 3166-2 and name', () => {
    const found = ['TX', 'tx', '48', 48, 'US-TX', 'Texas', ' texas '].map(name => us.places.find(String(name)));
    expect(new Set(found)).toEqual(new Set(['48']));
    expect(us.places.find('6')).toBe('06');
    expect(us.places.find('Washington, D.C.')).toBe('11');
    expect(us.places.find('Washington')).toBe('53');
    expect(us.places.find('N.Y.')).toBe('36');
  });

  it('finds countries by all three codes and by English name', () => {
    const found = ['DE', 'deu', '276', 'Germany'].map(name => world.places.find(name));
    expect(found).toEqual(['276', '276', '276', '276']);
    expect(['4', '004', 'AF', 'AFG'].map(name => world.places.find(name))).toEqual(['004', '004', '004', '004']);
    const names: readonly (readonly [string, string])[] = [
      ["Côte d'Ivoire", '384'],
      ['Cote d’Ivoire', '384'],
      ['Ivory Coast', '384'],
      ['USA', '840'],
      ['the United States of America', '840'],
      ['U.K.', '826'],
      ['Korea, Republic of', '410'],
      ['North Korea', '408'],
      ['Türkiye', '792'],
      ['Turkey', '792'],
      ['Bosnia & Herzegovina', '070'],
      ['Congo - Kinshasa', '180'],
      ['Czech Republic', '203'],
      ['Kosovo', 'Kosovo'],
      ['XK', 'Kosovo'],
    ];
    expect(names.map(([name]) => world.places.find(name))).toEqual(names.map(([, id]) => id));
  });

  it('has a shape for every country with a code, except the one that is not drawn', () => {
    const shapes = new Set(world.regions.map(({ id }) => id));
    const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap(first => letters.map(second => first + second));
    // UK is an alias, not an ISO code.
    const known = codes.filter(code => code !== 'UK' && regionNames.of(code) && world.places.find(code));
    expect(known.length).toBe(175);
    expect(known.filter(code => !shapes.has(world.places.find(code) ?? ''))).toEqual(['AQ']);
    // A code and its English name must identify the same country. This detects shifted rows in the table.
    for (const code of known) expect(world.places.find(regionNames.of(code) ?? ''), code).toBe(world.places.find(code));
  });

  it('uses the same names as the shapes', () => {
    for (const { id } of us.regions) expect(us.places.find(us.places.name(id, 'en'))).toBe(id);
    expect(us.regions.length).toBe(51);
    expect(world.places.name('276', 'de')).toBe('Deutschland');
    expect(world.places.name('276', 'ja')).toBe('ドイツ');
  });

  it('finds nothing for other values', () => {
    for (const name of ['', ' ', 'Atlantis', 'null', 'NaN', '__proto__', 'constructor', '<b>', 'x'.repeat(100_000)]) {
      expect(us.places.find(name), name.slice(0, 20)).toBeNull();
      expect(world.places.find(name), name.slice(0, 20)).toBeNull();
    }
  });
});

describe('a map of regions', () => {
  it('places rows in order, and counts unknown and repeated places', () => {
    const found = regions([
      stateRow('TX', '132000'),
      stateRow('Atlantis', '5'),
      stateRow('CA', null),
      stateRow('Texas', '7'),
      stateRow(null),
    ]);
    expect(found.places.map(({ region, value }) => [region, value])).toEqual([
      ['48', 132000],
      ['06', null],
    ]);
    expect(found.places[0]?.mark).toEqual({ values: { 'orders.state': 'TX' }, measure: 'orders.count' });
    expect(found).toMatchObject({ unfound: 2, repeated: 1, omitted: 0, examples: ['Atlantis'] });
  });

  it('does not place countries without a shape', () => {
    expect(regions([stateRow('AQ'), stateRow('Singapore'), stateRow('FR')], 'countries')).toMatchObject({ unfound: 2 });
  });

  it('uses columns by name, and rejects unknown names', () => {
    const rowSet = rowSetOf([count, state, total], []);
    const reading = readMap(report({ type: 'us-states', region: 'orders.state', color: 'orders.total' }), rowSet);
    expect([reading.region?.member, reading.color?.member]).toEqual(['orders.state', 'orders.total']);
    expect(() => readMap(report({ type: 'us-states', color: 'orders.nothing' }), rowSet)).toThrow(/orders\.nothing/);
  });

  it('does not use a comparison column as its measure', () => {
    const compared = {
      ...total,
      comparison: { measure: 'orders.count', amount: 1, unit: 'year', output: 'value' as const },
    };
    const reading = readMap(report({ type: 'us-states' }), rowSetOf([state, compared, count], []));
    expect(reading.color?.member).toBe('orders.count');
  });

  it('reports missing columns and types', () => {
    for (const spec of [undefined, {}, { type: 'globe' }, { type: 'points' }, 'nonsense', [], 5]) {
      expect(() => readMap(report(spec), rowSetOf([count], []))).toThrow(DrawingError);
    }
    expect(() => readMap(report({ type: 'us-states' }), rowSetOf([count], []))).toThrow(/region/);
  });

  it('limits the places of a million rows', () => {
    const row = stateRow('TX');
    const found = regions(Array.from({ length: 1_000_000 }, () => row));
    expect(found.places.length).toBe(1);
    expect(found.repeated + found.omitted).toBe(999_999);
  });
});

describe('a map of points', () => {
  it('chooses the base map that contains all points', () => {
    const base = (rows: readonly Row[], spec = {}) =>
      readMap(report({ type: 'points', ...spec }), rowSetOf([latitude, longitude, count], rows)).base;
    expect(base([pointRow('32.9', '-97'), pointRow(61.2, -149.9), pointRow(21.3, -157.9)])).toBe('us');
    expect(base([pointRow(32.9, -97), pointRow(48.8, 2.3)])).toBe('world');
    expect(base([pointRow(32.9, -97)], { base: 'world' })).toBe('world');
    expect(base([])).toBe('world');
  });

  it('projects points as the shapes are projected', () => {
    const found = points([pointRow(31, -99.3)]);
    const texas = us.regions.find(({ id }) => id === '48');
    const [x = 0, y = 0] = found.places[0]?.at ?? [];
    expect(Math.hypot(x - (texas?.center[0] ?? 0), y - (texas?.center[1] ?? 0))).toBeLessThan(15);
    const france = world.regions.find(({ id }) => id === '250');
    const at = world.project(2.5, 46.5) ?? [0, 0];
    // French Guiana is part of France, so the centroid is south-west of the country.
    expect(Math.hypot(at[0] - (france?.center[0] ?? 0), at[1] - (france?.center[1] ?? 0))).toBeLessThan(60);
  });

  it('counts invalid coordinates and sizes', () => {
    const rows = [
      pointRow(91, 0),
      pointRow(0, 181),
      pointRow('x', 'y'),
      pointRow(null, 5),
      pointRow(Number.NaN, Number.POSITIVE_INFINITY),
      pointRow(-89, 0),
      pointRow(10, 10, -1),
      pointRow(10, 10, null),
      pointRow(10, 10, 4),
    ];
    expect(points(rows)).toMatchObject({ unfound: 8, largest: 4 });
  });

  it('draws the largest points, and reports how many are omitted', () => {
    const rows = Array.from({ length: 5000 }, (_, index) => pointRow(30 + (index % 10), -100, index));
    const found = points(rows);
    expect(found.places.length).toBe(maxPoints);
    expect(found.omitted).toBe(3000);
    expect(Math.min(...found.places.map(({ size }) => size ?? -1))).toBe(3000);
    const equal = points(Array.from({ length: 5000 }, () => pointRow(30, -100, 1)));
    expect(equal.places.length).toBe(maxPoints);
  });

  it('sizes points by area', () => {
    const frame = frameMap(us, { width: 600, height: 400 }, { hasLegend: false });
    const radius = (size: number) => pointRadius(size, { largest: 100 }, frame);
    expect(radius(100) / radius(25)).toBeCloseTo(2);
    expect(radius(0)).toBeGreaterThan(0);
  });
});

describe('the frame of a map', () => {
  it('contains the map at any size', () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.nat(3000), fc.boolean(), (width, height, hasLegend) => {
        const { scale, left, top, legend } = frameMap(us, { width: width + 1, height: height + 1 }, { hasLegend });
        expect(left).toBeGreaterThanOrEqual(-1);
        expect(left + us.width * scale).toBeLessThanOrEqual(width + 2);
        expect(top + us.height * scale).toBeLessThanOrEqual(height + 2 - legend);
      }),
    );
  });

  it('omits the legend if there is no space for it', () => {
    expect(frameMap(us, { width: 400, height: 300 }, { hasLegend: true }).legend).toBeGreaterThan(0);
    expect(frameMap(us, { width: 400, height: 100 }, { hasLegend: true }).legend).toBe(0);
  });
});

describe('color steps', () => {
  it('range from the minimum to the maximum', () => {
    const steps = stepsOf([0, 10, 100]);
    expect(steps).toMatchObject({ kind: 'sequential', from: 0, to: 100 });
    expect([0, 19, 20, 50, 99, 100].map(value => steps?.step(value))).toEqual([0, 0, 1, 2, 4, 4]);
  });

  it('diverge from zero if there are values on both sides', () => {
    const steps = stepsOf([-10, 100]);
    expect(steps).toMatchObject({ kind: 'diverging', from: -100, to: 100 });
    expect([-10, 0, 100].map(value => steps?.step(value))).toEqual([2, 2, 4]);
  });

  it('are five for any values', () => {
    expect(stepsOf([])).toBeNull();
    expect(stepsOf([7])?.step(7)).toBe(4);
    const figure = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(figure, { minLength: 1 }), values => {
        const steps = stepsOf(values);
        for (const value of values) expect([0, 1, 2, 3, 4]).toContain(steps?.step(value));
      }),
    );
  });
});
