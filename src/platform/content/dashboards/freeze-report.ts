import * as z from 'zod/mini';
import { ChartError, ChartErrorCode } from '../../../charts/chart-error.js';
import { isVegaLite, readSpec } from '../../../charts/spec/spec.js';
import type { DashboardConfigInput, DashboardDraftInput } from '../../../contract/dashboard-input.js';
import type { ReportSnapshot, SnapshotMeta } from '../../../contract/dashboards.js';
import { ErrorCode } from '../../../contract/error-code.js';
import { Query } from '../../../contract/query.js';
import type { JsonObject } from '../../../contract/wire.js';
import { comparisonsOf } from '../../../report/query/comparison.js';
import { keysOf } from '../../../report/query/member-names.js';
import { PlatformError } from '../../errors.js';
import type { CompileChart, ConvertSql, RouteDeps } from '../../http/route-deps.js';
import { displayPublicId, type StoredReport } from '../reports/report-store.js';
import type { NewSnapshot } from './dashboard-store.js';
import { checkMembers, readReportMeta } from './model-checks.js';

type Widgets = NonNullable<DashboardConfigInput['widgets']>;

/**
 * Adds missing widget ids to a draft. The ids derive from the position, so that the same draft always gets the same
 * ids.
 */
export function withWidgetIds(draft: DashboardDraftInput): DashboardConfigInput {
  const { widgets, ...config } = draft;
  if (widgets == null) return config;
  const taken = new Set(widgets.map(widget => widget.id));
  const freeId = (place: number): string => {
    let id = `widget-${place}`;
    while (taken.has(id)) id += '-';
    taken.add(id);
    return id;
  };
  return {
    ...config,
    widgets: widgets.map((widget, index) => ({ ...widget, id: widget.id ?? freeId(index + 1) })),
  };
}

/** Returns the distinct ids of the reports in CHART widgets, each with the first widget that references it. */
export function chartedReports(widgets: Widgets): Map<number, string> {
  const charted = new Map<number, string>();
  for (const { id, type, config } of widgets) {
    const reportId = type === 'CHART' ? config?.reportId : undefined;
    if (typeof reportId === 'number' && !charted.has(reportId)) charted.set(reportId, id);
  }
  return charted;
}

/**
 * Freezes what a tile needs to query and render a report (spec 2.6). SQL reports get the equivalent load query if there
 * is one, so that controls of a dashboard apply to them; a `jsonQuery` of the report takes precedence over the SQL.
 * @throws PlatformError 400 if the chart does not compile, if the specification does not match the kind, if the model
 * lacks a member, and for invalid SQL.
 */
export async function freezeReport(
  report: StoredReport,
  { compileChart, convertSql, publicModel }: Pick<RouteDeps, 'compileChart' | 'convertSql' | 'publicModel'>,
): Promise<NewSnapshot> {
  const called = `Report ${report.id} (${report.name})`;
  const { kind, spec, preferences, fillMissingRows, periodComparisons } = readReportMeta(report.meta ?? {}, called);
  const request = await queryOf(report, convertSql);
  const model = await publicModel(report.deploymentId);
  if (request.jsonQuery && model !== null) checkMembers(request.jsonQuery, model, called);
  const vega =
    spec != null && (kind ?? 'vega') === 'vega'
      ? await compile(report, spec, columnsOf(request, periodComparisons), compileChart)
      : null;
  return {
    reportId: report.id,
    versionNumber: report.version,
    name: report.name,
    ...withoutNulls({
      kind,
      spec,
      preferences,
      fillMissingRows,
      periodComparisons,
      title: report.title,
      sqlQuery: report.sqlQuery,
    }),
    meta: {
      publicId: displayPublicId(report),
      ...request,
      ...(report.pivotItems !== null && { pivotItems: report.pivotItems }),
      ...(vega !== null && { vega }),
    },
  };
}

/** Returns the load query of a report, or the reason why its SQL has no equivalent load query. */
async function queryOf(
  { id, deploymentId, name, jsonQuery, sqlQuery }: StoredReport,
  convertSql: ConvertSql,
): Promise<Pick<SnapshotMeta, 'jsonQuery' | 'columns' | 'aliases' | 'noLoadQuery'>> {
  if (jsonQuery !== null) return { jsonQuery: JSON.parse(jsonQuery) };
  if (!sqlQuery) return {};
  try {
    const converted = await convertSql(sqlQuery, deploymentId);
    if (converted === null) return {};
    const { query, columns, aliases } = converted;
    return { jsonQuery: query, columns, ...(aliases.length > 0 && { aliases: [...aliases] }) };
  } catch (error) {
    if (!(error instanceof PlatformError) || error.status !== 400) throw error;
    if (error.code === ErrorCode.noLoadQuery) return { noLoadQuery: error.message };
    throw new PlatformError(400, `The SQL of report ${id} (${name}) cannot be run: ${error.message}`);
  }
}

function withoutNulls<T extends object>(record: T): Partial<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value != null)) as Partial<T>;
}

/** Compiles Vega-Lite to Vega. Checks specifications that already are Vega, and returns `null` for them. */
async function compile(
  report: StoredReport,
  spec: string | JsonObject,
  columns: readonly string[] | null,
  compileChart: CompileChart,
): Promise<JsonObject | null> {
  try {
    const parsed = readSpec(spec);
    const compiled = await compileChart(parsed, columns);
    return isVegaLite(parsed) ? compiled : null;
  } catch (error) {
    if (error instanceof PlatformError) throw error;
    if (error instanceof ChartError && namesParts.has(error.code)) {
      throw new PlatformError(
        400,
        `The specification of report ${report.id} (${report.name}) is invalid: ${error.message}`,
      );
    }
    throw new PlatformError(
      400,
      `The specification of report ${report.id} (${report.name}) does not compile: ${reasonOf(error)}`,
    );
  }
}

/** Codes of errors whose messages contain parts of the specification and columns, but no values. */
const namesParts: ReadonlySet<string> = new Set([ChartErrorCode.unsupported, ChartErrorCode.unknownField]);

/** Returns the columns of a report's rows; `null` if only its SQL determines them. */
function columnsOf(
  { jsonQuery, columns }: Pick<SnapshotMeta, 'jsonQuery' | 'columns'>,
  periodComparisons: ReportSnapshot['periodComparisons'],
): string[] | null {
  const { data: query } = z.safeParse(Query, jsonQuery);
  if (!query || query.timeDimensions?.some(({ compareDateRange }) => compareDateRange)) return null;
  const compared = comparisonsOf({ ...(periodComparisons && { periodComparisons }) }, query, columns ?? null);
  const added = compared.flatMap(comparison => comparison.columns.map(({ name }) => name));
  return [...(columns ? Object.keys(columns) : keysOf(query)), ...added];
}

/** Removes quoted input from a compiler message, because a specification may contain rows. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : 'unknown reason';
  return message.replace(/[[{"].*[\]}"]/s, '…').slice(0, 300);
}
