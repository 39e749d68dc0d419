import type { Hono } from 'hono';
import {
  type CreateWorkbook,
  createWorkbook,
  deleteWorkbook,
  getWorkbook,
  getWorkbooks,
  maxDashboardBytes,
  updateWorkbook,
  updateWorkbookDashboard,
  upsertWorkbookBySlug,
} from '../../contract/workbooks.js';
import { contentAccess, Level } from '../access/content-access.js';
import { PlatformError } from '../errors.js';
import type { Principal } from '../principal.js';
import type { Db } from '../store/database.js';
import * as workbooks from '../store/workbooks.js';
import { notFound, overtaken, requireDeployment } from './access.js';
import { changeWorkbook, retryMovedSlug } from './change-workbook.js';
import type { PlatformRoutesDeps } from './deps.js';
import { checkDraft, draftOf } from './draft.js';
import { mountDuplicate } from './duplicate.js';
import { requirePlace } from './folders.js';
import { mountPublishing } from './publish.js';
import { serve } from './serve.js';
import { publishedOf, showWorkbook, showWorkbooks } from './show-workbook.js';
import { checkLevel, requireWorkbook, tenantOf } from './workbook-access.js';
import { transact, write } from './write.js';

/** Workbooks: listed, created, read, changed by id and by slug, published, copied and deleted (spec 2.3, 4.3, 4.5). */
export function mountWorkbooks(app: Hono, deps: PlatformRoutesDeps): void {
  const { db } = deps;

  serve(app, getWorkbooks, deps, async ({ params: { deploymentId }, query: { folderId, ...page }, principal }) => {
    await requireDeployment(db, principal, deploymentId);
    const filter = { deploymentId, folderId };
    const found = await workbooks.listWorkbooks(db, contentAccess(principal), filter, page);
    const items = await showWorkbooks(db, found.items);
    return { items, pageInfo: found.pageInfo, data: items, count: found.count };
  });

  serve(app, getWorkbook, deps, async ({ params, principal }) => {
    const found = await requireWorkbook(db, principal, params, Level.read);
    await workbooks.noteView(db, principal.userId, found.workbook.id);
    return showWorkbook(db, found);
  });

  write(app, createWorkbook, deps, async ({ params, body, principal }, tx, target) => {
    await requireDeployment(tx, principal, params.deploymentId);
    checkDraft(body.meta);
    const at = { deploymentId: params.deploymentId, slug: null, name: 'Untitled workbook' };
    const workbook = await workbooks.createWorkbook(tx, await newWorkbook(tx, principal, at, body));
    if (!workbook) throw new Error('A workbook without a slug met another one.');
    target.workbookId = workbook.id;
    return showWorkbook(tx, { workbook, level: Level.manage });
  });

  write(app, upsertWorkbookBySlug, deps, async ({ params, body, principal }, tx, target) => {
    await requireDeployment(tx, principal, params.deploymentId);
    checkDraft(body.meta);
    const written = await upsert(tx, principal, params, body);
    target.workbookId = written.workbook.id;
    return showWorkbook(tx, written);
  });

  serve(app, updateWorkbook, deps, ({ params, body, principal, request }) => {
    checkDraft(body.meta);
    const writer = { principal, request, target: { ...params } };
    return retryMovedSlug(() =>
      transact(db, updateWorkbook.id, writer, async tx =>
        showWorkbook(tx, await changeWorkbook(tx, principal, params, body)),
      ),
    );
  });

  write(app, updateWorkbookDashboard, deps, async ({ params, body: { dashboardDraft }, principal }, tx) => {
    const { workbook } = await requireWorkbook(tx, principal, params, Level.edit);
    const meta = dashboardDraft === undefined ? {} : { meta: mergeInto({ dashboardDraft }) };
    const changed = await workbooks.updateWorkbook(tx, workbook, meta);
    if (!changed) throw notFound('Workbook');
    return { dashboardDraft: draftOf(changed), dashboardPublished: (await publishedOf(tx, changed))?.config };
  });

  write(app, deleteWorkbook, deps, async ({ params, principal }, tx) => {
    const { workbook } = await requireWorkbook(tx, principal, params, Level.manage);
    if (!(await workbooks.deleteWorkbook(tx, workbook.id))) throw notFound('Workbook');
    return undefined;
  });

  mountPublishing(app, deps);
  mountDuplicate(app, deps);
}

/** Most characters of metadata that came together bit by bit: as much as one body may hold. */
const maxMeta = maxDashboardBytes;

const mergeInto = (sent: CreateWorkbook['meta']) => (stored: NonNullable<CreateWorkbook['meta']>) => {
  const merged = { ...stored, ...sent };
  const size = JSON.stringify(merged).length;
  if (size <= maxMeta) return merged;
  throw new PlatformError(400, `body: the metadata would take ${size} characters with it, and at most ${maxMeta}`);
};

// Whether it creates or updates is decided here, and then holds: a writer in between makes it a 409, never the other branch.
async function upsert(
  tx: Db,
  principal: Principal,
  { deploymentId, slug }: { readonly deploymentId: number; readonly slug: string },
  body: CreateWorkbook,
): Promise<workbooks.ReachedWorkbook> {
  const key = { slug, embedTenantId: tenantOf(principal) };
  const found = await workbooks.reachWorkbook(tx, contentAccess(principal), deploymentId, key);
  const written = found
    ? await updateFound(tx, principal, found, body)
    : await workbooks.createWorkbook(tx, await newWorkbook(tx, principal, { deploymentId, slug, name: slug }, body));
  if (!written) throw overtaken('The workbook of this slug');
  return { workbook: written, level: found?.level ?? Level.manage };
}

async function updateFound(
  tx: Db,
  principal: Principal,
  found: workbooks.ReachedWorkbook,
  { folderId, name, meta }: CreateWorkbook,
): Promise<workbooks.StoredWorkbook | null> {
  const { workbook } = checkLevel(found, folderId === undefined ? Level.edit : Level.manage);
  if (folderId != null) await requirePlace(tx, principal, { ...workbook, folderId, field: 'body.folderId' });
  return workbooks.updateWorkbook(tx, workbook, {
    ...(folderId !== undefined && { folderId }),
    ...(name != null && { name }),
    ...(meta != null && { meta: mergeInto(meta) }),
  });
}

async function newWorkbook(
  tx: Db,
  principal: Principal,
  at: Pick<workbooks.NewWorkbook, 'deploymentId' | 'slug' | 'name'>,
  { folderId, name, meta }: CreateWorkbook,
): Promise<workbooks.NewWorkbook> {
  const embedTenantId = tenantOf(principal);
  if (folderId != null) {
    await requirePlace(tx, principal, { ...at, embedTenantId, folderId, field: 'body.folderId' });
  }
  return {
    ...at,
    name: name ?? at.name,
    meta: meta ?? {},
    folderId: folderId ?? null,
    createdBy: principal.userId,
    embedTenantId,
  };
}
