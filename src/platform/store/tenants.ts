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
  const known = await findTenant(db, name);
  // Setting the name to itself makes the statement return the row of whoever created it in between.
  const [tenant] = known
    ? [known]
    : await db
        .insert(embedTenants)
        .values({ name })
        .onConflictDoUpdate({ target: embedTenants.name, set: { name } })
        .returning({ id: embedTenants.id, name: embedTenants.name });
  if (!tenant) throw new Error('An upsert returned no row.');
  if (displayName !== null) {
    await db
      .update(embedTenants)
      .set({ displayName })
      .where(and(eq(embedTenants.id, tenant.id), sql`${embedTenants.displayName} is distinct from ${displayName}`));
  }
  return tenant;
}
