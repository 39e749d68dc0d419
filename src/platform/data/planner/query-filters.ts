import { type Filter, type MemberFilter, measureFilter } from '../../../contract/query.js';
import { PlatformError } from '../../errors.js';
import type { SqlFilter } from '../compiler/sql-filter.js';
import { conditionValues, textOperators } from '../model/conditions.js';
import { type MemberDefinition, MemberKind } from '../model/definition.js';
import type { TimeZone } from '../time/time-zone.js';

/** Context in which filters are read. */
export interface FilterScope {
  readonly timezone: TimeZone;
  /** The reference time of relative dates. */
  readonly now: Date;
  /** @throws PlatformError 400 for an unknown or hidden member. */
  member(path: string): MemberDefinition;
}

/** Validated filters. */
export interface ReadFilters {
  readonly sql: readonly SqlFilter[];
  /** Filters as returned in responses: values are strings, dates are absolute. */
  readonly normalized: Filter[];
  /** Whether a filter compares the value of a measure. */
  readonly byMeasures: boolean;
}

const limits = { depth: 20, filters: 200, values: 10_000, texts: 500 } as const;

/**
 * Validates the filters of a caller: names, operators, values and nesting.
 * @throws PlatformError 400 for an invalid filter and for unknown or hidden members.
 */
export function readFilters(scope: FilterScope, filters: readonly Filter[]): ReadFilters {
  const reader = new FilterReader(scope);
  const read = filters.map(filter =>
    'operator' in filter && filter.operator === measureFilter ? reader.rowsBehind(filter) : reader.read(filter, 1),
  );
  return {
    sql: read.map(({ sql }) => sql),
    normalized: read.map(({ normalized }) => normalized),
    byMeasures: read.some(({ kind }) => kind === MemberKind.measure),
  };
}

interface ReadFilter {
  readonly sql: SqlFilter;
  readonly normalized: Filter;
  readonly kind: MemberKind | undefined;
}

class FilterReader {
  readonly #scope: FilterScope;
  #filters = 0;
  #values = 0;
  #texts = 0;

  constructor(scope: FilterScope) {
    this.#scope = scope;
  }

  read(filter: Filter, depth: number): ReadFilter {
    if (depth > limits.depth) throw new PlatformError(400, `Filters can be nested at most ${limits.depth} levels deep`);
    this.#count();
    if ('and' in filter) {
      const { sql, normalized, kind } = this.#group(filter.and, depth);
      return { sql: { and: sql }, normalized: { and: normalized }, kind };
    }
    if ('or' in filter) {
      const { sql, normalized, kind } = this.#group(filter.or, depth);
      return { sql: { or: sql }, normalized: { or: normalized }, kind };
    }
    return this.#condition(filter);
  }

  /**
   * Returns the filter for the rows that a measure counts. It applies to single rows, as a filter of a dimension does.
   */
  rowsBehind({ member: path, values = [] }: MemberFilter): ReadFilter {
    this.#count();
    const member = this.#scope.member(path);
    if (member.kind !== MemberKind.measure)
      throw new PlatformError(400, `measureFilter requires a measure: ${path} is not a measure`);
    if (values.length > 0) throw new PlatformError(400, `filter of ${path}: measureFilter does not support values`);
    // Measures of a view have no filters, so use the cube's measure.
    const sql = { member: member.target ?? path, operator: measureFilter, values: [] } as const;
    return { sql, normalized: { member: path, operator: measureFilter }, kind: undefined };
  }

  #count(): void {
    if (++this.#filters > limits.filters)
      throw new PlatformError(400, `A query can have at most ${limits.filters} filters`);
  }

  #group(filters: readonly Filter[], depth: number) {
    if (filters.length === 0)
      throw new PlatformError(400, 'A filter with "and" or "or" requires at least one condition');
    const parts = filters.map(filter => this.read(filter, depth + 1));
    const kinds = new Set(parts.map(part => part.kind));
    if (kinds.size > 1)
      throw new PlatformError(400, 'Measures and dimensions cannot be combined in one "and" or "or" filter');
    return { sql: parts.map(part => part.sql), normalized: parts.map(part => part.normalized), kind: parts[0]?.kind };
  }

  #condition(filter: MemberFilter): ReadFilter {
    const { member: path, operator, values = [] } = filter;
    if (operator === measureFilter) throw new PlatformError(400, 'measureFilter is not supported inside "and" or "or"');
    const member = this.#scope.member(path);
    if (member.kind === MemberKind.segment) throw new PlatformError(400, `${path} is a segment: add it to segments`);
    this.#values += values.length;
    if (this.#values > limits.values) throw new PlatformError(400, `Filters can have at most ${limits.values} values`);
    if (textOperators.includes(operator)) this.#texts += values.length;
    if (this.#texts > limits.texts)
      throw new PlatformError(
        400,
        `Filters can have at most ${limits.texts} values of text operators such as ${operator}`,
      );
    const { timezone, now } = this.#scope;
    const converted = conditionValues({ type: member.type, operator, timezone, now, origin: 'caller' }, values);
    if (!converted.ok) throw new PlatformError(400, `filter of ${path}: ${converted.message}`);
    const sql = { member: path, operator, values: converted.values };
    const texts = converted.local ?? values.map(value => (value === null ? null : String(value)));
    const normalized = filter.values === undefined ? { member: path, operator } : { ...sql, values: [...texts] };
    return { sql, normalized, kind: member.kind };
  }
}
