import type { Filter, Query, TimeDimension } from '../../../contract/query.js';
import { RowLimit } from '../../../contract/row-limit.js';
import type { ConvertedSql } from '../../http/route-deps.js';
import { MemberKind } from '../model/definition.js';
import { conjuncts, splitFilters } from './cube-filters.js';
import { analyzeSql, isAlias, withSqlErrors } from './plan-sql.js';
import { quoteName } from './scope.js';
import { type NamePlaces, placeIn } from './select/select-context.js';
import type { SqlModel } from './sql-model.js';
import { NoLoadQuery } from './sql-problem.js';
import type { CubeColumn, CubeQuery, Expression, Select, SelectStatement } from './tree.js';

/** A column of a cube that a load query can return. */
type LoadColumn = Exclude<CubeColumn, { kind: 'computed' }>;

/** A statement with a single select over one cube or view whose columns are members. */
interface PlainSelect {
  readonly statement: SelectStatement;
  readonly select: Select;
  readonly source: number;
  readonly query: CubeQuery;
  /** The member of each column of the statement. */
  readonly columns: readonly LoadColumn[];
}

/** @throws NoLoadQuery if a part of the statement has no equivalent in a load query. */
function plainSelectOf(statement: SelectStatement): PlainSelect {
  const { body, with: tables } = statement;
  if (body.kind === 'set')
    throw new NoLoadQuery('A load query is a single SELECT: UNION, INTERSECT and EXCEPT are not supported');
  if (tables.length > 0)
    throw new NoLoadQuery('A load query is a single SELECT: WITH and subqueries are not supported');
  const { from, distinct } = body;
  if (from?.kind !== 'cube')
    throw new NoLoadQuery(
      'A load query reads one cube or view: joins, subqueries and aggregates over rows are not supported',
    );
  if (distinct) throw new NoLoadQuery('A load query supports DISTINCT only for dimensions');
  const { source, query } = from;
  const columns = body.columns.map((value, index) => {
    const column = loadColumnOf({ source, query }, value);
    if (column) return column;
    throw new NoLoadQuery(
      `No member is equivalent to column ${index + 1}, ${quoteName(statement.columns[index]?.name ?? '')}`,
    );
  });
  checkKeys(query, columns);
  return { statement, select: body, source, query, columns };
}

/** Returns the cube column that a value reads, or `undefined` if the value is computed. */
function loadColumnOf(
  { source, query }: Pick<PlainSelect, 'source' | 'query'>,
  value: Expression,
): LoadColumn | undefined {
  const column = value.kind === 'column' && value.source === source ? query.columns[value.column] : undefined;
  return column?.kind === 'computed' ? undefined : column;
}

function checkKeys({ grouped, columns }: CubeQuery, shown: readonly LoadColumn[]): void {
  const hidden = columns.find(column => column.kind !== 'measure' && !shown.some(one => one === column));
  if (grouped && hidden) throw new NoLoadQuery('A load query returns all GROUP BY keys: add them to the select list');
}

/**
 * Converts semantic SQL to a load query that returns the same rows. SQL without a LIMIT becomes `limit: 50000`, the
 * maximum of a load query.
 *
 * Load queries do not support NULLS FIRST. An order with NULLs at the other end is converted if there is no LIMIT or
 * OFFSET, because then the rows are equal and only the position of NULLs differs. With a LIMIT or OFFSET it is
 * rejected, unless the column cannot be NULL: counts, and members that WHERE or HAVING requires to be NOT NULL. Used by
 * publishing and by `/v1/convert-query`.
 * @throws PlatformError 400 as `planSql`, or with code `no_load_query` if the statement has no equivalent load query.
 */
export function convertSql(text: string, model: SqlModel): Promise<ConvertedSql> {
  return withSqlErrors(text, async () => {
    const { statement, queries, places } = await analyzeSql(text, model);
    for (const query of queries) model.planCube(query);
    const plain = plainSelectOf(statement);
    const { segments, rest } = segmentsOf(plain, model);
    checkRest(plain, rest, model, places);
    const filters = [...plain.query.filters, ...havingOf(plain, model, places)];
    const order = orderOf(plain, filters, model);
    const query: Query = {
      ...membersOf(plain, filters),
      ...(segments.length > 0 && { segments: [...new Set(segments)] }),
      ...(order.length > 0 && { order }),
      limit: limitOf(plain),
      ...(statement.offset > 0 && { offset: statement.offset }),
      ...(!plain.query.grouped && { ungrouped: true }),
    };
    const aliases = plain.columns.flatMap((column, index) => {
      const output = statement.columns[index];
      return output && isAlias(output, column) ? [output.name] : [];
    });
    return { query, columns: columnsOf(plain), aliases };
  });
}

/** Returns the members and filters of the load query. A filter with both bounds of a time becomes a `dateRange`. */
function membersOf({ columns }: PlainSelect, filters: readonly Filter[]): Query {
  const paths = (kind: LoadColumn['kind']) => [
    ...new Set(columns.filter(column => column.kind === kind).map(({ path }) => path)),
  ];
  const timeDimensions: TimeDimension[] = [];
  for (const column of columns) {
    if (column.kind !== 'time') continue;
    const { path: dimension, granularity } = column;
    const isKnown = timeDimensions.some(one => one.dimension === dimension && one.granularity === granularity);
    if (!isKnown) timeDimensions.push({ dimension, granularity });
  }
  const others: Filter[] = [];
  for (const filter of filters) {
    const range = rangeOf(filter);
    const known = timeDimensions.find(one => one.dimension === range?.dimension);
    if (range === undefined) others.push(filter);
    else if (known) known.dateRange = range.dateRange;
    else timeDimensions.push(range);
  }
  const parts = { measures: paths('measure'), dimensions: paths('dimension'), timeDimensions, filters: others };
  return Object.fromEntries(Object.entries(parts).filter(([, list]) => list.length > 0));
}

function rangeOf(filter: Filter): { dimension: string; dateRange: string[] } | undefined {
  if (!('operator' in filter) || filter.operator !== 'inDateRange') return undefined;
  const [from = '', to = ''] = (filter.values ?? []).map(String);
  const isDays = from.endsWith('T00:00:00.000') && to.endsWith('T23:59:59.999');
  return { dimension: filter.member, dateRange: [from, to].map(time => (isDays ? time.slice(0, 10) : time)) };
}

/** Splits the conditions that are not filters into segments and the rest. */
function segmentsOf({ query, select, source }: PlainSelect, { access }: SqlModel) {
  const conditions = query.grouped ? query.conditions : conjuncts(select.where);
  const segmentOf = (condition: Expression): string | undefined => {
    if (condition.kind === 'call' && condition.name === 'is_true')
      return condition.args[0] && segmentOf(condition.args[0]);
    const column =
      condition.kind === 'column' && condition.source === source ? query.columns[condition.column] : undefined;
    const value = column?.kind === 'computed' ? column.value : condition;
    const isSegment = value.kind === 'member' && access.members.get(value.path)?.kind === MemberKind.segment;
    return isSegment ? value.path : undefined;
  };
  return {
    segments: conditions.flatMap(condition => segmentOf(condition) ?? []),
    rest: conditions.filter(condition => segmentOf(condition) === undefined),
  };
}

function checkRest({ query }: PlainSelect, [other]: readonly Expression[], model: SqlModel, places: NamePlaces): void {
  if (other)
    throw new NoLoadQuery('No filter of a load query is equivalent to this part of WHERE', placeIn(places, other));
  // Reject filters that depend on the time zone, because that of the load query is not known yet.
  const zoned = query.filters.flatMap(pathsOf).find(path => isZoned(path, model));
  if (zoned !== undefined)
    throw new NoLoadQuery(
      `A load query cannot filter by ${zoned}: it is computed from a time, so their time zones may differ`,
    );
}

function pathsOf(filter: Filter): readonly string[] {
  if ('operator' in filter) return [filter.member];
  return ('and' in filter ? filter.and : filter.or).flatMap(pathsOf);
}

function isZoned(path: string, { access }: SqlModel): boolean {
  const member = access.members.get(path);
  return member?.kind === MemberKind.dimension && member.zoned;
}

/** Converts HAVING to filters of measures. */
function havingOf({ query, source, select }: PlainSelect, model: SqlModel, places: NamePlaces): readonly Filter[] {
  if (!query.grouped) return [];
  const { filters, rest } = splitFilters(conjuncts(select.where), {
    ...model,
    pathOf: value => {
      const column = value.kind === 'column' && value.source === source ? query.columns[value.column] : undefined;
      return column?.kind === 'measure' ? column.path : undefined;
    },
  });
  const [other] = rest;
  if (other)
    throw new NoLoadQuery('No filter of a load query is equivalent to this part of HAVING', placeIn(places, other));
  return filters;
}

function orderOf(plain: PlainSelect, filters: readonly Filter[], model: SqlModel): [string, 'asc' | 'desc'][] {
  const { statement, columns } = plain;
  const isCut = statement.limit !== null || statement.offset > 0;
  return statement.order.map(({ value, desc, nullsFirst }) => {
    const column = loadColumnOf(plain, value);
    if (column === undefined || !columns.includes(column))
      throw new NoLoadQuery('A load query is sorted by its columns: add the ORDER BY keys to the select list');
    // Load queries sort NULLs last with every engine and in both directions.
    if (isCut && nullsFirst && isNullable(column, filters, model))
      throw new NoLoadQuery('A load query sorts NULLs last here: write NULLS LAST');
    return [keyOf(column), desc ? 'desc' : 'asc'];
  });
}

function isNullable({ path }: LoadColumn, filters: readonly Filter[], { access }: SqlModel): boolean {
  if (filters.some(filter => 'operator' in filter && filter.operator === 'set' && filter.member === path)) return false;
  const member = access.members.get(path);
  return member?.kind !== MemberKind.measure || !member.aggType.startsWith('count');
}

function limitOf({ statement: { limit } }: PlainSelect): number {
  if (limit === null) return RowLimit.max;
  if (limit > 0 && limit <= RowLimit.max) return limit;
  throw new NoLoadQuery(`LIMIT of a load query must be a number from 1 to ${RowLimit.max}`);
}

function columnsOf({ statement, columns }: PlainSelect): ConvertedSql['columns'] {
  const keys = new Map<string, string>();
  for (const [index, column] of columns.entries()) {
    const name = statement.columns[index]?.name ?? '';
    const key = keyOf(column);
    if ((keys.get(name) ?? key) !== key)
      throw new NoLoadQuery(`Two columns have the name ${quoteName(name)}: set an alias for one of them`);
    keys.set(name, key);
  }
  return Object.fromEntries(keys);
}

function keyOf(column: LoadColumn): string {
  return column.kind === 'time' ? `${column.path}.${column.granularity}` : column.path;
}
