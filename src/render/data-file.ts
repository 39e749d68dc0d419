import { tableToCsv, toCsv } from '../report/table/csv.js';
import { reportTable } from '../report/table/report-table.js';
import type { LoadedTile } from '../scene/dashboard-tiles.js';
import { sheetsOf } from '../scene/sheets.js';
import { loadPackage } from './missing-package.js';
import type { RenderContext } from './render-context.js';

/** Writes the rows of reports as a file. Tables are written as displayed, with pivots and totals. */
export async function dataFile(
  context: RenderContext,
  tiles: readonly LoadedTile[],
  { output, title }: { readonly output: 'xlsx' | 'csv'; readonly title: string },
): Promise<string | Uint8Array> {
  if (output === 'csv') {
    const reports = tiles.flatMap(({ report }) => report ?? []);
    const first = reports.find(({ data }) => data.rowSet.rows.length > 0) ?? reports[0];
    return first ? `\ufeff${csvOf(context, first)}` : '';
  }
  const { toXlsx } = await loadPackage(() => import('../report/table/workbook.js'));
  return toXlsx(sheetsOf(context, tiles), title);
}

function csvOf(
  { formatter, messages, locale }: RenderContext,
  { snapshot, data }: NonNullable<LoadedTile['report']>,
): string {
  if (snapshot.kind !== 'table') return toCsv(data.rowSet, locale);
  const presentation = { formatter, preferences: snapshot.preferences, totalTitle: messages.table.total };
  return tableToCsv(reportTable(data, snapshot, presentation));
}
