import { SqlType } from '../../sql/sql-type.js';
import type { EngineCell } from '../engine.js';

/** How a kind of column is read and written. */
interface ColumnType {
  readonly type: SqlType;
  /** What the server sends as text, in the protocol's form. */
  readonly cell: (text: string) => EngineCell;
  /** SQL of its text in a stream of rows (`RowPiece`), of SQL of a column. */
  readonly text: (column: string) => string;
}

const plain = (column: string): string => `${column}::text`;
const asIs = (text: string): string => text;
/** No numbers of the protocol, and nothing that a chart could draw. */
const notFinite = ['NaN', 'Infinity', '-Infinity'];

const text: ColumnType = { type: SqlType.text, cell: asIs, text: plain };
const integer: ColumnType = { ...text, type: SqlType.integer };
const bigint: ColumnType = { ...text, type: SqlType.bigint };
const other: ColumnType = { ...text, type: SqlType.other };

const double: ColumnType = {
  type: SqlType.double,
  cell: value => (notFinite.includes(value) ? null : String(Number(value))),
  text: plain,
};

const numeric: ColumnType = {
  type: SqlType.numeric,
  cell: value => (notFinite.includes(value) ? null : withoutScale(value)),
  text: column => plain(`trim_scale(${column})`),
};

const date: ColumnType = {
  type: SqlType.date,
  cell: value => (isDay(value) ? `${value}T00:00:00.000` : value),
  text: plain,
};

/** With a zone or without: sessions are in UTC. */
const timestamp: ColumnType = {
  type: SqlType.timestamp,
  cell: momentText,
  text: column =>
    `CASE WHEN isfinite(${column}) THEN to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS') ELSE ${plain(column)} END`,
};

/** By the numbers that the server's own types have in every database. */
const types: ReadonlyMap<number, ColumnType> = new Map([
  [16, { type: SqlType.boolean, cell: value => value === 't', text: plain }],
  ...each([21, 23], integer),
  ...each([20, 26], bigint),
  ...each([1700], numeric),
  ...each([700, 701], double),
  // char, name, text, varchar, and what is NULL in every row.
  ...each([18, 19, 25, 1043, 705], text),
  // Of char(n) the blanks at the end say nothing; as text it has none.
  [1042, { ...text, cell: value => value.replace(/ +$/, '') }],
  ...each([1082], date),
  ...each([1114, 1184], timestamp),
  ...each([1186], { ...text, type: SqlType.interval }),
]);

/** What a column of a type of the server is. */
export function columnType(id: number): ColumnType {
  return types.get(id) ?? other;
}

function each(ids: readonly number[], type: ColumnType): [number, ColumnType][] {
  return ids.map(id => [id, type]);
}

/** `1.500` as `1.5`, `2.00` as `2`. */
function withoutScale(value: string): string {
  if (!value.includes('.')) return value;
  let end = value.length;
  while (value[end - 1] === '0') end -= 1;
  return value.slice(0, value[end - 1] === '.' ? end - 1 : end);
}

function isDay(value: string): boolean {
  return value.length === 10 && value[4] === '-';
}

/** `2001-02-03 04:05:06.789123+00` as `2001-02-03T04:05:06.789`; a moment beyond the calendar as the server writes it. */
function momentText(value: string): string {
  if (value[10] !== ' ' || value[4] !== '-' || value.endsWith('BC')) return value;
  const zone = value.indexOf('+', 19);
  const moment = zone < 0 ? value : value.slice(0, zone);
  return `${moment.slice(0, 10)}T${moment.slice(11, 19)}.${moment.slice(20, 23).padEnd(3, '0')}`;
}
