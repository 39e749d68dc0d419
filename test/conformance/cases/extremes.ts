import type { Case } from './case.js';

/** Values at the limits of their types. Every digit and character must be preserved. */
export const extremes: readonly Case[] = [
  {
    name: 'gives whole numbers beyond those of JavaScript',
    query: { dimensions: ['extremes.id', 'extremes.big', 'extremes.exact'], order: { 'extremes.id': 'asc' } },
    sql: `SELECT id AS "extremes.id", big AS "extremes.big", exact AS "extremes.exact" FROM extremes WHERE tenant = 'acme' ORDER BY id`,
  },
  {
    name: 'sums beyond 64 bits',
    query: { measures: ['extremes.sum', 'extremes.exact_sum'] },
    sql: `SELECT sum(big) AS "extremes.sum", sum(exact) AS "extremes.exact_sum" FROM extremes WHERE tenant = 'acme'`,
  },
  {
    name: 'gives the smallest and the largest floating numbers',
    query: { measures: ['extremes.smallest'], dimensions: ['extremes.double'] },
    sql: `SELECT double AS "extremes.double", min(double) AS "extremes.smallest" FROM extremes WHERE tenant = 'acme' GROUP BY 1`,
  },
  {
    name: 'gives text of any character',
    query: { dimensions: ['extremes.text'] },
    sql: `SELECT DISTINCT text AS "extremes.text" FROM extremes WHERE tenant = 'acme'`,
  },
  {
    name: 'gives times to the millisecond',
    query: { dimensions: ['extremes.id', 'extremes.moment', 'extremes.day'] },
    sql: `SELECT id AS "extremes.id", moment AS "extremes.moment", day AS "extremes.day" FROM extremes WHERE tenant = 'acme'`,
  },
  {
    name: 'gives times that have a zone in UTC',
    query: { dimensions: ['extremes.id', 'extremes.zoned'] },
    sql: `SELECT id AS "extremes.id", timezone('UTC', zoned) AS "extremes.zoned" FROM extremes WHERE tenant = 'acme'`,
  },
  {
    name: 'gives times that have a zone in the zone of the query',
    query: {
      dimensions: ['extremes.id'],
      timeDimensions: [{ dimension: 'extremes.zoned', granularity: 'hour' }],
      timezone: 'Asia/Kolkata',
    },
    sql: `SELECT id AS "extremes.id", date_trunc('hour', timezone('Asia/Kolkata', zoned)) AS "extremes.zoned.hour"
      FROM extremes WHERE tenant = 'acme'`,
  },
  {
    name: 'finds a whole number beyond those of JavaScript',
    query: {
      dimensions: ['extremes.id'],
      filters: [{ member: 'extremes.big', operator: 'equals', values: ['9007199254740993'] }],
    },
    sql: `SELECT id AS "extremes.id" FROM extremes WHERE tenant = 'acme' AND big = 9007199254740993`,
  },
  {
    name: 'finds text of any character',
    query: {
      dimensions: ['extremes.id'],
      filters: [
        {
          member: 'extremes.text',
          operator: 'equals',
          values: ['two\nlines', 'fly 🛫 off', '"quoted" \\ \'twice\''],
        },
      ],
    },
    sql: `SELECT id AS "extremes.id" FROM extremes WHERE tenant = 'acme' AND id IN (1, 2, 3)`,
  },
  {
    name: 'finds decimals digit by digit',
    query: {
      dimensions: ['extremes.id'],
      filters: [{ member: 'extremes.exact', operator: 'gt', values: ['12345678901234567890.01'] }],
    },
    sql: `SELECT id AS "extremes.id" FROM extremes WHERE tenant = 'acme' AND exact > 12345678901234567890.01`,
  },
];
