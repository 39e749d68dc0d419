import type { Cell } from '../../../../contract/data.js';
import type { Column } from '../../../../contract/row-set.js';
import type { JsonObject } from '../../../../contract/wire.js';
import { calendarNamer } from '../../../../report/format/calendar-names.js';
import type { Formatter } from '../../../../report/format/format.js';
import type { Reading } from '../reading/reading.js';
import { timeColumn } from '../reading/to-query.js';
import { MemberKind } from '../vocabulary/lexicon.js';
import { plainText } from './markdown.js';

/** Rows of a query as returned by the tool. */
export interface Result {
  readonly rows: readonly (readonly Cell[])[];
  readonly totalRows: number;
  /** Index of a column, or -1 if the column does not exist. */
  indexOf(member: string): number;
}

/** Parses the output of the tool. Returns its error if it failed. */
export function resultOf(value: JsonObject): Result | { readonly error: string } {
  if (typeof value.error === 'string') return { error: value.error };
  const { schema, data, totalRows } = value;
  if (!Array.isArray(schema) || !Array.isArray(data)) return { error: 'The query returned no rows.' };
  const names = schema.map((column: unknown) =>
    typeof column === 'object' && column !== null && 'name' in column ? column.name : null,
  );
  const rows = data
    .filter(row => Array.isArray(row))
    .map((row: readonly unknown[]) => row.map(cell => (typeof cell === 'string' ? cell : null)));
  return {
    rows,
    totalRows: typeof totalRows === 'number' ? totalRows : rows.length,
    indexOf: member => names.indexOf(member),
  };
}

/** Formats cells as the model specifies, in the reader's language. */
export interface Writer {
  /** Formats a value of a column as Markdown-safe text. */
  cell(member: string, value: Cell): string;
  percent(share: number): string;
  signed(text: string, value: number): string;
  count(value: number): string;
}

/** Creates the writer for the columns of a reading. */
export function writerOf(reading: Reading, formatter: Formatter): Writer {
  const columns = new Map(columnsOf(reading).map(column => [column.member, printerOf(column, formatter)]));
  const plain = { title: '', shortTitle: '', type: 'number' };
  const as = (value: string, format: string) =>
    formatter.cell(value, { member: '', kind: 'measure', annotation: { ...plain, format } });
  return {
    cell: (member, value) => plainText(columns.get(member)?.(value) ?? String(value ?? '')),
    percent: share => as(String(share), 'percent_1'),
    signed: (text, value) => (value > 0 ? `+${text}` : text),
    count: value => as(String(value), 'number_0'),
  };
}

/** Returns a function that formats the cells of a column, with the names of weekdays and months. */
function printerOf(column: Column, formatter: Formatter): (cell: Cell) => string {
  const [name, print] = [calendarNamer(column, formatter.locale ?? 'en'), formatter.column(column)];
  return name ? cell => name(cell) ?? print(cell) : print;
}

function columnsOf(reading: Reading): Column[] {
  const time = timeColumn(reading);
  const { grain } = reading;
  return [
    ...reading.measures.map(({ name, annotation }) => ({ member: name, kind: 'measure' as const, annotation })),
    ...reading.dimensions.map(({ name, annotation }) => ({ member: name, kind: 'dimension' as const, annotation })),
    ...(time && grain && reading.time
      ? [
          {
            member: time,
            kind: 'timeDimension' as const,
            annotation: { ...reading.time.annotation, granularity: { name: grain, title: grain } },
          },
        ]
      : []),
  ];
}

/** Returns the keys of the columns that identify a row. */
export function keyColumns(reading: Reading): string[] {
  const time = timeColumn(reading);
  return [
    ...(time ? [time] : []),
    ...reading.dimensions.filter(({ kind }) => kind === MemberKind.dimension).map(({ name }) => name),
  ];
}

/** Returns a key of the group of a row. Equal groups have equal keys in different results. */
export function rowKey(reading: Reading, result: Result, row: readonly Cell[]): string {
  return JSON.stringify(keyColumns(reading).map(key => cellOf(result, row, key)));
}

/** Maximum number of rows of a table in an answer. */
export const shownRows = 20;

/** Returns the cell of a member in a row; `null` if the row or the column is missing. */
export function cellOf(result: Result, row: readonly Cell[] | undefined, member: string): Cell {
  return row?.[result.indexOf(member)] ?? null;
}

/** Returns the cell of a member in a row as a number, or `null` if it is not a number. */
export function numberAt(result: Result, row: readonly Cell[] | undefined, member: string): number | null {
  const cell = cellOf(result, row, member);
  const number = cell === null || cell === '' ? Number.NaN : Number(cell);
  return Number.isFinite(number) ? number : null;
}

/** Returns the values that identify a row as Markdown, one per key column. */
export function keyCells(
  reading: Reading,
  result: Result,
  row: readonly Cell[] | undefined,
  writer: Writer,
): readonly string[] {
  return keyColumns(reading).map(key => writer.cell(key, cellOf(result, row, key)));
}

/** Returns the values that identify a row as Markdown. */
export function labelOf(reading: Reading, result: Result, row: readonly Cell[] | undefined, writer: Writer): string {
  return keyCells(reading, result, row, writer).join(' / ');
}

/** Returns the names of the columns that identify a row, joined by `and`, as Markdown. */
export function groupWords(reading: Reading): string {
  return keyTitles(reading).join(' and ');
}

/** Returns, in Markdown, the name of each column that identifies a row. */
export function keyTitles({ grain, dimensions }: Reading): readonly string[] {
  return [...(grain ? [grain] : []), ...dimensions.map(({ title }) => title)].map(title => plainText(title));
}

/** Returns a Markdown table. The first `names` columns are left-aligned, the others right-aligned. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[], names = 1): string {
  return [
    '',
    `| ${head.join(' | ')} |`,
    `| ${head.map((_, at) => (at < names ? ':--' : '--:')).join(' | ')} |`,
    ...rows.map(cells => `| ${cells.join(' | ')} |`),
  ].join('\n');
}
