import { ErrorCode } from '../../contract/error-code.js';
import type { updateWorkbook } from '../../contract/workbooks.js';
import { contentAccess, Level } from '../access/content-access.js';
import { PlatformError } from '../errors.js';
import type { Call } from '../mount.js';
import type { Principal } from '../principal.js';
import type { Db } from '../store/database.js';
import { DatabaseCode, databaseCode } from '../store/database-code.js';
import * as workbooks from '../store/workbooks.js';
import { notFound } from './access.js';
import { requirePlace } from './folders.js';
import { requireWorkbook, type WorkbookRef } from './workbook-access.js';

type Body = Call<typeof updateWorkbook>['body'];

/** Somebody else gave or took the slug after it was settled whose it is. */
class SlugMoved extends Error {}

const maxAttempts = 8;

/** Does a change again when the slug that it wanted went to somebody else meanwhile; then it is settled anew who may take it. */
export async function retryMovedSlug<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof SlugMoved)) throw error;
      if (attempt === maxAttempts) throw slugTaken();
    }
  }
}

/** Changes a workbook by id: what is sent replaces what there is (spec 4.5, operations facts). */
export async function changeWorkbook(
  tx: Db,
  principal: Principal,
  params: WorkbookRef,
  { folderId, name, meta, slug, slugTakeover }: Body,
): Promise<workbooks.ReachedWorkbook> {
  const needed = folderId === undefined ? Level.edit : Level.manage;
  const { workbook, level } = await requireWorkbook(tx, principal, params, needed);
  if (folderId != null) await requirePlace(tx, principal, { ...workbook, folderId, field: 'body.folderId' });
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

/** Makes sure that nobody holds a slug, as far as the caller may. The workbook and the holder are locked from then on. */
async function freeSlug(
  tx: Db,
  principal: Principal,
  { id, deploymentId, embedTenantId }: workbooks.StoredWorkbook,
  { slug, takeOver }: { readonly slug: string; readonly takeOver: boolean },
): Promise<void> {
  const holder = await workbooks.reachWorkbook(tx, contentAccess(principal), deploymentId, { slug, embedTenantId });
  if (!holder || holder.workbook.id === id) return;
  if (!takeOver || holder.level < Level.edit) throw slugTaken();
  await workbooks.lockWorkbooks(tx, [id, holder.workbook.id]);
  if (!(await workbooks.releaseSlug(tx, holder.workbook.id, slug))) throw new SlugMoved();
}

async function slugSettled<T>(update: () => Promise<T>): Promise<T> {
  try {
    return await update();
  } catch (error) {
    throw databaseCode(error) === DatabaseCode.uniqueViolation ? new SlugMoved() : error;
  }
}

function slugTaken(): PlatformError {
  const message = 'body.slug: another workbook holds it: choose another slug, or take it over with slugTakeover.';
  return new PlatformError(409, message, { code: ErrorCode.slugTaken });
}
