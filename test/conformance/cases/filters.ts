import type { Case } from './case.js';

/** Creates a case with a filter on orders and the matching rows. */
function orders(name: string, filter: object, where: string): Case {
  return {
    name,
    query: { measures: ['orders.count', 'orders.revenue'], filters: [filter] },
    sql: `SELECT count(*) AS "orders.count", sum(amount) AS "orders.revenue" FROM orders WHERE tenant = 'acme' AND (${where})`,
  };
}

const city = 'orders.city';
const status = 'orders.status';
const amount = 'orders.amount';
const paid = 'orders.paid';
const placed = 'orders.placed_at';

/** Every operator for every type that supports it, including NULL and case sensitivity. */
export const filters: readonly Case[] = [
  orders('equals: exact text', { member: city, operator: 'equals', values: ['Köln'] }, `city = 'Köln'`),
  orders(
    'equals: any of several',
    { member: status, operator: 'equals', values: ['new', 'paid'] },
    `status IN ('new', 'paid')`,
  ),
  orders('equals: NULL alone', { member: city, operator: 'equals', values: [null] }, `city IS NULL`),
  orders(
    'equals: NULL or a text',
    { member: city, operator: 'equals', values: ['Rom', null] },
    `city = 'Rom' OR city IS NULL`,
  ),
  orders('equals: empty text', { member: city, operator: 'equals', values: [''] }, `city = ''`),
  orders('equals: a quote', { member: city, operator: 'equals', values: ["O'Hara"] }, `city = 'O''Hara'`),
  orders('equals: a number as text', { member: 'orders.id', operator: 'equals', values: ['7', '11'] }, `id IN (7, 11)`),
  orders('equals: a decimal', { member: amount, operator: 'equals', values: ['37.25'] }, `amount = 37.25`),
  orders('equals: a boolean', { member: paid, operator: 'equals', values: ['false'] }, `NOT paid`),
  orders(
    'equals: a time',
    { member: placed, operator: 'equals', values: ['2024-01-01T01:37:00.000'] },
    `placed_at = '2024-01-01 01:37'`,
  ),
  orders(
    'equals: the old name of a member',
    { dimension: status, operator: 'equals', values: ['new'] },
    `status = 'new'`,
  ),
  orders(
    'notEquals: keeps NULL',
    { member: status, operator: 'notEquals', values: ['new'] },
    `status <> 'new' OR status IS NULL`,
  ),
  orders(
    'notEquals: none of several, keeps NULL',
    { member: status, operator: 'notEquals', values: ['new', 'paid'] },
    `status NOT IN ('new', 'paid') OR status IS NULL`,
  ),
  orders(
    'notEquals: drops NULL that is named',
    { member: status, operator: 'notEquals', values: ['new', null] },
    `status <> 'new'`,
  ),
  orders(
    'notEquals: a number, keeps NULL',
    { member: amount, operator: 'notEquals', values: ['37.25'] },
    `amount <> 37.25 OR amount IS NULL`,
  ),
  orders(
    'notEquals: a boolean, keeps NULL',
    { member: paid, operator: 'notEquals', values: ['true'] },
    `NOT paid OR paid IS NULL`,
  ),
  orders('contains: ignores case', { member: city, operator: 'contains', values: ['ÖL'] }, `city ILIKE '%öl%'`),
  orders(
    'contains: any of several',
    { member: city, operator: 'contains', values: ['rom', 'hara'] },
    `city ILIKE '%rom%' OR city ILIKE '%hara%'`,
  ),
  orders(
    'contains: knows no wildcards',
    { member: city, operator: 'contains', values: ['%b_c'] },
    `contains(city, '%b_c')`,
  ),
  orders('contains: a backslash', { member: city, operator: 'contains', values: ['c\\'] }, `contains(city, 'c\\')`),
  orders(
    'contains: NULL and a text',
    { member: city, operator: 'contains', values: ['rom', null] },
    `city ILIKE '%rom%' OR city IS NULL`,
  ),
  orders(
    'notContains: keeps NULL',
    { member: city, operator: 'notContains', values: ['ROM'] },
    `city NOT ILIKE '%rom%' OR city IS NULL`,
  ),
  orders(
    'notContains: none of several',
    { member: city, operator: 'notContains', values: ['rom', 'öl'] },
    `(city NOT ILIKE '%rom%' AND city NOT ILIKE '%öl%') OR city IS NULL`,
  ),
  orders('startsWith: ignores case', { member: city, operator: 'startsWith', values: ['rO'] }, `city ILIKE 'ro%'`),
  orders(
    'notStartsWith: keeps NULL',
    { member: city, operator: 'notStartsWith', values: ['ro'] },
    `city NOT ILIKE 'ro%' OR city IS NULL`,
  ),
  orders(
    'endsWith: ignores case',
    { member: city, operator: 'endsWith', values: ['LN', 'ma'] },
    `city ILIKE '%ln' OR city ILIKE '%ma'`,
  ),
  orders(
    'notEndsWith: keeps NULL',
    { member: city, operator: 'notEndsWith', values: ['ln'] },
    `city NOT ILIKE '%ln' OR city IS NULL`,
  ),
  orders('gt', { member: amount, operator: 'gt', values: ['500.25'] }, `amount > 500.25`),
  orders('gte', { member: amount, operator: 'gte', values: ['500.25'] }, `amount >= 500.25`),
  orders('lt', { member: amount, operator: 'lt', values: ['500.25'] }, `amount < 500.25`),
  orders('lte', { member: amount, operator: 'lte', values: ['500.25'] }, `amount <= 500.25`),
  orders('gt: a number that is not text', { member: 'orders.id', operator: 'gt', values: [4990] }, `id > 4990`),
  orders('lt: a negative number', { member: 'orders.weight', operator: 'lt', values: ['-1'] }, `weight < -1`),
  orders('set', { member: amount, operator: 'set' }, `amount IS NOT NULL`),
  orders('notSet', { member: paid, operator: 'notSet' }, `paid IS NULL`),
  orders('set: of a time', { member: 'orders.shipped_on', operator: 'set' }, `shipped_on IS NOT NULL`),
  orders(
    'inDateRange: whole days',
    { member: placed, operator: 'inDateRange', values: ['2024-02-01', '2024-02-29'] },
    `placed_at >= '2024-02-01' AND placed_at < '2024-03-01'`,
  ),
  orders(
    'inDateRange: to the minute',
    { member: placed, operator: 'inDateRange', values: ['2024-02-01T06:00:00', '2024-02-01T18:00:00'] },
    `placed_at BETWEEN '2024-02-01 06:00' AND '2024-02-01 18:00'`,
  ),
  orders(
    'inDateRange: one day',
    { member: placed, operator: 'inDateRange', values: ['2024-02-01'] },
    `placed_at::DATE = '2024-02-01'`,
  ),
  orders(
    'inDateRange: of a date',
    { member: 'orders.shipped_on', operator: 'inDateRange', values: ['2024-02-01', '2024-02-29'] },
    `shipped_on BETWEEN '2024-02-01' AND '2024-02-29'`,
  ),
  orders(
    'notInDateRange',
    { member: placed, operator: 'notInDateRange', values: ['2024-02-01', '2024-10-31'] },
    `placed_at < '2024-02-01' OR placed_at >= '2024-11-01'`,
  ),
  orders(
    'notInDateRange: drops NULL',
    { member: 'orders.shipped_on', operator: 'notInDateRange', values: ['2024-02-01', '2024-10-31'] },
    `shipped_on < '2024-02-01' OR shipped_on > '2024-10-31'`,
  ),
  orders('beforeDate', { member: placed, operator: 'beforeDate', values: ['2024-02-01'] }, `placed_at < '2024-02-01'`),
  orders(
    'beforeOrOnDate',
    { member: placed, operator: 'beforeOrOnDate', values: ['2024-02-01'] },
    `placed_at < '2024-02-02'`,
  ),
  orders('afterDate', { member: placed, operator: 'afterDate', values: ['2024-10-31'] }, `placed_at >= '2024-11-01'`),
  orders(
    'afterOrOnDate',
    { member: placed, operator: 'afterOrOnDate', values: ['2024-10-31'] },
    `placed_at >= '2024-10-31'`,
  ),
  orders(
    'afterDate: to the minute',
    { member: placed, operator: 'afterDate', values: ['2024-10-31T12:10:00.000'] },
    `placed_at > '2024-10-31 12:10'`,
  ),
  orders(
    'equals: the same member twice',
    {
      and: [
        { member: city, operator: 'contains', values: ['ro'] },
        { member: city, operator: 'endsWith', values: ['a'] },
      ],
    },
    `city ILIKE '%ro%' AND city ILIKE '%a'`,
  ),
];
