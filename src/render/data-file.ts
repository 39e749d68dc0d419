import { tableToCsv, toCsv } from '../report/table/csv.js';
import { reportTable } from '../report/table/report-table.js';
import { type Table, toTable } from '../report/table/table.js';
import type { LoadedTile } from './dashboard-tiles.js';
import { loadPackage } from './missing-package.js';
import type { RenderContext } from './render-context.js';

/** Writes the rows of reports as a file. Tables are as displayed, with pivots and totals. */
export async function dataFile(
  context: RenderContext,
  tiles: readonly LoadedTile[],
  { output, title }: { readonly output: 'xlsx' | 'csv'; readonly title: string },
): Promise<string | Uint8Array> {
  const reports = tiles.flatMap(({ report, label, title: heading }) =>
    report ? [{ ...report, title: label ?? heading }] : [],
  );
  if (output === 'csv') {
    const [first] = reports;
    if (!first) return '';
    const { snapshot, data } = first;
    const csv = snapshot.kind === 'table' ? tableToCsv(tableOf(context, first)) : toCsv(data.rowSet, context.locale);
    return `\ufeff${csv}`;
  }
  const sheets = reports.map(report => ({
    title: report.title,
    table: tableOf(context, report),
    rowSet: report.data.rowSet,
    preferences: report.snapshot.preferences,
  }));
  const { toXlsx } = await loadPackage(() => import('../report/table/workbook.js'));
  return toXlsx(sheets, title);
}

function tableOf({ formatter, messages }: RenderContext, { snapshot, data }: NonNullable<LoadedTile['report']>): Table {
  const presentation = { formatter, preferences: snapshot.preferences, totalTitle: messages.table.total };
  return snapshot.kind === 'table' ? reportTable(data, snapshot, presentation) : toTable(data.rowSet, presentation);
}
