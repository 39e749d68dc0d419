import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import { revokeTenantSessions } from '../auth/sessions.js';
import type { Db } from '../db/database.js';
import { containsPattern, Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { accounts, embedTenants, folders, reports, users, workbooks } from '../db/schema.js';

/** An embed tenant by its two names: the id here, the name in grants and in the model. */
export interface Tenant {
  readonly id: number;
  readonly name: string;
}

/** An embed tenant as an administrator sees it. */
export type ListedTenant = typeof embedTenants.$inferSelect & { readonly userCount: number };

/** Name of the account, which is also the embed tenant of grants that name none. */
export async function accountName(db: Db): Promise<string> {
  const [account] = await db.select({ name: accounts.name }).from(accounts);
  if (!account) throw new Error('The database was not seeded.');
  return account.name;
}

const byName = new Keyset<ListedTenant>('embed-tenants', { name: embedTenants.name }, 'asc');

/** One page of the embed tenants by name. */
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

/** An embed tenant by name. */
export async function findTenant(db: Db, name: string): Promise<Tenant | null> {
  const [tenant] = await selectTenant(db, name);
  return tenant ?? null;
}

/** An embed tenant by name, which nobody deletes before the transaction ends. */
export async function lockTenant(tx: Db, name: string): Promise<Tenant | null> {
  const [tenant] = await selectTenant(tx, name).for('key share');
  return tenant ?? null;
}

/** Names of embed tenants by their ids; content of the account has none. */
export async function tenantNames(db: Db, ids: readonly (number | null)[]): Promise<Map<number, string>> {
  const wanted = new Set(ids.filter(id => id !== null));
  if (wanted.size === 0) return new Map();
  const { id, name } = embedTenants;
  const rows = await db
    .select({ id, name })
    .from(embedTenants)
    .where(inArray(id, [...wanted]));
  return new Map(rows.map(tenant => [tenant.id, tenant.name]));
}

function selectTenant(db: Db, name: string) {
  return db
    .select({ id: embedTenants.id, name: embedTenants.name })
    .from(embedTenants)
    .where(eq(embedTenants.name, name));
}

/** The embed tenant of this name, created where it is missing; a display name that is given replaces the old one. */
export async function ensureTenant(db: Db, name: string, displayName: string | null): Promise<Tenant> {
  const tenant = (await findTenant(db, name)) ?? (await insertTenant(db, name)) ?? (await findTenant(db, name));
  if (!tenant) throw new Error('A tenant that was there is gone.');
  if (displayName !== null) {
    await db
      .update(embedTenants)
      .set({ displayName })
      .where(and(eq(embedTenants.id, tenant.id), sql`${embedTenants.displayName} is distinct from ${displayName}`));
  }
  return tenant;
}

/** The embed tenant of this name, created where it is missing, which nobody deletes before the transaction ends. */
export async function ensureLockedTenant(tx: Db, name: string): Promise<Tenant> {
  await ensureTenant(tx, name, null);
  // Where somebody has deleted it in between, the one that is created now is ours alone until we are done.
  return (await lockTenant(tx, name)) ?? ensureTenant(tx, name, null);
}

/** Null where somebody else has created it in between. Of those who come second none holds a lock: others wait for what they hold. */
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
 * Deletes an embed tenant with all that is its own, and revokes its sessions; nothing where there is none of this name. Content goes
 * first, since its owners can't go before it.
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

/** Folders of others in those of the tenant go to the root, as everything else does that is in a folder that is deleted. */
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
