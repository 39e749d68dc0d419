import type { Query } from '../../src/contract/query.js';

const all = (name: string): string => `departures.${name}`;
const measures = ['count', 'on_time_share', 'average_delay', 'max_delay', 'total_distance', 'destinations'];
const dimensions = ['destination', 'weekday', 'hour', 'distance_band', 'destination_state', 'destination_city'];
const range: [string, string] = ['2001-01-01', '2001-06-30'];

const over = (granularity: string, ...names: string[]): Query => ({
  measures: names.map(all),
  timeDimensions: [{ dimension: all('date'), granularity, dateRange: range }],
});

/** The concurrent queries of a dashboard on the demo's 3 million flights: 24 queries with 1 to 500 rows. */
export const dashboard: readonly Query[] = [
  ...measures.map((measure): Query => ({ measures: [all(measure)] })),
  ...dimensions.map((dimension): Query => ({ measures: [all('count')], dimensions: [all(dimension)], limit: 200 })),
  ...['month', 'week', 'day', 'quarter'].map(granularity => over(granularity, 'count')),
  over('day', 'count', 'average_delay', 'on_time_share'),
  over('month', 'destinations'),
  { ...over('month', 'count'), dimensions: [all('distance_band')] },
  { measures: [all('on_time_share')], dimensions: [all('weekday'), all('hour')], order: [[all('weekday'), 'asc']] },
  {
    measures: [all('count'), all('average_delay')],
    dimensions: [all('destination'), all('destination_city'), all('destination_state')],
    order: [[all('count'), 'desc']],
    limit: 500,
  },
  { measures: [all('count')], dimensions: [all('destination')], segments: [all('late')], limit: 20 },
  {
    measures: [all('average_delay')],
    dimensions: [all('hour')],
    filters: [{ member: all('distance'), operator: 'gte', values: ['500'] }],
  },
  {
    ...over('day', 'max_delay'),
    filters: [{ member: all('destination'), operator: 'equals', values: ['LAX', 'SFO'] }],
  },
];

/** Some queries of every kind, few enough that all tenants can repeat them before cached responses expire. */
export const everyKind: readonly Query[] = dashboard.filter((_query, index) => index % 4 === 0);

/** 10,000 rows with 4 columns: a string, a time, a count and an average. */
export const tenThousandRows: Query = {
  ...over('hour', 'count', 'average_delay'),
  dimensions: [all('destination')],
  order: [
    [all('date'), 'asc'],
    [all('destination'), 'asc'],
  ],
  limit: 10_000,
};
