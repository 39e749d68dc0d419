import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnalyst } from '../../../../../src/platform/agent/analyst/analyst.js';
import { ask } from '../run-question.js';
import { flightWorld, shopWorld, type World } from '../worlds.js';

const agent = createAnalyst();
let flights: World;
let shop: World;
beforeAll(async () => {
  [flights, shop] = await Promise.all([flightWorld(), shopWorld()]);
});
afterAll(() => {
  flights.close();
  shop.close();
});

/** What the Data API itself says. */
async function figure(measure: string, more: object = {}): Promise<number> {
  const { rowSet } = await flights.data.load(
    { measures: [measure], ...more },
    { signal: new AbortController().signal },
  );
  return Number(rowSet.rows[0]?.[measure]);
}

const grouped = (value: number, locale = 'en') => new Intl.NumberFormat(locale).format(value);

describe('the text of an answer', () => {
  it('begins with the figure that the Data API gives, and says what was understood', async () => {
    const count = await figure('departures.count', {
      filters: [{ member: 'departures.destination_city', operator: 'equals', values: ['Denver'] }],
      timeDimensions: [{ dimension: 'departures.date', dateRange: ['2001-03-01', '2001-03-31'] }],
    });
    const { text } = await ask(agent, flights, 'how many flights to Denver in March?');
    expect(text).toBe(
      `Flights: **${grouped(count)}**.\n\nUnderstood as: Flights · Destination city is Denver · Departure March 2001.`,
    );
  });

  it('writes figures in the reader’s language', async () => {
    const count = await figure('departures.count');
    const { text } = await ask(agent, flights, 'how many flights were there?', { locale: 'de' });
    expect(text).toContain(`**${grouped(count, 'de')}**`);
  });

  it('says how far two periods are apart, with sign and percent', async () => {
    const { text } = await ask(agent, shop, 'revenue in Q4 2023 compared with Q3 2023');
    expect(text).toMatch(
      /^Revenue: \*\*€[\d,.]+\*\*, against €[\d,.]+ \(Jul 1, 2023 to Sep 30, 2023\): \*\*[+−]€[\d,.]+, [+−][\d.]+%\*\*\./,
    );
  });

  it('says where a period that isn’t over stands against a whole one', async () => {
    const note = async (input: string) => (await ask(agent, shop, input)).text.split('\n\n').at(-2);
    expect(await note('revenue this month compared with last month')).toBe(
      'June 2024 isn’t over: what there is of it stands against all of May 2024.',
    );
    expect(await note('compare revenue in May 2024 with April 2024')).not.toContain('over');
  });

  it('says a share with what it is a share of', async () => {
    const [late, all] = [
      await figure('departures.count', { segments: ['departures.late'] }),
      await figure('departures.count'),
    ];
    const { text } = await ask(agent, flights, 'what share of flights are late?');
    const percent = Math.round((late / all) * 1000) / 10;
    expect(text).toContain(`**${percent}%** of Flights: ${grouped(late)} of ${grouped(all)}.`);
  });

  it('refuses a share whose whole would need a join that isn’t there', async () => {
    const shop = await shopWorld();
    try {
      const first = await ask(agent, shop, 'share of customers by status');
      const { text, queries } = await ask(agent, shop, 'only Bikes', { history: [first.turn] });
      expect(first.queries).toHaveLength(2);
      expect(queries).toEqual([]);
      expect(text).toContain('Nothing joins Customers (Customers) with Category (Products)');
    } finally {
      shop.close();
    }
  });

  it('says where a row limit has cut the rows', async () => {
    const { text } = await ask(agent, flights, 'flights by day');
    expect(text).toMatch(/These are the first 100 of 18\d rows\./);
    expect(text).toContain('it begins with');
    expect(text).not.toMatch(/highest|lowest/);
  });

  it('says from when to when there are data, where a period has none', async () => {
    const { text } = await ask(agent, flights, 'average delay in 2015');
    expect(text).toContain('**no data**');
    expect(text).toContain('Jan 1, 2001 to Jul 1, 2001');
  });

  it('looks for a month without a year where there are data, however late it is asked', async () => {
    const late = await flightWorld('ATL', new Date('2026-11-20T00:00:00Z'));
    const { queries } = await ask(agent, late, 'flights in March');
    expect(queries[0]?.timeDimensions?.[0]?.dateRange).toEqual(['2001-03-01', '2001-03-31']);
    late.close();
  });

  it('names what there is where something is unknown', async () => {
    const { text, queries } = await ask(agent, flights, 'revenue by month');
    expect(queries).toEqual([]);
    expect(text).toContain('“revenue”');
    expect(text).toContain('The nearest that there is:');
  });

  it('asks back naming both meanings', async () => {
    const { text } = await ask(agent, shop, 'revenue for Vienna');
    expect(text).toContain('City: Vienna');
    expect(text).toContain('Brand: Vienna');
  });

  it('greets as what it is, with questions that it can answer', async () => {
    const { text } = await ask(agent, flights, 'hello');
    expect(text).toContain('built-in analyst');
    expect(text).toContain('without a language model');
    expect(text).toMatch(/\n- .+\n- /);
  });

  it('comes in pieces that make the whole, and ends', async () => {
    const { events, text } = await ask(agent, flights, 'flights by state in May vs April 2001');
    const pieces = events.filter(event => event.type === 'text');
    expect(pieces.length).toBeGreaterThan(10);
    expect(text).toContain('| Destination state | May 2001 | April 2001 | Change |');
    expect(events.slice(-3).map(({ type }) => type)).toEqual(['text-end', 'usage', 'finish']);
  });
});

describe('the drawing of an answer', () => {
  it.each([
    ['how many flights were there?', 'table'],
    ['flights by month', 'line'],
    ['flights by state', 'bar'],
    ['flights by hour', 'bar'],
    ['flights and average delay by state', 'table'],
    ['flights by state and distance band', 'table'],
    ['flights by month and distance band', 'line'],
    ['which month had the most flights?', 'bar'],
  ])('of “%s” is a %s', async (input, mark) => {
    expect((await ask(agent, flights, input)).marks[0]).toBe(mark);
  });

  it('is taken by the tool as it stands', async () => {
    const { events } = await ask(agent, flights, 'flights by month and distance band');
    const result = events.find(event => event.type === 'tool-result')?.result;
    const spec = JSON.parse(String(result?.vegaSpec));
    expect(spec.encoding.x).toMatchObject({ field: 'departures\\.date\\.month', type: 'temporal', title: 'Departure' });
    expect(spec.encoding.color.field).toBe('departures\\.distance_band');
  });

  it.each(['flights by month', 'flights by hour', 'flights by state'])(
    'of “%s” says at its axes nothing that its heading says',
    async input => {
      const { events } = await ask(agent, flights, input);
      const result = events.find(event => event.type === 'tool-result')?.result;
      const { x, y } = JSON.parse(String(result?.vegaSpec)).encoding;
      expect([x.axis.title, y.axis.title]).toEqual([null, null]);
      expect([x.title, y.title]).toContain('Flights');
    },
  );
});

describe('suggestions', () => {
  it('are questions that it answers, without data of their own', async () => {
    for (const world of [flights, shop]) {
      const questions = await agent.suggestions(world.data, 'en');
      expect(questions.length).toBe(6);
      for (const question of questions)
        expect([question, (await ask(agent, world, question)).queries.length]).toEqual([
          question,
          expect.not.toBeOneOf([0]),
        ]);
    }
  });

  it('of the model’s author come first, but for those that it can’t answer', async () => {
    const [first, second] = await agent.suggestions(shop.data, 'en');
    expect(first).toBe('Revenue by category last month');
    expect(second).not.toContain('meaning of life');
  });
});
