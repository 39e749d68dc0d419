import type { Hono } from 'hono';
import { ErrorCode } from '../../../contract/error-code.js';
import type { JsonObject } from '../../../contract/wire.js';
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
} from '../../../contract/workbooks.js';
import type { Principal } from '../../auth/principal.js';
import { DatabaseCode, type Db, databaseCode } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { notFound, upsertConflict } from '../../http/access.js';
import type { Call } from '../../http/mount.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, transact, write } from '../../http/serve.js';
import { requireDeployment } from '../../models/require-deployment.js';
import { retry } from '../../runtime/retry.js';
import { contentAccess, Level } from '../content-access.js';
import { mountPublishing } from '../dashboards/publish.js';
import { checkLevel, requireWorkbook, tenantOf, type WorkbookRef } from '../require-access.js';
import { requireTargetFolder } from '../workspace/folders.js';
import { checkDraft, draftOf, draftRevision } from './draft.js';
import { mountDuplicate } from './duplicate-workbook.js';
import { publishedOf, showWorkbook, showWorkbooks } from './show-workbook.js';
import { mountVersions } from './versions.js';
import * as workbooks from './workbook-store.js';

type Body = Call<typeof updateWorkbook>['body'];

/** Thrown if the slug was taken or released concurrently. */
class SlugConflict extends Error {}

const maxAttempts = 8;

/** Retries a change after a concurrent change of the slug. Each attempt checks again who owns the slug. */
async function retrySlugConflict<T>(change: () => Promise<T>): Promise<T> {
  const isConflict = (error: unknown) => error instanceof SlugConflict;
  try {
    return await retry(change, { maxAttempts, isRetryable: isConflict });
  } catch (error) {
    throw isConflict(error) ? slugTaken() : error;
  }
}

/** Changes a workbook by id: fields in the body replace the stored ones (spec 4.5, operations.md). */
async function changeWorkbook(
  tx: Db,
  principal: Principal,
  params: WorkbookRef,
  { folderId, name, meta, slug, slugTakeover }: Body,
): Promise<workbooks.WorkbookWithLevel> {
  const needed = folderId === undefined ? Level.edit : Level.manage;
  const { workbook, level } = await requireWorkbook(tx, principal, params, needed);
  if (folderId != null) await requireTargetFolder(tx, principal, { ...workbook, folderId, field: 'body.folderId' });
  if (slug != null && slug !== workbook.slug) {
    await freeSlug(tx, principal, workbook, { slug, takeOver: slugTakeover === true });
  }
  const [locked] = await workbooks.lockWorkbooks(tx, [workbook.id]);
  if (!locked) throw notFound('Workbook');
  const changed = await slugSettled(() =>
    workbooks.updateWorkbook(tx, locked, {
      ...(name != null && { name }),
      ...(slug != null && { slug }),
      ...(folderId !== undefined && { folderId }),
      ...(meta != null && { meta: () => meta }),
    }),
  );
  if (!changed) throw notFound('Workbook');
  return { workbook: changed, level };
}

/** Removes a slug from its current workbook if the caller may edit that workbook. Locks both workbooks. */
async function freeSlug(
  tx: Db,
  principal: Principal,
  { id, deploymentId, embedTenantId }: workbooks.StoredWorkbook,
  { slug, takeOver }: { readonly slug: string; readonly takeOver: boolean },
): Promise<void> {
  const holder = await workbooks.findWorkbookWithLevel(tx, contentAccess(principal), deploymentId, {
    slug,
    embedTenantId,
  });
  if (!holder || holder.workbook.id === id) return;
  if (!takeOver || holder.level < Level.edit) throw slugTaken();
  await workbooks.lockWorkbooks(tx, [id, holder.workbook.id]);
  if (!(await workbooks.releaseSlug(tx, holder.workbook.id, slug))) throw new SlugConflict();
}

async function slugSettled<T>(update: () => Promise<T>): Promise<T> {
  try {
    return await update();
  } catch (error) {
    throw databaseCode(error) === DatabaseCode.uniqueViolation ? new SlugConflict() : error;
  }
}

function slugTaken(): PlatformError {
  const message =
    'body.slug: is already in use by another workbook. Choose another slug, or take it over with slugTakeover.';
  return new PlatformError(409, message, { code: ErrorCode.slugTaken });
}

function draftChanged(): PlatformError {
  const message = 'body.draftRevision: the draft has changed since it was read. Read it again before you replace it.';
  return new PlatformError(409, message, { code: ErrorCode.draftChanged });
}

/**
 * Mounts the routes of workbooks: list, create, read, update by id and by slug, publish, copy, delete (spec 2.3, 4.3,
 * 4.5).
 */
export function mountWorkbooks(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, getWorkbooks, deps, async ({ params: { deploymentId }, query, principal }) => {
    await requireDeployment(db, principal, deploymentId);
    const { folderId, search, ...page } = query;
    const filter = { deploymentId, folderId, search };
    const found = await workbooks.listWorkbooks(db, contentAccess(principal), filter, page);
    const items = await showWorkbooks(db, found.items, principal.userId);
    return { items, pageInfo: found.pageInfo, data: items, count: found.count };
  });

  serve(app, getWorkbook, deps, async ({ params, principal }) => {
    const found = await requireWorkbook(db, principal, params, Level.read);
    await workbooks.recordWorkbookView(db, principal.userId, found.workbook.id);
    return showWorkbook(db, found, principal.userId);
  });

  write(app, createWorkbook, deps, async ({ params, body, principal }, tx, target) => {
    await requireDeployment(tx, principal, params.deploymentId);
    checkDraft(body.meta);
    const at = { deploymentId: params.deploymentId, slug: null, name: 'Untitled workbook' };
    const workbook = await workbooks.createWorkbook(tx, await newWorkbook(tx, principal, at, body));
    if (!workbook) throw new Error('A workbook without a slug caused a slug conflict.');
    target.workbookId = workbook.id;
    return showWorkbook(tx, { workbook, level: Level.manage }, principal.userId);
  });

  write(app, upsertWorkbookBySlug, deps, async ({ params, body, principal }, tx, target) => {
    await requireDeployment(tx, principal, params.deploymentId);
    checkDraft(body.meta);
    const written = await upsert(tx, principal, params, body);
    target.workbookId = written.workbook.id;
    return showWorkbook(tx, written, principal.userId);
  });

  serve(app, updateWorkbook, deps, ({ params, body, principal, request }) => {
    checkDraft(body.meta);
    const writer = { principal, request, target: { ...params } };
    return retrySlugConflict(() =>
      transact(db, updateWorkbook.id, writer, async tx =>
        showWorkbook(tx, await changeWorkbook(tx, principal, params, body), principal.userId),
      ),
    );
  });

  write(app, updateWorkbookDashboard, deps, async ({ params, body, principal }, tx) => {
    const { workbook } = await requireWorkbook(tx, principal, params, Level.edit);
    const { dashboardDraft, draftRevision: expected } = body;
    // Called with the metadata of the locked workbook.
    const replace = (stored: JsonObject): JsonObject => {
      if (expected != null && expected !== draftRevision(stored)) throw draftChanged();
      return mergeInto({ dashboardDraft })(stored);
    };
    const changed = await workbooks.updateWorkbook(tx, workbook, dashboardDraft === undefined ? {} : { meta: replace });
    if (!changed) throw notFound('Workbook');
    const dashboardPublished = (await publishedOf(tx, changed))?.config;
    return { dashboardDraft: draftOf(changed), draftRevision: draftRevision(changed.meta), dashboardPublished };
  });

  write(app, deleteWorkbook, deps, async ({ params, principal }, tx) => {
    const { workbook } = await requireWorkbook(tx, principal, params, Level.manage);
    if (!(await workbooks.deleteWorkbook(tx, workbook.id))) throw notFound('Workbook');
    return undefined;
  });

  mountPublishing(app, deps);
  mountDuplicate(app, deps);
  mountVersions(app, deps);
}

/** Maximum length of merged metadata in characters. Equal to the limit of a request body. */
const maxMeta = maxDashboardBytes;

const mergeInto = (sent: CreateWorkbook['meta']) => (stored: NonNullable<CreateWorkbook['meta']>) => {
  const merged = { ...stored, ...sent };
  const size = JSON.stringify(merged).length;
  if (size <= maxMeta) return merged;
  throw new PlatformError(400, `body: the merged metadata would have ${size} characters; the limit is ${maxMeta}`);
};

// Checks once whether to create or to update. If a concurrent write changes the result of this check, returns 409
// instead of switching to the other operation.
async function upsert(
  tx: Db,
  principal: Principal,
  { deploymentId, slug }: { readonly deploymentId: number; readonly slug: string },
  body: CreateWorkbook,
): Promise<workbooks.WorkbookWithLevel> {
  const key = { slug, embedTenantId: tenantOf(principal) };
  const found = await workbooks.findWorkbookWithLevel(tx, contentAccess(principal), deploymentId, key);
  const written = found
    ? await updateFound(tx, principal, found, body)
    : await workbooks.createWorkbook(tx, await newWorkbook(tx, principal, { deploymentId, slug, name: slug }, body));
  if (!written) throw upsertConflict('The workbook with this slug');
  return { workbook: written, level: found?.level ?? Level.manage };
}

async function updateFound(
  tx: Db,
  principal: Principal,
  found: workbooks.WorkbookWithLevel,
  { folderId, name, meta }: CreateWorkbook,
): Promise<workbooks.StoredWorkbook | null> {
  const { workbook } = checkLevel(found, folderId === undefined ? Level.edit : Level.manage);
  if (folderId != null) await requireTargetFolder(tx, principal, { ...workbook, folderId, field: 'body.folderId' });
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
    await requireTargetFolder(tx, principal, { ...at, embedTenantId, folderId, field: 'body.folderId' });
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
