import type { FilterOperator, measureFilter } from '../../../contract/query.js';
import type { Condition } from './condition.js';
import type { RowFilter } from './policy.js';

/** A filter as the SQL compiler takes it. Values are typed and, where they are times, UTC already. */
export type SqlFilter =
  | {
      readonly member: string;
      readonly operator: FilterOperator | typeof measureFilter;
      readonly values: Condition['values'];
      /** Set where it is what a time dimension's `dateRange` asks for: rolling windows reach beyond it. */
      readonly dateRange?: true;
    }
  | { readonly and: readonly SqlFilter[] }
  | { readonly or: readonly SqlFilter[] };

/** What a caller may read, by cube or view. A list, because it has to survive JSON: the library's cache is keyed by it. */
export type RowFilterSymbols = readonly (readonly [entity: string, rows: 'all' | RowFilter])[];

/** What the library hands on to every query inside a query, and keys its cache by. It takes nothing but objects. */
export interface CompileSymbols {
  readonly rowFilters: RowFilterSymbols;
  readonly place: { readonly firstParameter: number; readonly fenced: boolean };
}

/** The row filter of a view as a filter on its members. */
export function sqlFilterOf(rows: RowFilter): SqlFilter {
  if (rows.kind === 'condition') {
    const { operator, values } = rows.condition;
    return { member: rows.member, operator, values };
  }
  const parts = rows.filters.map(sqlFilterOf);
  return rows.kind === 'and' ? { and: parts } : { or: parts };
}
