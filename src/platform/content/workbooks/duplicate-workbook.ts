import type { Hono } from 'hono';
import * as z from 'zod/mini';
import type { DashboardDraftInput } from '../../../contract/dashboard-input.js';
import { PivotItemsInput } from '../../../contract/report-input.js';
import { duplicateWorkbook } from '../../../contract/workbooks.js';
import type { Principal } from '../../auth/principal.js';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { write } from '../../http/serve.js';
import { canReadDeployment } from '../../models/require-deployment.js';
import { contentAccess, Level } from '../content-access.js';
import {
  createDashboard,
  findPublished,
  type NewSnapshot,
  type PublishedState,
} from '../dashboards/dashboard-store.js';
import { readReportMeta } from '../dashboards/model-checks.js';
import {
  createReports,
  displayPublicId,
  type ReportRow,
  reportsOfWorkbook,
  type StoredReport,
} from '../reports/report-store.js';
import { requireWorkbook, tenantOf, type WorkbookRef } from '../require-access.js';
import { isSharedWith } from '../share-store.js';
import { findFolder } from '../workspace/folder-store.js';
import { readDraft } from './draft.js';
import { showWorkbook } from './show-workbook.js';
import {
  createWorkbook,
  findWorkbook,
  type NewWorkbook,
  type StoredWorkbook,
  updateWorkbook,
} from './workbook-store.js';

/** Ids of the copies by the ids of the original reports. */
type CopiedIds = ReadonlyMap<number, number>;

/** Replaces reports with their copies in a dashboard or draft. Other reports stay unchanged. */
function repointConfig<C extends DashboardDraftInput>(config: C, ids: CopiedIds): C {
  if (config.widgets == null) return config;
  return { ...config, widgets: config.widgets.map(widget => repointWidget(widget, ids)) };
}

type Widget = NonNullable<DashboardDraftInput['widgets']>[number];

function repointWidget(widget: Widget, ids: CopiedIds): Widget {
  const { type, config } = widget;
  const copy = type === 'CHART' && typeof config?.reportId === 'number' ? ids.get(config.reportId) : undefined;
  return copy === undefined ? widget : { ...widget, config: { ...config, reportId: copy } };
}

/** Replaces reports with their copies in snapshots. */
function repointSnapshots(snapshots: readonly NewSnapshot[], ids: CopiedIds): NewSnapshot[] {
  return snapshots.map(snapshot => {
    const reportId = ids.get(snapshot.reportId);
    if (reportId === undefined) return snapshot;
    const publicId = displayPublicId({ id: reportId, publicId: null });
    return { ...snapshot, reportId, versionNumber: 1, meta: { ...snapshot.meta, publicId } };
  });
}

/**
 * Mounts the routes that copy workbooks which the caller may read, or which are shared with the caller's tenant
 * (operations.md).
 */
export function mountDuplicate(app: Hono, deps: RouteDeps): void {
  write(app, duplicateWorkbook, deps, async ({ params, body, principal }, tx, target) => {
    const copy = await (body.shared === true ? copyShared : copyWorkbook)(tx, principal, params);
    target.copyId = copy.id;
    return showWorkbook(tx, { workbook: copy, level: Level.manage }, principal.userId);
  });
}

async function copyWorkbook(tx: Db, principal: Principal, ref: WorkbookRef): Promise<StoredWorkbook> {
  const { workbook: source, level } = await requireWorkbook(tx, principal, ref, Level.read);
  const published = await findPublished(tx, source.id);
  const originals = await reportsOfWorkbook(tx, source.id);
  const mine = ownedBy(principal);
  return insertCopy(tx, published, {
    workbook: { ...mine, ...copyOf(source), folderId: await folderOf(tx, principal, source) },
    reports: originals.map(report => ({ original: report.id, copy: { ...mine, ...contentOf(report) } })),
    metaOf: ids => {
      const { dashboardDraft, ...meta } = source.meta;
      const draft = level < Level.edit ? published?.config : dashboardDraft;
      return draft == null ? meta : { ...meta, dashboardDraft: repointConfig(readDraft(draft), ids) };
    },
  });
}

async function copyShared(tx: Db, principal: Principal, ref: WorkbookRef): Promise<StoredWorkbook> {
  if (principal.kind !== 'embed' || !principal.creatorMode) {
    throw new PlatformError(403, 'body.shared: is only available to embed sessions in creator mode.');
  }
  const source = canReadDeployment(principal, ref.deploymentId)
    ? await findWorkbook(tx, ref.deploymentId, ref.workbookId)
    : null;
  if (!source || !(await isSharedWith(tx, source.id, principal.embedTenantId))) throw notFound('Workbook');
  const published = await findPublished(tx, source.id);
  if (!published) throw new PlatformError(400, 'The workbook has no published dashboard to copy.');
  const mine = ownedBy(principal);
  const at = { ...mine, deploymentId: source.deploymentId };
  return insertCopy(tx, published, {
    workbook: { ...mine, ...copyOf(source), folderId: null },
    reports: published.snapshots.map(snapshot => ({
      original: snapshot.reportId,
      copy: { ...at, ...reportOf(snapshot) },
    })),
    metaOf: ids => ({ dashboardDraft: repointConfig(published.config, ids) }),
  });
}

interface Copy {
  readonly workbook: Omit<NewWorkbook, 'meta'>;
  /** The copies to create, each with the id of the original report. */
  readonly reports: readonly { readonly original: number; readonly copy: ReportRow }[];
  /** Returns the metadata of the copy for the ids of the copied reports. */
  readonly metaOf: (ids: CopiedIds) => NewWorkbook['meta'];
}

async function insertCopy(
  tx: Db,
  published: PublishedState | null,
  { workbook, reports, metaOf }: Copy,
): Promise<StoredWorkbook> {
  const empty = await createWorkbook(tx, { ...workbook, meta: {} });
  if (!empty) throw new Error('A workbook without a slug caused a slug conflict.');
  const workbookId = empty.id;
  const copies = await createReports(
    tx,
    reports.map(({ copy }) => ({ ...copy, workbookId })),
  );
  const ids: CopiedIds = new Map(reports.map(({ original }, index) => [original, copies[index] ?? original]));
  const filled = await updateWorkbook(tx, empty, { meta: () => metaOf(ids) });
  if (published) {
    const { title, description, config, snapshots } = published;
    const dashboard = { workbookId, title, description, allowEmbed: false, createdBy: empty.createdBy };
    const version = { config: repointConfig(config, ids), snapshots: repointSnapshots(snapshots, ids) };
    await createDashboard(tx, dashboard, version);
  }
  return filled ?? empty;
}

function ownedBy(principal: Principal) {
  return { createdBy: principal.userId, embedTenantId: tenantOf(principal) };
}

const maxName = 255;

function copyOf({ deploymentId, name }: StoredWorkbook) {
  return { deploymentId, slug: null, name: `Copy of ${name}`.slice(0, maxName) };
}

/** Returns the folder of the original if the caller may edit that folder, otherwise the root. */
async function folderOf(
  tx: Db,
  principal: Principal,
  { deploymentId, folderId }: StoredWorkbook,
): Promise<number | null> {
  if (folderId === null) return null;
  const found = await findFolder(tx, contentAccess(principal), { deploymentId, folderId, level: Level.edit });
  // Content of an embed tenant and other content must not share folders.
  const isOpen = found && found.level >= Level.edit && found.folder.embedTenantId === tenantOf(principal);
  return isOpen ? folderId : null;
}

/** Returns the columns of a report for a copy, without its unique public id and its placements in spreadsheets. */
function contentOf({
  deploymentId,
  name,
  title,
  description,
  jsonQuery,
  sqlQuery,
  meta,
  pivotItems,
  source,
}: StoredReport) {
  return { deploymentId, name, title, description, jsonQuery, sqlQuery, meta, pivotItems, source };
}

/** Returns the columns of a report from a snapshot. Omits a query that derives from SQL, because the SQL is copied. */
function reportOf({ name, title, description, sqlQuery, meta, ...snapshot }: NewSnapshot) {
  const { kind, spec, preferences, fillMissingRows, periodComparisons } = snapshot;
  const jsonQuery = meta?.columns == null && meta?.jsonQuery != null ? JSON.stringify(meta.jsonQuery) : null;
  const reportMeta = { kind, spec, preferences, fillMissingRows, periodComparisons };
  return {
    name: name ?? title ?? 'Untitled report',
    title,
    description,
    sqlQuery,
    jsonQuery,
    meta: readReportMeta(reportMeta, `Report ${snapshot.reportId} (${name ?? title ?? 'untitled'})`),
    pivotItems: z.safeParse(PivotItemsInput, meta?.pivotItems).data ?? null,
  };
}
