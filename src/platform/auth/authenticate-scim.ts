import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { type Authenticate, readCredential } from './authenticate.js';
import type { ApiKeyPrincipal, ScimPrincipal } from './principal.js';
import { adminRights } from './rights.js';
import { useScimKey } from './scim-key-store.js';
import { hashApiKey } from './secrets.js';

/** Caller of the Provisioning API: a directory, or an administrator with an API key. */
export type ScimCaller = ScimPrincipal | ApiKeyPrincipal;

/** Dependencies of the authentication of the Provisioning API. */
interface ScimDeps {
  readonly db: Db;
  readonly authenticate: Authenticate;
  /** Counts a request of a caller for its rate limit. */
  readonly countRequest: (caller: string) => Promise<void>;
}

/**
 * Creates the authentication of the Provisioning API. SCIM keys are valid only here, because no other authentication
 * looks them up.
 */
export function createAuthenticateScim({ db, authenticate, countRequest }: ScimDeps): Authenticate<ScimCaller> {
  return async request => {
    const credential = readCredential(request);
    const keyId = credential === null ? null : await useScimKey(db, hashApiKey(credential));
    if (keyId !== null) {
      await countRequest(`scim ${keyId}`);
      return { kind: 'scim-key', keyId, userId: null, embedTenantId: null, rights: adminRights };
    }
    const principal = await authenticate(request);
    if (principal.kind === 'api-key' && principal.rights.isAdmin) return principal;
    throw new PlatformError(403, 'This operation requires a SCIM key, or an API key with the admin role.');
  };
}
