import type { CellValue, WriteSheet } from 'hucre/xlsx';
import { writeXlsx } from 'hucre/xlsx';
import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { wallClockDate } from '../dates/wall-clock.js';
import { toNumber } from '../format/numeric-value.js';
import { spreadsheetFormat } from '../format/spreadsheet-format.js';
import { columnFormat, columnHeadings, type Table, type TableCell } from './table.js';

/** A table to write to a sheet. */
export interface SheetTable {
  /** Title of the report. */
  readonly title: string;
  readonly table: Table;
  readonly rowSet: RowSet;
  readonly preferences?: ReportSnapshot['preferences'] | undefined;
}

/** Media type of an XLSX file. */
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const maxRows = 1_048_576;
const maxColumns = 16_384;
const maxTextLength = 32_767;
const maxSheetName = 31;
/** Numbers with more digits lose digits in a spreadsheet, so they are written as text. */
const maxDigits = 15;
const [minWidth, maxWidth] = [8, 60];
/** Number of rows that determine the width of a column. */
const measuredRows = 200;

/** Writes tables to an XLSX file, one sheet each, with a frozen header. Text is never a formula. */
export function toXlsx(tables: readonly SheetTable[], title: string): Promise<Uint8Array> {
  const names = new Set<string>();
  const sheets = tables.map((table, index) => sheetOf(table, sheetName(table.title, index, names)));
  const shown = sheets.length > 0 ? sheets : [{ name: sheetName(title, 0, names), rows: [] }];
  return writeXlsx({ sheets: shown, properties: { title: cleanText(title) } });
}

/** Returns a name that spreadsheets accept and that is unique without regard to case. */
function sheetName(title: string, index: number, names: Set<string>): string {
  const clean = cleanText(title)
    .replace(/[[\]:*?/\\]/g, ' ')
    .replace(/^[\s']+|[\s']+$/g, '');
  const base = clean.slice(0, maxSheetName).trimEnd() || `Sheet ${index + 1}`;
  let name = base;
  for (let copy = 2; names.has(name.toLowerCase()) || name.toLowerCase() === 'history'; copy += 1) {
    const suffix = ` (${copy})`;
    name = `${base.slice(0, maxSheetName - suffix.length)}${suffix}`;
  }
  names.add(name.toLowerCase());
  return name;
}

function sheetOf({ table, rowSet, preferences }: SheetTable, name: string): WriteSheet {
  const columns = table.columns.slice(0, maxColumns);
  const rowCount = Math.min(table.rowCount, maxRows - 1);
  const headings = columnHeadings(table).slice(0, maxColumns).map(cleanText);
  const sources = columns.map(({ member }) => rowSet.columns.find(column => column.member === member) ?? null);
  const rows: CellValue[][] = [headings];
  const totals: number[] = [];
  for (let index = 0; index < rowCount; index += 1) {
    const row = table.row(index);
    if (row?.kind === 'total') totals.push(rows.length);
    rows.push((row?.cells ?? []).slice(0, maxColumns).map((cell, column) => cellValue(cell, sources[column] ?? null)));
  }
  const bold = (index: number) =>
    headings.map((_, column) => [`${index},${column}`, { style: { font: { bold: true } } }] as const);
  return {
    name,
    rows,
    columns: columns.map((_, column) => {
      const source = sources[column];
      const values = Array.from({ length: Math.min(rowCount, measuredRows) }, (_value, row) =>
        table.value(row, column),
      );
      const format = source ? spreadsheetFormat(source, columnFormat(source, preferences ?? undefined), values) : null;
      return { width: widthOf(rows, column), ...(format !== null && { numFmt: format }) };
    }),
    cells: new Map([0, ...totals].flatMap(bold)),
    freezePane: { rows: 1, ...(table.headerCount > 0 && { columns: table.headerCount }) },
  };
}

function cellValue({ kind, value, text }: TableCell, source: Column | null): CellValue {
  if (value === null) return kind === 'header' && text !== '' ? cleanText(text) : null;
  if (kind === 'figure' || kind === 'total') return numberOf(value) ?? cleanText(String(value));
  if (typeof value === 'boolean') return value;
  const date = source?.annotation.type === 'time' && typeof value === 'string' ? wallClockDate(value) : null;
  // Spreadsheets have no dates before 1900.
  return date && date.getUTCFullYear() >= 1900 ? date : cleanText(String(value));
}

function numberOf(value: Cell): number | null {
  const number = toNumber(value);
  if (number === null || !Number.isFinite(number)) return null;
  const digits = typeof value === 'string' ? value.replace(/\D/g, '').replace(/^0+/, '') : '';
  return digits.length > maxDigits && !value?.toString().includes('.') ? null : number;
}

/** Truncates text to the maximum length of a cell, and replaces characters that XML does not allow. */
function cleanText(text: string): string {
  return text
    .slice(0, maxTextLength)
    .replace(/\p{Cs}/gu, '\uFFFD')
    .replace(/\p{Cc}/gu, character => (/[\t\n\r]/.test(character) ? character : ' '))
    .replace(/[\uFFFE\uFFFF]/g, ' ');
}

function widthOf(rows: readonly (readonly CellValue[])[], column: number): number {
  const lengths = rows.slice(0, measuredRows).map(row => {
    const value = row[column] ?? null;
    if (value instanceof Date) return 12;
    return typeof value === 'number' ? Math.min(16, String(Math.round(value)).length + 5) : String(value ?? '').length;
  });
  return Math.min(maxWidth, Math.max(minWidth, ...lengths) + 2);
}
