import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { PivotItemsInput } from '../../contract/report-input.js';
import { duplicateWorkbook } from '../../contract/workbooks.js';
import { contentAccess, Level } from '../access/content-access.js';
import { PlatformError } from '../errors.js';
import type { Principal } from '../principal.js';
import { createDashboard, findPublished, type NewSnapshot, type PublishedState } from '../store/dashboards.js';
import type { Db } from '../store/database.js';
import { findFolder } from '../store/folders.js';
import type { StoredReport } from '../store/reports.js';
import { isSharedWith } from '../store/shares.js';
import { createReports, type NewReport, reportsOfWorkbook } from '../store/workbook-reports.js';
import {
  createWorkbook,
  findWorkbook,
  type NewWorkbook,
  type StoredWorkbook,
  updateWorkbook,
} from '../store/workbooks.js';
import { mayReadDeployment, notFound } from './access.js';
import type { PlatformRoutesDeps } from './deps.js';
import { readDraft } from './draft.js';
import { type CopiedIds, repointConfig, repointSnapshots } from './repoint.js';
import { readReportMeta } from './report-drawing.js';
import { showWorkbook } from './show-workbook.js';
import { requireWorkbook, tenantOf, type WorkbookRef } from './workbook-access.js';
import { write } from './write.js';

/** Copies of workbooks: of such that the caller may read, and of such that are shared with the caller's tenant (operations facts). */
export function mountDuplicate(app: Hono, deps: PlatformRoutesDeps): void {
  write(app, duplicateWorkbook, deps, async ({ params, body, principal }, tx, target) => {
    const copy = await (body.shared === true ? copyShared : copyWorkbook)(tx, principal, params);
    target.copyId = copy.id;
    return showWorkbook(tx, { workbook: copy, level: Level.manage });
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
    throw new PlatformError(403, 'body.shared: copies for embed sessions in creator mode alone.');
  }
  const source = mayReadDeployment(principal, ref.deploymentId)
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
  /** Each with the id of the report that it stands for. */
  readonly reports: readonly { readonly original: number; readonly copy: NewReport }[];
  /** The metadata of the copy, once it is settled which report stands for which. */
  readonly metaOf: (ids: CopiedIds) => NewWorkbook['meta'];
}

async function insertCopy(
  tx: Db,
  published: PublishedState | null,
  { workbook, reports, metaOf }: Copy,
): Promise<StoredWorkbook> {
  const empty = await createWorkbook(tx, { ...workbook, meta: {} });
  if (!empty) throw new Error('A workbook without a slug met another one.');
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

/** The folder of the original when the caller may put things into it, else the root. */
async function folderOf(
  tx: Db,
  principal: Principal,
  { deploymentId, folderId }: StoredWorkbook,
): Promise<number | null> {
  if (folderId === null) return null;
  const found = await findFolder(tx, contentAccess(principal), { deploymentId, folderId, level: Level.edit });
  // What an embed tenant's users made and other content don't share folders.
  const isOpen = found && found.level >= Level.edit && found.folder.embedTenantId === tenantOf(principal);
  return isOpen ? folderId : null;
}

/** What a copy has of a report: neither its public id, which is one report's alone, nor its places in spreadsheets. */
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

/** The report that a snapshot was made of, as far as it tells. A query that was worked out of SQL is left out: it is in the SQL. */
function reportOf({ name, title, description, sqlQuery, meta, ...snapshot }: NewSnapshot) {
  const { kind, spec, preferences, fillMissingRows, periodComparisons } = snapshot;
  const jsonQuery = meta?.columns == null && meta?.jsonQuery != null ? JSON.stringify(meta.jsonQuery) : null;
  const drawn = { kind, spec, preferences, fillMissingRows, periodComparisons };
  return {
    name: name ?? title ?? 'Untitled report',
    title,
    description,
    sqlQuery,
    jsonQuery,
    meta: readReportMeta(drawn, `Report ${snapshot.reportId} (${name ?? title ?? 'untitled'})`),
    pivotItems: z.safeParse(PivotItemsInput, meta?.pivotItems).data ?? null,
  };
}
