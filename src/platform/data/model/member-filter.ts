import { BaseFilter, type BaseQuery } from '@cubejs-backend/schema-compiler';
import { MemberType } from './condition.js';
import { predicateSql } from './predicate.js';
import type { SqlFilter } from './sql-filter.js';

/** A filter of a query in our words. */
export class MemberFilter extends BaseFilter {
  /** Whether it is what a time dimension's `dateRange` asks for. */
  readonly isDateRange: boolean;

  constructor(query: BaseQuery, filter: SqlFilter) {
    super(query, filter);
    this.isDateRange = 'dateRange' in filter && filter.dateRange === true;
  }

  override conditionSql(columnSql: string): string {
    const { operator, values } = this;
    const condition = { type: typeOf(this.definition().type), operator, values };
    return predicateSql(columnSql, condition, value => this.query.paramAllocator.allocateParam(value));
  }
}

function typeOf(type: unknown): MemberType {
  return type === 'string' || type === 'boolean' || type === 'time' ? type : MemberType.number;
}
