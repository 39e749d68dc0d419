import { describe, expect, it } from 'vitest';
import { chartSpecOf } from '../../../../src/platform/agent/tools/chart-spec.js';

const members = ['orders.city', 'orders.count'];
const read = (spec: string | Record<string, unknown>): unknown => JSON.parse(chartSpecOf(spec, members));

describe('the chart of a query', () => {
  it('is Vega-Lite of marks and encodings, with fields as Vega reads them', () => {
    const encoding = { x: { field: 'orders.city', type: 'nominal' } };
    const $schema = 'https://vega.github.io/schema/vega-lite/v5.json';
    const drawn = { $schema, mark: 'bar', encoding: { x: { field: 'orders\\.city', type: 'nominal' } } };
    expect(read({ mark: 'bar', encoding, data: { url: 'https://example.com/x.json' } })).toEqual(drawn);
    expect(read(JSON.stringify({ $schema: 'https://example.com/vega-lite/v1', mark: 'bar', encoding }))).toEqual(drawn);
  });

  it('has room for a chart whose data were large', () => {
    const values = Array.from({ length: 5000 }, (_, index) => ({ index }));
    expect(read({ mark: 'bar', data: { values } })).toMatchObject({ mark: 'bar' });
  });

  it.each([
    ['an expression', { mark: 'bar', params: [{ name: 'a', expr: 'sequence(0, 1e12)' }] }],
    ['a field that is no column', { mark: 'bar', encoding: { x: { field: 'orders.secret' } } }],
    ['another language', { $schema: 'https://vega.github.io/schema/vega/v5.json', marks: [] }],
    ['no chart', { text: 'hello' }],
    ['no object', '[1]'],
    ['no JSON', '{"mark":'],
    ['a megabyte', `{"mark":"${'x'.repeat(1_100_000)}"}`],
    ['a deep nest', `{"mark":"bar","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('refuses %s', (_what, spec) => {
    expect(() => read(spec)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringMatching(/^vegaSpec: /) }),
    );
  });
});
