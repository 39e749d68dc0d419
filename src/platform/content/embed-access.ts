import type { Hono } from 'hono';
import {
  type Audiences,
  type EmbedAccess,
  getEmbedAccess,
  getFolderEmbedAccess,
  listEmbedTenantWorkbooks,
  updateEmbedAccess,
  updateFolderEmbedAccess,
} from '../../contract/embed-access.js';
import type { BodyOf } from '../../contract/operation.js';
import type { Principal } from '../auth/principal.js';
import type { Db } from '../db/database.js';
import { lockTenant } from '../embed/tenant-store.js';
import { requireTenant, unknownTenant } from '../embed/tenants.js';
import { PlatformError } from '../errors.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';
import { requireDeployment } from '../models/require-deployment.js';
import { Level } from './content-access.js';
import { findAllowEmbed, setAllowEmbed } from './dashboards/dashboard-store.js';
import { requireWorkbook } from './require-access.js';
import { listSharedWorkbooks, type Shareable, share, sharesOf, sharingGroup, unshare } from './share-store.js';
import { showWorkbooks } from './workbooks/show-workbook.js';
import { requireFolder } from './workspace/folders.js';

/** Audience of a share, with the action to apply. */
type Target = BodyOf<typeof updateFolderEmbedAccess>;

/**
 * Mounts the routes for access to published dashboards of workbooks and folders (operations.md, Dashboard Embed
 * Access).
 */
export function mountEmbedAccess(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, getEmbedAccess, deps, async ({ params, principal }) => {
    const { workbook } = await requireWorkbook(db, principal, params, Level.read);
    return showAccess(db, principal, workbook.id);
  });

  write(app, updateEmbedAccess, deps, async ({ params, body, principal }, tx) => {
    const { id, embedTenantId } = (await requireWorkbook(tx, principal, params, Level.manage)).workbook;
    const { allowEmbed, ...target } = body;
    if (!checkTarget(target) && allowEmbed == null) {
      throw new PlatformError(400, 'body: contains no change; send a target with an action, or allowEmbed');
    }
    if (allowEmbed != null) await changeAllowEmbed(tx, id, { allowEmbed });
    await changeShare(tx, principal, { workbookId: id, embedTenantId }, target);
    return showAccess(tx, principal, id);
  });

  mountFolderAccess(app, deps);

  serve(app, listEmbedTenantWorkbooks, deps, async ({ params, query, principal }) => {
    const { id: deploymentId } = await requireDeployment(db, principal, params.deploymentId);
    const { id: embedTenantId } = await requireTenant(db, params.embedTenantName);
    const { accessSource: source = null, search, ...page } = query;
    const { items, pageInfo } = await listSharedWorkbooks(db, { deploymentId, embedTenantId, source, search }, page);
    const reached = items.map(workbook => ({ workbook }));
    return { items: await showWorkbooks(db, reached, principal.userId), pageInfo };
  });
}

function mountFolderAccess(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, getFolderEmbedAccess, deps, async ({ params: { deploymentId, folderId }, principal }) => {
    await requireDeployment(db, principal, deploymentId);
    await requireFolder(db, principal, deploymentId, folderId, Level.read);
    return showAudiences(db, principal, { folderId });
  });

  write(app, updateFolderEmbedAccess, deps, async ({ params: { deploymentId, folderId }, body, principal }, tx) => {
    await requireDeployment(tx, principal, deploymentId);
    const { embedTenantId } = await requireFolder(tx, principal, deploymentId, folderId, Level.manage);
    if (!checkTarget(body)) throw new PlatformError(400, 'body: contains no change; send a target with an action');
    await changeShare(tx, principal, { folderId, embedTenantId }, body);
    return showAudiences(tx, principal, { folderId });
  });
}

/**
 * True if the body has a target.
 * @throws PlatformError 400 for two targets, a target without an action, and an action without a target.
 */
function checkTarget({ embedTenantName, allEmbedUsers, action }: Target): boolean {
  if (embedTenantName != null && allEmbedUsers === true) {
    throw new PlatformError(400, 'body.allEmbedUsers: send one target, embedTenantName or allEmbedUsers: true');
  }
  const hasTarget = embedTenantName != null || allEmbedUsers === true;
  if (hasTarget && action == null)
    throw new PlatformError(400, 'body.action: is required with a target; send read or none');
  if (!hasTarget && action != null) {
    throw new PlatformError(400, 'body.action: requires a target; send embedTenantName or allEmbedUsers: true');
  }
  return hasTarget;
}

async function changeAllowEmbed(tx: Db, workbookId: number, change: { readonly allowEmbed: boolean }): Promise<void> {
  if ((await findAllowEmbed(tx, workbookId)) === null) {
    throw new PlatformError(400, 'body.allowEmbed: publish the dashboard first');
  }
  await setAllowEmbed(tx, workbookId, change);
}

/** Item to share, with the embed tenant whose users created it in creator mode. */
type Owned = Shareable & { readonly embedTenantId: number | null };

async function changeShare(
  tx: Db,
  principal: Principal,
  { embedTenantId, ...item }: Owned,
  target: Target,
): Promise<void> {
  const { action, embedTenantName } = target;
  if (action == null) return;
  const own = ownTenant(principal);
  if (own !== null && embedTenantName == null) {
    throw new PlatformError(403, 'Embed sessions can only share with users of their own embed tenant.');
  }
  const isHidden = own !== null && embedTenantName !== own;
  const audience = embedTenantName == null || isHidden ? null : await lockTenant(tx, embedTenantName);
  if (embedTenantName != null && !audience) throw unknownTenant();
  if (action === 'read' && embedTenantId !== null && audience?.id !== embedTenantId) {
    throw new PlatformError(400, 'body: content of an embed tenant can only be shared with users of that tenant');
  }
  if (action === 'none') return unshare(tx, item, audience);
  if (!maySetShares(principal) && !(await isSharedWith(tx, item, embedTenantName ?? null))) {
    throw new PlatformError(403, 'This session cannot share content: its setting showWorkbookShare is false.');
  }
  await share(tx, item, audience);
}

/** Whether the caller may share content with more users. An existing share can be repeated, as publishing does. */
function maySetShares(principal: Principal): boolean {
  return principal.kind !== 'embed' || principal.settings.showWorkbookShare !== false;
}

/** Whether an item is shared with an embed tenant; with all embed users for `null`. */
async function isSharedWith(db: Db, item: Shareable, tenantName: string | null): Promise<boolean> {
  return (await sharesOf(db, item)).some(({ embedTenantName }) => embedTenantName === tenantName);
}

/** Returns the only embed tenant that the caller may see; `null` if there is no such limit. */
function ownTenant(principal: Principal): string | null {
  return principal.kind !== 'embed' || principal.rights.isAdmin ? null : principal.embedTenantName;
}

async function showAccess(db: Db, principal: Principal, workbookId: number): Promise<EmbedAccess> {
  const allowEmbed = (await findAllowEmbed(db, workbookId)) ?? false;
  return { allowEmbed, ...(await showAudiences(db, principal, { workbookId })) };
}

async function showAudiences(db: Db, principal: Principal, item: Shareable): Promise<Audiences> {
  const shares = await sharesOf(db, item);
  const own = ownTenant(principal);
  const enabled = shares.some(({ embedTenantName }) => embedTenantName === null);
  return {
    allEmbedUsers: { enabled, action: enabled ? 'read' : 'none', groupId: await sharingGroup(db, null) },
    tenants: shares.flatMap(({ embedTenantName, groupId }) =>
      embedTenantName === null || (own !== null && embedTenantName !== own)
        ? []
        : [{ embedTenantName, groupId, action: 'read' }],
    ),
  };
}
