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

/** One drill step: the query for the rows behind a mark, and the table that shows them. */
export interface DrillStep {
  /** Title of the step, such as `Flights · Carrier AA · March 2001`. */
  readonly title: string;
  /** A table report of the rows. */
  readonly snapshot: ReportSnapshot;
  readonly request: ReportRequest;
}

/** The report that contains the mark. */
export interface DrillSource {
  readonly request: ReportRequest;
  readonly rowSet: RowSet;
  /** Snapshot of this report. Its formats also apply to the rows behind the mark. */
  readonly snapshot: ReportSnapshot | null;
}

/** Whether a mark of a tile can be drilled into. */
export function isDrillable({ request, data }: TileContext, mark: Mark): boolean {
  return request !== null && data !== null && drillQuery(request, data.rowSet, mark) !== null;
}

/** Returns the drill step for a mark, or `null` if it cannot be drilled into. */
export function drillStep(ground: DrillSource, mark: Mark, locale: string): DrillStep | null {
  const query = drillQuery(ground.request, ground.rowSet, mark);
  if (!query) return null;
  const snapshot: ReportSnapshot = { id: 0, reportId: 0, versionNumber: 1, kind: 'table', meta: { jsonQuery: query } };
  const request = snapshotRequest(snapshot);
  return request && { title: titleOf(ground, mark, locale), snapshot, request };
}

/** Dispatches `pa-drill` for the rows behind a mark; returns `false` if the page cancels it. */
export function dispatchDrillEvent(context: TileContext, mark: Mark, { request }: DrillStep): boolean {
  const members = request.kind === 'load' ? keysOf(request.query) : [];
  const { values, measure } = mark;
  return context.host.fire(
    new PaDrillEvent({ ...subjectOf(context), values, measure, target: { type: 'rows', members } }),
  );
}

/** Dispatches `pa-drill` for a link to another dashboard; returns `false` if the page handles it. */
export function dispatchDashboardEvent(context: TileContext, mark: Mark, slug: string): boolean {
  const { request, data } = context;
  const markFilters = request && data ? filtersOfMark(request, data.rowSet, mark) : [];
  const filters = Object.fromEntries(markFilters.map(({ member, condition }) => [member, condition]));
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
    // A date is clear without the title of its column; a code is not.
    return column.kind === 'timeDimension' ? text : `${columnTitle(column)} ${text}`;
  });
  return [...(measure ? [columnTitle(measure)] : []), ...values].join(' · ');
}
