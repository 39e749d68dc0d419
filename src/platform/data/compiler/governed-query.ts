import { createHash } from 'node:crypto';
import {
  type BaseDimension,
  type BaseFilter,
  type BaseTimeDimension,
  type Compiler,
  ParamAllocator,
  PreAggregations,
} from '@cubejs-backend/schema-compiler';
import { PlatformError } from '../../errors.js';
import type { ModelDefinition } from '../model/definition.js';
import type { RowFilter } from '../model/policy.js';
import { missingKeyName } from '../model/reserved-words.js';
import { isComputed } from './computed-members.js';
import { type Dialect, intervalSql } from './dialects.js';
import { RollingQuery } from './rolling-query.js';
import { MemberFilter, predicateSql, type SqlFilter } from './sql-filter.js';
import { inheritFilters, type OuterQuery } from './sub-query.js';

/** Thrown where a query reads a cube that nothing was decided about: the caller must not learn that it exists. */
export class UndecidedCubeError extends Error {}

type Granularity = NonNullable<BaseTimeDimension['granularityObj']>;

/** Models have no tables that are built ahead, and to look for them takes two fifths of the time. */
class NoPreAggregations extends PreAggregations {
  override findPreAggregationForQuery(): undefined {
    return undefined;
  }
}

/** Characters of a name that Postgres keeps. */
const maxNameLength = 63;

/** Values of one statement. Each rolling window and each query inside it repeats those of the filters. */
const valueLimit = 50_000;

class NumberedParameters extends ParamAllocator {
  readonly #first: number;

  constructor(first: number) {
    super();
    this.#first = first;
  }

  override allocateParam(value: unknown): string {
    if (this.getParams().length >= valueLimit)
      throw new PlatformError(
        400,
        'the values of the filters are compared too often: ask for fewer of them, or for fewer rolling windows and sub-queries at once',
      );
    return super.allocateParam(value);
  }

  override paramPlaceHolder(index: number): string {
    return `$${this.#first + index}`;
  }
}

/** The compiled model as the library hands it on to every sub-query, with ours beside it. */
export interface Compilers extends Compiler {
  readonly model: ModelDefinition;
  readonly dialect: Dialect;
}

/** A query that works out a dimension: its alias, and the cube of the dimension. */
interface SubQuery<Q> {
  prefix: string;
  subQuery: Q;
  cubeName: string;
}

/** The library's SQL in the dialect of an engine, with the caller's row filter wherever a cube's table enters. */
export class GovernedQuery extends RollingQuery {
  declare readonly compilers: Compilers;
  declare readonly options: OuterQuery;

  /** @param options - the query; the library makes sub-queries with these two arguments alone. */
  constructor(compilers: Compilers, options: object) {
    super(compilers, options);
  }

  /** The only door for rows: `(SELECT * FROM table AS alias WHERE row filter)`. */
  override cubeSql(cube: string): string {
    const rows = this.options.contextSymbols.rowFilters.find(([name]) => name === cube)?.[1];
    const table = this.compilers.model.tables.get(cube);
    if (rows === undefined || table === undefined) throw new UndecidedCubeError('no row filter');
    const alias = this.escapeColumnName(`${cube}_rows`);
    // Whichever filter it is: DuckDB reads by an equality first only where the column has the type of the value.
    const fence = this.options.contextSymbols.place.fenced ? this.compilers.dialect.fence : '';
    const where = rows === 'all' ? '' : ` WHERE ${this.#rowFilterSql(alias, rows)}${fence}`;
    return `(SELECT * FROM ${table} AS ${alias}${where})`;
  }

  override newFilter(filter: SqlFilter): BaseFilter {
    return new MemberFilter(this, filter, this.compilers.dialect);
  }

  override newPreAggregations(): PreAggregations {
    return new NoPreAggregations(this, [], undefined);
  }

  override newParamAllocator(): ParamAllocator {
    return new NumberedParameters(this.options.contextSymbols.place.firstParameter);
  }

  override get shouldReuseParams(): boolean {
    return true;
  }

  /** Connections run in UTC, so that a column with a zone and one without read alike. */
  override convertTz(field: string): string {
    return this.timezone === 'UTC'
      ? `CAST(${field} AS TIMESTAMP)`
      : `timezone('${this.timezone}', CAST(${field} AS TIMESTAMPTZ))`;
  }

  /** Postgres cuts longer names off, which may make one of two. */
  override escapeColumnName(name: string): string {
    if (name.length <= maxNameLength) return super.escapeColumnName(name);
    const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
    return super.escapeColumnName(`${name.slice(0, maxNameLength - 17)}_${digest}`);
  }

  override timeGroupedColumn(granularity: string, dimension: string): string {
    return `date_trunc('${granularity}', ${dimension})`;
  }

  /** The library takes an interval of one unit for the calendar's own, though its origin may be another. */
  override dimensionTimeGroupedColumn(dimension: string, granularity: Granularity): string {
    const { granularityInterval, granularityOffset } = granularity;
    if (granularity.isPredefined() || granularityOffset !== undefined)
      return super.dimensionTimeGroupedColumn(dimension, granularity);
    return this.dateBin(granularityInterval, dimension, granularity.originLocalFormatted());
  }

  override dateBin(interval: string, source: string, origin: string): string {
    return this.compilers.dialect.bin(interval, source, origin);
  }

  override addInterval(time: string, interval: string): string {
    return `${time} + ${intervalSql(interval)}`;
  }

  override subtractInterval(time: string, interval: string): string {
    return `${time} - ${intervalSql(interval)}`;
  }

  /** What has no value stands last, in either direction. */
  override orderHashToString(order: { id: string; desc: boolean }): string | null {
    const key = super.orderHashToString(order);
    return key === null ? null : `${key} NULLS LAST`;
  }

  /**
   * The library counts the columns of time dimensions from the first of them, though all dimensions stand before, and takes a
   * granularity for the plain dimension where both are asked for.
   */
  override getFieldIndex(id: string): number | string | null {
    const plain = this.dimensions.findIndex(({ dimension }) => dimension === id);
    if (plain >= 0) return plain + 1;
    const index = super.getFieldIndex(id);
    return typeof index === 'number' && id.split('.').length === 3 ? index + this.dimensions.length : index;
  }

  /** By an equality that engines can hash: else each group of one part would be held against each of the other. */
  override dimensionsJoinCondition(left: string, right: string): string {
    const { dialect } = this.compilers;
    const same = this.dimensionAliasNames().map(name => dialect.same(`${left}.${name}`, `${right}.${name}`));
    return same.length === 0 ? '1 = 1' : same.join(' AND ');
  }

  override countDistinctApprox(sql: string): string {
    return this.compilers.dialect.countDistinctApprox(sql);
  }

  /** Whether a row filter stands among the conditions, as that of a view does, and not where a table enters. */
  get hasViewFilter(): boolean {
    const { entities } = this.compilers.model;
    const { rowFilters } = this.options.contextSymbols;
    return rowFilters.some(([name, rows]) => rows !== 'all' && entities.get(name)?.type === 'view');
  }

  /** A caller's own conditions are worked out on no row that a view's row filter leaves out, since their errors would tell of it. */
  override baseWhere(filters: readonly object[]): string {
    const conditions = this.hasViewFilter ? filters.filter(isComputed) : [];
    if (conditions.length === 0) return super.baseWhere(filters);
    const others = super.baseWhere(filters.filter(filter => !isComputed(filter)));
    if (others === '') return super.baseWhere(filters);
    const [first, second] = [others, super.baseWhere(conditions)].map(where => where.replace(/^ WHERE /, ''));
    return `${others} AND CASE WHEN ${first} THEN ${second} ELSE FALSE END`;
  }

  /** Rows of a cube without a key can be counted where every one of them is there once: at the root of the joins. */
  override primaryKeySql(key: string, cube: string): unknown {
    // While the library still looks for the cubes to join there is no join, whatever its types say.
    const root = (this.join as GovernedQuery['join'] | undefined)?.root;
    const countsRows = key === missingKeyName && root === cube && !this.multipliedJoinRowResult(cube);
    return countsRows ? '1' : super.primaryKeySql(key, cube);
  }

  /** The query that works out a `sub_query` dimension, once per key of the dimension's cube. */
  override subQueryDescription(dimension: string): SubQuery<this> {
    const [cubeName = '', name = ''] = dimension.split('.');
    const prefix = this.subQueryName(cubeName, name);
    const subQuery = this.newSubQuery({
      ...inheritFilters(this.compilers.model, this.options, dimension),
      cubeAliasPrefix: prefix,
      rowLimit: null,
      measures: [{ expression: this.cubeEvaluator.dimensionByPath(dimension).sql, cubeName, name }],
      dimensions: this.primaryKeyNames(cubeName),
      order: {},
    });
    return { prefix, subQuery, cubeName };
  }

  /** Rows as they are stand as often as a join repeats them; only sums have to count each once. */
  override multipliedJoinRowResult(cube: string): boolean {
    return this.ungrouped ? false : super.multipliedJoinRowResult(cube);
  }

  /** The keys of rows that a join repeats, each once. The library joins the sub-queries of the columns, and forgets those of the filters. */
  override keysQuery(keys: readonly BaseDimension[], filters: readonly object[]): string {
    const members = [...this.keyDimensions(keys), ...filters.filter(filter => 'getMembers' in filter)];
    const subQueries = this.collectFrom(
      members,
      this.collectSubQueryDimensionsFor.bind(this),
      'collectSubQueryDimensionsFor',
    );
    const inline: object[] = [];
    const from = this.rewriteInlineWhere(() => this.joinQuery(this.join, subQueries), inline);
    return `SELECT DISTINCT ${this.keysSelect(keys)} FROM ${from} ${this.baseWhere([...filters, ...inline])}`;
  }

  #filterColumn(alias: string, member: string): string {
    const column = this.compilers.model.filterColumns.get(member);
    if (column === undefined) throw new UndecidedCubeError('no column for a row filter');
    return column.map(piece => piece ?? alias).join('');
  }

  #rowFilterSql(alias: string, filter: RowFilter): string {
    if (filter.kind === 'condition') {
      const column = this.#filterColumn(alias, filter.member);
      const { dialect } = this.compilers;
      return predicateSql(column, filter.condition, value => this.paramAllocator.allocateParam(value), dialect);
    }
    if (filter.filters.length === 0) return '1 = 0';
    return `(${filter.filters.map(part => this.#rowFilterSql(alias, part)).join(filter.kind === 'and' ? ' AND ' : ' OR ')})`;
  }
}
