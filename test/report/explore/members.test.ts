import { expect, it } from 'vitest';
import { searchMembers } from '../../../src/report/explore/members.js';
import { memberOf, sources } from '../../console/fixtures.js';

const names = (found: typeof sources) => found.flatMap(({ members }) => members.map(({ name }) => name));

it('lists visible members, views first', () => {
  expect(names(sources)).toEqual([
    'orders.total',
    'orders.count',
    'orders.status',
    'orders.paid',
    'orders.at',
    'orders.large',
    'users.city',
  ]);
});

it('offers granularities of the model in addition to the predefined ones', () => {
  expect(memberOf('orders.at').granularities.map(({ name }) => name)).toEqual(['fiscal_year']);
});

it.each([
  ['', 7],
  ['COUNT', 1],
  ['orders paid', 2],
  ['canceled', 1],
  ['users.city', 1],
  ['margin', 0],
])('finds members by title, name and description: "%s"', (search, count) => {
  expect(names(searchMembers(sources, search))).toHaveLength(count);
});
