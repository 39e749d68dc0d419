import { SqlType } from '../../sql/sql-type.js';
import type { EngineCell } from '../engine.js';

/** How values of a column type are read and written. */
interface ColumnType {
  readonly type: SqlType;
  /** Converts a value from the server's text format to that of the protocol. */
  readonly cell: (text: string) => EngineCell;
  /** SQL expression for the text of a column in a `RowPiece`. */
  readonly text: (column: string) => string;
}

const plain = (column: string): string => `${column}::text`;
const identity = (text: string): string => text;
/** Numbers that become null, because the protocol has no such numbers and charts cannot show them. */
const nonFinite = ['NaN', 'Infinity', '-Infinity'];

const text: ColumnType = { type: SqlType.text, cell: identity, text: plain };
const integer: ColumnType = { ...text, type: SqlType.integer };
const bigint: ColumnType = { ...text, type: SqlType.bigint };
const other: ColumnType = { ...text, type: SqlType.other };

const double: ColumnType = {
  type: SqlType.double,
  cell: value => (nonFinite.includes(value) ? null : String(Number(value))),
  text: plain,
};

const numeric: ColumnType = {
  type: SqlType.numeric,
  cell: value => (nonFinite.includes(value) ? null : withoutScale(value)),
  text: column => plain(`trim_scale(${column})`),
};

const date: ColumnType = {
  type: SqlType.date,
  cell: value => (isDay(value) ? `${value}T00:00:00.000` : value),
  text: plain,
};

/** Timestamps with and without time zone have the same format, because sessions use UTC. */
const timestamp: ColumnType = {
  type: SqlType.timestamp,
  cell: momentText,
  text: column =>
    `CASE WHEN isfinite(${column}) THEN to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS') ELSE ${plain(column)} END`,
};

/** Column types by type OID. Built-in types have the same OIDs in every database. */
const types: ReadonlyMap<number, ColumnType> = new Map([
  [16, { type: SqlType.boolean, cell: value => value === 't', text: plain }],
  ...each([21, 23], integer),
  ...each([20, 26], bigint),
  ...each([1700], numeric),
  ...each([700, 701], double),
  // char, name, text, varchar, and unknown (a column of NULL literals).
  ...each([18, 19, 25, 1043, 705], text),
  // Trailing spaces of char(n) are not significant, and its text format omits them.
  [1042, { ...text, cell: value => value.replace(/ +$/, '') }],
  ...each([1082], date),
  ...each([1114, 1184], timestamp),
  ...each([1186], { ...text, type: SqlType.interval }),
]);

/** Returns the column type of a type OID. */
export function columnType(id: number): ColumnType {
  return types.get(id) ?? other;
}

function each(ids: readonly number[], type: ColumnType): [number, ColumnType][] {
  return ids.map(id => [id, type]);
}

/** Removes trailing zeros: `1.500` becomes `1.5`, `2.00` becomes `2`. */
function withoutScale(value: string): string {
  if (!value.includes('.')) return value;
  let end = value.length;
  while (value[end - 1] === '0') end -= 1;
  return value.slice(0, value[end - 1] === '.' ? end - 1 : end);
}

function isDay(value: string): boolean {
  return value.length === 10 && value[4] === '-';
}

/**
 * Converts `2001-02-03 04:05:06.789123+00` to `2001-02-03T04:05:06.789`. Times with years beyond 9999 are returned
 * unchanged.
 */
function momentText(value: string): string {
  if (value[10] !== ' ' || value[4] !== '-' || value.endsWith('BC')) return value;
  const zone = value.indexOf('+', 19);
  const moment = zone < 0 ? value : value.slice(0, zone);
  return `${moment.slice(0, 10)}T${moment.slice(11, 19)}.${moment.slice(20, 23).padEnd(3, '0')}`;
}
