import type { MetaResponse } from '../../../../src/contract/meta.js';
import { fakeCaller, turnOf } from './fake-world.js';
import type { Question } from './question.js';
import type { World } from './worlds.js';

const member = (name: string, title: string, type: string, more: object = {}) => ({
  name: `tickets.${name}`,
  title: `Support ${title}`,
  shortTitle: title,
  type,
  ...more,
});

const meta: MetaResponse = {
  cubes: [
    {
      name: 'tickets',
      title: 'Support',
      type: 'view',
      measures: [
        member('count', 'Tickets', 'number', { aggType: 'count' }),
        member('open_count', 'Open tickets', 'number', { aggType: 'count' }),
        member('avg_resolution', 'Average resolution time (hours)', 'number', { aggType: 'avg' }),
        member('median_response', 'Median first response (minutes)', 'number', { aggType: 'number' }),
        member('csat', 'Customer satisfaction', 'number', {
          aggType: 'number',
          format: 'percent',
          meta: { synonyms: ['CSAT'] },
        }),
        member('breaches', 'SLA breaches', 'number', { aggType: 'sum' }),
      ],
      dimensions: [
        member('priority', 'Priority', 'string'),
        member('agent', 'Agent', 'string', { meta: { synonyms: ['employee', 'person'] } }),
        member('team', 'Team', 'string'),
        member('channel', 'Channel', 'string'),
        member('country', 'Country', 'string'),
        member('created_at', 'Created', 'time'),
        member('closed_at', 'Closed', 'time'),
        member('reopened', 'Reopened', 'boolean'),
        member('replies', 'Number of replies', 'number'),
      ],
      segments: [member('escalated', 'Escalated', 'boolean')],
    },
  ],
};

const values = {
  'tickets.priority': ['Low', 'Medium', 'High', 'Urgent'],
  'tickets.agent': ['Anna Schmidt', 'Bob Lee', 'Carol Jones'],
  'tickets.team': ['Billing', 'Technical', 'Sales'],
  'tickets.channel': ['Email', 'Chat', 'Phone'],
  'tickets.country': ['Germany', 'United States', 'Spain'],
};

/** Returns a help desk with a view that was not used in development. */
export function ticketWorld(): World {
  const { data, context } = fakeCaller(values, meta);
  const now = new Date('2001-06-15T12:00:00Z');
  return { data, timezone: 'UTC', now, cube: 'tickets', context, turn: turnOf, close: () => {} };
}

const june: [string, string] = ['2001-06-01', '2001-06-30'];
const may: [string, string] = ['2001-05-01', '2001-05-31'];

/** Questions about the help desk on 15 June 2001. */
export const ticketQuestions: readonly Question[] = [
  ['How many tickets did we get last week?', { m: 'count', range: ['2001-06-04', '2001-06-10'] }],
  ['tickets by priority', { m: 'count', d: 'priority' }],
  ['which agent closed the most tickets?', 'asks'],
  ['average resolution time per team', { m: 'avg_resolution', d: 'team' }],
  ['CSAT by month this year', { m: 'csat', t: 'month', range: ['2001-01-01', '2001-12-31'] }],
  ['urgent tickets', { m: 'count', f: [['priority', 'equals', 'Urgent']] }],
  ['how many urgent tickets are open?', { m: 'open_count', f: [['priority', 'equals', 'Urgent']] }],
  ['open tickets by team and priority', { m: 'open_count', d: ['team', 'priority'] }],
  ['median first response by channel', { m: 'median_response', d: 'channel' }],
  ['tickets created in May', { m: 'count', range: may, on: 'created_at' }],
  ['tickets closed in May', { m: 'count', range: may, on: 'closed_at' }],
  ['escalated tickets from Germany', { m: 'count', s: 'escalated', f: [['country', 'equals', 'Germany']] }],
  ['share of escalated tickets', { m: 'count', s: 'escalated', second: { m: 'count' } }],
  ['tickets with more than 10 replies', { m: 'count', f: [['replies', 'gt', '10']] }],
  ['SLA breaches this month vs last month', { m: 'breaches', range: june, second: { m: 'breaches', range: may } }],
  ['resolution time of Anna', { m: 'avg_resolution', f: [['agent', 'equals', 'Anna Schmidt']] }],
  ['tickets handled by Bob Lee', { m: 'count', f: [['agent', 'equals', 'Bob Lee']] }],
  ['top 3 countries by SLA breaches', { m: 'breaches', d: 'country', o: 'desc', n: 3 }],
  ['worst team by customer satisfaction', { m: 'csat', d: 'team', o: 'asc', n: 1 }],
  ['best agents by CSAT', { m: 'csat', d: 'agent', o: 'desc', n: 10 }],
  [
    'how has customer satisfaction changed since last month?',
    { m: 'csat', range: june, second: { m: 'csat', range: may } },
  ],
  ['reopened tickets by agent', { m: 'count', d: 'agent', f: [['reopened', 'equals', 'true']] }],
  ['tickets via email or chat', { m: 'count', f: [['channel', 'equals', 'Email', 'Chat']] }],
  ['high priority tickets per week', { m: 'count', t: 'week', f: [['priority', 'equals', 'High']] }],
  ['agents with more than 50 tickets', { m: 'count', d: 'agent', f: [['count', 'gt', '50']] }],
  ['slowest team by resolution time', { m: 'avg_resolution', d: 'team', o: 'desc', n: 1 }],
  ['tickets per day in the last two weeks', { m: 'count', t: 'day', range: ['2001-05-28', '2001-06-10'] }],
  [
    'what percentage of tickets is urgent?',
    { m: 'count', f: [['priority', 'equals', 'Urgent']], second: { m: 'count' } },
  ],
  ['which channel is the most popular', { m: 'count', d: 'channel', o: 'desc', n: 1 }],
  [
    'customer satisfaction in Spain compared with Germany',
    { m: 'csat', d: 'country', f: [['country', 'equals', 'Spain', 'Germany']] },
  ],
  ['number of tickets by hour', { m: 'count', t: 'hour' }],
  ['teams with customer satisfaction below 80%', { m: 'csat', d: 'team', f: [['csat', 'lt', '0.8']] }],
  ['busiest month', { m: 'count', t: 'month', o: 'desc', n: 1 }],
  ['ticket volume by country', { m: 'count', d: 'country' }],
  ['average number of replies', 'refuses'],
  ['tickets that were not escalated', 'refuses'],
  ["what's our NPS?", 'refuses'],
  ['tickets by customer', 'asks or refuses'],
  ['who is the best agent?', 'asks'],
];
