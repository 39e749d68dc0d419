import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnalyst } from '../../../../../src/platform/agent/analyst/analyst.js';
import { describeSpan } from '../../../../../src/platform/agent/analyst/answering/describe-reading.js';
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

/** Returns the value from the Data API. */
async function figure(measure: string, more: object = {}): Promise<number> {
  const { rowSet } = await flights.data.load(
    { measures: [measure], ...more },
    { signal: new AbortController().signal },
  );
  return Number(rowSet.rows[0]?.[measure]);
}

const grouped = (value: number, locale = 'en') => new Intl.NumberFormat(locale).format(value);

describe('a clarifying question', () => {
  it('offers each meaning as a reply, and understands each reply', async () => {
    const { events, turn } = await ask(agent, flights, 'flights to Manchester');
    const call = events.find(event => event.type === 'tool-call');
    expect(call).toMatchObject({ name: 'suggestReplies' });
    const { replies } = (call as { input: { replies: string[] } }).input;
    expect(replies.length).toBeGreaterThan(1);
    for (const reply of replies) {
      const { queries } = await ask(agent, flights, reply, { history: [turn] });
      expect([reply, queries.length]).toEqual([reply, 1]);
    }
  });

  it('offers “Yes” for a single meaning', async () => {
    const { events, turn } = await ask(agent, flights, 'flights by hour state');
    expect(events.find(event => event.type === 'tool-call')).toMatchObject({ input: { replies: ['Yes'] } });
    expect((await ask(agent, flights, 'Yes', { history: [turn] })).queries).toHaveLength(1);
  });
});

describe('an answer without figures', () => {
  it.each(['flights in 2019', 'distance elephants', 'how many blue elephants?'])(
    'to “%s” offers questions as replies that it can answer',
    async question => {
      const { events, turn, text } = await ask(agent, flights, question);
      const replies = events.flatMap(event =>
        event.type === 'tool-call' && event.name === 'suggestReplies'
          ? (event.input as { replies: string[] }).replies
          : [],
      );
      expect(replies.length).toBeGreaterThan(0);
      for (const reply of replies) {
        expect(text).toContain(reply.slice(0, 8));
        const { queries } = await ask(agent, flights, reply, { history: [turn] });
        expect([reply, queries.length]).toEqual([reply, 1]);
      }
    },
  );
});

describe('an answer', () => {
  const repliesTo = ({ events }: Awaited<ReturnType<typeof ask>>) =>
    events.flatMap(event =>
      event.type === 'tool-call' && event.name === 'suggestReplies'
        ? (event.input as { replies: string[] }).replies
        : [],
    );

  it.each(['flights in May', 'average delay by month', 'flights by city in May compared with April'])(
    'to “%s” suggests questions that change the answer',
    async question => {
      const answer = await ask(agent, flights, question);
      const replies = repliesTo(answer);
      expect(replies.length).toBeGreaterThan(1);
      for (const reply of replies) {
        const next = await ask(agent, flights, reply, { history: [answer.turn] });
        expect([reply, next.queries.length > 0]).toEqual([reply, true]);
        expect(next.queries).not.toEqual(answer.queries);
      }
    },
  );

  it('suggests no grouping that has a single value for the caller', async () => {
    // Loads the values of Atlanta airport, whose flights have one origin.
    await ask(agent, flights, 'flights to Denver');
    expect(repliesTo(await ask(agent, flights, 'flights in May'))).not.toContain('By Origin');
  });

  it('suggests nothing without the tool for it', async () => {
    const context = flights.context();
    const tools = new Map([...context.tools].filter(([name]) => name !== 'suggestReplies'));
    const types: string[] = [];
    for await (const event of agent.run(flights.turn('flights in May'), { ...context, tools })) types.push(event.type);
    expect(types.filter(type => type === 'tool-call')).toHaveLength(1);
  });
});

describe('the text of an answer', () => {
  it('begins with the figure from the Data API and states the interpretation', async () => {
    const count = await figure('departures.count', {
      filters: [{ member: 'departures.destination_city', operator: 'equals', values: ['Denver'] }],
      timeDimensions: [{ dimension: 'departures.date', dateRange: ['2001-03-01', '2001-03-31'] }],
    });
    const { text } = await ask(agent, flights, 'how many flights to Denver in March?');
    expect(text).toBe(
      `Flights: **${grouped(count)}**.\n\nUnderstood as: Flights · Destination city is Denver · Departure March 2001.`,
    );
  });

  it('formats figures in the language of the reader', async () => {
    const count = await figure('departures.count');
    const { text } = await ask(agent, flights, 'how many flights were there?', { locale: 'de' });
    expect(text).toContain(`**${grouped(count, 'de')}**`);
  });

  it('names periods in the language of the question', async () => {
    const german = await ask(agent, flights, 'Wie viele Flights gab es im Mai 2001?', { locale: 'en' });
    expect(german.text).toContain('Mai 2001');
    const english = await ask(agent, flights, 'how many flights were there in May 2001?', { locale: 'de' });
    expect(english.text).toContain('May 2001');
  });

  it('describes the limit of a ranking', async () => {
    const one = await ask(agent, flights, 'which state has the most flights?');
    expect(one.text).toContain('Understood as: Flights · by Destination state · only the highest.');
    const ten = await ask(agent, flights, 'top 10 cities by average delay');
    expect(ten.text).toContain('by Destination city · the 10 highest.');
  });

  it.each([
    ['en', '2001-05-01', '2001-05-31', 'May 2001'],
    ['de', '2001-05-01', '2001-05-31', 'Mai 2001'],
    ['es', '2001-05-01', '2001-05-31', 'mayo de 2001'],
    ['fr', '2001-05-02', '2001-05-04', '2 mai 2001 au 4 mai 2001'],
    ['de', '2001-05-02', null, 'ab dem 2. Mai 2001'],
    ['es', null, '2001-05-01', 'antes del 2 may 2001'],
    ['de-AT', '2001-04-01', '2001-06-30', 'Q2 2001'],
    ['fr', '2001-04-01', '2001-06-30', 'T2 2001'],
  ])('describes a period in %s', (locale, from, to, expected) => {
    expect(describeSpan({ from, to }, locale)).toBe(expected);
  });

  it('states the difference between two periods with sign and percentage', async () => {
    const { text } = await ask(agent, shop, 'revenue in Q4 2023 compared with Q3 2023');
    expect(text).toMatch(
      /^Revenue: \*\*€[\d,.]+\*\*, compared with €[\d,.]+ \(Q3 2023\), a change of \*\*[+−]€[\d,.]+, [+−][\d.]+%\*\*\./,
    );
  });

  it('warns if an incomplete period is compared with a complete one', async () => {
    const note = async (input: string) => (await ask(agent, shop, input)).text.split('\n\n').at(-2);
    expect(await note('revenue this month compared with last month')).toBe(
      'June 2024 isn’t over yet: its data so far is compared with all of May 2024.',
    );
    expect(await note('compare revenue in May 2024 with April 2024')).not.toContain('over');
  });

  it('states a share and its whole', async () => {
    const [late, all] = [
      await figure('departures.count', { segments: ['departures.late'] }),
      await figure('departures.count'),
    ];
    const { text } = await ask(agent, flights, 'what share of flights are late?');
    const percent = Math.round((late / all) * 1000) / 10;
    expect(text).toContain(`**${percent}%** of Flights: ${grouped(late)} of ${grouped(all)}.`);
  });

  it('rejects a share whose whole would need a missing join', async () => {
    const shop = await shopWorld();
    try {
      const first = await ask(agent, shop, 'share of customers by status');
      const { text, queries } = await ask(agent, shop, 'only Bikes', { history: [first.turn] });
      expect(first.queries).toHaveLength(2);
      expect(queries).toEqual([]);
      expect(text).toContain(
        'Customers (Customers) and Category (Products) can’t be combined, because the data model doesn’t join them.',
      );
    } finally {
      shop.close();
    }
  });

  it('states that a row limit truncated the rows', async () => {
    const { text } = await ask(agent, flights, 'flights by day');
    expect(text).toMatch(/These are the first 100 of 18\d rows\./);
    expect(text).toContain('starts at');
    expect(text).not.toMatch(/highest|lowest/);
  });

  it('states the range of days with data if a period has no rows', async () => {
    const { text } = await ask(agent, flights, 'average delay in 2015');
    expect(text).toContain('**no data**');
    expect(text).toContain('Jan 1, 2001 to Jul 1, 2001');
  });

  it('resolves a month without a year to the last year with data, regardless of the current date', async () => {
    const late = await flightWorld('ATL', new Date('2026-11-20T00:00:00Z'));
    const { queries } = await ask(agent, late, 'flights in March');
    expect(queries[0]?.timeDimensions?.[0]?.dateRange).toEqual(['2001-03-01', '2001-03-31']);
    late.close();
  });

  it('suggests existing names if a name is unknown', async () => {
    const { text, queries } = await ask(agent, flights, 'revenue by month');
    expect(queries).toEqual([]);
    expect(text).toContain('“revenue”');
    expect(text).toContain('Closest:');
  });

  it('requests a choice between two meanings', async () => {
    const { text } = await ask(agent, shop, 'revenue for Vienna');
    expect(text).toContain('City: Vienna');
    expect(text).toContain('Brand: Vienna');
  });

  it('introduces itself with questions that it can answer', async () => {
    const { text } = await ask(agent, flights, 'hello');
    expect(text).toContain('built-in analyst');
    expect(text).toContain('without a language model');
    expect(text).toMatch(/\n- .+\n- /);
  });

  it('is streamed in chunks and then finished', async () => {
    const { events, text } = await ask(agent, flights, 'flights by state in May vs April 2001');
    const pieces = events.filter(event => event.type === 'text');
    expect(pieces.length).toBeGreaterThan(10);
    expect(text).toContain('| Destination state | May 2001 | April 2001 | Change |');
    expect(events.slice(-3).map(({ type }) => type)).toEqual(['text-end', 'usage', 'finish']);
  });
});

describe('the chart of an answer', () => {
  it.each([
    ['how many flights were there?', 'table'],
    ['flights by month', 'line'],
    ['flights by state', 'bar'],
    ['flights by hour', 'bar'],
    ['flights and average delay by state', 'table'],
    ['flights and average delay by month', 'line and line'],
    ['flights and average delay by hour as a line chart', 'line and line'],
    ['flights by state and distance band', 'table'],
    ['flights by month and distance band', 'line'],
    ['which month had the most flights?', 'bar'],
  ])('for “%s” is a %s', async (input, mark) => {
    expect((await ask(agent, flights, input)).marks[0]).toBe(mark);
  });

  it('is accepted by the tool unchanged', async () => {
    const { events } = await ask(agent, flights, 'flights by month and distance band');
    const result = events.find(event => event.type === 'tool-result')?.result;
    const spec = JSON.parse(String(result?.vegaSpec));
    expect(spec.encoding.x).toMatchObject({ field: 'departures\\.date\\.month', type: 'temporal', title: 'Departure' });
    expect(spec.encoding.color.field).toBe('departures\\.distance_band');
  });

  it('has a line with a separate axis for each of two measures', async () => {
    const { events } = await ask(agent, flights, 'flights and average delay by month');
    const result = events.find(event => event.type === 'tool-result')?.result;
    const { layer, resolve } = JSON.parse(String(result?.vegaSpec));
    const titles = layer.map((one: { encoding: { y: object; color: object } }) => one.encoding);
    expect(titles).toMatchObject([
      { y: { field: 'departures\\.count', axis: { title: 'Flights' } }, color: { datum: 'Flights' } },
      { y: { field: 'departures\\.average_delay' }, color: { datum: expect.stringContaining('delay') } },
    ]);
    expect(resolve).toEqual({ scale: { y: 'independent' } });
  });

  it.each(['flights by month', 'flights by hour', 'flights by state'])(
    'for “%s” does not repeat its heading on the axes',
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
  it('are answerable questions and contain no data', async () => {
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

  it('include those of the model’s author first, except unanswerable ones', async () => {
    const [first, second] = await agent.suggestions(shop.data, 'en');
    expect(first).toBe('Revenue by category last month');
    expect(second).not.toContain('meaning of life');
  });
});
