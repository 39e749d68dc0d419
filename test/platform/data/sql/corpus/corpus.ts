import type { Case } from './case.js';
import { aggregateCases, measureCases } from './measures.js';
import { joinCases, setCases, subqueryCases } from './queries.js';
import { orderCases, whereCases } from './rows.js';
import { timeCases } from './times.js';
import { arithmeticCases, castCases, functionCases } from './values.js';
import { windowCases } from './windows.js';

/** Statements with the same result on Postgres and here, by topic. */
export const corpus: Readonly<Record<string, readonly Case[]>> = {
  measures: measureCases,
  'aggregates over rows': aggregateCases,
  'rows and WHERE': whereCases,
  'ORDER BY, LIMIT and DISTINCT': orderCases,
  'arithmetic and conditions': arithmeticCases,
  conversions: castCases,
  functions: functionCases,
  'dates and times': timeCases,
  subqueries: subqueryCases,
  joins: joinCases,
  'set operations': setCases,
  'window functions': windowCases,
};
