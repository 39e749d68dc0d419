import { and, eq, sql } from 'drizzle-orm';
import type { Db } from './database.js';
import { accounts, embedTenants } from './schema.js';

/** An embed tenant by its two names: the id here, the name in grants and in the model. */
export interface Tenant {
  readonly id: number;
  readonly name: string;
}

/** Name of the account, which is also the embed tenant of grants that name none. */
export async function accountName(db: Db): Promise<string> {
  const [account] = await db.select({ name: accounts.name }).from(accounts);
  if (!account) throw new Error('The database was not seeded.');
  return account.name;
}

/** An embed tenant by name. */
export async function findTenant(db: Db, name: string): Promise<Tenant | null> {
  const [tenant] = await db
    .select({ id: embedTenants.id, name: embedTenants.name })
    .from(embedTenants)
    .where(eq(embedTenants.name, name));
  return tenant ?? null;
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
