import { BaseFilter, type BaseQuery } from '@cubejs-backend/schema-compiler';
import type { FilterOperator, measureFilter } from '../../../contract/query.js';
import { type Condition, MemberType } from '../model/conditions.js';
import type { RowFilter } from '../model/policy.js';
import type { Bind } from '../sql/expression/print-expression.js';
import { type Dialect, TextMatch } from './dialects.js';

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

/** What a condition is printed with. */
interface Tools {
  readonly bind: Bind;
  readonly dialect: Dialect;
}

const never = '1 = 0';
/** Whatever else a member's SQL is, it stands in parentheses: `a > b` is an operand like any other. */
const columnName = /^(?:\w+|"[^"]+")(?:\.(?:\w+|"[^"]+"))?$/;
const comparisons: Partial<Record<FilterOperator, string>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  afterDate: '>',
  afterOrOnDate: '>=',
  beforeDate: '<',
  beforeOrOnDate: '<=',
};
const textMatches: Partial<Record<FilterOperator, TextMatch>> = {
  contains: TextMatch.contains,
  notContains: TextMatch.contains,
  startsWith: TextMatch.startsWith,
  notStartsWith: TextMatch.startsWith,
  endsWith: TextMatch.endsWith,
  notEndsWith: TextMatch.endsWith,
};

/**
 * Prints a condition on a column. The same text serves a caller's filters and a policy's, so there is one meaning of an operator:
 * text operators ignore case and know no wildcards; a negation keeps NULL rows unless NULL is among its values.
 * A condition that says nothing is never true.
 */
export function predicateSql(sql: string, condition: Condition, bind: Bind, dialect: Dialect): string {
  const { operator } = condition;
  const tools = { bind, dialect };
  const column = columnName.test(sql) ? sql : `(${sql})`;
  if (operator === 'set') return `${column} IS NOT NULL`;
  if (operator === 'notSet') return `${column} IS NULL`;
  if (condition.values.length === 0) return never;
  if (operator === 'inDateRange' || operator === 'notInDateRange') return rangeSql(column, condition, tools);
  const comparison = comparisons[operator];
  if (comparison !== undefined) return comparisonSql(column, comparison, condition, tools);
  return matchSql(column, condition, tools);
}

function rangeSql(column: string, { operator, values, type }: Condition, tools: Tools): string {
  const [from, to] = values;
  if (from === undefined || from === null || to === undefined || to === null) return never;
  const [low, high] = [from, to].map(value => operand(type, value, tools));
  return operator === 'inDateRange'
    ? `(${column} >= ${low} AND ${column} <= ${high})`
    : `(${column} < ${low} OR ${column} > ${high})`;
}

function comparisonSql(column: string, comparison: string, { values, type }: Condition, tools: Tools): string {
  const [value] = values;
  if (value === undefined || value === null) return never;
  return `${subject(column, type)} ${comparison} ${operand(type, value, tools)}`;
}

/** Equality and text operators: any of the values, or none of them. */
function matchSql(column: string, { operator, values, type }: Condition, tools: Tools): string {
  const present = values.filter(value => value !== null);
  const withNull = present.length < values.length;
  const match = textMatches[operator];
  const left = subject(column, match === undefined ? type : MemberType.string);
  const anyOf =
    match === undefined
      ? present.length === 0
        ? []
        : [`${left} IN (${present.map(value => operand(type, value, tools)).join(', ')})`]
      : present.map(value => tools.dialect.match(match, `lower(${left})`, `lower(${tools.bind(String(value))})`));
  if (!isNegative(operator)) return `(${[...anyOf, ...(withNull ? [`${column} IS NULL`] : [])].join(' OR ')})`;
  const noneOf = anyOf.map(one => `NOT ${one}`).join(' AND ');
  if (withNull) return `(${[...(noneOf === '' ? [] : [noneOf]), `${column} IS NOT NULL`].join(' AND ')})`;
  return `((${noneOf}) OR ${column} IS NULL)`;
}

function isNegative(operator: FilterOperator): boolean {
  return operator.startsWith('not');
}

/** Text members are compared as text whatever their column is. */
function subject(column: string, type: MemberType): string {
  return type === MemberType.string ? `CAST(${column} AS VARCHAR)` : column;
}

function operand(type: MemberType, value: string | number | boolean, { bind, dialect }: Tools): string {
  if (type === MemberType.string) return bind(String(value));
  const cast = { number: numberCast(value, dialect), boolean: 'BOOLEAN', time: 'TIMESTAMP' }[type];
  return `CAST(${bind(String(value))} AS ${cast})`;
}

/** Long numbers stay exact: as DOUBLE, neighbours above 2^53 would be equal. */
function numberCast(value: string | number | boolean, { decimal }: Dialect): string {
  const text = String(value);
  if (/^[+-]?\d{1,18}$/.test(text)) return 'BIGINT';
  const [, whole, fraction = ''] = /^[+-]?0*(\d*)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (whole === undefined) return decimal;
  const digits = whole.length + fraction.length;
  // A column of another scale has to fit beside it.
  const isExact = digits > 15 && whole.length <= 28 && fraction.length <= 9;
  return isExact ? `DECIMAL(${digits}, ${fraction.length})` : decimal;
}

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
