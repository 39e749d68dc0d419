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

/**
 * Thrown if a query reads a cube for which no access decision was made. The caller must not learn that the cube exists.
 */
export class UndecidedCubeError extends Error {}

type Granularity = NonNullable<BaseTimeDimension['granularityObj']>;

/**
 * Skips the search for pre-aggregations, which takes 40 percent of the compile time. Models have no pre-aggregations.
 */
class NoPreAggregations extends PreAggregations {
  override findPreAggregationForQuery(): undefined {
    return undefined;
  }
}

/** Maximum length of an identifier, which Postgres would otherwise truncate. */
const maxNameLength = 63;

/**
 * Maximum number of parameters in one statement. Each rolling window and each nested query repeats the filter values.
 */
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
        'The query has too many filter values: use fewer values, or fewer rolling windows and sub-queries',
      );
    return super.allocateParam(value);
  }

  override paramPlaceHolder(index: number): string {
    return `$${this.#first + index}`;
  }
}

/** The compiled model that the library passes to every sub-query, extended by the model definition and the dialect. */
export interface Compilers extends Compiler {
  readonly model: ModelDefinition;
  readonly dialect: Dialect;
}

/** A query that computes a `sub_query` dimension: its alias, the query and the cube of the dimension. */
interface SubQuery<Q> {
  prefix: string;
  subQuery: Q;
  cubeName: string;
}

/** Generates SQL in the dialect of an engine and adds the caller's row filter wherever the table of a cube is read. */
export class GovernedQuery extends RollingQuery {
  declare readonly compilers: Compilers;
  declare readonly options: OuterQuery;

  /** @param options - the query; the library creates sub-queries with exactly these two arguments. */
  constructor(compilers: Compilers, options: object) {
    super(compilers, options);
  }

  /** Returns the only SQL that reads a table: `(SELECT * FROM table AS alias WHERE row filter)`. */
  override cubeSql(cube: string): string {
    const rows = this.options.contextSymbols.rowFilters.find(([name]) => name === cube)?.[1];
    const table = this.compilers.model.tables.get(cube);
    if (rows === undefined || table === undefined)
      throw new UndecidedCubeError('The query has no row filter for a cube that it reads.');
    const alias = this.escapeColumnName(`${cube}_rows`);
    // Every kind of filter requires the fence. Even an equality is evaluated first by DuckDB only if column and value
    // have the same type.
    const fence = this.options.contextSymbols.settings.fenced ? this.compilers.dialect.fence : '';
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
    return new NumberedParameters(this.options.contextSymbols.settings.firstParameter);
  }

  override get shouldReuseParams(): boolean {
    return true;
  }

  /**
   * Converts a time to the query's time zone. Connections use UTC, so columns with and without a time zone give the
   * same result.
   */
  override convertTz(field: string): string {
    return this.timezone === 'UTC'
      ? `CAST(${field} AS TIMESTAMP)`
      : `timezone('${this.timezone}', CAST(${field} AS TIMESTAMPTZ))`;
  }

  /** Shortens long names, because Postgres truncates them and could make two names identical. */
  override escapeColumnName(name: string): string {
    if (name.length <= maxNameLength) return super.escapeColumnName(name);
    const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
    return super.escapeColumnName(`${name.slice(0, maxNameLength - 17)}_${digest}`);
  }

  override timeGroupedColumn(granularity: string, dimension: string): string {
    return `date_trunc('${granularity}', ${dimension})`;
  }

  /**
   * Respects the origin of intervals of one unit. The library aligns them to the calendar even if their origin differs.
   */
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

  /** Sorts NULL last in both directions. */
  override orderHashToString(order: { id: string; desc: boolean }): string | null {
    const key = super.orderHashToString(order);
    return key === null ? null : `${key} NULLS LAST`;
  }

  /**
   * Returns the column index for ORDER BY. The library ignores that other dimensions precede the time dimensions, and
   * confuses a dimension with its granularity if both are selected.
   */
  override getFieldIndex(id: string): number | string | null {
    const plain = this.dimensions.findIndex(({ dimension }) => dimension === id);
    if (plain >= 0) return plain + 1;
    const index = super.getFieldIndex(id);
    return typeof index === 'number' && id.split('.').length === 3 ? index + this.dimensions.length : index;
  }

  /**
   * Uses a hashable equality. With any other, the engine would compare every group of one part with every group of the
   * other.
   */
  override dimensionsJoinCondition(left: string, right: string): string {
    const { dialect } = this.compilers;
    const equalities = this.dimensionAliasNames().map(name => dialect.same(`${left}.${name}`, `${right}.${name}`));
    return equalities.length === 0 ? '1 = 1' : equalities.join(' AND ');
  }

  override countDistinctApprox(sql: string): string {
    return this.compilers.dialect.countDistinctApprox(sql);
  }

  /** Whether a view has a row filter. It is part of the WHERE conditions, unlike the row filter of a cube. */
  get hasViewFilter(): boolean {
    const { entities } = this.compilers.model;
    const { rowFilters } = this.options.contextSymbols;
    return rowFilters.some(([name, rows]) => rows !== 'all' && entities.get(name)?.type === 'view');
  }

  /**
   * Evaluates the caller's own conditions only on rows that pass the row filter of a view, because their errors would
   * reveal other rows.
   */
  override baseWhere(filters: readonly object[]): string {
    const conditions = this.hasViewFilter ? filters.filter(isComputed) : [];
    if (conditions.length === 0) return super.baseWhere(filters);
    const others = super.baseWhere(filters.filter(filter => !isComputed(filter)));
    if (others === '') return super.baseWhere(filters);
    const [first, second] = [others, super.baseWhere(conditions)].map(where => where.replace(/^ WHERE /, ''));
    return `${others} AND CASE WHEN ${first} THEN ${second} ELSE FALSE END`;
  }

  /**
   * Counts rows of a cube without a key as `1`. This is only correct at the root of the joins, where no row is
   * repeated.
   */
  override primaryKeySql(key: string, cube: string): unknown {
    // `join` is undefined while the library resolves the cubes to join, despite its type.
    const root = (this.join as GovernedQuery['join'] | undefined)?.root;
    const countsRows = key === missingKeyName && root === cube && !this.multipliedJoinRowResult(cube);
    return countsRows ? '1' : super.primaryKeySql(key, cube);
  }

  /** Returns the query that computes a `sub_query` dimension for each key of its cube. */
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

  /**
   * Returns false for ungrouped queries, which return the rows that a join repeats. Only aggregates must count each row
   * once.
   */
  override multipliedJoinRowResult(cube: string): boolean {
    return this.ungrouped ? false : super.multipliedJoinRowResult(cube);
  }

  /**
   * Returns the distinct keys of rows that a join repeats. The library joins the sub-queries of the columns but omits
   * those of the filters.
   */
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
    if (column === undefined)
      throw new UndecidedCubeError('The model has no column for the dimension of a row filter.');
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
