import { describe, expect, it } from 'vitest';
import { createTools } from '../../../../src/platform/agent/tools/create-tools.js';
import { chartSpecOf } from '../../../../src/platform/agent/tools/data-query.js';
import { column, fakeData, rowSet } from './fake-data.js';

const query = { dimensions: ['orders.city'], measures: ['orders.count'] };
const input = { query, queryTitle: 'Orders by city', description: 'Counts orders.' };
const { signal } = new AbortController();

function start(answer: Parameters<typeof fakeData>[0] = {}, timezone?: string) {
  const { data, asked } = fakeData(answer);
  const tool = createTools(data, timezone === undefined ? {} : { timezone }).get('dataQuery');
  if (!tool) throw new Error('no such tool');
  return { asked, run: (given: unknown) => tool.run(given, { signal }) };
}

describe('dataQuery', () => {
  it('returns rows as text with their types and total count', async () => {
    const columns = [
      column('orders.city'),
      column('orders.placed_at.month', 'time', 'timeDimension'),
      column('orders.paid', 'boolean'),
      column('orders.count', 'number', 'measure'),
      column('orders.total', 'number', 'measure'),
    ];
    const rows = [
      ['Rome', '2024-01-01T00:00:00.000', 'true', '3', '1.5'],
      [null, null, null, null, null],
    ];
    const { run } = start({ rowSet: rowSet(columns, rows), totalRows: 1234 });
    expect(await run({ ...input, userRequest: 'what a newer tool takes' })).toEqual({
      queryTitle: 'Orders by city',
      description: 'Counts orders.',
      query,
      schema: [
        { name: 'orders.city', column_type: 'String', title: 'Short orders.city' },
        { name: 'orders.placed_at.month', column_type: 'Timestamp', title: 'Short orders.placed_at.month' },
        { name: 'orders.paid', column_type: 'Boolean', title: 'Short orders.paid' },
        { name: 'orders.count', column_type: 'Int64', title: 'Short orders.count' },
        { name: 'orders.total', column_type: 'Double', title: 'Short orders.total' },
      ],
      data: rows,
      totalRows: 1234,
      uuid: expect.stringMatching(/^[\da-f-]{36}$/),
      checksum: expect.stringMatching(/^[\da-f]{32}$/),
    });
  });

  it('states which number is Sunday or January, and no other metadata', async () => {
    const day = column('orders.day', 'number');
    const meta = { sunday: 0, synonyms: ['weekday'], january: '1' };
    const columns = [{ ...day, annotation: { ...day.annotation, meta } }];
    const { schema } = await start({ rowSet: rowSet(columns, []) }).run(input);
    expect(schema).toMatchObject([{ name: 'orders.day', meta: { sunday: 0 } }]);
  });

  it.each([
    [{}, 100, 5000],
    [{ limit: 10 }, 10, 10],
    [{ limit: 4000 }, 100, 4000],
    [{ limit: 4000, offset: 4950 }, 100, 50],
    [{ offset: 6000 }, 100, 0],
  ])('loads at most 100 rows and respects the limit of the query: %j', async (limits, loaded, totalRows) => {
    const { run, asked } = start({ totalRows: 5000 });
    const result = await run({ ...input, query: { ...query, ...limits } });
    expect(asked).toEqual([{ ...query, ...limits, limit: loaded }]);
    expect(result).toMatchObject({ query: { ...query, ...limits }, totalRows });
  });

  it('applies the time zone of the caller unless the query names one', async () => {
    const { run, asked } = start({}, 'Europe/Rome');
    await run(input);
    await run({ ...input, query: { ...query, timezone: 'Asia/Tokyo' } });
    expect(asked.map(({ timezone }) => timezone)).toEqual(['Europe/Rome', 'Asia/Tokyo']);
  });

  it('truncates long cells and omits rows beyond the size limit', async () => {
    const wide = Array.from({ length: 40 }, (_, index) => column(`orders.c${index}`));
    const rows = Array.from({ length: 100 }, () => wide.map(() => `${'x'.repeat(498)}\u{1F600}${'y'.repeat(1e5)}`));
    const result = await start({ rowSet: rowSet(wide, rows) }).run(input);
    const data = result.data as string[][];
    expect(data[0]?.[0]).toBe(`${'x'.repeat(498)}…`);
    expect(data.length).toBeGreaterThan(1);
    expect(JSON.stringify(data).length).toBeLessThan(250_000);
    expect(result.totalRows).toBe(100);
  });

  it('accepts query and chart as JSON text, and missing or long titles', async () => {
    const { run, asked } = start();
    const texts = { query: JSON.stringify(query), vegaSpec: '{"mark":"bar"}', description: 'd'.repeat(9999) };
    expect(await run(texts)).toMatchObject({
      queryTitle: '',
      vegaSpec: expect.stringContaining('"mark":"bar"'),
      query,
    });
    expect(asked).toHaveLength(1);
  });

  it('ignores cache and layout options from the model', async () => {
    const { run, asked } = start();
    await run({ ...input, query: { ...query, renewQuery: true, responseFormat: 'columnar', total: false } });
    expect(asked).toEqual([{ ...query, limit: 100 }]);
  });

  it.each([
    [null, 'input'],
    ['SELECT 1', 'input'],
    [{}, 'query'],
    [{ query: 7 }, 'query'],
    [{ query: 'SELECT 1' }, 'not valid JSON'],
    [{ query: [query, query] }, 'one query'],
    [{ query: '[]' }, 'query'],
    [{ query: { measures: ['orders'] } }, 'query.measures.0'],
    [{ query: { ...query, sql: 'DROP TABLE' } }, 'query'],
    [{ query: { ...query, limit: 1e9 } }, 'query.limit'],
    [{ query: '{"__proto__":{"limit":1}}' }, '__proto__'],
    [{ query: { filters: [{ member: 'orders.city', operator: 'matches', values: ['x'] }] } }, 'operator'],
    [{ query: { ...query, dimensions: Array(9000).fill('orders.city') } }, 'shorter than'],
    [
      { query: { ...query, timeDimensions: [{ dimension: 'orders.placed_at', compareDateRange: ['2024', '2025'] }] } },
      'once for each dateRange',
    ],
    [{ query, queryTitle: 7 }, 'input.queryTitle'],
    [{ query, vegaSpec: 7 }, 'input.vegaSpec: must be Vega-Lite'],
    [{ query, vegaSpec: 'a chart' }, 'vegaSpec'],
  ])('rejects %j and states the reason', async (given, why) => {
    await expect(start().run(given)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(why) });
  });
});

describe('the tools of an agent', () => {
  it('are modelMeta, dataQuery and suggestReplies, each with an input schema', () => {
    const tools = createTools(fakeData().data);
    expect([...tools.keys()]).toEqual(['modelMeta', 'dataQuery', 'suggestReplies']);
    for (const [name, tool] of tools) {
      expect(tool.name).toBe(name);
      expect(tool.parameters).toMatchObject({ type: 'object' });
      expect(JSON.stringify(tool.parameters)).not.toContain('$ref');
    }
  });
});

const members = ['orders.city', 'orders.count'];
const read = (spec: string | Record<string, unknown>): unknown => JSON.parse(chartSpecOf(spec, members));

describe('the chart of a query', () => {
  it('is Vega-Lite with marks and encodings, and with escaped field names', () => {
    const encoding = { x: { field: 'orders.city', type: 'nominal' } };
    const $schema = 'https://vega.github.io/schema/vega-lite/v5.json';
    const drawn = { $schema, mark: 'bar', encoding: { x: { field: 'orders\\.city', type: 'nominal' } } };
    expect(read({ mark: 'bar', encoding, data: { url: 'https://example.com/x.json' } })).toEqual(drawn);
    expect(read(JSON.stringify({ $schema: 'https://example.com/vega-lite/v1', mark: 'bar', encoding }))).toEqual(drawn);
  });

  it('accepts a chart with large data', () => {
    const values = Array.from({ length: 5000 }, (_, index) => ({ index }));
    expect(read({ mark: 'bar', data: { values } })).toMatchObject({ mark: 'bar' });
  });

  it.each([
    ['an expression', { mark: 'bar', params: [{ name: 'a', expr: 'sequence(0, 1e12)' }] }],
    ['an unknown field', { mark: 'bar', encoding: { x: { field: 'orders.secret' } } }],
    ['another language', { $schema: 'https://vega.github.io/schema/vega/v5.json', marks: [] }],
    ['no chart', { text: 'hello' }],
    ['no object', '[1]'],
    ['no JSON', '{"mark":'],
    ['a megabyte', `{"mark":"${'x'.repeat(1_100_000)}"}`],
    ['a deep nest', `{"mark":"bar","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('rejects %s', (_what, spec) => {
    expect(() => read(spec)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringMatching(/^vegaSpec: /) }),
    );
  });
});
