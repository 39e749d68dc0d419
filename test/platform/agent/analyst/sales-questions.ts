import type { MetaResponse } from '../../../../src/contract/meta.js';
import { fakeCaller, turnOf } from './fake-world.js';
import type { Question } from './question.js';
import type { World } from './worlds.js';

const member = (name: string, title: string, type: string, more: object = {}) => ({
  name: `sales.${name}`,
  title: `Sales ${title}`,
  shortTitle: title,
  type,
  ...more,
});

const meta: MetaResponse = {
  cubes: [
    {
      name: 'sales',
      title: 'Tips',
      type: 'cube',
      connectedComponent: 1,
      measures: [
        member('count', 'Count', 'number', { aggType: 'count' }),
        member('total_quantity', 'Total Quantity', 'number', { aggType: 'sum' }),
        member('average_quantity', 'Average Quantity', 'number', { aggType: 'avg' }),
        member('total_tip', 'Total Tip', 'number', { aggType: 'sum' }),
        member('average_tip', 'Average Tip', 'number', { aggType: 'avg' }),
        member('total_delivered', 'Total Delivered', 'number', { aggType: 'sum' }),
        member('total_number_of_boxes', 'Total Number of Boxes', 'number', { aggType: 'sum' }),
      ],
      dimensions: [
        member('quantity', 'Quantity', 'number'),
        member('discount', 'Discount', 'number'),
        member('stock', 'Stock', 'number'),
        member('rank', 'Rank', 'number'),
        member('number_of_boxes', 'Number of Boxes', 'number'),
        member('ticket_number', 'Ticket Number', 'string'),
        member('sex', 'Sex', 'string'),
        member('status', 'Status', 'string'),
        member('boarded', 'Boarded', 'string'),
        member('product', 'Product', 'string'),
        member('note', 'Note', 'string'),
        member('region', 'Region', 'string'),
        member('date', 'Order Date', 'time'),
        member('released', 'Release Year', 'time'),
      ],
      segments: [],
    },
  ],
};

const values = {
  'sales.sex': ['female', 'male'],
  'sales.status': ['Returned', 'Lost', 'Broken'],
  'sales.boarded': ['S', 'Q'],
  'sales.note': ['None', 'Gift'],
  'sales.product': ['Chairs', 'Tables', 'Cash'],
  'sales.region': ['North', 'South'],
};

/** Sales of a shop. The table has the same name as one of its columns. */
export function salesWorld(): World {
  const { data, context } = fakeCaller(values, meta);
  const now = new Date('2001-06-15T12:00:00Z');
  return { data, timezone: 'UTC', now, cube: 'sales', context, turn: turnOf, close: () => {} };
}

const chairs = ['product', 'equals', 'Chairs'] as const;

/** Questions with two meanings, about the sales on 15 June 2001. */
export const salesQuestions: readonly Question[] = [
  // Unclear whether rows or pieces are counted
  ['how many chairs were sold?', 'asks'],
  ['chairs by region', 'asks'],
  ['units sold by region', 'asks'],
  ['quantity of chairs', { m: 'total_quantity', f: [chairs] }],
  ['chairs by year', 'asks'],
  ['average quantity and tip by region', { m: ['average_quantity', 'average_tip'], d: 'region' }],
  // A condition, and not a grouping
  ['how many tips with status', 'asks'],
  ['tips without a note', 'asks'],
  // “tip” can mean the rows of the table or the column with its name.
  ['tip by region', 'asks'],
  ['number of tips by region', { m: 'count', d: 'region' }],
  ['total tip by region', { m: 'total_tip', d: 'region' }],
  // “No discount” can mean 0 or a missing value.
  ['quantity of chairs with no discount', 'asks'],
  // `ordered by` is a grouping after a measure, and a sort order after a grouping. The noun `order` is neither.
  ['quantity ordered by region', { m: 'total_quantity', d: 'region' }],
  ['total quantity by region ordered by region', { m: 'total_quantity', d: 'region', o: ['region', 'asc'] }],
  ['average quantity per order by region', 'asks or refuses'],
  // A verb is neither the counted object nor the total of a share.
  ['how many boarded in the North', 'asks'],
  ['what percent of chairs delivered', 'asks'],
  // The predicate of a sentence is not a grouping.
  ['how many tips are in stock', 'asks'],
  ['tips out of stock', 'asks'],
  // `and` combines two values of a column; other words do not.
  ['total quantity of chairs and tables', { m: 'total_quantity', f: [['product', 'equals', 'Chairs', 'Tables']] }],
  ['number of tips returned that were lost', 'asks'],
  // Unclear whether `region` is an axis or a measure
  ['region by quantity', 'asks'],
  ['regions by quantity', { m: 'total_quantity', d: 'region' }],
  // Units of time
  ['how many days had a tip?', 'refuses'],
  ['which year had the most tips?', { m: 'count', t: 'year', n: 1 }],
  ['which release year has the highest total tip?', { m: 'total_tip', t: 'year', on: 'released', n: 1 }],
  ['which order date had the most tips?', { m: 'count', t: 'day', n: 1 }],
  ['which months had the highest total tip?', { m: 'total_tip', t: 'month', n: 10 }],
  ['yearly trend of the quantity', { m: 'total_quantity', t: 'year' }],
  // People, and short words that are not misspellings of values
  ['quantity of women', 'asks'],
  ['number of girls', 'asks'],
  ['total quantity of cabs', 'asks or refuses'],
  // The column after a sort order only sorts, if the answer has a grouping.
  [
    'total quantity by region and product, in ascending order by region',
    { m: 'total_quantity', d: ['region', 'product'], o: ['region', 'asc'] },
  ],
  [
    'total quantity for each region, list by region in descending order',
    { m: 'total_quantity', d: 'region', o: ['region', 'desc'] },
  ],
  ['total quantity in descending order by region', { m: 'total_quantity', d: 'region' }],
  ['total quantity by region, by product in descending order', 'asks'],
  ['regions and products ordered by status', 'refuses'],
  ['total quantity by region, sort by the y axis in descending order', { m: 'total_quantity', d: 'region', o: 'desc' }],
  ['total quantity by region, sort by the x axis', 'asks'],
  ['show total quantity by region with the x axis in ascending order', 'asks'],
  ['total quantity by region, rank by quantity', { m: 'total_quantity', d: 'region', o: 'desc' }],
  // Thresholds of several groupings or figures
  ['regions with more than 5 tips', { m: 'count', d: 'region', f: [['count', 'gt', '5']] }],
  ['regions and products with more than 5 tips', 'asks'],
  ['regions with more than 5 tips and an average quantity over 3', 'asks'],
  // `number of` before a noun counts rows, unless a title starts with it.
  ['number of regions in each region', { m: 'count', d: 'region' }],
  ['number of tickets by region', 'asks or refuses'],
  ['number of boxes in each region', { m: 'total_number_of_boxes', d: 'region' }],
  ['for all tips, the total quantity by region', { m: 'total_quantity', d: 'region' }],
  // A superlative after its figure
  ['the region whose total quantity is the largest', { m: 'total_quantity', d: 'region', o: 'desc', n: 1 }],
  // The column of a condition, and a quoted word
  ['total quantity whose product is not chairs', { m: 'total_quantity', f: [['product', 'notEquals', 'Chairs']] }],
  [
    'total quantity by region not of the product chairs',
    { m: 'total_quantity', d: 'region', f: [['product', 'notEquals', 'Chairs']] },
  ],
  ["total quantity of notes with 'hey'", 'asks or refuses'],
  ['what is the tip of chairs?', 'asks'],
];
