import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../../../../src/contract/query.js';
import { createAnalyst } from '../../../../../src/platform/agent/analyst/analyst.js';
import { ask } from '../run-question.js';
import { shopWorld, type World } from '../worlds.js';

const agent = createAnalyst();
let shop: World;
beforeAll(async () => {
  shop = await shopWorld();
});
afterAll(() => {
  shop.close();
});

const april: [string, string] = ['2024-04-01', '2024-04-30'];
const may: [string, string] = ['2024-05-01', '2024-05-31'];
const created = (dateRange: [string, string], granularity?: string): Query['timeDimensions'] => [
  { dimension: 'orders.created_at', dateRange, ...(granularity ? { granularity } : {}) },
];

/** Returns the rows of a query from the Data API as lists of cells in the order of the columns. */
async function rowsOf(query: Query): Promise<string[][]> {
  const { rowSet } = await shop.data.load(query, { signal: new AbortController().signal });
  return rowSet.rows.map(row => rowSet.columns.map(({ member }) => String(row[member])));
}

async function revenueBy(dimension: string, range: [string, string]): Promise<Map<string, number>> {
  const rows = await rowsOf({ measures: ['orders.revenue'], dimensions: [dimension], timeDimensions: created(range) });
  return new Map(rows.map(([group = '', value]) => [group, Number(value)]));
}

/** Returns the cells of the table in an answer, without its head. */
function tableIn(text: string): string[][] {
  const lines = text.split('\n').filter(line => line.startsWith('| '));
  return lines.slice(2).map(line => line.slice(2, -2).split(' | '));
}

const euros = (value: number) => `€${Math.round(value).toLocaleString('en')}`;

describe('values that the query of an answer does not return', () => {
  /** Returns how the values of the first result are computed, and whether a dashboard can show them. */
  async function computedIn(question: string) {
    const { events } = await ask(agent, shop, question);
    const [event] = events.filter(({ type }) => type === 'tool-result');
    const { computed, checksum } = Object(event && 'result' in event ? event.result : null);
    return { computed, isPinnable: checksum !== '' };
  }

  it.each([
    ['compare revenue by country in May and April 2024', { amount: 1, unit: 'month' }],
    ['compare revenue in Q1 2024 and Q1 2023', { amount: 12, unit: 'month' }],
  ])('“%s” states the offset of the earlier period', async (question, offset) => {
    const computed = { kind: 'periods', timeDimension: 'orders.created_at', offset };
    expect(await computedIn(question)).toEqual({ computed, isPinnable: true });
  });

  it.each([
    ['share of revenue by country', { kind: 'share' }, true],
    ['what percentage of orders were cancelled?', undefined, false],
    ['top 2 countries by share of revenue', undefined, false],
    ['revenue by country', undefined, true],
  ])('“%s” is pinned only if a dashboard can compute it', async (question, computed, isPinnable) => {
    expect(await computedIn(question)).toEqual({ computed, isPinnable });
  });
});

describe('groups by their change', () => {
  it.each([
    ['which countries had the biggest increase in revenue?', 1],
    ['which countries had the biggest drop in revenue?', -1],
  ])('“%s” lists the groups that changed in that direction, the largest change first', async (question, way) => {
    const [before, now] = [await revenueBy('customers.country', april), await revenueBy('customers.country', may)];
    const changes = [...now].map(([country, value]) => ({
      country,
      change: way * (value - (before.get(country) ?? 0)),
    }));
    const expected = changes.filter(({ change }) => change > 0).sort((a, b) => b.change - a.change);
    const { text, queries } = await ask(agent, shop, question);
    expect(expected.length).toBeGreaterThan(1);
    expect(tableIn(text).map(([country]) => country)).toEqual(expected.map(({ country }) => country));
    // The rows that the visible queries return.
    const returned = await Promise.all(queries.map(query => rowsOf(query)));
    expect(returned.map(rows => rows.length)).toEqual([expected.length, expected.length]);
  });

  it('says so if no group changed in that direction', async () => {
    const { text, queries } = await ask(agent, shop, 'which brands had the biggest drop in orders in March 2023?');
    expect(queries).toEqual([]);
    expect(text).toBe('Orders did not decrease in any group between the two periods.');
  });
});

describe('the largest rows of each group', () => {
  it.each(['top 2 products per country by revenue', 'for each country, the top 2 products by revenue'])(
    '“%s” ranks within each group',
    async question => {
      const all = await rowsOf({ measures: ['orders.revenue'], dimensions: ['customers.country', 'products.name'] });
      const column = ([country = '', product = '', value]: string[]) => ({ country, product, value: Number(value) });
      const rows = all.map(column).sort((a, b) => a.country.localeCompare(b.country) || b.value - a.value);
      const expected = rows.filter(({ country }, at) => rows[at - 2]?.country !== country);
      const { text } = await ask(agent, shop, question);
      const found = tableIn(text).map(cells => [...cells].sort((a, b) => Number(/^€/.test(a)) - Number(/^€/.test(b))));
      expect(found.map(cells => cells.at(-1))).toEqual(expected.map(({ value }) => euros(value)));
    },
  );

  it('ranks within each month', async () => {
    const { queries, text } = await ask(agent, shop, 'top 1 country by revenue each month in 2024');
    const months = tableIn(text).map(([month]) => month);
    expect(months).toHaveLength(new Set(months).size);
    expect(await rowsOf(queries[0] ?? {})).toHaveLength(months.length);
  });
});

describe('running totals', () => {
  it('end with the total of the period', async () => {
    const [[total] = []] = await rowsOf({
      measures: ['orders.revenue'],
      timeDimensions: created(['2023-01-01', '2023-12-31']),
    });
    const { text } = await ask(agent, shop, 'running total of revenue by month in 2023');
    const table = tableIn(text);
    expect(table).toHaveLength(12);
    expect(table[0]?.[1]).toBe(table[0]?.[2]);
    expect(table.at(-1)?.[2]).toBe(euros(Number(total)));
  });
});

describe('the parts of a change', () => {
  it('are the changes of the values of each grouping', async () => {
    const { text, queries } = await ask(agent, shop, 'why did revenue go up in May 2024?');
    const [before, now] = [await revenueBy('customers.country', april), await revenueBy('customers.country', may)];
    const changes = [...now].map(([country, value]) => ({
      country,
      value,
      change: value - (before.get(country) ?? 0),
    }));
    const largest = changes.sort((a, b) => Math.abs(b.change) - Math.abs(a.change)).slice(0, 3);
    const { text: own } = await ask(agent, shop, 'why did revenue go up by country in May 2024?');
    expect(tableIn(own).map(([grouping, country, , value]) => [grouping, country, value])).toEqual(
      largest.map(({ country, value }) => ['Country', country, euros(value)]),
    );
    expect(new Set(tableIn(text).map(([grouping]) => grouping)).size).toBe(4);
    expect(text).toContain('where the value changed, but not why');
    expect(queries.map(({ dimensions }) => dimensions)).toEqual([undefined, undefined]);
  });

  it('state the real direction of the change', async () => {
    const { text } = await ask(agent, shop, 'why did revenue drop in May 2024?');
    expect(text).toMatch(/^Revenue rose from /);
  });
});

describe('unusual values', () => {
  it('are compared with the same weekday, and the threshold is stated', async () => {
    const { text, queries } = await ask(agent, shop, 'anything unusual in orders?');
    expect(queries[0]?.timeDimensions?.[0]).toMatchObject({
      granularity: 'day',
      dateRange: ['2024-03-16', '2024-06-14'],
    });
    expect(text).toMatch(/The median of the same weekday is \d/);
    expect(text).toContain('more than 3 standard deviations');
  });

  it('do not count incomplete intervals at the edges', async () => {
    const { text } = await ask(agent, shop, 'unusual orders by week');
    expect(text).toMatch(/^Orders: the last value, \*\*28\*\* \(2024-06-03 W23\), is \*\*usual\*\*/);
    expect(text).toContain('None of 75 values is unusual.');
  });
});

describe('an overview', () => {
  it.each(['How are we doing?', 'What’s new?', 'give me an overview'])(
    '“%s” compares the main figures',
    async question => {
      const { text } = await ask(agent, shop, question);
      const [[revenue] = []] = await rowsOf({ measures: ['orders.revenue'], timeDimensions: created(may) });
      expect(text).toMatch(/^May 2024, compared with April 2024:/);
      const rows = tableIn(text);
      expect(rows.map(([title]) => title)).toEqual(['Orders', 'Revenue', 'Average order value', 'Items sold']);
      expect(rows[1]?.[1]).toBe(euros(Number(revenue)));
    },
  );
});

describe('the chart of two compared periods', () => {
  it('has a bar for each period and group', async () => {
    const { events, text } = await ask(agent, shop, 'revenue by country in May 2024 compared with April 2024');
    const result = events.flatMap(event => (event.type === 'tool-result' ? [event.result] : []))[0];
    const rows = result?.data as string[][];
    const shown = ['May 2024', 'April 2024'].map(
      name =>
        new Map(
          rows.flatMap(([country = '', revenue, period]) => (period === name ? [[country, Number(revenue)]] : [])),
        ),
    );
    const [later, earlier] = [await revenueBy('customers.country', may), await revenueBy('customers.country', april)];
    expect(shown).toEqual([later, earlier]);
    const spec = JSON.parse(String(result?.vegaSpec));
    expect(spec.encoding).toMatchObject({ yOffset: { field: 'period' }, color: { field: 'period' } });
    expect(tableIn(text)).toHaveLength(later.size);
  });

  it('is omitted for a ranking of changes, because the chart could not show the order', async () => {
    const { events } = await ask(agent, shop, 'which countries had the biggest increase in revenue?');
    const result = events.flatMap(event => (event.type === 'tool-result' ? [event.result] : []))[0];
    expect(String(result?.vegaSpec)).not.toContain('period');
  });
});

describe('results whose rows the text contains', () => {
  it.each([
    ['revenue', [false]],
    ['revenue by month', [false]],
    ['revenue and orders by country', [true]],
    ['revenue and orders by day', [false]],
    ['share of revenue by country', [false, true]],
    ['revenue by country in May 2024 compared with April 2024', [false, true]],
    ['revenue in May 2024 compared with April 2024', [true, true]],
    ['why did revenue change in May 2024?', [true, true]],
  ])('“%s” has no second table or tile for them: %j', async (question, expected) => {
    const { events } = await ask(agent, shop, question);
    const results = events.flatMap(event =>
      event.type === 'tool-result' && event.id.startsWith('query') ? [event.result] : [],
    );
    expect(results.map(({ isSupporting = false }) => isSupporting)).toEqual(expected);
  });
});
