import type { Hono } from 'hono';
import * as contract from '../../../contract/dashboard-views.js';
import type { OperationShape } from '../../../contract/operation.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import type { Call } from '../../http/mount.js';
import { serve, transact } from '../../http/serve.js';
import type { ViewerRouteDeps } from './comments.js';
import * as store from './view-store.js';
import { type DashboardViewer, requireDashboard } from './viewers.js';

/** Maximum number of views per user and dashboard. */
const maxViews = 50;

/** Mounts the routes for saved views of embed tenants' users on published dashboards. */
export function mountDashboardViews(app: Hono, reading: ViewerRouteDeps): void {
  const { db } = reading;

  serve(app, contract.listDashboardViews, reading, async ({ principal }) => {
    const scope = requireScope(principal);
    const [items, defaultViewId] = await Promise.all([store.listViews(db, scope), store.defaultViewOf(db, scope)]);
    return { items: items.map(view => show(view, scope)), defaultViewId };
  });

  serve(app, contract.createDashboardView, reading, call =>
    write(db, contract.createDashboardView, call, async (tx, scope, target) => {
      const { name, state, isShared } = call.body;
      if ((await store.countOwnViews(tx, scope)) >= maxViews) {
        throw new PlatformError(
          409,
          `You can have at most ${maxViews} views of a dashboard. Delete one of them first.`,
        );
      }
      const id = await store.insertView(tx, scope, { name, state, isShared: isShared ?? false });
      target.viewId = id;
      return show(await requireOwn(tx, scope, id), scope);
    }),
  );

  serve(app, contract.updateDashboardView, reading, call =>
    write(db, contract.updateDashboardView, call, async (tx, scope) => {
      const { viewId } = call.params;
      await requireOwn(tx, scope, viewId);
      const given = Object.entries(call.body).filter(([, value]) => value !== null && value !== undefined);
      await store.changeView(tx, scope, viewId, Object.fromEntries(given));
      return show(await requireOwn(tx, scope, viewId), scope);
    }),
  );

  serve(app, contract.deleteDashboardView, reading, call =>
    write(db, contract.deleteDashboardView, call, async (tx, scope) => {
      const { viewId } = call.params;
      await requireOwn(tx, scope, viewId);
      await store.deleteView(tx, scope, viewId);
      return undefined;
    }),
  );

  serve(app, contract.setDefaultDashboardView, reading, call =>
    write(db, contract.setDefaultDashboardView, call, async (tx, scope) => {
      const { viewId } = call.body;
      if (viewId !== null && !(await store.findView(tx, scope, viewId))) throw notFound('View');
      await store.setDefaultView(tx, scope, viewId);
      return undefined;
    }),
  );
}

/** Runs a write with its audit entry in a transaction. Check the caller's access first. */
function write<O extends OperationShape, T>(
  db: Db,
  operation: O,
  {
    principal: reader,
    request,
    params,
  }: Pick<Call<typeof contract.createDashboardView, DashboardViewer>, 'principal' | 'request' | 'params'>,
  work: (tx: Db, scope: store.ViewScope, target: JsonObject) => Promise<T>,
): Promise<T> {
  const scope = requireScope(reader);
  const target: JsonObject = { ...params };
  return transact(db, operation.id, { principal: reader.principal, request, target }, tx => work(tx, scope, target));
}

/**
 * Returns the user and the dashboard of a request.
 * @throws PlatformError 403 if the session may not save views, or embedding is disabled; 404
 */
function requireScope(reader: DashboardViewer): store.ViewScope {
  const { principal, isTenantUser } = reader;
  if (principal.kind !== 'embed' || !isTenantUser) {
    throw new PlatformError(403, 'Saved views require an embed session of a user of an embed tenant.');
  }
  if (principal.settings.allowSavedViews !== true) {
    throw new PlatformError(403, 'The session does not allow saved views. Mint it with settings.allowSavedViews.');
  }
  const { id } = requireDashboard(reader);
  return { dashboardId: id, embedTenantId: principal.embedTenantId, userId: principal.userId };
}

/** Returns a view of the caller. @throws PlatformError 404 if it is not visible, 403 if it belongs to another user */
async function requireOwn(tx: Db, scope: store.ViewScope, viewId: number): Promise<store.ListedView> {
  const found = await store.findView(tx, scope, viewId);
  if (!found) throw notFound('View');
  if (found.userId !== scope.userId) throw new PlatformError(403, 'Only the user who saved a view may change it.');
  return found;
}

function show(view: store.ListedView, { userId }: store.ViewScope): contract.DashboardView {
  return {
    id: view.id,
    name: view.name,
    state: view.state,
    isShared: view.isShared,
    isOwn: view.userId === userId,
    author: { username: view.username, firstName: view.firstName },
    createdAt: view.createdAt.toISOString(),
    updatedAt: view.updatedAt.toISOString(),
  };
}
