import { type Principal, securityContextOf } from './principal.js';
import { apiKeySessionOf } from './sessions.js';
import type { DataClaims } from './tokens.js';

/** Returns the Data API claims of a caller on a deployment. The token of an admin has developer rights. */
export function dataClaimsOf(principal: Principal, deploymentId: number): DataClaims {
  const securityContext = securityContextOf(principal);
  if (principal.kind === 'embed') {
    const { embedTenantId, sessionKey, branchName } = principal;
    return {
      securityContext,
      deploymentId,
      ...(branchName !== undefined && { branchName }),
      embedTenantId,
      sessionKey,
    };
  }
  const sessionKey = sessionKeyOfPrincipal(principal);
  const claims = { securityContext, deploymentId, embedTenantId: null, sessionKey };
  return principal.rights.isAdmin ? { ...claims, isDeveloper: true } : claims;
}

/** Returns the key of the caller's session. Tokens with this key end with the session, the API key or the user. */
export function sessionKeyOfPrincipal(principal: Principal): string {
  return principal.kind === 'api-key' ? apiKeySessionOf(principal.keyId) : principal.sessionKey;
}
