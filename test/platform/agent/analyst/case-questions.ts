import type { MetaResponse } from '../../../../src/contract/meta.js';
import { fakeCaller, turnOf } from './fake-world.js';
import type { Question } from './question.js';
import type { World } from './worlds.js';

const member = (name: string, title: string, type: string, more: object = {}) => ({
  name: `cases.${name}`,
  title: `Cases ${title}`,
  shortTitle: title,
  type,
  ...more,
});

const meta: MetaResponse = {
  cubes: [
    {
      name: 'cases',
      title: 'Cases',
      type: 'cube',
      connectedComponent: 1,
      measures: [
        member('count', 'Cases', 'number', { aggType: 'count' }),
        member('open_count', 'Open cases', 'number', { aggType: 'count' }),
        member('cost', 'Cost', 'number', { aggType: 'sum' }),
        member('avg_handling', 'Average handling time', 'number', { aggType: 'avg' }),
      ],
      dimensions: [
        member('status', 'Status', 'string'),
        member('team', 'Team', 'string'),
        member('channel', 'Channel', 'string'),
        member('opened_at', 'Opened', 'time'),
        member('closed_at', 'Closed on', 'time'),
        member('shipped_at', 'Shipped', 'time'),
      ],
      segments: [],
    },
  ],
};

const values = {
  'cases.status': ['open', 'closed', 'waiting'],
  'cases.team': ['Billing', 'Support EU'],
  'cases.channel': ['Email', 'Phone'],
};

/** Returns a help desk with states that have the same names as its dates. */
export function caseWorld(): World {
  const { data, context } = fakeCaller(values, meta);
  const now = new Date('2001-06-15T12:00:00Z');
  return { data, timezone: 'UTC', now, cube: 'cases', context, turn: turnOf, close: () => {} };
}

const may: [string, string] = ['2001-05-01', '2001-05-31'];

/** Questions about the help desk on 15 June 2001. */
export const caseQuestions: readonly Question[] = [
  ['closed cases', { m: 'count', f: [['status', 'equals', 'closed']] }],
  ['how many were closed?', { m: 'count', f: [['status', 'equals', 'closed']] }],
  ['how many cases are not closed?', { m: 'count', f: [['status', 'notEquals', 'closed']] }],
  ['cases not open', { m: 'count', f: [['status', 'notEquals', 'open']] }],
  ['closed cases by team', { m: 'count', d: 'team', f: [['status', 'equals', 'closed']] }],
  ['cases closed in May', { m: 'count', range: may, on: 'closed_at' }],
  ['cases opened in May', { m: 'count', range: may, on: 'opened_at' }],
  ['how many cases were opened per month?', { m: 'count', t: 'month', on: 'opened_at' }],
  ['cases by status', { m: 'count', d: 'status' }],
  ['open cases', { m: 'open_count' }],
  ['cases not shipped', { m: 'count', f: [['shipped_at', 'notSet']] }],
  ['cases without a channel', { m: 'count', f: [['channel', 'notSet']] }],
  ['cases with no channel by team', { m: 'count', d: 'team', f: [['channel', 'notSet']] }],
  ['cases without phone', { m: 'count', f: [['channel', 'notEquals', 'Phone']] }],
  ['cases with no cost', 'refuses'],
  ['cases excluding Billing by team', { m: 'count', d: 'team', f: [['team', 'notEquals', 'Billing']] }],
  [
    'which teams except Billing have the most cases?',
    { m: 'count', d: 'team', f: [['team', 'notEquals', 'Billing']], o: 'desc', n: 10 },
  ],
  ['cases in team Billing', { m: 'count', f: [['team', 'equals', 'Billing']] }],
  ['open vs closed cases', { m: 'count', d: 'status', f: [['status', 'equals', 'open', 'closed']] }],
  ['cases, but not by team', 'refuses'],
  ['how many open cases are there right now?', { m: 'open_count' }],
  ['how many cases are still open?', { m: 'count', f: [['status', 'equals', 'open']] }],
  ['cost per case', 'refuses'],
  ['average cost per case', 'refuses'],
  ['average handling time per case', { m: 'avg_handling' }],
  ['average handling time per team', { m: 'avg_handling', d: 'team' }],
  ['busiest day of the week', 'refuses'],
  ['cases by hour of day', 'refuses'],
];
