import type { Expected } from './question.js';

const city = 'destination_city';
const state = 'destination_state';
const march: [string, string] = ['2001-03-01', '2001-03-31'];
const may: [string, string] = ['2001-05-01', '2001-05-31'];

/** Turns of one thread. Each one follows up on the previous ones. */
export type Conversation = readonly (readonly [input: string, expected: Expected])[];

/** Conversations about the demo model. */
export const flightConversations: readonly Conversation[] = [
  [
    ['How many flights were there?', { m: 'count' }],
    ['and by month?', { m: 'count', t: 'month' }],
    ['only Denver', { m: 'count', t: 'month', f: [[city, 'equals', 'Denver']] }],
    ['as a table', { m: 'count', t: 'month', f: [[city, 'equals', 'Denver']], as: 'table' }],
  ],
  [
    ['average delay by state', { m: 'average_delay', d: state }],
    ['top 5', { m: 'average_delay', d: state, o: 'desc', n: 5 }],
    ['what about flights?', { m: 'count', d: state, o: 'desc', n: 5 }],
    ['show 20', { m: 'count', d: state, n: 20 }],
  ],
  [
    ['flights in March 2001', { m: 'count', range: march }],
    ['and in May?', { m: 'count', range: may }],
    [
      'compare with the previous month',
      { m: 'count', range: may, second: { m: 'count', range: ['2001-04-01', '2001-04-30'] } },
    ],
  ],
  [
    ['flights to Denver', { m: 'count', f: [[city, 'equals', 'Denver']] }],
    ['and Boston?', { m: 'count', f: [[city, 'equals', 'Boston']] }],
    ['by month', { m: 'count', t: 'month', f: [[city, 'equals', 'Boston']] }],
    ['also by distance band', { m: 'count', t: 'month', d: 'distance_band', f: [[city, 'equals', 'Boston']] }],
  ],
  [
    ['flights by city', { m: 'count', d: city }],
    ['without Miami', { m: 'count', d: city, f: [[city, 'notEquals', 'Miami']] }],
    ['sort by name', { m: 'count', d: city, f: [[city, 'notEquals', 'Miami']], o: [city, 'asc'] }],
  ],
  [
    ['flights to Washington', 'asks'],
    ['the first', { m: 'count', f: [['destination_name', 'equals', 'Baltimore-Washington International']] }],
    ['by month', { m: 'count', t: 'month', f: [['destination_name', 'equals', 'Baltimore-Washington International']] }],
  ],
  [
    ['flights to Washington', 'asks'],
    ['Dulles', { m: 'count', f: [['destination_name', 'equals', 'Washington Dulles International']] }],
  ],
  [
    ['flights to Manchester', 'asks'],
    ['the city', { m: 'count', f: [[city, 'equals', 'Manchester']] }],
  ],
  [
    ['flights to Columbis', 'asks'],
    ['Columbus', { m: 'count', f: [[city, 'equals', 'Columbus']] }],
  ],
  [
    ['flights to Manchester', 'asks'],
    ['how many flights to Denver?', { m: 'count', f: [[city, 'equals', 'Denver']] }],
  ],
  [
    ['late flights by month', { m: 'count', t: 'month', s: 'late' }],
    ['as a bar chart', { m: 'count', t: 'month', s: 'late', as: 'bar' }],
    ['and by state instead', { m: 'count', d: state, s: 'late' }],
  ],
  [
    ['average delay in May 2001', { m: 'average_delay', range: may }],
    ['and the on-time share?', { m: 'on_time_share', range: may }],
    ['by weekday', { m: 'on_time_share', d: 'weekday', range: may }],
    ['why?', 'refuses'],
    ['and last week?', { m: 'on_time_share', d: 'weekday', range: ['2001-06-04', '2001-06-10'] }],
  ],
  [
    ['flights by state', { m: 'count', d: state }],
    ['only TX and FL', { m: 'count', d: state, f: [[state, 'equals', 'TX', 'FL']] }],
    ['remove the filter', { m: 'count', d: state }],
    ['only long haul', { m: 'count', d: state, s: 'long_haul' }],
  ],
  [
    ['average delay by state', { m: 'average_delay', d: state }],
    ['worst 3', { m: 'average_delay', d: state, o: 'desc', n: 3 }],
    ['best 3', { m: 'average_delay', d: state, o: 'asc', n: 3 }],
  ],
  [
    ['flights by state', { m: 'count', d: state }],
    ['what is the average delay?', { m: 'average_delay' }],
  ],
];

/** Conversations about the shop. */
export const shopConversations: readonly Conversation[] = [
  [
    [
      'why did revenue drop?',
      {
        m: 'revenue',
        range: ['2024-05-01', '2024-05-31'],
        second: { m: 'revenue', range: ['2024-04-01', '2024-04-30'] },
      },
    ],
    [
      'by country',
      {
        m: 'revenue',
        d: 'customers.country',
        range: ['2024-05-01', '2024-05-31'],
        second: { m: 'revenue', d: 'customers.country', range: ['2024-04-01', '2024-04-30'] },
      },
    ],
  ],
  [
    ['revenue by country', { m: 'revenue', d: 'customers.country' }],
    ['and last year?', { m: 'revenue', d: 'customers.country', range: ['2023-01-01', '2023-12-31'] }],
    [
      'only bikes',
      {
        m: 'revenue',
        d: 'customers.country',
        range: ['2023-01-01', '2023-12-31'],
        f: [['products.category', 'equals', 'Bikes']],
      },
    ],
    [
      'add orders',
      {
        m: ['revenue', 'count'],
        d: 'customers.country',
        range: ['2023-01-01', '2023-12-31'],
        f: [['products.category', 'equals', 'Bikes']],
      },
    ],
  ],
  [
    ['revenue for Vienna', 'asks'],
    ['the brand', { m: 'revenue', f: [['products.brand', 'equals', 'Vienna']] }],
    ['per quarter please', { m: 'revenue', t: 'quarter', f: [['products.brand', 'equals', 'Vienna']] }],
  ],
  [
    ['orders by name', 'asks'],
    ['2', { m: 'count', d: 'products.name' }],
  ],
  [
    ['share of revenue by channel', { m: 'revenue', d: 'channel', second: { m: 'revenue' } }],
    ['and by category?', { m: 'revenue', d: 'products.category', second: { m: 'revenue' } }],
  ],
  [
    ['profit', 'refuses'],
    ['ok, revenue then', { m: 'revenue' }],
    ['orders instead', { m: 'count' }],
  ],
  [
    ['revenue by country', { m: 'revenue', d: 'customers.country' }],
    ['replace revenue with orders', { m: 'count', d: 'customers.country' }],
    ['remove Germany', { m: 'count', d: 'customers.country', f: [['customers.country', 'notEquals', 'Germany']] }],
    [
      'by category instead of country',
      { m: 'count', d: 'products.category', f: [['customers.country', 'notEquals', 'Germany']] },
    ],
    [
      'add revenue',
      { m: ['count', 'revenue'], d: 'products.category', f: [['customers.country', 'notEquals', 'Germany']] },
    ],
    ['remove orders', { m: 'revenue', d: 'products.category', f: [['customers.country', 'notEquals', 'Germany']] }],
    ['remove the channel', 'refuses'],
  ],
  [
    [
      'orders for Germany or France by month',
      { m: 'count', t: 'month', f: [['customers.country', 'equals', 'Germany', 'France']] },
    ],
    ['remove France', { m: 'count', t: 'month', f: [['customers.country', 'equals', 'Germany']] }],
    ['remove the month', { m: 'count', f: [['customers.country', 'equals', 'Germany']] }],
    ['remove orders', 'refuses'],
  ],
];
