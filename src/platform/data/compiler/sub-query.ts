import { type MemberDefinition, MemberKind, type ModelDefinition } from '../model/definition.js';
import { type ComputedMember, pathsOf } from './computed-members.js';
import { type CompileSymbols, type RowFilterSymbols, type SqlFilter, sqlFilterOf } from './sql-filter.js';

/** The parts of a query, as the SQL compiler was given them, that a query inside it may inherit. */
export interface OuterQuery {
  readonly filters?: readonly SqlFilter[];
  readonly segments?: readonly (string | ComputedMember)[];
  readonly contextSymbols: CompileSymbols;
}

/** What an outer query asks of a query inside it. */
export interface InheritedFilters {
  readonly filters: readonly SqlFilter[];
  readonly segments: readonly (string | ComputedMember)[];
}

/**
 * What holds inside the query that works out a `sub_query` dimension. Row filters of cubes do so by themselves, where their tables enter.
 * A view's row filter is one on its members, so it has to be carried in: else the view would add up rows that it doesn't show. The
 * caller's own filters follow only where the model propagates them, each as a whole or not at all.
 */
export function inheritFilters(model: ModelDefinition, outer: OuterQuery, dimension: string): InheritedFilters {
  const { rowFilters: rows } = outer.contextSymbols;
  const member = (path: string): MemberDefinition | undefined => {
    const [entity = '', name = ''] = path.split('.');
    return model.entities.get(entity)?.members.get(name);
  };
  const asked = member(dimension);
  if (asked?.kind !== MemberKind.dimension || !asked.propagatesFilters)
    return { filters: viewFilters(model, rows, outer), segments: [] };
  const isPlain = (path: string) => {
    const found = member(path);
    return found !== undefined && found.kind !== MemberKind.measure && !found.subQuery;
  };
  return {
    // The filters of views are among them.
    filters: (outer.filters ?? []).filter(filter => membersOf(filter).every(isPlain)),
    segments: (outer.segments ?? []).filter(one => (typeof one === 'string' ? [one] : pathsOf(one.sql)).every(isPlain)),
  };
}

/** The planner puts the row filter of every view that a query names among its filters; so do queries inside it. */
function viewFilters({ entities }: ModelDefinition, rows: RowFilterSymbols, { filters = [] }: OuterQuery): SqlFilter[] {
  const named = new Set(filters.flatMap(membersOf).map(path => path.slice(0, path.indexOf('.'))));
  return rows.flatMap(([name, own]) =>
    own !== 'all' && named.has(name) && entities.get(name)?.type === 'view' ? [sqlFilterOf(own)] : [],
  );
}

function membersOf(filter: SqlFilter): readonly string[] {
  if ('member' in filter) return [filter.member];
  return ('and' in filter ? filter.and : filter.or).flatMap(membersOf);
}
