import { and, asc, eq, getTableColumns, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../db/database.js';
import { dashboardReaders, dashboardViews, users } from '../../db/schema.js';

/** A stored view of a dashboard. */
export type StoredView = typeof dashboardViews.$inferSelect;

/** A user of an embed tenant on a dashboard. All statements here filter by dashboard and tenant. */
export interface ViewScope {
  readonly dashboardId: number;
  readonly embedTenantId: number;
  readonly userId: number;
}

/** A view with the names of its author. */
export interface ListedView extends StoredView {
  readonly username: string;
  readonly firstName: string | null;
}

const maxShared = 100;

const inTenant = ({ dashboardId, embedTenantId }: ViewScope): SQL | undefined =>
  and(eq(dashboardViews.dashboardId, dashboardId), eq(dashboardViews.embedTenantId, embedTenantId));

const isOwn = ({ userId }: ViewScope): SQL => eq(dashboardViews.userId, userId);

const isVisible = (scope: ViewScope): SQL | undefined =>
  and(inTenant(scope), or(isOwn(scope), eq(dashboardViews.isShared, true)));

function select(db: Db) {
  return db
    .select({
      ...getTableColumns(dashboardViews),
      // Embed users always have an external id (constraint `users_kind`).
      username: sql<string>`${users.externalId}`,
      firstName: users.displayName,
    })
    .from(dashboardViews)
    .innerJoin(users, eq(users.id, dashboardViews.userId));
}

/** Returns the user's own views, followed by those that other users of the tenant share, each sorted by name. */
export async function listViews(db: Db, scope: ViewScope): Promise<readonly ListedView[]> {
  const byName = [asc(dashboardViews.name), asc(dashboardViews.id)] as const;
  const [own, shared] = await Promise.all([
    select(db)
      .where(and(inTenant(scope), isOwn(scope)))
      .orderBy(...byName),
    select(db)
      .where(and(isVisible(scope), ne(dashboardViews.userId, scope.userId)))
      .orderBy(...byName)
      .limit(maxShared),
  ]);
  return [...own, ...shared];
}

/** Returns a view that the user can see. */
export async function findView(db: Db, scope: ViewScope, viewId: number): Promise<ListedView | null> {
  const [found] = await select(db).where(and(isVisible(scope), eq(dashboardViews.id, viewId)));
  return found ?? null;
}

/** Returns the number of the user's own views. Locks the user, so that concurrent requests cannot exceed the limit. */
export async function countOwnViews(tx: Db, scope: ViewScope): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, scope.userId)).for('update');
  return tx.$count(dashboardViews, and(inTenant(scope), isOwn(scope)));
}

/** Stores a view and returns its id. */
export async function insertView(
  tx: Db,
  { dashboardId, embedTenantId, userId }: ViewScope,
  view: Pick<StoredView, 'name' | 'state' | 'isShared'>,
): Promise<number> {
  const values = { dashboardId, embedTenantId, userId, ...view };
  const [created] = await tx.insert(dashboardViews).values(values).returning({ id: dashboardViews.id });
  if (!created) throw new Error('The view was not stored.');
  return created.id;
}

/** Changes one of the user's own views. */
export async function changeView(
  tx: Db,
  scope: ViewScope,
  viewId: number,
  change: Partial<Pick<StoredView, 'name' | 'state' | 'isShared'>>,
): Promise<void> {
  await tx
    .update(dashboardViews)
    .set({ ...change, updatedAt: sql`now()` })
    .where(and(inTenant(scope), isOwn(scope), eq(dashboardViews.id, viewId)));
}

/** Deletes one of the user's own views. */
export async function deleteView(tx: Db, scope: ViewScope, viewId: number): Promise<void> {
  await tx.delete(dashboardViews).where(and(inTenant(scope), isOwn(scope), eq(dashboardViews.id, viewId)));
}

/**
 * Returns the id of the user's default view, which is applied when the dashboard opens; `null` if the user has none or
 * can no longer see it.
 */
export async function defaultViewOf(db: Db, scope: ViewScope): Promise<number | null> {
  const [found] = await db
    .select({ id: dashboardViews.id })
    .from(dashboardReaders)
    .innerJoin(dashboardViews, eq(dashboardViews.id, dashboardReaders.defaultViewId))
    .where(
      and(
        eq(dashboardReaders.dashboardId, scope.dashboardId),
        eq(dashboardReaders.userId, scope.userId),
        isVisible(scope),
      ),
    );
  return found?.id ?? null;
}

/** Sets the user's default view. */
export async function setDefaultView(
  tx: Db,
  { dashboardId, userId }: ViewScope,
  defaultViewId: number | null,
): Promise<void> {
  await tx
    .insert(dashboardReaders)
    .values({ dashboardId, userId, defaultViewId })
    .onConflictDoUpdate({
      target: [dashboardReaders.dashboardId, dashboardReaders.userId],
      set: { defaultViewId },
    });
}
