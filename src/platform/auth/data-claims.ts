import { type Principal, securityContextOf } from './principal.js';
import { apiKeySessionOf } from './sessions.js';
import type { DataClaims } from './tokens.js';

/** Returns the Data API claims of a caller. The token of an admin has developer rights. */
export function dataClaimsOf(principal: Principal): DataClaims {
  const securityContext = securityContextOf(principal);
  if (principal.kind === 'embed') {
    const { embedTenantId, sessionKey } = principal;
    return { securityContext, embedTenantId, sessionKey };
  }
  const sessionKey = principal.kind === 'person' ? principal.sessionKey : apiKeySessionOf(principal.keyId);
  const claims = { securityContext, embedTenantId: null, sessionKey };
  return principal.rights.isAdmin ? { ...claims, isDeveloper: true } : claims;
}
