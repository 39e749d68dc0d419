import type { Cell, MemberAnnotation, Row } from '../../contract/data.js';
import type { Query } from '../../contract/query.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { columnType } from '../../contract/sql-columns.js';
import type { JsonObject } from '../../contract/wire.js';
import { isRecord } from '../http/fetch.js';

type Fields = Readonly<Record<string, unknown>>;

const maxColumns = 100;
const maxRows = 5000;
const maxCellLength = 10_000;
const maxNameLength = 300;
const maxDescriptionLength = 2000;
const maxFormatLength = 64;
const maxChecksumLength = 255;
/** Maximum length of a JSON text that is parsed, in characters. */
const maxJsonLength = 2 * 1024 * 1024;

const granularities = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
const queryKeys = [
  'measures',
  'dimensions',
  'segments',
  'timeDimensions',
  'filters',
  'order',
  'limit',
  'offset',
  'timezone',
  'ungrouped',
  'total',
  'joinHints',
] as const;

/** Rows that a tool queried, and how to chart them. */
export interface DataResult {
  readonly title: string;
  readonly description: string;
  /** Query that returns all rows; `null` if the service sent none that the Data API accepts. */
  readonly query: Query | null;
  /** Rows of this result. `truncated` is `true` if the query has more rows. */
  readonly rowSet: RowSet;
  readonly totalRows: number;
  /** Names the answer when it is pinned to a dashboard; empty if the service sent none. */
  readonly checksum: string;
  /** Vega-Lite specification without data; `null` if the rows are best shown as a table. */
  readonly spec: JsonObject | null;
  /** Whether the text or another result of the answer contains the rows. */
  readonly isSupporting: boolean;
}

/**
 * Reads the result of a tool that queries data. Accepts `schema` with rows as arrays (domain.md 2, "Charts in chat"),
 * and the older form: `annotation` with rows as objects. Returns `null` for any other value. Content beyond the size
 * limits is cut off.
 */
export function readDataResult(value: unknown): DataResult | null {
  const result = readJson(value);
  if (!result || !Array.isArray(result.data)) return null;
  const query = readQuery(result.query);
  const columns = Array.isArray(result.schema)
    ? columnsOf(result.schema, query)
    : annotatedColumns(result.annotation, result.data[0]);
  if (columns.length === 0) return null;
  const rows = result.data.slice(0, maxRows).flatMap(row => readRow(row, columns));
  const totalRows = Math.max(countOf(result.totalRows), rows.length);
  const truncated = totalRows > rows.length || result.data.length > maxRows;
  return {
    title: textOf(result.queryTitle ?? result.title, maxNameLength),
    description: textOf(result.description, maxDescriptionLength),
    query,
    rowSet: { columns: columns.map(({ column }) => column), rows, truncated, lastRefreshTime: null },
    totalRows,
    checksum: textOf(result.checksum, maxChecksumLength),
    spec: readSpec(result.vegaSpec),
    isSupporting: result.isSupporting === true,
  };
}

/** A column and the index of its cells in a row that is an array. */
interface PlacedColumn {
  readonly column: Column;
  readonly place: number;
}

function columnsOf(schema: readonly unknown[], query: Query | null): PlacedColumn[] {
  const columns = new Map<string, PlacedColumn>();
  for (const [place, field] of schema.slice(0, maxColumns).entries()) {
    const member = isRecord(field) ? textOf(field.name, maxNameLength) : '';
    if (!isRecord(field) || member === '' || columns.has(member)) continue;
    const type = columnType(field.column_type ?? field.columnType);
    const title = textOf(field.title, maxNameLength) || member;
    const granularity = type === 'time' ? granularityOf(member, query) : null;
    const annotation: MemberAnnotation = {
      title,
      shortTitle: title,
      type,
      ...formatOf(field),
      ...calendarOf(field.meta),
      ...(granularity === null ? {} : { granularity: { name: granularity, title: granularity } }),
    };
    columns.set(member, { place, column: { member, kind: kindOf(member, type, query), annotation } });
  }
  return [...columns.values()];
}

/** Reads the platform's own number formats: a d3 specifier and a currency code. */
function formatOf(field: Fields): Pick<MemberAnnotation, 'formatDescription' | 'currency'> {
  const specifier = textOf(field.format, maxFormatLength);
  const currency = textOf(field.currency, maxFormatLength);
  return {
    ...(specifier === '' ? {} : { formatDescription: { name: 'custom', specifier } }),
    ...(/^[A-Za-z]{3}$/.test(currency) ? { currency } : {}),
  };
}

/** Reads the numbers by which a column represents Sunday and January. */
function calendarOf(meta: unknown): Pick<MemberAnnotation, 'meta'> {
  const numbers = isRecord(meta)
    ? ['sunday', 'january'].flatMap(key => (typeof meta[key] === 'number' ? [[key, meta[key]]] : []))
    : [];
  return numbers.length === 0 ? {} : { meta: Object.fromEntries(numbers) };
}

function kindOf(member: string, type: string, query: Query | null): Column['kind'] {
  if (query?.dimensions?.includes(member)) return 'dimension';
  if (query?.measures?.includes(member)) return 'measure';
  if (type === 'time') return 'timeDimension';
  return type === 'number' ? 'measure' : 'dimension';
}

/**
 * Returns the granularity at which the query groups a time dimension; without a query, the suffix of the member name.
 */
function granularityOf(member: string, query: Query | null): string | null {
  for (const { dimension, granularity } of query?.timeDimensions ?? []) {
    if (granularity && member === `${dimension}.${granularity}`) return granularity;
  }
  const last = member.split('.')[2];
  return last !== undefined && granularities.includes(last) ? last : null;
}

/**
 * Returns the columns of the older form: from the annotation, in the order of the Data API, else from the keys of the
 * first row.
 */
function annotatedColumns(annotation: unknown, first: unknown): PlacedColumn[] {
  const known = isRecord(annotation) ? annotation : {};
  const columns = [
    ...annotatedMembers(known.dimensions, 'dimension'),
    ...annotatedMembers(known.timeDimensions, 'timeDimension'),
    ...annotatedMembers(known.measures, 'measure'),
  ];
  const names = columns.length === 0 && isRecord(first) ? Object.keys(first) : [];
  const unknown = names.map(member => columnOf(member, 'dimension', {}));
  return [...columns, ...unknown].slice(0, maxColumns).map((column, place) => ({ column, place }));
}

function annotatedMembers(members: unknown, kind: Column['kind']): Column[] {
  if (!isRecord(members)) return [];
  return Object.entries(members).flatMap(([member, field]) => (isRecord(field) ? [columnOf(member, kind, field)] : []));
}

function columnOf(member: string, kind: Column['kind'], field: Fields): Column {
  const title = textOf(field.title, maxNameLength) || member;
  const shortTitle = textOf(field.shortTitle, maxNameLength) || title;
  const type = textOf(field.type, maxNameLength) || 'string';
  const format = textOf(field.format, maxNameLength);
  const granularity = kind === 'timeDimension' ? granularityOf(member, null) : null;
  return {
    member,
    kind,
    annotation: {
      title,
      shortTitle,
      type,
      ...(format === '' ? {} : { format }),
      ...(granularity === null ? {} : { granularity: { name: granularity, title: granularity } }),
    },
  };
}

/**
 * Reads one row; returns an empty list if the value is not a row. `Object.fromEntries` defines properties, so that a
 * member may have any name, such as `__proto__`.
 */
function readRow(row: unknown, columns: readonly PlacedColumn[]): Row[] {
  if (Array.isArray(row)) {
    return [Object.fromEntries(columns.map(({ column, place }) => [column.member, readCell(row[place])]))];
  }
  if (!isRecord(row)) return [];
  const cellOf = (member: string): Cell => (Object.hasOwn(row, member) ? readCell(row[member]) : null);
  return [Object.fromEntries(columns.map(({ column }) => [column.member, cellOf(column.member)]))];
}

function readCell(value: unknown): Cell {
  if (typeof value === 'string') return value.slice(0, maxCellLength);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'boolean' ? value : null;
}

/** Checks the shape of a query only; the Data API decides whether it can run. */
function readQuery(value: unknown): Query | null {
  if (!isRecord(value)) return null;
  const query: Fields = Object.fromEntries(queryKeys.flatMap(key => (value[key] == null ? [] : [[key, value[key]]])));
  return isQuery(query) ? query : null;
}

function isQuery(query: Fields): query is Query {
  const { measures = [], dimensions = [], segments = [], timeDimensions = [], filters = [] } = query;
  const isNamed = [measures, dimensions, segments].every(isNames);
  const isTimed = Array.isArray(timeDimensions) && timeDimensions.every(isTimeDimension);
  const isLimited = query.limit === undefined || Number.isSafeInteger(query.limit);
  return isNamed && isTimed && isLimited && Array.isArray(filters) && filters.every(isRecord);
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(name => typeof name === 'string');
}

function isTimeDimension(value: unknown): boolean {
  if (!isRecord(value) || typeof value.dimension !== 'string') return false;
  return value.granularity === undefined || value.granularity === null || typeof value.granularity === 'string';
}

/** Removes data from the specification, so that it can only draw the rows of the result. */
function readSpec(value: unknown): JsonObject | null {
  const spec = readJson(value);
  if (!spec) return null;
  const { data: _data, datasets: _datasets, ...rest } = spec;
  return rest;
}

/** Returns an object, or parses one from JSON text. */
function readJson(value: unknown): Fields | null {
  if (isRecord(value)) return value;
  if (typeof value !== 'string' || value.length > maxJsonLength) return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown, maxLength: number): string {
  return typeof value === 'string' ? value.slice(0, maxLength) : '';
}

/** Reads a row count from a number or a string of digits; returns 0 for any other value. */
function countOf(value: unknown): number {
  const count = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0;
  return Number.isSafeInteger(count) ? count : 0;
}
