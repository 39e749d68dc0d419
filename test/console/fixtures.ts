import type { MetaResponse } from '../../src/contract/meta.js';
import { type Member, membersByName, readModel } from '../../src/report/explore/members.js';

const named = (name: string, title: string) => ({ name, title: `Orders ${title}`, shortTitle: title });

/** Metadata of a cube without measures, and of a view with hidden members. */
export const meta: MetaResponse = {
  cubes: [
    {
      name: 'users',
      title: 'Users',
      type: 'cube',
      measures: [],
      dimensions: [{ ...named('users.city', 'City'), type: 'string' }],
      segments: [],
    },
    {
      name: 'orders',
      title: 'Orders',
      type: 'view',
      measures: [
        { ...named('orders.total', 'Total'), type: 'number', aggType: 'sum' },
        { ...named('orders.count', 'Count'), type: 'number', aggType: 'count' },
        { ...named('orders.margin', 'Margin'), type: 'number', isVisible: false },
      ],
      dimensions: [
        { ...named('orders.status', 'Status'), type: 'string', description: 'Open, paid or canceled' },
        { ...named('orders.paid', 'Paid'), type: 'boolean' },
        {
          ...named('orders.at', 'Date'),
          type: 'time',
          granularities: [
            { name: 'month', title: 'Month' },
            { name: 'fiscal_year', title: 'Fiscal year' },
          ],
        },
        { ...named('orders.secret', 'Secret'), type: 'string', public: false },
      ],
      segments: [{ ...named('orders.large', 'Large') }],
    },
    {
      name: 'internal',
      title: 'Internal',
      type: 'cube',
      public: false,
      measures: [],
      dimensions: [{ ...named('internal.id', 'Id'), type: 'string' }],
      segments: [],
    },
  ],
};

/** The members of the model. */
export const sources = readModel(meta);
const members = membersByName(sources);

/** Returns a member. */
export function memberOf(name: string): Member {
  const found = members.get(name);
  if (!found) throw new Error(`The model of the test has no ${name}.`);
  return found;
}
