import { type Filter, type MemberFilter, measureFilter } from '../../../contract/query.js';
import { PlatformError } from '../../errors.js';
import { conditionValues } from './condition-values.js';
import type { TimeZone } from './dates.js';
import { type MemberDefinition, MemberKind } from './definition.js';
import type { SqlFilter } from './sql-filter.js';

/** What filters are read with. */
export interface FilterScope {
  readonly timezone: TimeZone;
  /** @throws PlatformError 400 when the caller sees no such member. */
  member(path: string): MemberDefinition;
}

const limits = { depth: 20, filters: 200, values: 10_000 } as const;

/** Reads a caller's filters: names, operators, values and nesting. */
export function readFilters(scope: FilterScope, filters: readonly Filter[]): SqlFilter[] {
  const reader = new FilterReader(scope);
  return filters.map(filter => reader.read(filter, 1).sql);
}

type ReadFilter = { readonly sql: SqlFilter; readonly kind: MemberKind | undefined };

class FilterReader {
  readonly #scope: FilterScope;
  #filters = 0;
  #values = 0;

  constructor(scope: FilterScope) {
    this.#scope = scope;
  }

  read(filter: Filter, depth: number): ReadFilter {
    if (depth > limits.depth) throw new PlatformError(400, `filters may be nested ${limits.depth} deep`);
    if (++this.#filters > limits.filters) throw new PlatformError(400, `a query may have ${limits.filters} filters`);
    if ('and' in filter) {
      const { parts, kind } = this.#group(filter.and, depth);
      return { sql: { and: parts }, kind };
    }
    if ('or' in filter) {
      const { parts, kind } = this.#group(filter.or, depth);
      return { sql: { or: parts }, kind };
    }
    return this.#condition(filter);
  }

  #group(filters: readonly Filter[], depth: number): { parts: SqlFilter[]; kind: MemberKind | undefined } {
    if (filters.length === 0) throw new PlatformError(400, 'and, or need at least one filter');
    const parts = filters.map(filter => this.read(filter, depth + 1));
    const kinds = new Set(parts.map(part => part.kind));
    if (kinds.size > 1) throw new PlatformError(400, 'measures and dimensions can not be filtered in one and, or');
    return { parts: parts.map(part => part.sql), kind: parts[0]?.kind };
  }

  #condition({ member: path, operator, values = [] }: MemberFilter): ReadFilter {
    const member = this.#scope.member(path);
    if (member.kind === MemberKind.segment) throw new PlatformError(400, `${path} is a segment: name it in segments`);
    if (operator === measureFilter) throw new PlatformError(400, 'measureFilter is not supported yet');
    this.#values += values.length;
    if (this.#values > limits.values) throw new PlatformError(400, `filters may hold ${limits.values} values`);
    const { timezone } = this.#scope;
    const fitting = conditionValues({ type: member.type, operator, timezone, origin: 'caller' }, values);
    if (!fitting.ok) throw new PlatformError(400, `filter of ${path}: ${fitting.message}`);
    return { sql: { member: path, operator, values: fitting.values }, kind: member.kind };
  }
}
