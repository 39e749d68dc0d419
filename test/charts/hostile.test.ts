import { describe, expect, it } from 'vitest';
import { ChartError, ChartErrorCode, createView, lightTheme } from '../../src/charts/view.js';
import type { RowSet } from '../../src/contract/row-set.js';
import { casesAtDepth } from '../property.js';
import { columnOf, rowSetOf } from '../report/fixtures.js';
import { forbidden, hostileSpecs } from './hostile-specs.js';

const carrier = columnOf('flights.carrier', 'string', { shortTitle: 'Carrier' });
const count = columnOf('flights.count', 'number', { shortTitle: 'Count' });
const rowsOf = (length: number): RowSet =>
  rowSetOf(
    [carrier, count],
    Array.from({ length }, (_, index) => ({ 'flights.carrier': `C${index}`, 'flights.count': String(index * 7) })),
  );
const common = { theme: lightTheme, locale: 'en', size: { width: 300, height: 200 } };

async function drawingOf(spec: unknown, rowSet = rowsOf(20)): Promise<string | ChartError> {
  try {
    const view = await createView({ ...common, spec: spec as string, rowSet });
    const svg = await view.toSvg();
    view.dispose();
    return svg;
  } catch (error) {
    if (error instanceof ChartError) return error;
    throw error;
  }
}

describe('a hostile specification', () => {
  it.each(hostileSpecs.map(hostile => [hostile.name, hostile] as const))(
    'with %s',
    async (_name, { spec, outcome }) => {
      const made = await drawingOf(spec);
      if (outcome === 'refused') expect(made).toBeInstanceOf(ChartError);
      if (outcome === 'drawn') expect(made).toMatch(/^<svg/);
      if (made instanceof ChartError) {
        expect(made.message.length).toBeGreaterThan(20);
        expect(made.message).not.toMatch(/C1\d|undefined is not|Cannot read/);
      } else {
        expect(made).not.toContain(forbidden);
        expect(made).not.toMatch(/javascript:|<script|<img|data:text/);
      }
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    },
  );
});

describe('a transform that creates rows for all pairs of values', () => {
  const field = 'flights\\.carrier';
  const other = 'flights\\.count';
  const specOf = (transform: object) => ({
    $schema: 'https://vega.github.io/schema/vega/v6.json',
    data: [{ name: 'rows' }, { name: 'made', source: 'rows', transform: [transform] }],
    marks: [{ type: 'symbol', from: { data: 'made' } }],
  });

  it.each([
    { type: 'cross' },
    { type: 'aggregate', groupby: [field, other], cross: true },
    { type: 'impute', field: other, key: other, groupby: [field] },
  ])('is rejected if there are many pairs: %j', async transform => {
    expect(await drawingOf(specOf(transform), rowsOf(20))).toMatch(/^<svg/);
    const refusal = await drawingOf(specOf(transform), rowsOf(2_000));
    expect(refusal).toMatchObject({ code: ChartErrorCode.tooMuch, message: expect.stringContaining('too many') });
  });
});

describe('rows that do not fit a specification', () => {
  const bars = {
    data: { name: 'rows' },
    mark: 'bar',
    encoding: {
      x: { field: 'flights.carrier', type: 'nominal' },
      y: { field: 'flights.count', type: 'quantitative' },
    },
  };

  it.each([
    ['other columns', rowSetOf([columnOf('a.b', 'string')], [{ 'a.b': 'x' }])],
    ['no columns', rowSetOf([], [{}])],
    ['empty cells', rowSetOf([carrier, count], [{ 'flights.carrier': null, 'flights.count': null }])],
    ['words for figures', rowSetOf([carrier, count], [{ 'flights.carrier': 'AA', 'flights.count': 'many' }])],
    [
      'columns with names of prototypes',
      rowSetOf([columnOf('__proto__', 'string'), columnOf('constructor.x', 'number')], [{ 'constructor.x': '1' }]),
    ],
  ])('with %s leave the chart empty', async (_name, rowSet) => {
    expect(await drawingOf(bars, rowSet)).toMatch(/^<svg/);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  it('with thousands of names get some labels, and all bars', async () => {
    const count = casesAtDepth(20_000, 5_000);
    const view = await createView({ ...common, spec: bars, rowSet: rowsOf(count) });
    expect(view.countMarks()).toBe(count);
    const labels = (await view.toSvg()).match(/<text/g) ?? [];
    expect(labels.length).toBeLessThan(600);
    view.dispose();
  });

  it('with thousands of facets are rejected', async () => {
    const facets = { ...bars, encoding: { ...bars.encoding, row: { field: 'flights.carrier' } } };
    const refusal = await drawingOf(facets, rowsOf(casesAtDepth(10_000, 2_000)));
    expect(refusal).toMatchObject({ code: ChartErrorCode.tooMuch });
    expect(refusal).toHaveProperty('message', expect.stringContaining('1000'));
  });

  it('with a million rows are truncated', async () => {
    const row = { 'flights.carrier': 'AA', 'flights.count': '1' };
    const million = rowSetOf([carrier, count], new Array(1_000_000).fill(row));
    const sum = { ...bars, encoding: { ...bars.encoding, y: { ...bars.encoding.y, aggregate: 'sum' } } };
    const view = await createView({ ...common, spec: sum, rowSet: million });
    expect(view.renderedRows).toEqual({ shown: 50_000, total: 1_000_000, reason: 'truncated' });
    view.dispose();
  });
});
