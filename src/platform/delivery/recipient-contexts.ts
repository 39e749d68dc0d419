import { createHash } from 'node:crypto';
import { and, eq, inArray, or } from 'drizzle-orm';
import type { Dashboard } from '../../contract/dashboards.js';
import type { JsonObject } from '../../contract/wire.js';
import type { SecurityContext } from '../auth/principal.js';
import { rightsOf } from '../auth/rights.js';
import { findPublishedDashboard } from '../content/dashboards/published-dashboard-store.js';
import { findViewerDashboard } from '../content/dashboards/viewer-dashboards.js';
import type { Db } from '../db/database.js';
import { GroupKind, groupMembers, groups, Role, userAttributes, userAttributeValues } from '../db/schema.js';
import { visibleGroupNames } from '../embed/group-store.js';
import { accountName } from '../embed/tenant-store.js';
import { canReadDeployment } from '../models/require-deployment.js';
import { createPoliciesFinder } from '../people/role-store.js';
import { type AttributeOfUser, effectiveValues } from '../settings/user-attribute-store.js';
import type { ClaimedDelivery } from './run-store.js';

/** The part of a delivery that determines what its recipient may read. */
export type Recipient = Pick<ClaimedDelivery, 'userId' | 'role' | 'embedTenantId' | 'embedTenantName' | 'embed'>;

/** Recipients with the same permissions, who therefore receive the same content. */
export interface RecipientGroup<T extends Recipient> {
  /** Hash of the tenant and the context. Equal for equal permissions. */
  readonly key: string;
  readonly context: SecurityContext;
  readonly recipients: readonly T[];
}

/**
 * Groups recipients by their security context, which is that of a session of the recipient: the grant fields of the
 * recipient, and its groups and attributes. Fields of the recipient replace the stored values of the user.
 */
export async function groupByContext<T extends Recipient>(
  db: Db,
  recipients: readonly T[],
): Promise<RecipientGroup<T>[]> {
  const ids = recipients.flatMap(({ userId }) => userId ?? []);
  const [account, memberships, attributes, accountGroups] = await Promise.all([
    accountName(db),
    findMemberships(db, ids),
    findAttributes(db, ids),
    findAccountGroups(db, recipients),
  ]);
  const byContext = new Map<string, { key: string; context: SecurityContext; recipients: T[] }>();
  for (const recipient of recipients) {
    const own = memberships.get(recipient.userId ?? 0) ?? [];
    const grant = grantOf(recipient);
    const kept = grant.groups === null ? own : own.filter(({ kind }) => kind !== GroupKind.account);
    // A group that was deleted since the recipient was added grants nothing.
    const given = (grant.groups ?? []).filter(name => accountGroups.has(name));
    const inReach = kept.filter(
      ({ kind, embedTenantId }) => kind === GroupKind.account || embedTenantId === recipient.embedTenantId,
    );
    const tenant = { id: recipient.embedTenantId ?? 0, name: recipient.embedTenantName ?? account };
    const named = [...inReach, ...given.map(name => ({ name, kind: GroupKind.account }))];
    const platform = {
      groups: [...new Set(visibleGroupNames(named, tenant))],
      userAttributes: withAttributes(attributes.get(recipient.userId ?? 0) ?? [], grant.userAttributes),
    };
    const context: SecurityContext = { ...grant.securityContext, platform };
    // Content of one tenant must not be rendered for another tenant, even if both may read the same rows.
    const rights = canonicalJson([recipient.embedTenantId, context]);
    const key = createHash('sha256').update(rights).digest('hex');
    const group = byContext.get(key) ?? { key, context, recipients: [] };
    group.recipients.push(recipient);
    byContext.set(key, group);
  }
  return [...byContext.values()];
}

interface RecipientGrant {
  readonly groups: readonly string[] | null;
  readonly userAttributes: readonly { readonly name: string; readonly value: AttributeOfUser['value'] }[];
  readonly securityContext: JsonObject;
}

/** Returns the grant fields of a recipient, which `addRecipients` has checked and stored. */
function grantOf({ embed, embedTenantId, userId }: Recipient): RecipientGrant {
  // Console users have no grant fields.
  const { groups, userAttributes, securityContext } = embedTenantId === null && userId !== null ? {} : (embed ?? {});
  return {
    groups: Array.isArray(groups) ? groups.filter(name => typeof name === 'string') : null,
    userAttributes: Array.isArray(userAttributes) ? (userAttributes as RecipientGrant['userAttributes']) : [],
    securityContext: typeof securityContext === 'object' ? Object(securityContext) : {},
  };
}

function withAttributes(stored: readonly AttributeOfUser[], given: RecipientGrant['userAttributes']): JsonObject {
  const values = new Map(given.map(({ name, value }) => [name, value]));
  return effectiveValues(
    stored.map(row => (values.has(row.name) ? { ...row, value: values.get(row.name) ?? null } : row)),
  );
}

interface Membership {
  readonly name: string;
  readonly kind: GroupKind;
  readonly embedTenantId: number | null;
}

async function findMemberships(db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, Membership[]>> {
  const rows = await db
    .select({
      userId: groupMembers.userId,
      name: groups.name,
      kind: groups.kind,
      embedTenantId: groups.embedTenantId,
    })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .where(
      and(
        inArray(groupMembers.userId, [...userIds]),
        or(eq(groups.kind, GroupKind.account), eq(groups.kind, GroupKind.tenant)),
      ),
    );
  return byUser(rows);
}

/** Returns the attributes of each user with the user's value. */
async function findAttributes(db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, AttributeOfUser[]>> {
  const { id, name, type, defaultValue } = userAttributes;
  const defined = await db.select({ id, name, type, defaultValue }).from(userAttributes).orderBy(name);
  const values = await db
    .select()
    .from(userAttributeValues)
    .where(inArray(userAttributeValues.userId, [...userIds]));
  const known = new Map(values.map(({ userId, attributeId, value }) => [`${userId} ${attributeId}`, value]));
  // 0 represents channels, which have no user.
  return new Map(
    [0, ...userIds].map(userId => [
      userId,
      defined.map(attribute => ({ ...attribute, value: known.get(`${userId} ${attribute.id}`) ?? null })),
    ]),
  );
}

/** Returns the account groups of the recipients that still exist. */
async function findAccountGroups(db: Db, recipients: readonly Recipient[]): Promise<ReadonlySet<string>> {
  const names = [...new Set(recipients.flatMap(recipient => grantOf(recipient).groups ?? []))];
  if (names.length === 0) return new Set();
  const rows = await db
    .select({ name: groups.name })
    .from(groups)
    .where(and(eq(groups.kind, GroupKind.account), inArray(groups.name, names)));
  return new Set(rows.map(({ name }) => name));
}

function byUser<T extends { readonly userId: number }>(rows: readonly T[]): ReadonlyMap<number, T[]> {
  const found = new Map<number, T[]>();
  for (const row of rows) found.set(row.userId, [...(found.get(row.userId) ?? []), row]);
  return found;
}

/**
 * Returns the dashboard as a recipient may read it, by the rules of sessions and API keys: `null` if it is not shared
 * with the recipient's tenant, its embedding is disabled, or the user of the account has no access.
 */
export async function findRecipientDashboard(
  db: Db,
  { userId, role, embedTenantId }: Recipient,
  { deploymentId, publicId }: { readonly deploymentId: number; readonly publicId: string },
): Promise<Dashboard | null> {
  if (embedTenantId !== null || userId === null) {
    // For a channel of the account, access is not checked, because an administrator has chosen the dashboard.
    return findViewerDashboard(db, { deploymentId, userId: userId ?? 0, embedTenantId }, publicId);
  }
  const policies = (await createPoliciesFinder(db)([userId])).get(userId) ?? [];
  const rights = rightsOf(policies, { isAdmin: role === Role.admin, maxRole: null });
  const principal = { kind: 'api-key', keyId: 0, userId, rights } as const;
  if (!canReadDeployment(principal, deploymentId)) return null;
  const found = await findPublishedDashboard(db, principal, publicId);
  if (!found?.isInReach) return null;
  return findViewerDashboard(db, { deploymentId, userId, embedTenantId: null }, publicId);
}

/** Serializes a value as JSON with sorted object keys, so that equal values have equal text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
