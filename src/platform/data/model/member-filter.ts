import { BaseFilter, type BaseQuery } from '@cubejs-backend/schema-compiler';
import { MemberType } from './condition.js';
import type { Dialect } from './dialects/dialect.js';
import { predicateSql } from './predicate.js';
import type { SqlFilter } from './sql-filter.js';

/** A filter of a query in our words. */
export class MemberFilter extends BaseFilter {
  /** Whether it is what a time dimension's `dateRange` asks for. */
  readonly isDateRange: boolean;
  readonly #dialect: Dialect;

  constructor(query: BaseQuery, filter: SqlFilter, dialect: Dialect) {
    super(query, filter);
    this.#dialect = dialect;
    this.isDateRange = 'dateRange' in filter && filter.dateRange === true;
  }

  override conditionSql(columnSql: string): string {
    const { operator, values } = this;
    const condition = { type: typeOf(this.definition().type), operator, values };
    return predicateSql(columnSql, condition, value => this.query.paramAllocator.allocateParam(value), this.#dialect);
  }
}

function typeOf(type: unknown): MemberType {
  return type === 'string' || type === 'boolean' || type === 'time' ? type : MemberType.number;
}
