import type { MetaResponse } from '../../../../src/contract/meta.js';
import { fakeCaller, turnOf } from './fake-world.js';
import type { Question } from './question.js';
import type { World } from './worlds.js';

const member = (name: string, title: string, type: string, more: object = {}) => ({
  name: `machines.${name}`,
  title: `Machines ${title}`,
  shortTitle: title,
  type,
  ...more,
});

const meta: MetaResponse = {
  cubes: [
    {
      name: 'machines',
      title: 'Machines',
      type: 'cube',
      connectedComponent: 1,
      measures: [
        member('count', 'Machines', 'number', { aggType: 'count' }),
        member('total_motors', 'Total Motors', 'number', { aggType: 'sum' }),
        member('total_cost', 'Total Cost', 'number', { aggType: 'sum' }),
        member('total_load', 'Total Load', 'number', { aggType: 'sum' }),
        member('total_weight', 'Total Weight', 'number', { aggType: 'sum' }),
        member('avg_mtbf', 'Average MTBF', 'number', { aggType: 'avg' }),
      ],
      dimensions: [
        member('motors', 'Motors', 'number'),
        member('load', 'Load', 'number'),
        member('weight', 'Weight', 'number'),
        member('origin', 'Origin', 'string'),
        member('maker', 'Maker Name', 'string'),
        member('sub_type', 'Sub-Type', 'string'),
        member('built', 'Built', 'time'),
      ],
      segments: [],
    },
  ],
};

const values = {
  'machines.origin': ['USA', 'Europe', 'Japan'],
  'machines.maker': ['Country Tools', 'Nippon Works'],
  'machines.sub_type': ['Lathe', 'Mill'],
};

/** Returns a set of machines whose titles are not the words of everyday questions. */
export function machineWorld(): World {
  const { data, context } = fakeCaller(values, meta);
  const now = new Date('2001-06-15T12:00:00Z');
  return { data, timezone: 'UTC', now, cube: 'machines', context, turn: turnOf, close: () => {} };
}

/** Questions about these machines on 15 June 2001, in words that differ from the titles. */
export const machineQuestions: readonly Question[] = [
  // “Country” means the dimension whose values are countries, although the name of a maker contains the word.
  ['machines by country', { m: 'count', d: 'origin' }],
  ['machines from different countries', { m: 'count', d: 'origin' }],
  ['machines of Country Tools', { m: 'count', f: [['maker', 'equals', 'Country Tools']] }],
  // The name of a measure, an abbreviation, and a word that is hyphenated in the title
  ['total cost by maker', { m: 'total_cost', d: 'maker' }],
  ['mean time between failures by origin', { m: 'avg_mtbf', d: 'origin' }],
  ['machines by subtype', { m: 'count', d: 'sub_type' }],
  // Notations
  ['SUM(cost), SUM(weight) by origin', { m: ['total_cost', 'total_weight'], d: 'origin' }],
  ['x=origin, y=sum(cost)', { m: 'total_cost', d: 'origin' }],
  // The extreme value of each group, and values without a joining word
  ['highest motors in each country', 'asks or refuses'],
  ['machines of Country Tools Nippon Works', 'asks'],
  // Groups
  ['for each maker, the count for the maker', { m: 'count', d: 'maker' }],
  ['how has cost changed over time in each country?', { m: 'total_cost', d: 'origin', t: 'month' }],
  ['relationship between number of machines and motors in each country', { m: 'count', d: ['motors', 'origin'] }],
  // Two columns are the axes of a chart of points, optionally with a color, a filter or a period.
  ['motors vs load by origin', { d: ['motors', 'load', 'origin'], as: 'point' }],
  ['plot motors on the x axis and load on the y axis', { d: ['motors', 'load'], as: 'point' }],
  [
    'motors vs load for Japan in 2000',
    { d: ['motors', 'load'], f: [['origin', 'equals', 'Japan']], range: ['2000-01-01', '2000-12-31'] },
  ],
  // A number before the name of a column and of the rows is a value of that column.
  ['2 motor machines by origin', { m: 'count', d: 'origin', f: [['motors', 'equals', '2']] }],
  ['plot load vs weight of 2 motor machines', { d: ['load', 'weight'], f: [['motors', 'equals', '2']] }],
  ['machines with 2 motors by origin', { m: 'count', d: 'origin', f: [['motors', 'equals', '2']] }],
  // A number after `by` orders a list, a ranking or a comparison of values.
  ['list makers by cost', { m: 'total_cost', d: 'maker' }],
  ['top 2 makers by cost', { m: 'total_cost', d: 'maker', n: 2 }],
  ['compare Japan and USA by cost', { m: 'total_cost', d: 'origin', f: [['origin', 'equals', 'Japan', 'USA']] }],
  // Adjectives of countries, and magnitudes
  ['Japanese machines', { m: 'count', f: [['origin', 'equals', 'Japan']] }],
  ['American machines by maker', { m: 'count', d: 'maker', f: [['origin', 'equals', 'USA']] }],
  ['makers with a total cost over 2 million', { m: 'total_cost', d: 'maker', f: [['total_cost', 'gt', '2000000']] }],
  // Two conditions
  [
    'machines with a weight over 2 million and less than 5 motors',
    {
      m: 'count',
      f: [
        ['motors', 'lt', '5'],
        ['weight', 'gt', '2000000'],
      ],
    },
  ],
  // Periods, shares and differences
  ['cost in the last quarter of 2000', { m: 'total_cost', range: ['2000-10-01', '2000-12-31'] }],
  [
    'share of Lathe machines among all machines',
    { m: 'count', f: [['sub_type', 'equals', 'Lathe']], second: { m: 'count' } },
  ],
  [
    'difference in cost between Japan and USA',
    { m: 'total_cost', d: 'origin', f: [['origin', 'equals', 'Japan', 'USA']] },
  ],
  ['what does the distribution of motors look like?', { m: 'count', d: 'motors' }],
  // The number of rows is not a suitable measure for these rankings.
  ['the fastest machines by origin', 'asks'],
  ['the longest machine', 'asks'],
  ['which machine has the best cost?', 'asks'],
  // Ambiguous, because the question may mean the number of machines or a sum.
  ['how many motors do machines from Japan have?', 'asks'],
  ['how much do various machines weigh?', 'asks'],
  ['number of machines of each maker of origin', 'asks'],
  // A ratio of two numbers is not a grouping.
  ['cost per motor', 'asks'],
  ['cost per motor count', 'asks'],
  ['average cost by motor count', 'refuses'],
  ['weight by motor count', { m: 'total_weight', d: 'motors' }],
  ['how many machines per motor count', { m: 'count', d: 'motors' }],
  // Grouping by ranges of a numeric column
  ['cost by load group', 'asks'],
  // A noun after a value or after a preposition is not a grouping.
  ['MTBF of Japanese makers', 'asks'],
  ['machines sent to maker', 'asks or refuses'],
  ['makers per origin', 'asks'],
  // A measure ranks the groups; a maximum within each group is not supported.
  ['which load has the highest cost?', { m: 'total_cost', d: 'load', o: 'desc', n: 1 }],
  ['max cost by origin', 'refuses'],
  ['average and max MTBF by origin', 'refuses'],
  ['highest cost by origin', 'asks'],
  ['which maker has the best machines?', 'asks'],
  // Unclear whether rows or groups are counted, and a percentage of a column with unknown units
  ['how many machines had motors?', 'asks'],
  ['load over 50 by origin', 'asks'],
  ['machines with a load over 50 by origin', { m: 'count', d: 'origin', f: [['load', 'gt', '50']] }],
  ['machines with a load over 50%', 'asks'],
  // The analyst does not compute the difference of two columns.
  ['difference between load and weight by origin', 'asks'],
  // Unclear whether the share is of each group or of all rows
  ['percentage of lathes by origin', 'asks'],
  // `count` means the number of rows, and `minus` and `least` are not misspelled words for times.
  ['motors and origin count', 'asks'],
  ['total weight minus load by origin', 'refuses'],
  ['least common origin', { m: 'count', d: 'origin', o: 'asc', n: 1 }],
  // Everyday words for the rows, which the model does not contain
  ['robots by origin', 'asks'],
  ['motor categories', 'refuses'],
];
