import { type MemberDefinition, MemberKind, type ModelDefinition } from '../model/definition.js';
import { type ComputedMember, pathsOf } from './computed-members.js';
import { type CompileSymbols, type RowFilterSymbols, type SqlFilter, sqlFilterOf } from './sql-filter.js';

/** The parts of a query that nested queries may inherit. */
export interface OuterQuery {
  readonly filters?: readonly SqlFilter[];
  readonly segments?: readonly (string | ComputedMember)[];
  readonly contextSymbols: CompileSymbols;
}

/** The filters and segments that a nested query inherits. */
export interface InheritedFilters {
  readonly filters: readonly SqlFilter[];
  readonly segments: readonly (string | ComputedMember)[];
}

/**
 * Returns the filters of the query that computes a `sub_query` dimension. Row filters of cubes apply automatically
 * where their tables are read. The row filter of a view is a filter on its members, so it must be added; otherwise the
 * view would aggregate rows that it hides. The caller's own filters are added only if the model propagates filters and
 * if all members of the filter are plain dimensions or segments.
 */
export function inheritFilters(model: ModelDefinition, outer: OuterQuery, dimension: string): InheritedFilters {
  const { rowFilters: rows } = outer.contextSymbols;
  const member = (path: string): MemberDefinition | undefined => {
    const [entity = '', name = ''] = path.split('.');
    return model.entities.get(entity)?.members.get(name);
  };
  const definition = member(dimension);
  if (definition?.kind !== MemberKind.dimension || !definition.propagatesFilters)
    return { filters: viewFilters(model, rows, outer), segments: [] };
  const isPlain = (path: string) => {
    const found = member(path);
    return found !== undefined && found.kind !== MemberKind.measure && !found.subQuery;
  };
  return {
    // The filters of the outer query include the row filters of views.
    filters: (outer.filters ?? []).filter(filter => membersOf(filter).every(isPlain)),
    segments: (outer.segments ?? []).filter(one => (typeof one === 'string' ? [one] : pathsOf(one.sql)).every(isPlain)),
  };
}

/**
 * Returns the row filters of the views in a nested query. For the outer query, the planner adds them to the filters.
 */
function viewFilters({ entities }: ModelDefinition, rows: RowFilterSymbols, { filters = [] }: OuterQuery): SqlFilter[] {
  const filteredCubes = new Set(filters.flatMap(membersOf).map(path => path.slice(0, path.indexOf('.'))));
  return rows.flatMap(([name, own]) =>
    own !== 'all' && filteredCubes.has(name) && entities.get(name)?.type === 'view' ? [sqlFilterOf(own)] : [],
  );
}

function membersOf(filter: SqlFilter): readonly string[] {
  if ('member' in filter) return [filter.member];
  return ('and' in filter ? filter.and : filter.or).flatMap(membersOf);
}
