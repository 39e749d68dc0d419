import type { EmbedGrant } from '../../contract/embed-grant.js';
import { lowerAscii } from '../../contract/lower-ascii.js';
import type { Policy } from '../../contract/roles.js';
import { isAllowedOnDeployment, rightsOf } from '../auth/rights.js';
import { revokeUserSessions } from '../auth/sessions.js';
import type { StoredUser } from '../auth/user-store.js';
import type { Db } from '../db/database.js';
import { GroupKind, type SessionClaims } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import { retryTransaction } from '../http/serve.js';
import { createPoliciesFinder, findRolePolicies } from '../people/role-store.js';
import {
  attributeValuesOf,
  defineAttributes,
  findAttributes,
  fitsType,
  setAttributeValue,
} from '../settings/user-attribute-store.js';
import { embedUserLimit, ensureEmbedUser, findInternalUser } from './embed-user-store.js';
import { defineTenantGroups, findGroups, type GroupScope, groupNamesOf, replaceMemberships } from './group-store.js';
import { accountName, ensureTenant, type Tenant } from './tenant-store.js';

/** Maximum length of a session's claims in characters. They are sent in a header of every request. */
const maxClaims = 8_000;

/** A validation error in one field of a grant. */
class FieldError extends Error {
  readonly field: keyof EmbedGrant;

  constructor(field: keyof EmbedGrant, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Applies a grant that has passed `checkEmbedGrant`: creates the tenant and user if they are missing, and updates
 * groups and attributes. A rejected grant changes nothing. Values that are already stored are not written again.
 * @param where - path of the grant in the request, for error messages.
 * @param then - runs in the same transaction, with the claims of the session.
 * @throws PlatformError 400 with the name of the field, 403, 404
 */
export async function applyGrant<T>(
  db: Db,
  grant: EmbedGrant,
  where: string,
  then: (tx: Db, claims: SessionClaims) => Promise<T>,
): Promise<T> {
  // If the tenant is deleted concurrently, the retry creates a new one.
  const transaction = () => db.transaction(async tx => then(tx, await apply(tx, grant)));
  return namingFields(where, () => retryTransaction(transaction));
}

/** The fields of a grant that describe an embed user but not a session, as in requests of `provisionEmbedUser`. */
export type EmbedUserGrant = Pick<EmbedGrant, 'email' | 'userProfile' | 'groups' | 'tenantGroups'> & {
  readonly externalId: string;
};

/**
 * Creates or updates an embed user in the same way as a grant, and ends the user's sessions if the user leaves a group.
 * Returns `null` if the account has reached its limit of embed users.
 * @throws PlatformError 400 with the name of the field
 */
export function applyEmbedUser(
  tx: Db,
  tenant: Tenant,
  grant: EmbedUserGrant,
  where: string,
): Promise<StoredUser | null> {
  return namingFields(where, async () => {
    const user = await writeEmbedUser(tx, tenant, grant);
    if (user && (await applyMemberships(tx, tenant, user, grant))) await revokeUserSessions(tx, [user.id]);
    return user;
  });
}

async function namingFields<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FieldError ? new PlatformError(400, `${where}.${error.field}: ${error.message}`) : error;
  }
}

async function apply(tx: Db, grant: EmbedGrant): Promise<SessionClaims> {
  const tenantName = grant.embedTenantName ?? (await accountName(tx));
  const tenant = await ensureTenant(tx, tenantName, grant.embedTenantProfile?.displayName ?? null);
  await applyDefinitions(tx, tenant, grant);
  const user = await resolveUser(tx, tenant, grant);
  await applyMemberships(tx, tenant, user, grant);
  if (grant.userAttributes != null) await applyAttributes(tx, user, grant.userAttributes);
  return settleClaims(tx, { tenant, user, grant, policies: await policiesOf(tx, user, grant) });
}

async function applyDefinitions(tx: Db, tenant: Tenant, grant: EmbedGrant): Promise<void> {
  await defineTenantGroups(tx, tenant, grant.tenantGroupDefinitions ?? []);
  const refused = await defineAttributes(tx, grant.userAttributeDefinitions ?? []);
  if (refused.length > 0) {
    throw new FieldError(
      'userAttributeDefinitions',
      `cannot change the type of ${refused.join(', ')}: it is already defined`,
    );
  }
}

async function resolveUser(tx: Db, tenant: Tenant, grant: EmbedGrant): Promise<StoredUser> {
  if (grant.externalId == null) {
    const internal = await findInternalUser(tx, grant.internalId ?? '');
    if (!internal) throw notFound('Internal user');
    return internal;
  }
  const user = await writeEmbedUser(tx, tenant, { ...grant, externalId: grant.externalId });
  if (!user) throw new PlatformError(403, `The account has reached its limit of ${embedUserLimit} embed users.`);
  return user;
}

function writeEmbedUser(tx: Db, tenant: Tenant, grant: EmbedUserGrant): Promise<StoredUser | null> {
  return ensureEmbedUser(tx, {
    embedTenantId: tenant.id,
    externalId: grant.externalId,
    email: grant.email == null ? null : lowerAscii(grant.email),
    displayName: grant.userProfile?.displayName ?? null,
    picture: grant.userProfile?.picture ?? null,
  });
}

/** Replaces the user's groups of each kind that the grant sets. Returns true if the user was removed from a group. */
async function applyMemberships(
  tx: Db,
  tenant: Tenant,
  user: StoredUser,
  { groups, tenantGroups }: Pick<EmbedGrant, 'groups' | 'tenantGroups'>,
): Promise<boolean> {
  const inAccount = { kind: GroupKind.account };
  const inTenant = { kind: GroupKind.tenant, tenant };
  const leftAccountGroup = groups != null && (await applyGroups(tx, user, inAccount, 'groups', groups));
  const leftTenantGroup = tenantGroups != null && (await applyGroups(tx, user, inTenant, 'tenantGroups', tenantGroups));
  return leftAccountGroup || leftTenantGroup;
}

async function applyGroups(
  tx: Db,
  user: StoredUser,
  scope: GroupScope,
  field: 'groups' | 'tenantGroups',
  names: readonly string[],
): Promise<boolean> {
  const found = await findGroups(tx, scope, names);
  const missing = names.filter(name => !found.has(name));
  if (missing.length > 0) throw new FieldError(field, `Groups with names ${missing.join(', ')} not found`);
  return replaceMemberships(tx, user.id, scope, [...found.values()]);
}

async function applyAttributes(
  tx: Db,
  user: StoredUser,
  values: NonNullable<EmbedGrant['userAttributes']>,
): Promise<void> {
  const known = await findAttributes(
    tx,
    values.map(entry => entry.name),
  );
  const missing = values.filter(entry => !known.has(entry.name)).map(entry => entry.name);
  if (missing.length > 0) throw new FieldError('userAttributes', `User attributes not found: ${missing.join(', ')}`);
  for (const { name, value } of values) {
    const attribute = known.get(name);
    if (!attribute) continue;
    if (value !== null && !fitsType(attribute.type, value)) {
      throw new FieldError('userAttributes', `${name} must be of type ${attribute.type}`);
    }
    await setAttributeValue(tx, user.id, attribute.id, value);
  }
}

/**
 * Returns the policies that determine whether a session can download: those of the granted roles, or those of an
 * internal user.
 */
async function policiesOf(tx: Db, user: StoredUser, grant: EmbedGrant): Promise<readonly Policy[]> {
  if (grant.externalId == null) return (await createPoliciesFinder(tx)([user.id])).get(user.id) ?? [];
  const names = grant.roles ?? [];
  const found = await findRolePolicies(tx, names);
  const missing = names.filter(name => !found.has(name));
  if (missing.length > 0) throw new FieldError('roles', `Roles not found: ${missing.join(', ')}`);
  return [...found.values()].flat();
}

/** A grant and the tenant and user that it was applied to. */
export interface AppliedGrant {
  readonly tenant: Tenant;
  readonly user: StoredUser;
  readonly grant: EmbedGrant;
  /** Policies of the granted roles, or of an internal user. */
  readonly policies: readonly Policy[];
}

async function settleClaims(tx: Db, applied: AppliedGrant): Promise<SessionClaims> {
  const { tenant, user } = applied;
  const claims = claimsOf(applied, {
    groups: await groupNamesOf(tx, user.id, tenant),
    userAttributes: await attributeValuesOf(tx, user.id),
  });
  const size = sizeOf(claims);
  if (size > maxClaims) {
    const message = `has ${size} characters with groups and attributes; the limit of a token is ${maxClaims}`;
    throw new FieldError('securityContext', message);
  }
  return claims;
}

/** Returns the claims of a session whose grant was applied. */
export function claimsOf(
  { tenant, user, grant, policies }: AppliedGrant,
  platform: SessionClaims['securityContext']['platform'],
): SessionClaims {
  const rights = rightsOf(policies, { isAdmin: false, maxRole: null });
  const mayDownload = isAllowedOnDeployment(rights, 'DownloadData', grant.deploymentId);
  return {
    ...(mayDownload && { mayDownload }),
    ...(mayDownload && grant.externalId != null && { downloadRoles: grant.roles ?? [] }),
    userId: user.id,
    role: user.role,
    deploymentId: grant.deploymentId,
    ...(grant.branchName != null && { branchName: grant.branchName }),
    embedTenantId: tenant.id,
    embedTenantName: tenant.name,
    creatorMode: grant.creatorMode === true,
    securityContext: { ...grant.securityContext, platform },
    settings: grant.settings ?? {},
    embedTheme: grant.embedTheme ?? null,
  };
}

/** Returns true if the claims do not exceed the size limit of a token. */
export function fitToken(claims: SessionClaims): boolean {
  return sizeOf(claims) <= maxClaims;
}

const sizeOf = (claims: SessionClaims): number => JSON.stringify(claims).length;
