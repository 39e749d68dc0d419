import { describe, expect, it } from 'vitest';
import { readAnswerChart } from '../../../src/report/chart/answer-chart.js';
import fc from '../../property.js';

const members = ['orders.city', 'orders.placed_at.month', 'orders.count'];
const read = (spec: Record<string, unknown>): unknown => {
  const answer = readAnswerChart(spec, members);
  return 'chart' in answer ? answer.chart : answer.problem;
};

describe('readAnswerChart', () => {
  it('keeps marks and encodings', () => {
    const spec = {
      title: 'Orders',
      mark: { type: 'bar', tooltip: true, cornerRadiusEnd: 2 },
      encoding: {
        x: {
          field: 'orders\\.city',
          type: 'nominal',
          sort: { field: 'orders\\.count', order: 'descending' },
          axis: { labelAngle: 0 },
        },
        y: {
          field: 'orders\\.count',
          type: 'quantitative',
          aggregate: 'sum',
          stack: 'normalize',
          title: null,
          axis: { format: '.1%' },
        },
        color: { field: 'orders\\.placed_at\\.month', type: 'temporal', timeUnit: 'yearmonth', legend: null },
        tooltip: [{ field: 'orders\\.city' }, { field: 'orders\\.count', format: ',.0f' }],
      },
    };
    expect(read(spec)).toEqual(spec);
  });

  it('keeps layers with their shared encoding', () => {
    const spec = {
      encoding: { x: { field: 'orders\\.city' } },
      layer: [
        { mark: 'bar', encoding: { y: { field: 'orders\\.count' } } },
        { mark: { type: 'text', dy: -6 }, encoding: { text: { field: 'orders\\.count' } } },
      ],
    };
    expect(read(spec)).toEqual(spec);
  });

  it('keeps names of layers and whether layers have their own scales', () => {
    const layer = [{ mark: 'line', encoding: { y: { field: 'orders\\.count' }, color: { datum: 'Orders' } } }];
    const resolve = { scale: { y: 'independent' }, legend: { color: 'shared' } };
    expect(read({ layer, resolve })).toEqual({ layer, resolve });
    expect(read({ layer, resolve: { scale: { y: 'x', size: 'shared' } } })).toEqual({ layer, resolve: { scale: {} } });
    const hostile = [{ mark: 'line', encoding: { color: { datum: { expr: '1' } } } }];
    expect(read({ layer: hostile })).toEqual({ layer: [{ mark: 'line', encoding: { color: {} } }] });
  });

  it.each([
    ['data', { data: { url: 'https://example.com/x' }, datasets: { a: [] } }],
    [
      'colors and sizes',
      { config: { mark: { cursor: 'url(https://example.com)' } }, width: 1e9, background: 'url(x)' },
    ],
    ['a link', { encoding: { href: { field: 'orders.city' }, url: { value: 'https://example.com' } } }],
    [
      'an expression as a value',
      { encoding: { color: { value: { expr: '1' } }, x: { axis: { labelExpr: 'while(1)' } } } },
    ],
    ['steps and ticks', { encoding: { x: { bin: { step: 1e-9 }, axis: { tickCount: 1e8, tickMinStep: 1e-9 } } } }],
    ['wide figures', { encoding: { x: { format: '99999999.4f', axis: { format: '.999f' } } } }],
    ['what fills in rows', { encoding: { y: { impute: { keyvals: { start: 0, stop: 5000, step: 1e-9 } } } } }],
    ['domains', { encoding: { x: { scale: { domain: [0, 4e12], nice: { interval: 'millisecond', step: 1 } } } } }],
    ['a condition', { encoding: { color: { condition: { test: '/(a+)+$/.test(datum.x)', value: 'red' } } } }],
    ['a prototype', { encoding: JSON.parse('{"__proto__": {"x": 1}, "x": {"__proto__": {"a": 1}}}') }],
  ])('omits %s', (_what, extra) => {
    const chart = JSON.stringify(read({ mark: 'bar', ...extra }));
    expect(chart).toMatch(/^\{"mark":"bar"/);
    expect(chart).not.toMatch(/url|href|expr|step|tick|999|impute|domain|test|proto|width|config|data|example/);
  });

  it.each([
    ['transform', { mark: 'bar', transform: [{ calculate: '1', as: 'x' }] }],
    ['params', { mark: 'bar', params: [] }],
    ['repeat', { repeat: ['a'], spec: {} }],
    ['facet', { facet: {}, spec: {} }],
    ['hconcat', { hconcat: [] }],
    ['mark', { mark: 'image' }],
    ['mark', { mark: { tooltip: true } }],
    ['mark', { layer: ['x'] }],
    ['orders.secret', { mark: 'bar', encoding: { x: { field: 'orders.secret' } } }],
    ['datum', { mark: 'bar', encoding: { x: { field: "datum['x']" } } }],
  ])('reports the problem with %s', (word, spec) => {
    expect(read(spec)).toEqual(expect.stringContaining(word));
  });

  it('has a limited size for any input', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4 }), fc.constantFrom('mark', 'encoding', 'layer', 'title'), (value, key) => {
        expect(JSON.stringify(read({ mark: 'bar', [key]: value })).length).toBeLessThan(50_000);
      }),
    );
  });
});
