import { describe, expect, it } from 'vitest';
import type { MetaResponse } from '../../../../src/contract/meta.js';
import { createModelMeta } from '../../../../src/platform/agent/tools/model-meta.js';
import { fakeData } from './fake-data.js';

interface Found {
  readonly cubes: readonly { readonly name: string; readonly members: readonly { readonly name: string }[] }[];
  readonly searchQuery: string;
}

async function ask(input: unknown, meta?: MetaResponse): Promise<Found> {
  const tool = createModelMeta(fakeData(meta ? { meta } : {}).data);
  const result: unknown = await tool.run(input, { signal: new AbortController().signal });
  return result as Found;
}

const names = ({ cubes }: Found) => cubes.flatMap(({ members }) => members.map(({ name }) => name));

describe('modelMeta', () => {
  it.each([
    ['revenue', 'orders.total'],
    ['turnover', 'orders.total'],
    ['delivered', 'orders.city'],
    ['placed at', 'orders.placed_at'],
    ['reveneu', 'orders.total'],
    ['customers', 'customers.name'],
    ['which city has the largest turnover', 'orders.'],
  ])('finds for %j first %s', async (searchQuery, first) => {
    const found = await ask({ searchQuery });
    expect(names(found)[0]).toContain(first);
    expect(found.searchQuery).toBe(searchQuery);
  });

  it('distinguishes measures, dimensions and segments', async () => {
    expect(await ask({ searchQuery: 'turnover' })).toMatchObject({
      cubes: [
        {
          name: 'orders',
          title: 'Orders',
          type: 'cube',
          members: expect.arrayContaining([
            { name: 'orders.total', title: 'Revenue', type: 'number', aggType: 'sum', synonyms: 'turnover' },
            { name: 'orders.city', title: 'City', type: 'string', description: 'Where it was delivered to' },
            { name: 'orders.large', title: 'Large', type: 'segment' },
          ]),
        },
      ],
    });
  });

  it.each([{}, { searchQuery: '' }, { searchQuery: '  ' }, { searchQuery: null, memoryId: 'x' }])(
    'returns an overview for %j',
    async input => {
      expect(names(await ask(input))).toEqual([
        'orders.count',
        'orders.total',
        'orders.city',
        'orders.placed_at',
        'orders.large',
        'customers.name',
      ]);
    },
  );

  it('finds nothing if no text is similar', async () => {
    expect(await ask({ searchQuery: 'xylophone' })).toEqual({ cubes: [], searchQuery: 'xylophone' });
  });

  it.each(['', 'member'])('returns at most 12 cubes and 60 members for %j', async searchQuery => {
    const cubes = Array.from({ length: 40 }, (_, cube) => ({
      name: `c${cube}`,
      title: `Cube ${cube} ${'long '.repeat(500)}`,
      type: 'cube',
      measures: [],
      dimensions: Array.from({ length: 30 }, (_, index) => ({
        name: `c${cube}.m${index}`,
        title: `Member ${index}`,
        shortTitle: `Member ${index}`,
        description: 'long '.repeat(500),
        type: 'string',
      })),
      segments: [],
    }));
    const found = await ask({ searchQuery }, { cubes });
    expect(found.cubes.length).toBeLessThanOrEqual(12);
    expect(names(found).length).toBeLessThanOrEqual(60);
    expect(names(found).length).toBeGreaterThan(30);
    expect(JSON.stringify(found).length).toBeLessThan(60 * 400 + 12 * 400);
  });

  it.each([null, 'orders', 7, [], { searchQuery: 7 }, { searchQuery: {} }])('rejects %j as input', async input => {
    await expect(ask(input)).rejects.toMatchObject({ status: 400, message: expect.stringMatching(/^input/) });
  });

  it('treats pattern characters literally and truncates long search queries', async () => {
    for (const searchQuery of ['^orders$ | !x', '"', '\\', '(.*)+$', 'a '.repeat(5000), '\u0000\ud800']) {
      expect((await ask({ searchQuery })).searchQuery.length).toBeLessThanOrEqual(300);
    }
  });
});
