import { beforeAll, describe, expect, it } from 'vitest';
import { findTimezone, utcZone } from '../../../../src/platform/data/time/time-zone.js';
import { openShop, type SqlShop } from './sql-fixture.js';

let shop: SqlShop;

beforeAll(async () => {
  shop = await openShop();
});

async function filtersOf(where: string, timezone?: string) {
  const [query] = await shop.queries(
    `SELECT id FROM orders WHERE ${where}`,
    timezone === undefined ? {} : { timezone },
  );
  return query?.filters;
}

const present = (operator: string, ...values: string[]) => [
  { member: 'orders.region', operator, values },
  { member: 'orders.region', operator: 'set' },
];

describe('converts to a filter', () => {
  it.each<[string, object[]]>([
    ["region = 'north'", [{ member: 'orders.region', operator: 'equals', values: ['north'] }]],
    ["'north' = region", [{ member: 'orders.region', operator: 'equals', values: ['north'] }]],
    ["region IN ('north', '')", [{ member: 'orders.region', operator: 'equals', values: ['north', ''] }]],
    ["region <> 'north'", present('notEquals', 'north')],
    ["region NOT IN ('a', 'b')", present('notEquals', 'a', 'b')],
    ["region ILIKE '%or%'", [{ member: 'orders.region', operator: 'contains', values: ['or'] }]],
    ["region ILIKE 'no%'", [{ member: 'orders.region', operator: 'startsWith', values: ['no'] }]],
    ["region ILIKE '%th'", [{ member: 'orders.region', operator: 'endsWith', values: ['th'] }]],
    ["region NOT ILIKE '%or%'", present('notContains', 'or')],
    ['region IS NULL', [{ member: 'orders.region', operator: 'notSet' }]],
    ['region IS NOT NULL', [{ member: 'orders.region', operator: 'set' }]],
    ['id >= 3', [{ member: 'orders.id', operator: 'gte', values: ['3'] }]],
    ['3 > id', [{ member: 'orders.id', operator: 'lt', values: ['3'] }]],
    ['id > 2.5', [{ member: 'orders.id', operator: 'gt', values: ['2.5'] }]],
    ['amount > 20.00', [{ member: 'orders.amount', operator: 'gt', values: ['20'] }]],
    ['paid', [{ member: 'orders.paid', operator: 'equals', values: ['true'] }]],
    ['NOT paid', [{ member: 'orders.paid', operator: 'equals', values: ['false'] }]],
    ['paid IS NOT TRUE', [{ member: 'orders.paid', operator: 'notEquals', values: ['true'] }]],
    ['paid = false', [{ member: 'orders.paid', operator: 'equals', values: ['false'] }]],
    [
      "id = 1 AND region = 'north'",
      [
        { member: 'orders.id', operator: 'equals', values: ['1'] },
        { member: 'orders.region', operator: 'equals', values: ['north'] },
      ],
    ],
    [
      'id = 1 OR paid',
      [
        {
          or: [
            { member: 'orders.id', operator: 'equals', values: ['1'] },
            { member: 'orders.paid', operator: 'equals', values: ['true'] },
          ],
        },
      ],
    ],
    [
      "created > '2001-01-31'",
      [{ member: 'orders.created', operator: 'afterDate', values: ['2001-01-31T00:00:00.000'] }],
    ],
    [
      "created = DATE '2001-02-01'",
      [{ member: 'orders.created', operator: 'equals', values: ['2001-02-01T00:00:00.000'] }],
    ],
    [
      "created >= '2001-01-01' AND created < '2001-02-01'",
      [
        {
          member: 'orders.created',
          operator: 'inDateRange',
          values: ['2001-01-01T00:00:00.000', '2001-01-31T23:59:59.999'],
        },
      ],
    ],
    [
      "created < '2001-05-01' AND created >= '2001-01-01' AND created < '2001-04-01' AND created >= '2001-02-01'",
      [
        {
          member: 'orders.created',
          operator: 'inDateRange',
          values: ['2001-02-01T00:00:00.000', '2001-03-31T23:59:59.999'],
        },
      ],
    ],
    [
      "created BETWEEN '2001-01-31' AND '2001-02-14 12:00'",
      [
        {
          member: 'orders.created',
          operator: 'inDateRange',
          values: ['2001-01-31T00:00:00.000', '2001-02-14T12:00:00.000'],
        },
      ],
    ],
  ])('%s', async (where, filters) => {
    expect(await filtersOf(where)).toEqual(filters);
  });
});

describe('does not convert to a filter', () => {
  it.each([
    "region LIKE '%or%'",
    "region ILIKE 'n_rth%'",
    "region ILIKE 'north'",
    "region ILIKE '%'",
    "region ILIKE '50\\%%'",
    "region ILIKE '%50!%' ESCAPE '!'",
    "region ILIKE '%noorth%' ESCAPE 'o'",
    "region > 'a'",
    "region IN ('north', NULL)",
    "upper(region) = 'NORTH'",
    'region = code',
    'amount > 20.5',
    'id + 1 = 2',
    "NOT (region = 'north' OR paid)",
    "created >= '2001-01-31 23:59:59.9995'",
    "created <= '2001-01-31 23:59:59.999'",
    "DATE_TRUNC('month', created) = '2001-02-01'",
    'revenue > 10',
    'region IN (SELECT name FROM customers)',
    `id IN (${Array.from({ length: 1001 }, (_, index) => index)})`,
    Array.from({ length: 101 }, (_, index) => `id = ${index}`).join(' OR '),
  ])('%s', async where => {
    expect(await filtersOf(where)).toEqual([]);
  });

  it('at ambiguous or missing local times', async () => {
    expect(findTimezone('Europe/Berlin')).not.toBe(utcZone);
    expect(await filtersOf("created >= '2001-10-28 02:30'", 'Europe/Berlin')).toEqual([]);
    expect(await filtersOf("created >= '2001-03-25 02:30'", 'Europe/Berlin')).toEqual([]);
    expect(await filtersOf("created >= '2001-10-28'", 'Europe/Berlin')).toHaveLength(1);
    expect(await filtersOf("created >= '2001-10-28 02:30'", 'UTC')).toHaveLength(1);
  });
});

describe('rows', () => {
  it.each([
    "region <> 'north'",
    "region NOT IN ('north', 'x')",
    "region ILIKE '%NORTH%'",
    "region NOT ILIKE 'north%'",
    "region LIKE '%\\%%'",
    "region IS NULL OR region = '50%_off\\'",
    'NOT paid',
    'paid IS NOT TRUE',
    'paid IS DISTINCT FROM false',
    'amount >= 20 AND amount < 30.5',
    'amount <> 10',
    "created >= '2001-01-31' AND created < '2001-02-01'",
    "created < '2001-02-01' AND created >= '2001-01-31' AND created < '2001-01-31 23:59:59.9996'",
    "created BETWEEN '2001-01-01' AND '2001-02-01'",
    "created NOT BETWEEN '2001-01-01' AND '2001-01-31'",
    "created <= '2001-01-31 23:59:59.999'",
    "created = '2001-02-01'",
    "created <> '2001-02-01' AND (paid OR id > 1)",
  ])('equal those of SQL: %s', async where => {
    const expected = await shop.database.runAndReadAll(
      `SELECT id FROM orders WHERE tenant = 'a' AND (${where.replaceAll("LIKE '%\\%%'", "LIKE '%\\%%' ESCAPE '\\'")}) ORDER BY id`,
    );
    const rows = expected.getRowsJson();
    expect(rows.length % 4).toBeGreaterThan(0);
    expect(await shop.rows(`SELECT id FROM orders WHERE ${where} ORDER BY id`)).toEqual(rows);
    expect(await shop.rows(`SELECT id FROM orders WHERE ${where} GROUP BY id ORDER BY id`)).toEqual(rows);
  });
});
