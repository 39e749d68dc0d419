import { and, eq, sql } from 'drizzle-orm';
import type { Db } from './database.js';
import {
  accounts,
  deployments,
  embedTenants,
  GroupKind,
  groupMembers,
  groups,
  type Role,
  userAttributes,
  userAttributeValues,
  users,
} from './schema.js';
import type { AttributeOfUser } from './user-attributes.js';

/** For whom a session is to be minted, and where. */
export interface GrantSubject {
  /** Null for the tenant of the account's own name. */
  readonly embedTenantName: string | null;
  readonly externalId: string;
  readonly deploymentId: number;
}

/** An embed user that is there, with all that a grant could change of it. */
export interface KnownSubject {
  readonly tenant: { readonly id: number; readonly name: string; readonly displayName: string | null };
  readonly user: {
    readonly id: number;
    readonly role: Role;
    readonly email: string | null;
    readonly displayName: string | null;
    readonly picture: string | null;
  };
  /** The groups of the account and of the tenant that the user is in. */
  readonly groups: readonly { readonly name: string; readonly kind: GroupKind }[];
  /** All attributes by name, with the user's values. */
  readonly attributes: readonly AttributeOfUser[];
}

const asked = {
  place: sql<number>`asked.place::integer`,
  tenantName: sql<string>`coalesce(asked.tenant_name, (select ${accounts.name} from ${accounts} limit 1))`,
  externalId: sql<string>`asked.external_id`,
  deploymentId: sql<number>`asked.deployment_id`,
} as const;
const subjects = sql`unnest(${sql.placeholder('tenantNames')}::text[], ${sql.placeholder('externalIds')}::text[],
  ${sql.placeholder('deploymentIds')}::bigint[]) with ordinality as asked(tenant_name, external_id, deployment_id, place)`;

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
 * Finds embed users with all that a grant could change of them, for grants that come together, in one statement that the server plans
 * once a connection. Null where tenant, user or deployment is not there.
 */
export function knownSubjectsFinder(
  db: Db,
): (list: readonly GrantSubject[]) => Promise<readonly (KnownSubject | null)[]> {
  const { id, name, displayName } = embedTenants;
  const statement = db
    .select({
      place: asked.place,
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
    .innerJoin(embedTenants, eq(name, asked.tenantName))
    .innerJoin(users, and(eq(users.embedTenantId, id), eq(users.externalId, asked.externalId)))
    .innerJoin(deployments, eq(deployments.id, asked.deploymentId))
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
