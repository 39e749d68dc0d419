import type { Cell } from '../../contract/data.js';
import type { RowSet } from '../../contract/row-set.js';
import { toNumber } from '../format/numeric-value.js';
import { cellOf } from '../query/groups.js';
import { columnTitle, isFigure, type Table } from './table.js';

/**
 * Rows as CSV (RFC 4180, CRLF) under the columns' titles: values as the Data API gave them, so that a spreadsheet can reckon with
 * them. A text that a spreadsheet would run as a formula is preceded by an apostrophe (OWASP, "CSV injection").
 * @param locale - language of headings that are made here, of columns that compare periods.
 */
export function toCsv({ columns, rows }: RowSet, locale?: string): string {
  const head = columns.map(column => quoted(columnTitle(column, locale)));
  const lines = rows.map(row => columns.map(column => field(cellOf(row, column.member), isFigure(column))));
  return [head, ...lines].map(line).join('');
}

/**
 * A table as CSV, as it is shown: a pivot crosswise, sorted and with its totals. One line heads the columns, with what stands above one
 * another in a field; headers of rows are in every line. Values are as the Data API gave them.
 */
export function tableToCsv(table: Table): string {
  const { columns, heads, rowCount } = table;
  const titles = columns.map(({ title }, index) => {
    const above = heads.map(level => level.find(({ from, span }) => index >= from && index < from + span)?.title ?? '');
    return quoted([...above, title].filter(text => text !== '').join(' / '));
  });
  const lines = Array.from({ length: rowCount }, (_, index) => {
    const row = table.row(index);
    return (row?.cells ?? []).map(({ kind, value, text }) => {
      // The heading of totals has no value.
      if (kind === 'header' && value === null) return quoted(row?.kind === 'total' ? text : null);
      return field(value, kind === 'figure' || kind === 'total');
    });
  });
  return [titles, ...lines].map(line).join('');
}

function line(fields: readonly string[]): string {
  return `${fields.join(',')}\r\n`;
}

function field(value: Cell, isNumber: boolean): string {
  return isNumber && toNumber(value) !== null ? String(value) : quoted(value);
}

function quoted(value: Cell): string {
  const text = value === null ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
