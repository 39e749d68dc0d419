import type { Cell } from '../../../contract/data.js';
import type { RowSet } from '../../../contract/row-set.js';
import { PaDownloadEvent } from '../../../controllers/dashboard/dashboard-events.js';
import { fileName } from '../../../report/format/file-name.js';
import { isNumberText } from '../../../report/format/numeric-value.js';
import { toCsv } from '../../../report/table/csv.js';
import { columnTitle, isFigure } from '../../../report/table/table.js';
import { toHtmlTable, toTsv } from '../table/clipboard-text.js';
import { type Drawing, subjectOf, type TileContext } from '../tile/tile-host.js';

/** Has the browser save a text under a name. The page's policy must allow nothing for it: no address is fetched. */
function saveFile(name: string, type: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then; nothing else needs the address.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** What became of rows or a drawing that were to leave the page. */
export type ExportResult = 'done' | 'prevented' | 'failed';

/** What is about to leave the page: rows under a title, and the tile that they belong to. */
export interface ExportSource extends Pick<TileContext, 'host' | 'widgetId' | 'snapshot'> {
  readonly title: string;
  readonly rowSet: RowSet;
}

/** Saves all rows that are loaded as CSV. The mark before it lets spreadsheets read it as UTF-8. */
export function downloadCsv(leaver: ExportSource): ExportResult {
  const name = `${fileName(leaver.title, 'report')}.csv`;
  if (!mayExport(leaver, 'csv', name)) return 'prevented';
  saveFile(name, 'text/csv;charset=utf-8', ['\ufeff', toCsv(leaver.rowSet)]);
  return 'done';
}

/** Saves a drawing as SVG. */
export async function downloadSvg(leaver: ExportSource, drawing: Drawing): Promise<ExportResult> {
  const name = `${fileName(leaver.title, 'report')}.svg`;
  if (!mayExport(leaver, 'svg', name)) return 'prevented';
  try {
    saveFile(name, 'image/svg+xml;charset=utf-8', [await drawing.toSvg()]);
    return 'done';
  } catch {
    return 'failed';
  }
}

/** Puts all rows that are loaded on the clipboard, as text and as a table. */
export async function copyRows(leaver: ExportSource): Promise<ExportResult> {
  if (!mayExport(leaver, 'copy', '')) return 'prevented';
  const lines = linesOf(leaver.rowSet);
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

/** Restricted data doesn't leave, whatever asks for it. */
function mayExport(leaver: ExportSource, format: 'csv' | 'svg' | 'copy', name: string): boolean {
  const { host, rowSet } = leaver;
  if (host.restricted) return false;
  return host.fire(new PaDownloadEvent({ ...subjectOf(leaver), format, fileName: name, rows: rowSet.rows.length }));
}

/** Values as the Data API gave them, so that a spreadsheet can reckon with them; a text that it would run as a formula stays text. */
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
