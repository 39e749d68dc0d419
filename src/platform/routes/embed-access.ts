import type { Hono } from 'hono';
import { type EmbedAccess, getEmbedAccess, updateEmbedAccess } from '../../contract/embed-access.js';
import type { BodyOf } from '../../contract/operation.js';
import { Level } from '../access/content-access.js';
import { PlatformError } from '../errors.js';
import { findDashboard, findDashboardId, setAllowEmbed } from '../store/dashboards.js';
import type { Db } from '../store/database.js';
import { type Audience, share, sharesOf, sharingGroup, unshare } from '../store/shares.js';
import { findTenant } from '../store/tenants.js';
import { notFound, requireManager, requireReader } from './access.js';
import type { PlatformRoutesDeps } from './deps.js';
import { serve } from './serve.js';
import { requireWorkbook } from './workbook-access.js';

type Body = BodyOf<typeof updateEmbedAccess>;

/** Who may see the published dashboard of a workbook (operations facts, Dashboard Embed Access). */
export function mountEmbedAccess(app: Hono, deps: PlatformRoutesDeps): void {
  const { db } = deps;

  serve(app, getEmbedAccess, deps, async ({ params, principal }) => {
    requireReader(principal, 'Workbook');
    return showAccess(db, (await requireWorkbook(db, principal, params, Level.read)).workbook.id);
  });

  serve(app, updateEmbedAccess, deps, async ({ params, body, principal }) => {
    requireManager(principal);
    checkChange(body);
    const { id } = (await requireWorkbook(db, principal, params, Level.manage)).workbook;
    await db.transaction(tx => applyChange(tx, id, body));
    return showAccess(db, id);
  });
}

function checkChange({ embedTenantName, allEmbedUsers, action, allowEmbed }: Body): void {
  if (embedTenantName != null && allEmbedUsers === true) {
    throw new PlatformError(400, 'body.allEmbedUsers: send one target, embedTenantName or allEmbedUsers: true');
  }
  const hasTarget = embedTenantName != null || allEmbedUsers === true;
  if (hasTarget && action == null) throw new PlatformError(400, 'body.action: a target needs an action, read or none');
  if (!hasTarget && action != null) {
    throw new PlatformError(400, 'body.action: needs a target, embedTenantName or allEmbedUsers: true');
  }
  if (!hasTarget && allowEmbed == null) {
    throw new PlatformError(400, 'body: holds no change, send a target with an action, or allowEmbed');
  }
}

async function applyChange(tx: Db, workbookId: number, { embedTenantName, action, allowEmbed }: Body): Promise<void> {
  if (allowEmbed != null) {
    if ((await findDashboardId(tx, workbookId)) === null) {
      throw new PlatformError(400, 'body.allowEmbed: publish the dashboard first');
    }
    await setAllowEmbed(tx, workbookId, allowEmbed);
  }
  if (action == null) return;
  const audience = await audienceOf(tx, embedTenantName);
  await (action === 'read' ? share : unshare)(tx, workbookId, audience);
}

async function audienceOf(tx: Db, embedTenantName: string | null | undefined): Promise<Audience> {
  if (embedTenantName == null) return null;
  const tenant = await findTenant(tx, embedTenantName);
  if (!tenant) throw notFound('Embed tenant');
  return tenant;
}

async function showAccess(db: Db, workbookId: number): Promise<EmbedAccess> {
  const shares = await sharesOf(db, workbookId);
  const published = await findDashboard(db, { workbookId });
  const enabled = shares.some(({ embedTenantName }) => embedTenantName === null);
  return {
    allowEmbed: published?.dashboard.allowEmbed ?? false,
    allEmbedUsers: { enabled, action: enabled ? 'read' : 'none', groupId: await sharingGroup(db, null) },
    tenants: shares.flatMap(({ embedTenantName, groupId }) =>
      embedTenantName === null ? [] : [{ embedTenantName, groupId, action: 'read' }],
    ),
  };
}
