import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import { revokeTenantSessions } from '../auth/sessions.js';
import type { Db } from '../db/database.js';
import { containsPattern, Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { accounts, embedTenants, folders, reports, users, workbooks } from '../db/schema.js';

/** An embed tenant. The id is internal; the name is used in grants and in the model. */
export interface Tenant {
  readonly id: number;
  readonly name: string;
}

/** An embed tenant as shown to administrators. */
export type ListedTenant = typeof embedTenants.$inferSelect & { readonly userCount: number };

/** Returns the name of the account, which is also the embed tenant of grants without a tenant name. */
export async function accountName(db: Db): Promise<string> {
  const [account] = await db.select({ name: accounts.name }).from(accounts);
  if (!account) throw new Error('The database was not seeded.');
  return account.name;
}

const byName = new Keyset<ListedTenant>('embed-tenants', { name: embedTenants.name }, 'asc');

/** Returns one page of the embed tenants, ordered by name. */
export async function listTenants(
  db: Db,
  search: string | undefined,
  page: PageRequest,
): Promise<KeysetPage<ListedTenant>> {
  const { id, name, displayName, createdAt } = embedTenants;
  const found = search === undefined ? undefined : sql`${name} ilike ${containsPattern(search)}`;
  const rows = await db
    .select({ id, name, displayName, createdAt, userCount: db.$count(users, eq(users.embedTenantId, embedTenants.id)) })
    .from(embedTenants)
    .where(and(found, byName.after(page)))
    .orderBy(...byName.orderBy)
    .limit(byName.limit(page));
  return byName.page(rows, page);
}

/** Returns an embed tenant by name, or `null` if it does not exist. */
export async function findTenant(db: Db, name: string): Promise<Tenant | null> {
  const [tenant] = await selectTenant(db, name);
  return tenant ?? null;
}

/** Locks an embed tenant against deletion until the transaction ends; `null` if it does not exist. */
export async function lockTenant(tx: Db, name: string): Promise<Tenant | null> {
  const [tenant] = await selectTenant(tx, name).for('key share');
  return tenant ?? null;
}

/** Returns names of embed tenants by id. Ignores `null` (content of the account). */
export async function tenantNames(db: Db, ids: readonly (number | null)[]): Promise<Map<number, string>> {
  const requested = new Set(ids.filter(id => id !== null));
  if (requested.size === 0) return new Map();
  const { id, name } = embedTenants;
  const rows = await db
    .select({ id, name })
    .from(embedTenants)
    .where(inArray(id, [...requested]));
  return new Map(rows.map(tenant => [tenant.id, tenant.name]));
}

function selectTenant(db: Db, name: string) {
  return db
    .select({ id: embedTenants.id, name: embedTenants.name })
    .from(embedTenants)
    .where(eq(embedTenants.name, name));
}

/**
 * Returns the embed tenant with this name, creating it if it is missing. Updates the display name unless it is `null`.
 */
export async function ensureTenant(db: Db, name: string, displayName: string | null): Promise<Tenant> {
  const tenant = (await findTenant(db, name)) ?? (await insertTenant(db, name)) ?? (await findTenant(db, name));
  if (!tenant) throw new Error('An existing tenant was not found.');
  if (displayName !== null) {
    await db
      .update(embedTenants)
      .set({ displayName })
      .where(and(eq(embedTenants.id, tenant.id), sql`${embedTenants.displayName} is distinct from ${displayName}`));
  }
  return tenant;
}

/** Returns the embed tenant with this name, creating it if it is missing, and locks it until the transaction ends. */
export async function ensureLockedTenant(tx: Db, name: string): Promise<Tenant> {
  await ensureTenant(tx, name, null);
  // If the tenant was deleted concurrently, `ensureTenant` inserts a new row, which needs no lock because it is not
  // visible to other transactions before this one commits.
  return (await lockTenant(tx, name)) ?? ensureTenant(tx, name, null);
}

/**
 * Inserts a tenant; returns `null` if a concurrent request has created it. Takes no lock on an existing tenant, because
 * other transactions would have to wait for it.
 */
async function insertTenant(db: Db, name: string): Promise<Tenant | null> {
  const { id } = embedTenants;
  const created = await db
    .insert(embedTenants)
    .values({ name })
    .onConflictDoNothing()
    .returning({ id, name: embedTenants.name });
  return created[0] ?? null;
}

/**
 * Deletes an embed tenant with everything it owns and revokes its sessions. Has no effect if the tenant does not exist.
 * Deletes content first, because foreign keys prevent deleting the owners of existing content.
 */
export async function deleteTenant(tx: Db, name: string): Promise<void> {
  const [tenant] = await selectTenant(tx, name).for('update');
  if (!tenant) return;
  const { id } = tenant;
  await freeFolders(tx, id);
  await tx.delete(reports).where(eq(reports.embedTenantId, id));
  await tx.delete(workbooks).where(eq(workbooks.embedTenantId, id));
  await tx.delete(folders).where(eq(folders.embedTenantId, id));
  await tx.delete(embedTenants).where(eq(embedTenants.id, id));
  await revokeTenantSessions(tx, id);
}

/**
 * Moves subfolders of the tenant's folders that belong to other owners to the root, as is done with the content of any
 * deleted folder.
 */
async function freeFolders(tx: Db, tenantId: number): Promise<void> {
  const theirs = tx.select({ id: folders.id }).from(folders).where(eq(folders.embedTenantId, tenantId));
  await tx
    .update(folders)
    .set({ parentId: null })
    .where(
      and(
        sql`${folders.parentId} in ${theirs}`,
        or(isNull(folders.embedTenantId), ne(folders.embedTenantId, tenantId)),
      ),
    );
}
