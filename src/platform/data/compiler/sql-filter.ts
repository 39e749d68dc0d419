import { BaseFilter, type BaseQuery } from '@cubejs-backend/schema-compiler';
import type { FilterOperator, measureFilter } from '../../../contract/query.js';
import { type Condition, MemberType } from '../model/conditions.js';
import type { RowFilter } from '../model/policy.js';
import type { Bind } from '../sql/expression/print-expression.js';
import { type Dialect, TextMatch } from './dialects.js';

/** A filter in the format of the SQL compiler. Values are typed; times are in UTC. */
export type SqlFilter =
  | {
      readonly member: string;
      readonly operator: FilterOperator | typeof measureFilter;
      readonly values: Condition['values'];
      /** Set if the filter is the `dateRange` of a time dimension. Rolling windows extend beyond it. */
      readonly dateRange?: true;
    }
  | { readonly and: readonly SqlFilter[] }
  | { readonly or: readonly SqlFilter[] };

/**
 * Row filters of a caller, by cube or view. A list instead of a map, because the library uses its JSON as a cache key.
 */
export type RowFilterSymbols = readonly (readonly [entity: string, rows: 'all' | RowFilter])[];

/**
 * Values that the library passes to every nested query and includes in its cache key. The library requires all values
 * to be objects.
 */
export interface CompileSymbols {
  readonly rowFilters: RowFilterSymbols;
  readonly settings: { readonly firstParameter: number; readonly fenced: boolean };
}

/** Converts the row filter of a view to a filter on its members. */
export function sqlFilterOf(rows: RowFilter): SqlFilter {
  if (rows.kind === 'condition') {
    const { operator, values } = rows.condition;
    return { member: rows.member, operator, values };
  }
  const parts = rows.filters.map(sqlFilterOf);
  return rows.kind === 'and' ? { and: parts } : { or: parts };
}

/** Dependencies for printing a condition. */
interface Tools {
  readonly bind: Bind;
  readonly dialect: Dialect;
}

const never = '1 = 0';
/**
 * Matches a plain column name. All other SQL is put in parentheses, so that an expression such as `a > b` can be an
 * operand.
 */
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
 * Prints a condition on a column. Filters of callers and of policies share this function, so an operator has the same
 * meaning in both. Text operators ignore case and have no wildcards, and a negation includes NULL rows unless NULL is
 * among its values. A condition without a valid value matches no rows.
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

/** Prints equality and text operators. Matches any of the values, or none of them if the operator is negative. */
function matchSql(column: string, { operator, values, type }: Condition, tools: Tools): string {
  const present = values.filter(value => value !== null);
  const withNull = present.length < values.length;
  const match = textMatches[operator];
  const left = subject(column, match === undefined ? type : MemberType.string);
  const anyOf: string[] = [];
  if (match !== undefined) {
    for (const value of present) {
      anyOf.push(tools.dialect.match(match, `lower(${left})`, `lower(${tools.bind(String(value))})`));
    }
  } else if (present.length > 0) {
    anyOf.push(`${left} IN (${present.map(value => operand(type, value, tools)).join(', ')})`);
  }
  if (!isNegative(operator)) return `(${[...anyOf, ...(withNull ? [`${column} IS NULL`] : [])].join(' OR ')})`;
  const noneOf = anyOf.map(one => `NOT ${one}`).join(' AND ');
  if (withNull) return `(${[...(noneOf === '' ? [] : [noneOf]), `${column} IS NOT NULL`].join(' AND ')})`;
  return `((${noneOf}) OR ${column} IS NULL)`;
}

function isNegative(operator: FilterOperator): boolean {
  return operator.startsWith('not');
}

/** Compares string members as text regardless of the type of their column. */
function subject(column: string, type: MemberType): string {
  return type === MemberType.string ? `CAST(${column} AS VARCHAR)` : column;
}

function operand(type: MemberType, value: string | number | boolean, { bind, dialect }: Tools): string {
  if (type === MemberType.string) return bind(String(value));
  const cast = { number: numberCast(value, dialect), boolean: 'BOOLEAN', time: 'TIMESTAMP' }[type];
  return `CAST(${bind(String(value))} AS ${cast})`;
}

/**
 * Returns the SQL type of a number. Long numbers stay exact, because as DOUBLE, adjacent integers above 2^53 would be
 * equal.
 */
function numberCast(value: string | number | boolean, { decimal }: Dialect): string {
  const text = String(value);
  if (/^[+-]?\d{1,18}$/.test(text)) return 'BIGINT';
  const [, whole, fraction = ''] = /^[+-]?0*(\d*)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (whole === undefined) return decimal;
  const digits = whole.length + fraction.length;
  // Leave digits for columns with a different scale.
  const isExact = digits > 15 && whole.length <= 28 && fraction.length <= 9;
  return isExact ? `DECIMAL(${digits}, ${fraction.length})` : decimal;
}

/** Filter class for the schema compiler. Prints its condition with `predicateSql`. */
export class MemberFilter extends BaseFilter {
  /** Whether the filter is the `dateRange` of a time dimension. */
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
