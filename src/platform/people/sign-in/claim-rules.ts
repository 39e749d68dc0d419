import { and, eq, inArray } from 'drizzle-orm';
import { endPersonSessionsOf } from '../../auth/person-session-store.js';
import type { Db } from '../../db/database.js';
import { GroupKind, groups, Role } from '../../db/schema.js';
import { addAccountMembers } from '../account-group-store.js';
import { removeMembers } from '../group-member-store.js';
import { assignRole, unassignRole } from '../role-store.js';
import { lockedUser, requireDemotable } from '../user-lifecycle.js';
import { changeUser, findRoleIds } from '../user-store.js';

/** Claims about a user, as the provider sent them. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Grants a group of the account, a role, or the admin role to users with a certain value of a claim. The claim can be
 * the value, or a list that contains it. Users without the value lose the grant at their next sign-in.
 */
export interface ClaimRule {
  readonly claim: string;
  readonly value: string;
  readonly gives: { readonly group: string } | { readonly role: string } | 'admin';
}

const shape = /^([^=]+)=([^:]+(?::[^:]+)*?):(admin|(role|group)=(.+))$/;

/**
 * Reads a rule: `groups=analysts:role=AIBIUser`, `groups=sales:group=sales` or `groups=owners:admin`.
 * @throws Error
 */
export function readClaimRule(text: string): ClaimRule {
  const [, claim, value, gives, kind, name = ''] = shape.exec(text) ?? [];
  if (claim === undefined || value === undefined) {
    throw new Error(`"${text}" is not a rule. Use CLAIM=VALUE:role=NAME, CLAIM=VALUE:group=NAME or CLAIM=VALUE:admin.`);
  }
  if (gives === 'admin') return { claim, value, gives };
  return { claim, value, gives: kind === 'role' ? { role: name } : { group: name } };
}

/**
 * Grants a user the roles and groups of the rules that match, and revokes those that appear only in rules that do not
 * match. All other roles and groups stay unchanged. Roles and groups that do not exist are skipped.
 * @throws PlatformError 403 if the last administrator would lose the admin role.
 */
export async function applyClaimRules(
  tx: Db,
  userId: number,
  rules: readonly ClaimRule[],
  claims: Claims,
): Promise<void> {
  const given = rules.filter(({ claim, value }) => [claims[claim]].flat().includes(value)).map(({ gives }) => gives);
  const isGiven = (gives: ClaimRule['gives']) => given.some(each => JSON.stringify(each) === JSON.stringify(gives));
  const targets = rules.map(({ gives }) => gives);
  if (targets.includes('admin')) await setAdmin(tx, userId, { isAdmin: isGiven('admin') });
  const roleNames = [
    ...new Set(targets.flatMap(each => (typeof each === 'object' && 'role' in each ? [each.role] : []))),
  ];
  for (const [role, roleId] of await findRoleIds(tx, roleNames)) {
    await (isGiven({ role }) ? assignRole : unassignRole)(tx, roleId, userId);
  }
  const groupNames = [
    ...new Set(targets.flatMap(each => (typeof each === 'object' && 'group' in each ? [each.group] : []))),
  ];
  for (const { id, name } of await findGroups(tx, groupNames)) {
    if (isGiven({ group: name })) await addAccountMembers(tx, id, [userId]);
    else await removeMembers(tx, id, { only: [userId] });
  }
}

async function findGroups(tx: Db, names: readonly string[]) {
  if (names.length === 0) return [];
  return tx
    .select({ id: groups.id, name: groups.name })
    .from(groups)
    .where(and(eq(groups.kind, GroupKind.account), inArray(groups.name, [...names])));
}

async function setAdmin(tx: Db, userId: number, { isAdmin }: { readonly isAdmin: boolean }): Promise<void> {
  const user = await lockedUser(tx, userId);
  if (isAdmin === (user.role === Role.admin)) return;
  if (!isAdmin) {
    await requireDemotable(tx, user);
    // Data tokens contain the rights that the user had when they were created.
    await endPersonSessionsOf(tx, userId);
  }
  await changeUser(tx, userId, { role: isAdmin ? Role.admin : Role.user });
}
