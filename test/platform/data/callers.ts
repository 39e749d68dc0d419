import type { SecurityContext } from '../../../src/platform/auth/principal.js';

/** Returns the security context of a caller with these keys of the grant, groups and user attributes. */
export function caller(
  keys: object = {},
  groups: string[] = [],
  userAttributes: Record<string, unknown> = {},
): SecurityContext {
  return { ...keys, platform: { groups, userAttributes } };
}

/** Returns the security context of a caller of a tenant. */
export const tenantCaller = (tenant: string, ...groups: string[]): SecurityContext => caller({ tenant }, groups);
