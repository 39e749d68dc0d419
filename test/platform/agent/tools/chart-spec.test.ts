import { describe, expect, it } from 'vitest';
import { chartSpecOf } from '../../../../src/platform/agent/tools/chart-spec.js';

const members = ['orders.city', 'orders.placed_at.month', 'orders.count'];
const read = (spec: string | Record<string, unknown>): unknown => JSON.parse(chartSpecOf(spec, members));

describe('the chart of a query', () => {
  it('keeps what a chart is drawn by, with fields as Vega reads them', () => {
    const spec = {
      $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
      title: 'orders.city',
      transform: [{ calculate: "datum['orders.count'] * 2", as: 'twice' }],
      mark: { type: 'bar', tooltip: true },
      encoding: {
        x: { field: 'orders.city', type: 'nominal', sort: { field: 'orders.count', order: 'descending' } },
        y: { field: 'orders.count', type: 'quantitative', title: 'Sequence (days)' },
        color: { field: 'orders\\.placed_at\\.month', type: 'temporal' },
      },
    };
    expect(read(spec)).toEqual({
      ...spec,
      encoding: {
        x: { field: 'orders\\.city', type: 'nominal', sort: { field: 'orders\\.count', order: 'descending' } },
        y: spec.encoding.y && { ...spec.encoding.y, field: 'orders\\.count' },
        color: spec.encoding.color,
      },
    });
  });

  it.each([
    { data: { url: 'https://example.com/x.json' } },
    { data: { values: [{ a: 1 }] }, datasets: { a: [] } },
    { data: { sequence: { start: 0, stop: 1e12 } } },
    { usermeta: { embedOptions: { loader: 'x' } } },
    { $schema: 'https://example.com/schema/vega-lite/v5.json' },
    { encoding: { href: { field: 'orders.city' }, url: { field: 'orders.city' } } },
    { layer: [{ data: { url: 'x' } }], encoding: { href: { value: 'javascript:alert(1)' } } },
  ])('drops what would load or lead elsewhere: %j', extra => {
    const text = chartSpecOf({ mark: 'bar', ...extra }, members);
    expect(text).toContain('"mark":"bar"');
    expect(text).not.toMatch(/url|href|example|javascript|usermeta|data|values|stop|\$schema/);
  });

  it('leaves no input element behind', () => {
    const bound = { mark: 'bar', params: [{ name: 'a', value: 1, bind: { input: 'range' } }] };
    expect(read(bound)).toEqual({ mark: 'bar', params: [{ name: 'a', value: 1 }] });
  });

  it.each([
    ['an image', { mark: 'image' }],
    ['an image in a layer', { layer: [{ mark: { type: 'image' } }] }],
    ['an address', { mark: 'bar', config: { font: 'x', background: 'url(https://example.com)' } }],
    ['a script', { mark: { type: 'bar', cursor: ' javascript:alert(1)' } }],
    [
      'an address in an expression',
      { mark: 'text', transform: [{ calculate: "'http://example.com/' + datum.a", as: 'b' }] },
    ],
    ['an element of the page', { mark: 'bar', transform: [{ calculate: 'datum._svg.ownerDocument', as: 'x' }] }],
    ['a list without end', { mark: 'bar', params: [{ name: 'a', expr: 'sequence (0, 1e12)' }] }],
    ['a huge drawing', { mark: 'bar', width: 1e9 }],
    ['a huge step', { mark: 'bar', width: { step: -1e9 } }],
    ['another language', { $schema: 'https://vega.github.io/schema/vega/v5.json', marks: [] }],
    ['no chart', { text: 'hello' }],
    ['too much', { mark: 'bar', description: 'x'.repeat(21_000) }],
    ['no object', '[1]'],
    ['no JSON', '{"mark":'],
    ['a megabyte', `{"mark":"${'x'.repeat(1_100_000)}"}`],
    ['a deep nest', `{"mark":"bar","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('refuses %s', (_what, spec) => {
    expect(() => read(spec)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringMatching(/^vegaSpec: /) }),
    );
  });

  it('has room for a chart whose data were large', () => {
    const values = Array.from({ length: 5000 }, (_, index) => ({ index }));
    expect(read({ mark: 'bar', data: { values } })).toEqual({ mark: 'bar' });
  });
});
