import type { PlatformConnection } from '../../client/http/connection.js';
import { getEmbedAccess, updateEmbedAccess } from '../../client/operations/embed-tenants.js';
import { createReport, getReport, listReports } from '../../client/operations/reports.js';
import {
  createWorkbook,
  getDashboardVersion,
  getWorkbook,
  listDashboardVersions,
  publishDashboard,
  updateWorkbook,
  updateWorkbookDashboard,
} from '../../client/operations/workbooks.js';
import type { SessionSource } from '../../client/session/session-status.js';
import type { DashboardDraftInput } from '../../contract/dashboard-input.js';
import type { Dashboard, DashboardConfig, ReportSnapshot } from '../../contract/dashboards.js';
import type { Query } from '../../contract/query.js';
import type { CreateReport, Report } from '../../contract/reports.js';
import type { JsonObject } from '../../contract/wire.js';
import type { DashboardVersion, Workbook } from '../../contract/workbooks.js';
import type { Creator } from './creator.js';

/** A report that the user creates: a load query, and how its rows are shown. */
export interface NewReport {
  readonly title: string;
  readonly query: Query;
  readonly meta: JsonObject;
}

/** A draft, and the revision that it was read or stored with. */
export interface Draft {
  readonly config: DashboardConfig;
  readonly revision: string | null;
}

/** A workbook with the data that the editor needs. */
export interface LoadedWorkbook {
  readonly name: string;
  readonly draft: Draft;
  readonly published: Dashboard | null;
  readonly reports: ReadonlyMap<number, ReportSnapshot>;
  /** Whether the dashboard is shared with the tenant. */
  readonly isShared: boolean;
}

/** A published version, with its reports as they were published. */
export interface LoadedVersion {
  readonly config: DashboardConfig;
  readonly reports: ReadonlyMap<number, ReportSnapshot>;
}

/** Requests of the editor for one workbook, in the session of a creator. All reject with PaError. */
export class WorkbookService {
  readonly #source: SessionSource;
  readonly #creator: Creator;
  readonly #workbookId: number;

  constructor(source: SessionSource, creator: Creator, workbookId: number) {
    this.#source = source;
    this.#creator = creator;
    this.#workbookId = workbookId;
  }

  /** Loads the workbook with the reports of its draft. */
  async load(signal: AbortSignal): Promise<LoadedWorkbook> {
    const [workbook, reports, access] = await Promise.all([
      this.#call(connection => getWorkbook(connection, this.#ref, { signal })),
      this.#readReports(signal),
      this.#call(connection => getEmbedAccess(connection, this.#ref, { signal })),
    ]);
    const draft = draftOf(workbook);
    const { embedTenantName: own } = this.#creator;
    return {
      name: workbook.name,
      draft,
      published: workbook.publishedDashboard ?? null,
      reports: new Map([...reports, ...(await this.#readOthers(draft.config, reports))]),
      isShared: access.tenants.some(({ embedTenantName, action }) => embedTenantName === own && action === 'read'),
    };
  }

  /** Stores the draft unless it has changed since `revision`. Returns the new revision. */
  async save({ config, revision }: Draft): Promise<string | null> {
    // The platform validates the draft. Content that the editor does not support is sent back as it was read.
    const body = {
      dashboardDraft: config as DashboardDraftInput,
      ...(revision !== null && { draftRevision: revision }),
    };
    const { draftRevision } = await this.#call(connection => updateWorkbookDashboard(connection, this.#ref, body));
    return draftRevision ?? null;
  }

  /** Creates a report in the workbook. */
  async createReport(report: NewReport): Promise<ReportSnapshot> {
    return snapshotOf(await this.#createIn(this.#workbookId, bodyOf(report)));
  }

  /** Renames the workbook. */
  async rename(name: string): Promise<void> {
    await this.#call(connection => updateWorkbook(connection, this.#ref, { name }));
  }

  /** Publishes the stored draft, and sets whether the dashboard is shared with the tenant. */
  async publish({ title, isShared }: { readonly title: string; readonly isShared: boolean }): Promise<Dashboard> {
    const published = await this.#call(connection =>
      publishDashboard(connection, this.#ref, { title, allowEmbed: true }),
    );
    const { embedTenantName } = this.#creator;
    const action = isShared ? 'read' : 'none';
    await this.#call(connection => updateEmbedAccess(connection, this.#ref, { embedTenantName, action }));
    return published;
  }

  /** Returns the published versions, newest first. */
  async versions(): Promise<readonly DashboardVersion[]> {
    return (await this.#call(connection => listDashboardVersions(connection, this.#ref))).items;
  }

  /** Returns a published version. */
  async version(versionNumber: number): Promise<LoadedVersion> {
    const ref = { ...this.#ref, versionNumber };
    const { config, reportSnapshots } = await this.#call(connection => getDashboardVersion(connection, ref));
    return { config, reports: new Map(reportSnapshots.map(snapshot => [snapshot.reportId, snapshot])) };
  }

  /**
   * Returns the draft that shows a version, and its reports. A report that was deleted, or whose query has changed
   * since, is created again.
   */
  async restore({ config, reports }: LoadedVersion): Promise<LoadedVersion> {
    const current = await this.#readOthers(config, new Map());
    const draftReports = new Map(current);
    const copies = new Map<number, number>();
    for (const [reportId, snapshot] of reports) {
      const existing = draftReports.get(reportId);
      if (existing && isSameReport(existing, snapshot)) continue;
      const created = snapshotOf(await this.#createIn(this.#workbookId, copyOf(snapshot)));
      copies.set(reportId, created.reportId);
      draftReports.set(created.reportId, created);
    }
    return { config: withReports(config, copies), reports: draftReports };
  }

  /** Creates a workbook with a draft and copies of its reports. Returns the id of the workbook. */
  async copy(name: string, config: DashboardConfig, reports: ReadonlyMap<number, ReportSnapshot>): Promise<number> {
    const { deploymentId } = this.#creator;
    const { id } = await this.#call(connection => createWorkbook(connection, { deploymentId }, { name }));
    const copies = new Map<number, number>();
    for (const reportId of reportIdsOf(config)) {
      const report = reports.get(reportId);
      if (report) copies.set(reportId, (await this.#createIn(id, copyOf(report))).id);
    }
    const dashboardDraft = withReports(config, copies) as DashboardDraftInput;
    await this.#call(connection =>
      updateWorkbookDashboard(connection, { deploymentId, workbookId: id }, { dashboardDraft }),
    );
    return id;
  }

  get #ref() {
    return { deploymentId: this.#creator.deploymentId, workbookId: this.#workbookId };
  }

  async #createIn(workbookId: number, body: CreateReport): Promise<Report> {
    return this.#call(connection => createReport(connection, this.#creator.deploymentId, { ...body, workbookId }));
  }

  async #readReports(signal: AbortSignal): Promise<ReadonlyMap<number, ReportSnapshot>> {
    const query = { workbookId: this.#workbookId };
    const { items } = await this.#call(connection =>
      listReports(connection, this.#creator.deploymentId, query, { signal }),
    );
    return new Map(items.map(report => [report.id, snapshotOf(report)]));
  }

  /**
   * Returns the reports of the draft that belong to other workbooks. Omits deleted reports, whose tiles show a message.
   */
  async #readOthers(
    config: DashboardConfig,
    known: ReadonlyMap<number, ReportSnapshot>,
  ): Promise<readonly (readonly [number, ReportSnapshot])[]> {
    const { deploymentId } = this.#creator;
    const missing = reportIdsOf(config).filter(id => !known.has(id));
    const found = await Promise.allSettled(
      missing.map(reportId => this.#call(connection => getReport(connection, { deploymentId, reportId }))),
    );
    return found.flatMap(result =>
      result.status === 'fulfilled' ? [[result.value.id, snapshotOf(result.value)] as const] : [],
    );
  }

  #call<T>(work: (connection: PlatformConnection) => Promise<T>): Promise<T> {
    return this.#source.authorize(work);
  }
}

/** Replaces reports with their copies. */
function withReports(config: DashboardConfig, copies: ReadonlyMap<number, number>): DashboardConfig {
  if (!config.widgets || copies.size === 0) return config;
  const widgets = config.widgets.map(widget => {
    const copy = copies.get(Number(widget.config?.reportId));
    return copy === undefined ? widget : { ...widget, config: { ...widget.config, reportId: copy } };
  });
  return { ...config, widgets };
}

/** Whether two reports have the same query and kind. */
function isSameReport(one: ReportSnapshot, other: ReportSnapshot): boolean {
  const keyOf = ({ kind, sqlQuery, meta }: ReportSnapshot) =>
    JSON.stringify([kind ?? 'vega', sqlQuery ?? meta?.jsonQuery ?? null]);
  return keyOf(one) === keyOf(other);
}

/** Returns the ids of the reports in the charts of a dashboard. */
function reportIdsOf({ widgets }: DashboardConfig): readonly number[] {
  const ids = (widgets ?? []).flatMap(({ type, config }) =>
    type === 'CHART' && typeof config?.reportId === 'number' ? [config.reportId] : [],
  );
  return [...new Set(ids)];
}

function draftOf({ dashboardDraft, dashboardPublished, draftRevision }: Workbook): Draft {
  return { config: dashboardDraft ?? dashboardPublished ?? { widgets: [] }, revision: draftRevision ?? null };
}

/** Returns a report as it would be published now. */
function snapshotOf({ id, name, title, jsonQuery, sqlQuery, pivotItems, meta }: Report): ReportSnapshot {
  const query = readQuery(jsonQuery);
  // `meta` has the rendering settings of a snapshot, and other keys, which stay unchanged.
  return {
    ...meta,
    id,
    reportId: id,
    versionNumber: 1,
    name,
    ...(title && { title }),
    ...(sqlQuery && { sqlQuery }),
    meta: { ...(query && { jsonQuery: query }), ...(pivotItems && { pivotItems }) },
  };
}

function readQuery(text: string | null | undefined): Query | null {
  if (!text) return null;
  try {
    const query: unknown = JSON.parse(text);
    return typeof query === 'object' && query !== null ? query : null;
  } catch {
    // If the query is not valid, the tile reports that the report has no query.
    return null;
  }
}

function bodyOf({ title, query, meta }: NewReport): CreateReport {
  return { name: title, title, jsonQuery: JSON.stringify(query), meta };
}

/** Returns the `meta` of the report of a snapshot. */
export function reportMeta(snapshot: ReportSnapshot): JsonObject {
  const {
    id: _,
    reportId: _id,
    versionNumber: _version,
    name: _name,
    title: _title,
    sqlQuery: _sql,
    ...rest
  } = snapshot;
  const { meta: _meta, ...settings } = rest;
  return settings;
}

/** Returns the body that creates an equal report. */
function copyOf(snapshot: ReportSnapshot): CreateReport {
  const { name, title, sqlQuery, meta } = snapshot;
  return {
    name: name ?? title ?? '',
    ...(title && { title }),
    ...(sqlQuery && { sqlQuery }),
    ...(meta?.jsonQuery && { jsonQuery: JSON.stringify(meta.jsonQuery) }),
    ...(meta?.pivotItems && { pivotItems: meta.pivotItems as NonNullable<CreateReport['pivotItems']> }),
    meta: reportMeta(snapshot),
  };
}
