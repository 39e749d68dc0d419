import type { Query } from '../contract/query.js';
import type { RowSet } from '../contract/row-set.js';
import { type Choice, withChoices } from './controls.js';
import { dayTime } from './days.js';

/** First and last day of the data; null where it is not known. */
export interface DateBounds {
  readonly min: string | null;
  readonly max: string | null;
}

/** The queries for the first and the last day on which a time has rows, in the dashboard's time zone. */
export function boundsQueries(member: string, choices: readonly Choice[]): readonly [Query, Query] {
  const zone = choices.filter(({ kind }) => kind === 'timezone');
  const query = (direction: 'asc' | 'desc'): Query => ({
    timeDimensions: [{ dimension: member, granularity: 'day' }],
    filters: [{ member, operator: 'set' }],
    order: [[member, direction]],
    limit: 1,
  });
  return [withChoices(query('asc'), zone).query, withChoices(query('desc'), zone).query];
}

/** The day of the only row of a query of `boundsQueries`; null without one. */
export function boundOf(member: string, { rows }: RowSet): string | null {
  const value = rows[0]?.[`${member}.day`];
  const day = typeof value === 'string' ? value.slice(0, 10) : '';
  return Number.isNaN(dayTime(day)) ? null : day;
}
