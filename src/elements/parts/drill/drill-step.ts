import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import { PaDrillEvent } from '../../../controllers/dashboard/dashboard-events.js';
import { createFormatter } from '../../../report/format/format.js';
import { drillQuery, filtersOfMark } from '../../../report/marks/drill.js';
import type { Mark } from '../../../report/marks/mark.js';
import { keysOf } from '../../../report/query/member-names.js';
import { type ReportRequest, snapshotRequest } from '../../../report/query/report-request.js';
import { columnPrinter, columnTitle } from '../../../report/table/table.js';
import { subjectOf, type TileContext } from '../tile/tile-host.js';

/** One step down: what the rows behind a mark are asked by, and what they are rows of. */
export interface DrillStep {
  /** `Flights · Carrier AA · March 2001`. */
  readonly title: string;
  /** A table of its own. */
  readonly snapshot: ReportSnapshot;
  readonly request: ReportRequest;
}

/** What a mark was pointed at in. */
export interface DrillSource {
  readonly request: ReportRequest;
  readonly rowSet: RowSet;
  /** Of the report that is drilled into: its columns are printed as it prints them. */
  readonly snapshot: ReportSnapshot | null;
}

/** Whether there are rows behind a mark of a tile. */
export function isDrillable({ request, data }: TileContext, mark: Mark): boolean {
  return request !== null && data !== null && drillQuery(request, data.rowSet, mark) !== null;
}

/** The step down behind a mark; null where there is none. */
export function drillStep(ground: DrillSource, mark: Mark, locale: string): DrillStep | null {
  const query = drillQuery(ground.request, ground.rowSet, mark);
  if (!query) return null;
  const snapshot: ReportSnapshot = { id: 0, reportId: 0, versionNumber: 1, kind: 'table', meta: { jsonQuery: query } };
  const request = snapshotRequest(snapshot);
  return request && { title: titleOf(ground, mark, locale), snapshot, request };
}

/** Tells the page of a step down; false where the page shows it itself. */
export function dispatchDrillEvent(context: TileContext, mark: Mark, { request }: DrillStep): boolean {
  const members = request.kind === 'load' ? keysOf(request.query) : [];
  const { values, measure } = mark;
  return context.host.fire(
    new PaDrillEvent({ ...subjectOf(context), values, measure, target: { type: 'rows', members } }),
  );
}

/** Tells the page of a link to another dashboard; false where the page opens it. */
export function dispatchDashboardEvent(context: TileContext, mark: Mark, slug: string): boolean {
  const { request, data } = context;
  const kept = request && data ? filtersOfMark(request, data.rowSet, mark) : [];
  const filters = Object.fromEntries(kept.map(({ member, condition }) => [member, condition]));
  const { values, measure } = mark;
  return context.host.fire(
    new PaDrillEvent({ ...subjectOf(context), values, measure, target: { type: 'dashboard', slug, filters } }),
  );
}

function titleOf({ rowSet, snapshot }: DrillSource, mark: Mark, locale: string): string {
  const presentation = { formatter: createFormatter(locale), preferences: snapshot?.preferences };
  const measure = rowSet.columns.find(({ member }) => member === mark.measure);
  const values = rowSet.columns.flatMap(column => {
    const value = Object.hasOwn(mark.values, column.member) ? mark.values[column.member] : undefined;
    if (value === undefined) return [];
    const text = columnPrinter(column, presentation)(value);
    // A month says what it is; a code needs its column's name beside it.
    return column.kind === 'timeDimension' ? text : `${columnTitle(column)} ${text}`;
  });
  return [...(measure ? [columnTitle(measure)] : []), ...values].join(' · ');
}
