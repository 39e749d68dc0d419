import { isDeepStrictEqual } from 'node:util';
import type { EmbedGrant } from '../../contract/embed-grant.js';
import type { Policy } from '../../contract/policies.js';
import { shownGroups } from '../store/groups.js';
import type { KnownSubject } from '../store/repeated-grants.js';
import { GroupKind, type SessionClaims } from '../store/schema.js';
import { shownValues } from '../store/user-attributes.js';
import { claimsOf, fitToken } from './apply-grant.js';

/**
 * What a session stands for whose grant changes nothing of what is stored: hosts send the same one with every visit. Null for a grant
 * that changes something, may be refused, or has to be looked at more closely: it is to be applied.
 * @param policies - of the roles that the grant names, which are all there.
 */
export function claimsOfRepeated(
  subject: KnownSubject,
  grant: EmbedGrant,
  policies: readonly Policy[],
): SessionClaims | null {
  const isSame = isSameProfile(subject, grant) && areSameMemberships(subject, grant) && areSameValues(subject, grant);
  const defines = [grant.tenantGroupDefinitions, grant.userAttributeDefinitions].some(list => list && list.length > 0);
  if (!isSame || defines) return null;
  const { tenant, user, groups, attributes } = subject;
  const platform = { groups: shownGroups(groups, tenant), userAttributes: shownValues(attributes) };
  const claims = claimsOf({ tenant, user, grant, policies }, platform);
  return fitToken(claims) ? claims : null;
}

function isSameProfile({ tenant, user }: KnownSubject, grant: EmbedGrant): boolean {
  return (
    keeps(tenant.displayName, grant.embedTenantProfile?.displayName) &&
    keeps(user.email, grant.email?.toLowerCase()) &&
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
