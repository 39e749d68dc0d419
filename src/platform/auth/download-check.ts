import { and, inArray, ne, sql } from 'drizzle-orm';
import type { Policy } from '../../contract/roles.js';
import type { Db } from '../db/database.js';
import { roles, type SessionClaims, users } from '../db/schema.js';
import { Batcher } from '../runtime/batcher.js';
import { isAllowedOnDeployment, rightsOf } from './rights.js';
import { policiesOfUser } from './user-store.js';

/** The claims of an embed session that decide whether it can download data. */
type DownloadClaims = Pick<SessionClaims, 'userId' | 'deploymentId' | 'mayDownload' | 'downloadRoles'>;

/**
 * Checks whether the roles of an embed session still allow downloads, because roles can be changed, deleted or removed
 * from the user after the session was created. Returns `undefined` without a statement if they did not allow it at that
 * time.
 */
export type CheckDownload = (claims: DownloadClaims) => Promise<true | undefined>;

/** Creates the check of embed sessions. Concurrent requests share its statements; results are not cached. */
export function createDownloadCheck(db: Db): CheckDownload {
  const checks = new Batcher<DownloadClaims, true | undefined>(list => checkAll(db, list));
  return async claims => (claims.mayDownload ? checks.add(claims) : undefined);
}

async function checkAll(db: Db, list: readonly DownloadClaims[]): Promise<(true | undefined)[]> {
  const names = new Set(list.flatMap(({ downloadRoles }) => downloadRoles ?? []));
  const ids = new Set(list.flatMap(({ downloadRoles, userId }) => (downloadRoles ? [] : [userId])));
  const [byName, byUser] = await Promise.all([policiesOfRoles(db, [...names]), policiesOfUsers(db, [...ids])]);
  return list.map(({ downloadRoles, userId, deploymentId }) => {
    const policies = downloadRoles ? downloadRoles.flatMap(name => byName.get(name) ?? []) : byUser.get(userId);
    const rights = rightsOf(policies ?? [], { isAdmin: false, maxRole: null });
    return isAllowedOnDeployment(rights, 'DownloadData', deploymentId) || undefined;
  });
}

/** Returns policies by name of the role, except those of the Admin role, which a grant cannot assign. */
async function policiesOfRoles(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, readonly Policy[]>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .select({ name: roles.name, policies: roles.policies })
    .from(roles)
    .where(and(inArray(roles.name, [...names]), ne(roles.name, 'Admin')));
  return new Map(rows.map(({ name, policies }) => [name, policies]));
}

async function policiesOfUsers(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, readonly Policy[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, policies: policiesOfUser })
    .from(users)
    .where(sql`${users.id} = any(${sql.param([...ids])}::bigint[])`);
  return new Map(rows.map(({ id, policies }) => [id, policies.flat()]));
}
