import { describe, expect, it } from 'vitest';
import { ChartErrorCode } from '../../src/charts/chart-error.js';
import { chartProblems, compileForPublishing } from '../../src/charts/publishing.js';

const bars = { mark: 'bar', encoding: { x: { field: 'a', type: 'nominal' } } };
const input = { name: 'top', value: 3, bind: { input: 'range' } };
const vega = { $schema: 'https://vega.github.io/schema/vega/v6.json', data: [{ name: 'rows' }], marks: [] };
const map = 'use a report of kind map';
const control = 'use a control of the dashboard';

describe('compileForPublishing', () => {
  it.each([
    ['an input of a parameter', { ...bars, params: [input] }, control],
    [
      'an input of a selection',
      { ...bars, params: [{ name: 's', select: 'point', bind: { a: { input: 'text' } } }] },
      control,
    ],
    ['an input of a signal', { ...vega, signals: [input] }, control],
    ['geoshape', { mark: { type: 'geoshape' } }, map],
    ['a projection', { ...bars, projection: { type: 'mercator' } }, map],
    ['longitudes', { mark: 'circle', encoding: { longitude: { field: 'a' } } }, map],
    ['a geojson transform', { ...vega, data: [{ name: 'rows', transform: [{ type: 'geojson' }] }] }, map],
    ['a layer of shapes', { layer: [bars, { mark: 'geoshape' }] }, map],
  ])('rejects %s and names the alternative', async (_what, spec, message) => {
    const code = ChartErrorCode.unsupported;
    await expect(compileForPublishing(spec, null)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['a transform that no chart has', { ...vega, data: [{ name: 'rows', transform: [{ type: 'force' }] }] }],
    ['an unknown signal', { ...vega, scales: [{ name: 'x', domain: { signal: 'nowhere' } }] }],
    ['an unknown function', { ...bars, transform: [{ calculate: 'nonsense(datum.a)', as: 'b' }] }],
  ])('rejects %s, on which the page would fail', async (_what, spec) => {
    await expect(compileForPublishing(spec, null)).rejects.toMatchObject({ code: ChartErrorCode.invalid });
  });

  it('names the field that is not a column, and the columns', async () => {
    await expect(compileForPublishing(bars, ['b', 'c.d'])).rejects.toMatchObject({
      code: ChartErrorCode.unknownField,
      message: 'The field a is not a column of the query. Columns: b, c.d.',
    });
  });

  it.each([
    ['a field while the columns are not known', bars, null],
    ['a column', bars, ['a']],
    [
      'selections bound to scales and legends',
      { ...bars, params: [{ name: 's', select: 'interval', bind: 'scales' }] },
      ['a'],
    ],
    ['Vega', vega, []],
  ])('accepts %s', async (_what, spec, columns) => {
    expect(await compileForPublishing(spec, columns)).toMatchObject({ marks: expect.any(Array) });
  });
});

describe('chartProblems', () => {
  it('lists problems that the page ignores silently', async () => {
    const problems = await chartProblems({ ...bars, params: [input] }, null, ['b']);
    expect(problems).toEqual([expect.stringContaining(control), expect.stringContaining('The field a')]);
    expect(await chartProblems(bars, null, ['a'])).toEqual([]);
  });
});
