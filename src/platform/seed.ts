import { sql } from 'drizzle-orm';
import { builtInRoles } from '../contract/roles.js';
import { startKeyName } from './auth/api-key-store.js';
import { builtInPolicies } from './auth/rights.js';
import { sharingGroup } from './content/share-store.js';
import type { Db } from './db/database.js';
import {
  accounts,
  agents,
  apiKeys,
  deploymentEnvironments,
  deployments,
  GroupKind,
  groups,
  Role,
  roles,
  users,
} from './db/schema.js';

/** Initial data of a platform. */
export interface SeedOptions {
  /** Hash of the admin's API key, which replaces the key of the previous start. */
  readonly adminKeyHash: string;
  /** Names of account groups to create (`--group`). */
  readonly groups: readonly string[];
}

const seedLock = 7_265_002;

/**
 * Creates the account `local`, its admin, deployment 1, agent 1, the built-in roles and the groups if they are missing.
 * Idempotent, even if several platforms start concurrently.
 */
export async function seed(db: Db, options: SeedOptions): Promise<void> {
  const wrong = options.groups.find(name => name.length < 1 || name.length > 100 || name.startsWith('system:'));
  if (wrong !== undefined) {
    throw new Error(`The group name "${wrong}" must have 1 to 100 characters and must not start with "system:".`);
  }
  await db.transaction(async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(${seedLock})`);
    if ((await tx.$count(accounts)) === 0) await seedOnce(tx);
    await seedAdminKey(tx, options.adminKeyHash);
    await seedRoles(tx);
    await seedEnvironments(tx);
    if (options.groups.length > 0) {
      const rows = options.groups.map(name => ({ kind: GroupKind.account, name }));
      await tx.insert(groups).values(rows).onConflictDoNothing();
    }
  });
}

// The ids come from sequences, so the first row of each table has the id 1 and the next insert gets 2.
async function seedOnce(tx: Db): Promise<void> {
  await tx.insert(accounts).values({ name: 'local' });
  await tx
    .insert(users)
    .values({ username: 'admin', email: 'admin@localhost', displayName: 'Admin', role: Role.admin });
  const [deployment] = await tx.insert(deployments).values({ name: 'local', creationStep: 'ready' }).returning();
  if (deployment) await tx.insert(agents).values({ deploymentId: deployment.id, name: 'Analyst' });
  await sharingGroup(tx, null);
}

async function seedRoles(tx: Db): Promise<void> {
  for (const name of builtInRoles) {
    const role = { isBuiltIn: true, policies: builtInPolicies[name] };
    await tx
      .insert(roles)
      .values({ name, ...role })
      .onConflictDoUpdate({ target: roles.name, set: role });
  }
}

/** Creates a production environment for each deployment that has no environment. */
async function seedEnvironments(tx: Db): Promise<void> {
  const without = await tx
    .select({ deploymentId: deployments.id })
    .from(deployments)
    .where(
      sql`not exists (select from ${deploymentEnvironments} where ${deploymentEnvironments.deploymentId} = ${deployments.id})`,
    );
  if (without.length > 0) {
    await tx
      .insert(deploymentEnvironments)
      .values(without.map(({ deploymentId }) => ({ deploymentId, type: 'production' as const })));
  }
}

async function seedAdminKey(tx: Db, keyHash: string): Promise<void> {
  await tx
    .insert(apiKeys)
    .values({ name: startKeyName, keyHash, userId: sql`(select id from users where username = 'admin')` })
    .onConflictDoUpdate({ target: apiKeys.name, set: { keyHash } });
}
