import { isDeepStrictEqual } from 'node:util';
import { and, eq, sql } from 'drizzle-orm';
import type { EmbedGrant } from '../../contract/embed-grant.js';
import { lowerAscii } from '../../contract/lower-ascii.js';
import type { Policy } from '../../contract/roles.js';
import type { Db } from '../db/database.js';
import {
  accounts,
  deployments,
  embedTenants,
  GroupKind,
  groupMembers,
  groups,
  type Role,
  type SessionClaims,
  userAttributes,
  userAttributeValues,
  users,
} from '../db/schema.js';
import { type AttributeOfUser, effectiveValues } from '../settings/user-attribute-store.js';
import { claimsOf, fitToken } from './apply-grant.js';
import { visibleGroupNames } from './group-store.js';

/** The user and deployment of a session to mint. */
export interface GrantSubject {
  /** `null` means the tenant with the account's name. */
  readonly embedTenantName: string | null;
  readonly externalId: string;
  readonly deploymentId: number;
}

/** An existing embed user with all data that a grant can change. */
export interface KnownSubject {
  readonly tenant: { readonly id: number; readonly name: string; readonly displayName: string | null };
  readonly user: {
    readonly id: number;
    readonly role: Role;
    readonly email: string | null;
    readonly displayName: string | null;
    readonly picture: string | null;
  };
  /** The user's groups in the account and in the tenant. */
  readonly groups: readonly { readonly name: string; readonly kind: GroupKind }[];
  /** All attributes, ordered by name, with the user's values. */
  readonly attributes: readonly AttributeOfUser[];
}

const requested = {
  place: sql<number>`requested.place::integer`,
  tenantName: sql<string>`coalesce(requested.tenant_name, (select ${accounts.name} from ${accounts} limit 1))`,
  externalId: sql<string>`requested.external_id`,
  deploymentId: sql<number>`requested.deployment_id`,
} as const;
const subjects = sql`unnest(${sql.placeholder('tenantNames')}::text[], ${sql.placeholder('externalIds')}::text[],
  ${sql.placeholder('deploymentIds')}::bigint[]) with ordinality as requested(tenant_name, external_id, deployment_id, place)`;

const literal = (text: string) => sql.raw(`'${text}'`);

const groupsOfUser = sql<KnownSubject['groups']>`(
  select coalesce(json_agg(json_build_object('name', ${groups.name}, 'kind', ${groups.kind})), '[]')
  from ${groupMembers} join ${groups} on ${groups.id} = ${groupMembers.groupId}
  where ${groupMembers.userId} = ${users.id} and (${groups.kind} = ${literal(GroupKind.account)}
    or ${groups.kind} = ${literal(GroupKind.tenant)} and ${groups.embedTenantId} = ${embedTenants.id}))`;

const attributesOfUser = sql<KnownSubject['attributes']>`(
  select coalesce(json_agg(json_build_object('name', ${userAttributes.name}, 'type', ${userAttributes.type},
    'defaultValue', ${userAttributes.defaultValue}, 'value', ${userAttributeValues.value}) order by ${userAttributes.name}), '[]')
  from ${userAttributes} left join ${userAttributeValues} on ${userAttributeValues.attributeId} = ${userAttributes.id}
    and ${userAttributeValues.userId} = ${users.id})`;

/**
 * Returns a function that finds, for a batch of grants, embed users with all data that a grant can change. It uses a
 * prepared statement, which the server plans once per connection. The result contains `null` if the tenant, user or
 * deployment does not exist.
 */
export function createKnownSubjectsFinder(
  db: Db,
): (list: readonly GrantSubject[]) => Promise<readonly (KnownSubject | null)[]> {
  const { id, name, displayName } = embedTenants;
  const statement = db
    .select({
      place: requested.place,
      tenant: { id, name, displayName },
      user: {
        id: users.id,
        role: users.role,
        email: users.email,
        displayName: users.displayName,
        picture: users.picture,
      },
      groups: groupsOfUser,
      attributes: attributesOfUser,
    })
    .from(subjects)
    .innerJoin(embedTenants, eq(name, requested.tenantName))
    .innerJoin(users, and(eq(users.embedTenantId, id), eq(users.externalId, requested.externalId)))
    .innerJoin(deployments, eq(deployments.id, requested.deploymentId))
    .prepare('find_known_subjects');
  return async list => {
    const rows = await statement.execute({
      tenantNames: list.map(({ embedTenantName }) => embedTenantName),
      externalIds: list.map(({ externalId }) => externalId),
      deploymentIds: list.map(({ deploymentId }) => deploymentId),
    });
    const known: (KnownSubject | null)[] = list.map(() => null);
    for (const { place, ...subject } of rows) known[place - 1] = subject;
    return known;
  };
}

/**
 * Returns the claims of a grant that does not change stored data, which is common because hosts send the same grant
 * with every visit. Returns `null` if the grant changes something, may be rejected, or defines groups or attributes;
 * the grant must then be applied.
 * @param policies - policies of the roles in the grant. All these roles exist.
 */
export function claimsOfUnchangedGrant(
  subject: KnownSubject,
  grant: EmbedGrant,
  policies: readonly Policy[],
): SessionClaims | null {
  const isSame = isSameProfile(subject, grant) && areSameMemberships(subject, grant) && areSameValues(subject, grant);
  const defines = [grant.tenantGroupDefinitions, grant.userAttributeDefinitions].some(list => list && list.length > 0);
  if (!isSame || defines) return null;
  const { tenant, user, groups, attributes } = subject;
  const platform = { groups: visibleGroupNames(groups, tenant), userAttributes: effectiveValues(attributes) };
  const claims = claimsOf({ tenant, user, grant, policies }, platform);
  return fitToken(claims) ? claims : null;
}

function isSameProfile({ tenant, user }: KnownSubject, grant: EmbedGrant): boolean {
  return (
    keeps(tenant.displayName, grant.embedTenantProfile?.displayName) &&
    keeps(user.email, grant.email && lowerAscii(grant.email)) &&
    keeps(user.displayName, grant.userProfile?.displayName) &&
    keeps(user.picture, grant.userProfile?.picture)
  );
}

function keeps(stored: string | null, given: string | null | undefined): boolean {
  return given == null || given === stored;
}

function areSameMemberships({ groups }: KnownSubject, grant: EmbedGrant): boolean {
  const areSame = (kind: GroupKind, names: readonly string[] | null | undefined) => {
    if (names == null) return true;
    const stored = groups.filter(group => group.kind === kind).map(({ name }) => name);
    const given = new Set(names);
    return stored.length === given.size && stored.every(name => given.has(name));
  };
  return areSame(GroupKind.account, grant.groups) && areSame(GroupKind.tenant, grant.tenantGroups);
}

function areSameValues({ attributes }: KnownSubject, { userAttributes }: EmbedGrant): boolean {
  if (userAttributes == null) return true;
  const stored = new Map(attributes.map(({ name, value }) => [name, value]));
  return userAttributes.every(({ name, value }) => stored.has(name) && isDeepStrictEqual(stored.get(name), value));
}
