import { describe, expect, it } from 'vitest';
import { unknownFields } from '../../../src/charts/spec/unknown-fields.js';
import { compileVegaLite } from '../../../src/charts/view.js';
import { gallery } from '../gallery.js';

const columns = ['orders.status', 'orders.created.month', 'orders.total', 'plain'];
const unknownIn = async (spec: object) => unknownFields(await compileVegaLite({ ...spec }), columns);
const bar = (x: object, more: object = {}) => ({
  mark: 'bar',
  encoding: { x: { type: 'nominal', ...x }, y: { field: 'orders\\.total', type: 'quantitative' } },
  ...more,
});

describe('unknownFields', () => {
  it.each([
    ['an escaped name', bar({ field: 'orders\\.state' }), ['orders.state']],
    ['a nested name', bar({ field: 'orders.state' }), ['orders.state']],
    ['a part of a name', bar({ field: 'orders.created', type: 'temporal' }), ['orders.created']],
    ['an aggregate', bar({ field: 'plain' }, { encoding: { y: { aggregate: 'sum', field: 'cost' } } }), ['cost']],
    ['a sort', bar({ field: 'plain', sort: { field: 'rank', op: 'min' } }), ['rank']],
    [
      'a transform',
      bar({ field: 'x' }, { transform: [{ calculate: 'datum.a + datum["b c"]', as: 'x' }] }),
      ['a', 'b c'],
    ],
    ['a filter', bar({ field: 'plain' }, { transform: [{ filter: "datum['gone'] == 'datum.no'" }] }), ['gone']],
    ['a tooltip', { mark: 'bar', encoding: { tooltip: { field: 'hint' } } }, ['hint']],
    [
      'a condition',
      { mark: 'bar', encoding: { color: { condition: { test: 'datum.hot > 1', value: 'red' }, value: 'blue' } } },
      ['hot'],
    ],
    ['a facet', { ...bar({ field: 'plain' }), encoding: { row: { field: 'region', type: 'nominal' } } }, ['region']],
    ['a repeated chart', { repeat: ['plain', 'other'], spec: bar({ field: { repeat: 'repeat' } }) }, ['other']],
    [
      'a layer',
      { layer: [bar({ field: 'plain' }), { mark: 'rule', encoding: { x: { field: 'goal', type: 'nominal' } } }] },
      ['goal'],
    ],
  ] as const)('finds %s', async (_what, spec, expected) => {
    expect((await unknownIn(spec)).sort()).toEqual(expected);
  });

  it.each([
    ['columns', bar({ field: 'orders.status' })],
    ['escaped columns', bar({ field: 'orders\\.created\\.month', type: 'temporal' })],
    ['nested times', bar({ field: 'orders.created.month', type: 'temporal', timeUnit: 'utcyear' })],
    [
      'fields of transforms',
      bar({ field: 'x' }, { transform: [{ calculate: 'datum.plain', as: 'x' }, { filter: 'datum.x > 1' }] }),
    ],
    [
      'windows',
      bar({ field: 'rank' }, { transform: [{ window: [{ op: 'rank', as: 'rank' }], sort: [{ field: 'plain' }] }] }),
    ],
    ['folds', bar({ field: 'key' }, { transform: [{ fold: ['plain', 'orders\\.total'] }] })],
    ['pivots', bar({ field: 'whatever' }, { transform: [{ pivot: 'plain', value: 'orders\\.total' }] })],
    [
      'look-ups',
      bar(
        { field: 'label' },
        {
          transform: [
            { lookup: 'plain', from: { data: { values: [{ id: 1, label: 'a' }] }, key: 'id', fields: ['label'] } },
          ],
        },
      ),
    ],
    [
      'lookups of whole rows',
      bar(
        { field: 'found.label' },
        {
          transform: [{ lookup: 'plain', from: { data: { values: [{ id: 1, label: 'a' }] }, key: 'id' }, as: 'found' }],
        },
      ),
    ],
    [
      'inline data of a layer',
      {
        layer: [
          bar({ field: 'plain' }),
          { data: { values: [{ goal: 3 }] }, mark: 'rule', encoding: { y: { field: 'goal', type: 'quantitative' } } },
        ],
      },
    ],
    [
      'inline data of all',
      { data: { values: [{ goal: 3 }] }, mark: 'point', encoding: { y: { field: 'nothing', type: 'quantitative' } } },
    ],
    ['constants', { mark: 'point', encoding: { x: { datum: 3 }, y: { value: 5 } } }],
    ['counts and bins', { mark: 'bar', encoding: { x: { bin: true, field: 'plain' }, y: { aggregate: 'count' } } }],
    ['selections', bar({ field: 'plain' }, { params: [{ name: 'p', select: { type: 'point', fields: ['plain'] } }] })],
  ])('accepts %s', async (_what, spec) => {
    expect(await unknownIn(spec)).toEqual([]);
  });

  it('accepts the whole gallery, and finds each removed column', async () => {
    const names = ['id', 'day', 'group', 'size', 'value', 'other', 'low', 'signed', 'holes'];
    for (const { name, spec } of gallery) {
      const vega = await compileVegaLite({ ...spec });
      expect(unknownFields(vega, names), name).toEqual([]);
      const used = names.filter(field =>
        new RegExp(`"(field|fold|density|on|repeat)":[^}]*"${field}"`).test(JSON.stringify(spec)),
      );
      for (const field of used) {
        const rest = names.filter(other => other !== field);
        expect(unknownFields(vega, rest), `${name} without ${field}`).toEqual([field]);
      }
    }
  });

  it('reads Vega: marks, facets, scales and data sets that derive from the rows', () => {
    const vega = {
      data: [
        { name: 'rows' },
        {
          name: 'sums',
          source: 'rows',
          transform: [{ type: 'aggregate', groupby: ['plain'], fields: ['gone'], ops: ['sum'] }],
        },
        { name: 'own', values: [{ a: 1 }] },
      ],
      scales: [
        { name: 'x', domain: { data: 'sums', field: 'sum_gone' } },
        { name: 'y', domain: { data: 'rows', field: 'low' } },
      ],
      marks: [
        {
          type: 'rect',
          from: { data: 'rows' },
          encode: { update: { x: { scale: 'x', field: 'plain' }, tooltip: { signal: "datum.hint + datum['plain']" } } },
        },
        { type: 'text', from: { data: 'own' }, encode: { update: { text: { field: 'b' } } } },
        {
          type: 'group',
          from: { facet: { name: 'part', data: 'rows', groupby: 'part_of' } },
          marks: [{ type: 'line', from: { data: 'part' }, encode: { update: { y: { field: 'deep' } } } }],
        },
      ],
    };
    expect(unknownFields(vega, columns).sort()).toEqual(['deep', 'gone', 'hint', 'low', 'part_of']);
  });
});
