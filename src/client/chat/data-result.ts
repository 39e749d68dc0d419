import type { Cell, MemberAnnotation, Row } from '../../contract/data.js';
import type { Query } from '../../contract/query.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import { columnType } from '../data/column-type.js';
import { isRecord } from '../http/fetch.js';

type Fields = Readonly<Record<string, unknown>>;

const maxColumns = 100;
const maxRows = 5000;
const maxCellLength = 10_000;
const maxNameLength = 300;
const maxDescriptionLength = 2000;
const maxFormatLength = 64;
/** Most characters of JSON that stands in a text. */
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

/** Rows that a tool has found, and what to draw of them. */
export interface DataResult {
  readonly title: string;
  readonly description: string;
  /** To run again for all rows; null where the service told none that the Data API takes. */
  readonly query: Query | null;
  /** `truncated` where there are more rows than these. */
  readonly rowSet: RowSet;
  readonly totalRows: number;
  /** Vega-Lite without data; null where a table says it best. */
  readonly spec: JsonObject | null;
}

/**
 * Reads the result of a tool that queries data: `schema` beside rows as lists (domain.md 2, "Charts in chat"), or the older form of rows
 * by member beside `annotation`. Null where it is something else. What is beyond its bounds is cut off.
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
    spec: readSpec(result.vegaSpec),
  };
}

/** A column, and where its cells stand in a row that is a list. */
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
      ...(granularity === null ? {} : { granularity: { name: granularity, title: granularity } }),
    };
    columns.set(member, { place, column: { member, kind: kindOf(member, type, query), annotation } });
  }
  return [...columns.values()];
}

/** How this platform's own schema says that figures are written: a d3 pattern, and a currency. */
function formatOf(field: Fields): Pick<MemberAnnotation, 'formatDescription' | 'currency'> {
  const specifier = textOf(field.format, maxFormatLength);
  const currency = textOf(field.currency, maxFormatLength);
  return {
    ...(specifier === '' ? {} : { formatDescription: { name: 'custom', specifier } }),
    ...(/^[A-Za-z]{3}$/.test(currency) ? { currency } : {}),
  };
}

function kindOf(member: string, type: string, query: Query | null): Column['kind'] {
  if (query?.dimensions?.includes(member)) return 'dimension';
  if (query?.measures?.includes(member)) return 'measure';
  if (type === 'time') return 'timeDimension';
  return type === 'number' ? 'measure' : 'dimension';
}

/** The granularity that a time was asked for by; without a query, what the name ends with. */
function granularityOf(member: string, query: Query | null): string | null {
  for (const { dimension, granularity } of query?.timeDimensions ?? []) {
    if (granularity && member === `${dimension}.${granularity}`) return granularity;
  }
  const last = member.split('.')[2];
  return last !== undefined && granularities.includes(last) ? last : null;
}

/** Columns of the older form: what the annotation knows, in the order in which the Data API has it, else what the first row holds. */
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

/** One row; none for what is no row. Properties are defined, not assigned: a member may have any name. */
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

/** A query as far as its shape can be seen here; whether it can be run, the Data API says. */
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

/** A specification draws these rows and no others. */
function readSpec(value: unknown): JsonObject | null {
  const spec = readJson(value);
  if (!spec) return null;
  const { data: _data, datasets: _datasets, ...rest } = spec;
  return rest;
}

/** An object, or the one that a text holds as JSON. */
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

function textOf(value: unknown, longest: number): string {
  return typeof value === 'string' ? value.slice(0, longest) : '';
}

/** A count of rows, a number or its digits; 0 where it is something else. */
function countOf(value: unknown): number {
  const count = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0;
  return Number.isSafeInteger(count) ? count : 0;
}
