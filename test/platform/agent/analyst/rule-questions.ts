import type { Conversation } from './conversations.js';
import type { Question } from './question.js';

const city = 'destination_city';
const state = 'destination_state';
const mainMeasures = ['count', 'destinations', 'average_delay', 'total_distance'];
const delayed = (operator: string, value: string) => ['delay', operator, value] as const;

/**
 * One question per rule of the reader. The questions are about the demo model, as the airport Atlanta sees it on 15
 * June 2001.
 */
export const ruleQuestions: readonly Question[] = [
  // Several measures
  [
    'How many flights were there per month, and what was the average delay?',
    { m: ['count', 'average_delay'], t: 'month' },
  ],
  // A time dimension or a numeric column without `by`
  ['average delay over time', { m: 'average_delay', t: 'month' }],
  ['line chart of flights', { m: 'count', t: 'month' }],
  ['distance average delay', { m: 'average_delay', d: 'distance' }],
  // The order of a grouping by time
  ['flights by month, sorted by month descending', { m: 'count', t: 'month', o: ['date', 'desc'] }],
  ['flights by month, show the month in descending order', { m: 'count', t: 'month', o: ['date', 'desc'] }],
  ['flights by state, sort by month', 'refuses'],
  // Words that name only the rows, and aggregates of a column that groups them
  ['average delay among flights in each state', { m: 'average_delay', d: state }],
  ['sum of weekday by state', 'asks'],
  // Words that change the meaning of the next word
  ['sold flights by state', 'asks'],
  ['average delay in minute by state', 'asks'],
  ['second highest delay by state', 'asks'],
  ['delay in percent of distance by state', 'asks or refuses'],
  ['flights per Boston', 'asks'],
  // Charts
  ['scatter plot of delay and distance', { d: ['delay', 'distance'] }],
  ['histogram of distance', { m: 'count', d: 'distance' }],
  ['create a bar chart of flights by state', { m: 'count', d: state, as: 'bar' }],
  ['bar chart of flights', 'asks'],
  // Thresholds with units
  ['delayed over an hour by month', { m: 'count', t: 'month', f: [delayed('gt', '60')] }],
  ['flights delayed more than 2 hours', { m: 'count', f: [delayed('gt', '120')] }],
  ['flights delayed between 30 and 60 minutes', { m: 'count', f: [delayed('gte', '30'), delayed('lte', '60')] }],
  // Shares
  ['what % are late', { m: 'count', s: 'late', second: { m: 'count' } }],
  [
    'percentage of long-haul flights by month',
    { m: 'count', t: 'month', s: 'long_haul', second: { m: 'count', t: 'month' } },
  ],
  // Two groups or periods
  [
    'compare flights in Q1 and Q2',
    {
      m: 'count',
      range: ['2001-04-01', '2001-06-30'],
      second: { m: 'count', range: ['2001-01-01', '2001-03-31'] },
    },
  ],
  [
    'How was the second quarter of 2001 against the first?',
    {
      m: mainMeasures,
      range: ['2001-04-01', '2001-06-30'],
      second: { m: mainMeasures, range: ['2001-01-01', '2001-03-31'] },
    },
  ],
  [
    'average delay in the morning versus the evening',
    { m: 'average_delay', d: 'time_of_day', f: [['time_of_day', 'equals', 'morning', 'evening']] },
  ],
  // Periods
  ['flights in the most recent month', { m: 'count', range: ['2001-06-01', '2001-06-30'] }],
  ['flights last year', 'refuses'],
  // Words that the analyst does not understand
  ['top 3 cities per month by time of day', 'refuses'],
  ['running total of average delay', 'refuses'],
  [
    'late flights versus on-time flights by month',
    { m: 'count', t: 'month', s: 'late', second: { m: 'on_time_count', t: 'month' } },
  ],
  ['long-haul vs late flights', { m: 'count', s: 'long_haul', second: { m: 'count', s: 'late' } }],
  ['late, on-time and long-haul flights compared', 'refuses'],
  ['late flights versus on-time flights in May compared with April', 'refuses'],
  ['which cities got worse?', 'asks'],
  ['is Denver better than Boston?', 'asks'],
  ['why is Denver so late?', 'refuses'],
  ['why did the average delay change in May 2001?', 'refuses'],
  ['flights on weekends', { m: 'count', f: [['weekday', 'equals', '6', '7']] }],
  ['flights on weekends or weekdays', 'refuses'],
  ['state with the most flights per month', { m: 'count', d: state, t: 'month', o: 'desc' }],
  ['which cities got worse?', 'asks'],
  ['flights by hour state', 'asks'],
  ['how much flights by state', 'asks'],
  ['typical delay', 'asks'],
  ['flights never late', 'refuses'],
  ['flights to either Denver or Boston', { m: 'count', f: [[city, 'equals', 'Denver', 'Boston']] }],
  ['flights to chicag', { m: 'count', f: [[city, 'equals', 'Chicago']] }],
  ['flights to dulles', 'asks'],
  // Words with more than one meaning
  ['how late are flights in the evening', 'asks'],
  ['show how delay is related to distance', { d: ['delay', 'distance'] }],
  ['flights and late flights by month', 'asks'],
  ['flights in the first week of May', 'asks'],
  ['how many cities had flights', 'asks'],
  ['percentage of flights on time by month', 'refuses'],
  ['percent change in flights by month', 'refuses'],
  ['cities with the highest share of late flights', 'refuses'],
  [
    'percent change in flights between April and May',
    {
      m: 'count',
      range: ['2001-05-01', '2001-05-31'],
      second: { m: 'count', range: ['2001-04-01', '2001-04-30'] },
    },
  ],
  ['flights by state, most first', { m: 'count', d: state, o: 'desc' }],
  // Days of the week
  ['flights on Monday', { m: 'count', range: ['2001-06-11', '2001-06-11'] }],
  [
    'flights on Monday morning',
    { m: 'count', range: ['2001-06-11', '2001-06-11'], f: [['time_of_day', 'equals', 'morning']] },
  ],
  ['average delay on Monday versus Friday', { m: 'average_delay', d: 'weekday', f: [['weekday', 'equals', '1', '5']] }],
  // Parts that the answer would drop or combine
  ['highest delay by month', 'asks'],
  ['increase in flights by month', 'asks'],
  ['flights from March 2001', 'asks'],
  ['flights from March 2001 onwards', { m: 'count', range: ['2001-03-01', '2001-06-15'] }],
  ['average delay in January and February', 'asks'],
  ['delay in hours by month', 'asks'],
  ['average delay this year compared with last year', 'refuses'],
  ['top 3 states and top 5 cities', 'asks'],
  ['top 10 states by flights sorted by name', 'refuses'],
  ['which month was the best for flights', 'asks'],
  ['when were the flights late', 'asks'],
  ['connection between delay and distance', 'asks or refuses'],
  // Other languages
  ['Wie viele Flights gab es pro Monat?', { m: 'count', t: 'month' }],
  ['Combien de flights par mois ?', { m: 'count', t: 'month' }],
  ['¿Cuántos flights hubo por mes?', { m: 'count', t: 'month' }],
  // Words that exclude, compare or describe are never dropped
  ['flights by month, no Texas', 'asks'],
  ['average delay by state, worst first', 'asks'],
  ['average delay by state for late flights compared with all flights', 'asks'],
  ['total minutes by state', 'refuses'],
  ['flights to all states but Texas', 'asks'],
  ['which states have no late flights', 'asks or refuses'],
  ['flights in Texas with delay', 'asks'],
  [
    'how many flights to Denver and how many to Boston',
    { m: 'count', d: city, f: [[city, 'equals', 'Denver', 'Boston']] },
  ],
  ['flights with 30 or more delay by state', { m: 'count', d: state, f: [delayed('gte', '30')] }],
  // The average of two values may be requested for each of them
  [
    'average delay to Los Angeles or Las Vegas by month',
    { m: 'average_delay', t: 'month', f: [['destination_city', 'equals', 'Los Angeles', 'Las Vegas']] },
  ],
  [
    'average delay to Los Angeles and Las Vegas',
    { m: 'average_delay', d: city, f: [[city, 'equals', 'Los Angeles', 'Las Vegas']] },
  ],
  [
    'average delay to Los Angeles or Las Vegas',
    { m: 'average_delay', f: [[city, 'equals', 'Los Angeles', 'Las Vegas']] },
  ],
  // Words that select rows, and comparisons without a number
  ['current flights by state', 'asks'],
  ['flights that left, by state', 'asks'],
  ['are flights to Denver longer than flights to Boston?', 'asks'],
  ['flights older than 50 by state', 'asks or refuses'],
  ['how do flights of each state compare in distance?', 'asks'],
  ['フライトは何便ですか', 'refuses'],
];

/** One question per rule of the reader that needs joined cubes, about the shop on 15 June 2024. */
export const shopRuleQuestions: readonly Question[] = [
  ['first order', 'asks'],
  ['top product in each category', 'asks'],
  ['top 3 customers', 'asks'],
  ['top 3 customers by revenue', { m: 'revenue', d: 'customers.name', o: 'desc', n: 3 }],
  // A value and a date with the same word
  ['orders shipped in May 2024', 'asks'],
  ['orders with status shipped per month', { m: 'count', t: 'month', f: [['status', 'equals', 'shipped']] }],
  [
    'delivered or shipped orders by month',
    { m: 'count', t: 'month', f: [['status', 'equals', 'delivered', 'shipped']] },
  ],
  ['share of web in revenue by month', 'asks'],
  ['orders that have not been shipped', 'asks'],
  ['which channel has the most cities', 'asks or refuses'],
  ['products over 100 by category', 'asks'],
  ['highest order amount', 'refuses'],
  // An adjective names the column
  ['products cheaper than 100', { m: 'products.count', f: [['products.price', 'lt', '100']] }],
  [
    'products cheaper than 100 by category',
    { m: 'products.count', d: 'products.category', f: [['products.price', 'lt', '100']] },
  ],
  ['products heavier than 100 by category', 'asks'],
  ['which channel sold the most', 'asks'],
  // A value of the rows that join the counted ones
  ['new customers', 'asks'],
  ['new orders by customer', { m: 'count', d: 'customers.name', f: [['status', 'equals', 'new']] }],
];

/** Answers to the question whether to ignore words. */
export const ruleConversations: readonly Conversation[] = [
  [
    ['flights by hour state', 'asks'],
    ['yes', { m: 'count', d: ['hour', state] }],
  ],
  // A request for a chart of two columns does not follow up on the previous answer.
  [
    ['flights per month', { m: 'count', t: 'month' }],
    ['scatter plot of delay and distance', { d: ['delay', 'distance'], as: 'point' }],
  ],
  // `and by` adds a grouping to values over time, and `same for` replaces a condition.
  [
    ['flights per month', { m: 'count', t: 'month' }],
    ['and by state', { m: 'count', t: 'month', d: state }],
  ],
  [
    ['flights in March', { m: 'count', range: ['2001-03-01', '2001-03-31'] }],
    ['same for May', { m: 'count', range: ['2001-05-01', '2001-05-31'] }],
  ],
  // A filter keeps the measure, `their` keeps the rows, and other rows are not sorted.
  [
    ['average delay by weekday', { m: 'average_delay', d: 'weekday' }],
    ['only late flights', { m: 'average_delay', d: 'weekday', s: 'late' }],
  ],
  [
    ['top 5 cities by flights', { m: 'count', d: city, o: 'desc', n: 5 }],
    ['and their average delay', { m: ['count', 'average_delay'], d: city, o: ['count', 'desc'], n: 5 }],
    ['sort by name', 'refuses'],
  ],
  [
    ['average delay in May', { m: 'average_delay', range: ['2001-05-01', '2001-05-31'] }],
    ['and in April?', { m: 'average_delay', range: ['2001-04-01', '2001-04-30'] }],
    ['compare both', 'asks'],
  ],
  [
    ['late flights by month', { m: 'count', t: 'month', s: 'late' }],
    [
      'why did it change in May?',
      {
        m: 'count',
        s: 'late',
        range: ['2001-05-01', '2001-05-31'],
        second: { m: 'count', s: 'late', range: ['2001-04-01', '2001-04-30'] },
      },
    ],
  ],
  // `split by` adds a grouping, and `by … instead` replaces it.
  [
    ['flights per month', { m: 'count', t: 'month' }],
    ['split by state', { m: 'count', t: 'month', d: state }],
    ['by state instead', { m: 'count', d: state }],
  ],
];
