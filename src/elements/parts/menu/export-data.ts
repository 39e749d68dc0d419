import type { Cell } from '../../../contract/data.js';
import type { RowSet } from '../../../contract/row-set.js';
import { type PaDownloadDetail, PaDownloadEvent } from '../../../controllers/dashboard/dashboard-events.js';
import { fileName } from '../../../report/format/file-name.js';
import { isNumberText } from '../../../report/format/numeric-value.js';
import type { ReportData } from '../../../report/query/report-data.js';
import { toCsv } from '../../../report/table/csv.js';
import { columnTitle, isFigure } from '../../../report/table/table.js';
import { saveFile } from '../save-file.js';
import { toHtmlTable, toTsv } from '../table/clipboard-text.js';
import { type Drawing, subjectOf, type TileContext } from '../tile/tile-host.js';

/** Result of an export. */
export type ExportResult = 'done' | 'prevented' | 'failed';

/** The rows to export with a title, and their tile. */
export interface ExportSource extends Pick<TileContext, 'host' | 'widgetId' | 'snapshot'> {
  readonly title: string;
  readonly rowSet: RowSet;
}

/** Downloads the loaded rows as CSV. The byte order mark makes spreadsheets read the file as UTF-8. */
export function downloadCsv(source: ExportSource): ExportResult {
  const name = `${fileName(source.title, 'report')}.csv`;
  if (!mayExport(source, 'csv', name)) return 'prevented';
  saveFile(name, new Blob(['\ufeff', toCsv(source.rowSet)], { type: 'text/csv;charset=utf-8' }));
  return 'done';
}

/** Downloads the loaded rows as XLSX: a table as displayed, other reports as their rows. */
export async function downloadXlsx(source: ExportSource & { readonly data: ReportData }): Promise<ExportResult> {
  const { snapshot, title, rowSet, data } = source;
  const name = `${fileName(title, 'report')}.xlsx`;
  if (!mayExport(source, 'xlsx', name)) return 'prevented';
  try {
    const { toXlsx, xlsxType } = await import('../../../report/table/workbook.js');
    const { reportSheet } = await import('../../../report/table/report-sheet.js');
    const bytes = await toXlsx([reportSheet({ title, rowSet, data, snapshot })], title);
    saveFile(name, new Blob([new Uint8Array(bytes)], { type: xlsxType }));
    return 'done';
  } catch {
    return 'failed';
  }
}

/** Draws a tile as PNG; returns `null` if the tile cannot be drawn. */
export type CreatePng = () => Promise<Blob | null>;

/** Downloads a tile as PNG. */
export async function downloadPng(source: ExportSource, draw: CreatePng): Promise<ExportResult> {
  const name = `${fileName(source.title, 'report')}.png`;
  if (!mayExport(source, 'png', name)) return 'prevented';
  try {
    const png = await draw();
    if (!png) return 'failed';
    saveFile(name, png);
    return 'done';
  } catch {
    return 'failed';
  }
}

/** Copies a tile to the clipboard as PNG. */
export async function copyImage(source: ExportSource, draw: CreatePng): Promise<ExportResult> {
  if (!mayExport(source, 'copy', '')) return 'prevented';
  try {
    const png = draw().then(content => content ?? Promise.reject(new Error('The image could not be created.')));
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    return 'done';
  } catch {
    return 'failed';
  }
}

/** Downloads a drawing as SVG. */
export async function downloadSvg(source: ExportSource, drawing: Drawing): Promise<ExportResult> {
  const name = `${fileName(source.title, 'report')}.svg`;
  if (!mayExport(source, 'svg', name)) return 'prevented';
  try {
    saveFile(name, new Blob([await drawing.toSvg()], { type: 'image/svg+xml;charset=utf-8' }));
    return 'done';
  } catch {
    return 'failed';
  }
}

/** Copies the loaded rows to the clipboard, as text and as an HTML table. */
export async function copyRows(source: ExportSource): Promise<ExportResult> {
  if (!mayExport(source, 'copy', '')) return 'prevented';
  const lines = linesOf(source.rowSet);
  try {
    const text = (type: string, content: string) => new Blob([content], { type });
    await navigator.clipboard.write([
      new ClipboardItem({
        'text/plain': text('text/plain', toTsv(lines)),
        'text/html': text('text/html', toHtmlTable(lines, 1)),
      }),
    ]);
    return 'done';
  } catch {
    return 'failed';
  }
}

/** Whether the export may proceed, that is, downloads are not restricted and the host does not cancel `pa-download`. */
function mayExport(source: ExportSource, format: PaDownloadDetail['format'], name: string): boolean {
  const { host, rowSet } = source;
  if (host.restricted) return false;
  return host.fire(new PaDownloadEvent({ ...subjectOf(source), format, fileName: name, rows: rowSet.rows.length }));
}

/**
 * Returns the head and the rows as text: unformatted values of the Data API, so that spreadsheets can calculate with
 * them. Text that a spreadsheet would run as a formula is escaped.
 */
function linesOf({ columns, rows }: RowSet): string[][] {
  const head = columns.map(column => escapeFormula(columnTitle(column)));
  const figures = columns.map(isFigure);
  const body = rows.map(row =>
    columns.map(({ member }, index) => {
      const value: Cell = row[member] ?? null;
      const text = value === null ? '' : String(value);
      return figures[index] && isNumberText(text) ? text : escapeFormula(text);
    }),
  );
  return [head, ...body];
}

function escapeFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
