import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileModel } from '../../../../src/platform/data/compile-model.js';
import { allRowsPolicy } from '../../data/model/model-yaml.js';
import type { Question } from './question.js';
import { connect, type World, worldOf } from './worlds.js';

/**
 * Plans with several dates and values that are also other words, films with a rating, and countries with one row per
 * year.
 */
const model = `
cubes:
  - name: plans
    sql_table: plans
    title: Subscriptions
    dimensions:
      - { name: plan, sql: "{CUBE}.plan", type: string, title: Plan }
      - { name: billing, sql: "{CUBE}.billing", type: string, title: Billing cycle }
      - { name: kind, sql: "{CUBE}.kind", type: string, title: Subscription type }
      - { name: started_on, sql: "{CUBE}.started_on", type: time, title: Start date }
      - { name: cancelled_on, sql: "{CUBE}.cancelled_on", type: time, title: Cancellation date }
    measures:
      - { name: count, type: count, title: Subscriptions }
      - { name: revenue, sql: "{CUBE}.price", type: sum, title: Revenue }
      - { name: seats, sql: "{CUBE}.seats", type: avg, title: Average seats, meta: { better: more } }
      - { name: users, sql: "{CUBE}.users", type: count_distinct, title: Users }
      - { name: cancelled, sql: "{CUBE}.cancelled_on", type: count, title: Cancellations }
    ${allRowsPolicy}
  - name: films
    sql_table: films
    title: Films
    dimensions:
      - { name: title, sql: "{CUBE}.title", type: string, title: Title, primary_key: true, public: true }
      - { name: genre, sql: "{CUBE}.genre", type: string, title: Genre }
      - { name: mpaa, sql: "{CUBE}.mpaa", type: string, title: MPAA rating }
      - { name: released, sql: "{CUBE}.released", type: time, title: Release date, meta: { synonyms: [release year] } }
    measures:
      - { name: count, type: count, title: Films }
      - { name: rating, sql: "{CUBE}.rating", type: avg, title: Average rating }
      - { name: best, sql: "{CUBE}.rating", type: max, title: Best rating }
      - { name: runtime, sql: "{CUBE}.runtime", type: avg, title: Average running time }
    ${allRowsPolicy}
  - name: countries
    sql_table: countries
    title: Countries
    dimensions:
      - { name: country, sql: "{CUBE}.country", type: string, title: Country }
      - { name: year, sql: "{CUBE}.y", type: time, title: Year }
    measures:
      - { name: population, sql: "{CUBE}.population", type: sum, title: Population }
      - { name: gdp_per_capita, sql: "sum({CUBE}.gdp) / sum({CUBE}.population)", type: number, title: GDP per capita }
    ${allRowsPolicy}
`;

const tables = `
  CREATE TABLE plans AS SELECT ['Basic', 'Plus', 'Pro'][1 + id % 3] AS plan, ['monthly', 'yearly'][1 + id % 2] AS billing,
    ['Trial', 'Paid'][1 + id % 2] AS kind, DATE '2022-01-01' + (id % 800)::INT AS started_on,
    CASE WHEN id % 5 = 0 THEN DATE '2022-03-01' + (id % 700)::INT END AS cancelled_on,
    10 + id % 30 AS price, 1 + id % 7 AS seats, id % 90 AS users FROM range(1, 900) t(id);
  CREATE TABLE films AS SELECT 'Film ' || id AS title, ['Drama', 'Comedy'][1 + id % 2] AS genre,
    ['G', 'PG', 'R'][1 + id % 3] AS mpaa, make_date((1990 + id % 30)::INT, 1, 1) AS released,
    id % 10 AS rating, 80 + id % 50 AS runtime FROM range(1, 60) t(id);
  CREATE TABLE countries AS SELECT name AS country, make_date(y::INT, 1, 1) AS y, 50 + y - 2010 AS population, 900 AS gdp
    FROM (VALUES ('France'), ('India')) c(name), range(2010, 2024) t(y);`;

/** Returns the data on 15 June 2024. */
export async function planWorld(): Promise<World> {
  const connection = await connect();
  await connection.run(tables);
  const directory = await mkdtemp(join(tmpdir(), 'pa-analyst-'));
  await writeFile(join(directory, 'model.yml'), model);
  const compiled = await compileModel({ directory, tables: ['plans', 'films', 'countries'] });
  await rm(directory, { recursive: true });
  const now = new Date('2024-06-15T12:00:00Z');
  return worldOf({ connection, model: compiled, keys: {}, timezone: 'UTC', now, cube: 'plans' });
}

const cancelledOn = 'plans.cancelled_on';
const [second, first] = [
  ['2023-04-01', '2023-06-30'],
  ['2023-01-01', '2023-03-31'],
] as const;

/** One question per rule. */
export const planQuestions: readonly Question[] = [
  // Dates that are years
  ['population by country over time', { m: 'countries.population', d: 'countries.country', t: 'year' }],
  ['line chart of population', { m: 'countries.population', t: 'year' }],
  ['films by release year', { m: 'films.count', t: 'year' }],
  [
    'population growth by country',
    {
      m: 'countries.population',
      d: 'countries.country',
      range: ['2023-01-01', '2023-12-31'],
      second: { m: 'countries.population', d: 'countries.country', range: ['2022-01-01', '2022-12-31'] },
    },
  ],
  ['monthly population', 'refuses'],
  ['population by year', { m: 'countries.population', t: 'year' }],
  ['revenue over time', { m: 'revenue', t: 'month' }],
  // A measure that is named like one of several dates
  ['cancellations by month', { m: 'cancelled', t: 'month', on: cancelledOn }],
  ['subscriptions by month', { m: 'count', t: 'month', on: 'plans.started_on' }],
  [
    'how many subscriptions were cancelled in 2023?',
    { m: 'cancelled', range: ['2023-01-01', '2023-12-31'], on: cancelledOn },
  ],
  // Words that are also values
  ['yearly revenue', 'asks'],
  ['percentage of monthly subscriptions', 'asks'],
  ['revenue of billing cycle yearly', { m: 'revenue', f: [['billing', 'equals', 'yearly']] }],
  ['plus plan revenue', { m: 'revenue', f: [['plan', 'equals', 'Plus']] }],
  // Ratios of two measures
  ['subscriptions per user', 'asks'],
  ['population per capita', 'asks'],
  ['GDP per capita by country', { m: 'countries.gdp_per_capita', d: 'countries.country' }],
  // Changes and extremes of each interval
  ['revenue growth by month', 'asks'],
  ['highest revenue by month', 'asks'],
  ['second subscription by plan', 'asks'],
  // Participles that name the column of a value
  ['films rated R', { m: 'films.count', f: [['films.mpaa', 'equals', 'R']] }],
  ['R rated films by genre', { m: 'films.count', d: 'films.genre', f: [['films.mpaa', 'equals', 'R']] }],
  ['highest rated films', { m: 'films.rating', d: 'films.title', o: 'desc', n: 10 }],
  // Rows with a threshold
  ['subscriptions with revenue above 50', 'asks'],
  [
    'films with a running time above 100',
    { m: 'films.runtime', d: 'films.title', f: [['films.runtime', 'gt', '100']] },
  ],
  ['films with a rating over 8 by genre', 'asks'],
  ['films by rating', 'asks'],
  ['top 5 and bottom 5 plans by revenue', 'asks'],
  ['average rating of the top 5 films', 'asks'],
  ['which plans were never yearly?', 'asks'],
  ['revenue over users by plan', 'asks'],
  // Nouns that may also name rows, single rows or a part
  ['average running time per film by genre', 'asks'],
  ['films in genre', 'asks'],
  ['the subscription with plan Pro', 'asks'],
  // The last complete period
  [
    'population growth since 2015',
    {
      m: 'countries.population',
      range: ['2023-01-01', '2023-12-31'],
      second: { m: 'countries.population', range: ['2015-01-01', '2015-12-31'] },
    },
  ],
  // The only measure that fits
  ['the longest film', { m: 'films.runtime', d: 'films.title', o: 'desc', n: 1 }],
  ['the worst plan', { m: 'seats', d: 'plan', o: 'asc', n: 1 }],
  // Two periods, of which one is shortened
  [
    'how was the second quarter of 2023 against the first for subscriptions?',
    { m: 'count', range: second, second: { m: 'count', range: first } },
  ],
  [
    'compare revenue in the first and second quarter of 2023',
    { m: 'revenue', range: second, second: { m: 'revenue', range: first } },
  ],
];
