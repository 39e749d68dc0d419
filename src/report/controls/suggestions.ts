import type { Filter, Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import { viewOf } from '../query/member-names.js';
import { type Choice, type FilterControl, withChoices } from './controls.js';
import type { MemberType } from './filter-condition.js';

/** Maximum number of values per query; if there are more, the service searches them. */
export const maxSuggestions = 200;

/** A value to choose, and its number of rows; `count` is `null` if no measure was queried. */
export interface Suggestion {
  readonly value: string | null;
  readonly count: string | null;
}

/** Values to choose from. */
export interface Suggestions {
  readonly values: readonly Suggestion[];
  /** True if there are more values. In this case, a search must query the service. */
  readonly more: boolean;
}

/** Options of `suggestionQuery`. */
export interface SuggestionScope {
  readonly type: MemberType | null;
  /** Choices of other controls. Only values that have rows with these choices are suggested. */
  readonly choices: readonly Choice[];
  /** Search text; empty for all values. */
  readonly search: string;
  /** Measure that counts rows; `null` if there is none. */
  readonly counter: string | null;
}

/**
 * Returns the query for the values that a filter suggests; `null` if its values are configured or its type is not
 * enumerable.
 */
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

/** Reads suggestions from the rows of `suggestionQuery`. */
export function suggestionsOf({ columns, rows }: RowSet): Suggestions {
  const [member = '', counter = ''] = columns.map(column => column.member);
  const values = rows.map((row): Suggestion => {
    const value = row[member] ?? null;
    const count = row[counter] ?? null;
    return { value: value === null ? null : String(value), count: count === null ? null : String(count) };
  });
  return { values, more: rows.length >= maxSuggestions };
}
