import type { Filter, Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import { viewOf } from '../query/member-names.js';
import { type Choice, type FilterControl, withChoices } from './controls.js';
import type { MemberType } from './filter-condition.js';

/** Values that are asked for at a time; where there are more they are searched for by the service. */
export const maxSuggestions = 200;

/** A value to choose, and how many there are of it by the measure that was asked for; null where none was. */
export interface Suggestion {
  readonly value: string | null;
  readonly count: string | null;
}

/** Values to choose from. */
export interface Suggestions {
  readonly values: readonly Suggestion[];
  /** There are more: what is looked for has to be searched by the service. */
  readonly more: boolean;
}

/** What suggestions are asked by. */
export interface SuggestionScope {
  readonly type: MemberType | null;
  /** What else is chosen: values that it leaves nothing of are not offered. */
  readonly choices: readonly Choice[];
  /** Part of a text; empty for all. */
  readonly search: string;
  /** A measure that counts rows; null for none. */
  readonly counter: string | null;
}

/** The query whose rows are the values that a filter offers; null where they are told already, or there is no list of them. */
export function suggestionQuery({ member, values }: FilterControl, scope: SuggestionScope): Query | null {
  const { type, choices, search, counter } = scope;
  if (values || type === 'time') return null;
  const text = search.trim();
  const filters: Filter[] =
    text !== '' && type !== 'number' && type !== 'boolean' ? [{ member, operator: 'contains', values: [text] }] : [];
  const query: Query = {
    dimensions: [member],
    ...(counter !== null && { measures: [counter] }),
    ...(filters.length > 0 && { filters }),
    order:
      counter === null
        ? [[member, 'asc']]
        : [
            [counter, 'desc'],
            [member, 'asc'],
          ],
    limit: maxSuggestions,
  };
  const others = choices.filter(
    choice =>
      choice.kind === 'timezone' ||
      (choice.kind === 'filter' && choice.member !== member && viewOf(choice.member) === viewOf(member)),
  );
  return withChoices(query, others).query;
}

/** The values among the rows of `suggestionQuery`. */
export function suggestionsOf({ columns, rows }: RowSet): Suggestions {
  const [member = '', counter = ''] = columns.map(column => column.member);
  const values = rows.map((row): Suggestion => {
    const value = row[member] ?? null;
    const count = row[counter] ?? null;
    return { value: value === null ? null : String(value), count: count === null ? null : String(count) };
  });
  return { values, more: rows.length >= maxSuggestions };
}
