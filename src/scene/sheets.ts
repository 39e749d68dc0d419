import type { RowSet } from '../contract/row-set.js';
import { reportSheet } from '../report/table/report-sheet.js';
import { toTable } from '../report/table/table.js';
import type { SheetTable } from '../report/table/workbook.js';
import type { LoadedTile } from './dashboard-tiles.js';
import type { SceneContext } from './scene-context.js';

/** Returns one sheet per report. A report without rows has only headings; a failed report has its message as row. */
export function sheetsOf({ formatter, messages }: SceneContext, tiles: Iterable<LoadedTile>): SheetTable[] {
  const presentation = { formatter, totalTitle: messages.table.total };
  return [...tiles].flatMap(({ report, label, title: heading, failure }) => {
    const title = label ?? heading;
    if (report) return [reportSheet({ ...report, title, rowSet: report.data.rowSet }, presentation)];
    if (failure === null) return [];
    const rowSet = noteRows(title, failure);
    return [{ title, table: toTable(rowSet, presentation), rowSet }];
  });
}

function noteRows(title: string, note: string): RowSet {
  const annotation = { title, shortTitle: title, type: 'string' };
  const columns = [{ member: 'note', kind: 'dimension' as const, annotation }];
  return { columns, rows: [{ note }], truncated: false, lastRefreshTime: null };
}
