import type { SecurityContext } from '../data/semantic-model.js';
import { PlatformError } from '../errors.js';
import type { Authenticate } from '../mount.js';
import type { ChatPrincipal, ChatTokenPrincipal, EmbedPrincipal, Principal } from '../principal.js';
import { findApiKey } from '../store/api-keys.js';
import type { Db } from '../store/database.js';
import { isSessionRevoked, revokedSessionsFinder } from '../store/sessions.js';
import { findUser } from '../store/users.js';
import { rememberVerified } from './remember-verified.js';
import { createRevocationCheck } from './revocation-check.js';
import { hashApiKey } from './secrets.js';
import type { Tokens } from './tokens.js';

/** What signing in looks things up in. */
export interface AuthenticateDeps {
  readonly db: Db;
  readonly tokens: Tokens;
}

/**
 * Who calls the Data API, and whose rows that caller sees.
 * @param begin - hears of a caller whose token is good while its session is still looked up: work may begin whose answer waits for
 * the promise.
 * @throws PlatformError 403
 */
export type AuthenticateData = (
  request: Request,
  begin?: (context: SecurityContext) => void,
) => Promise<SecurityContext>;

const credential = /^(?:bearer|embed-token|api-key) +(\S+)$/i;

/**
 * Signing in to the Platform API: `Authorization: Bearer`, `Embed-Token` or `Api-Key`, synonyms, with an API key or an embed
 * token (spec 5.2). Access tokens don't exist yet; cookies are never read.
 */
export function createAuthenticate({ db, tokens }: AuthenticateDeps): Authenticate {
  return async request => {
    const header = request.headers.get('authorization');
    if (header === null)
      throw new PlatformError(401, 'Send an API key or an embed token: Authorization: Bearer <credential>.');
    const sent = credential.exec(header.trim())?.[1];
    const principal = sent === undefined ? null : ((await embedPrincipal(sent)) ?? (await keyPrincipal(sent)));
    if (!principal) throw new PlatformError(401, 'The credential is unknown, expired or revoked.');
    return principal;
  };

  async function embedPrincipal(token: string): Promise<EmbedPrincipal | null> {
    const claims = await tokens.verifyEmbedToken(token);
    if (!claims) return null;
    const [revoked, user] = await Promise.all([isSessionRevoked(db, claims.sessionKey), findUser(db, claims.userId)]);
    if (revoked || !user) return null;
    const { embedTheme: _, ...session } = claims;
    // The token may be older than a change of the user's role: the lesser of the two holds.
    const role = user.role === 'admin' ? session.role : 'user';
    return { kind: 'embed', ...session, role };
  }

  async function keyPrincipal(key: string): Promise<Principal | null> {
    const owner = await findApiKey(db, hashApiKey(key));
    return owner && { kind: 'api-key', ...owner };
  }
}

/**
 * Signing in to the Data API: `Authorization: <data token>`, without a scheme (spec 5; errors as in domain facts 3). Equal tokens
 * give the same frozen object. Whether the session was revoked is looked up for every request.
 */
export function createAuthenticateData({ db, tokens }: AuthenticateDeps): AuthenticateData {
  const verify = rememberVerified(tokens.verifyDataToken);
  const isRevoked = createRevocationCheck(revokedSessionsFinder(db));
  return async (request, begin) => {
    const token = request.headers.get('authorization')?.trim();
    if (!token) throw new PlatformError(403, "Authorization header isn't set");
    const claims = await verify(token);
    if (!claims) throw new PlatformError(403, 'Invalid token');
    const revoked = claims.sessionKey === null ? false : isRevoked(claims.sessionKey);
    begin?.(claims.securityContext);
    if (await revoked) throw new PlatformError(403, 'Invalid token');
    return claims.securityContext;
  };
}

/**
 * Signing in to the Chat API (operations.md): as to the Platform API, or with a chat token in `X-Platform-Auth-Token`; where both are
 * sent, `Authorization` alone counts.
 */
export function createAuthenticateChat(deps: AuthenticateDeps): Authenticate<ChatPrincipal> {
  const authenticate = createAuthenticate(deps);
  return async request => {
    const token = request.headers.get('x-platform-auth-token');
    if (token === null || request.headers.has('authorization')) return authenticate(request);
    const principal = await chatTokenPrincipal(deps, token.trim());
    if (!principal) throw new PlatformError(401, 'The chat token is unknown, expired or revoked.');
    return principal;
  };
}

async function chatTokenPrincipal({ db, tokens }: AuthenticateDeps, token: string): Promise<ChatTokenPrincipal | null> {
  const claims = await tokens.verifyChatToken(token);
  if (!claims) return null;
  const { sessionKey, expiresAt: _, ...told } = claims;
  const [revoked, user] = await Promise.all([
    sessionKey === null ? false : isSessionRevoked(db, sessionKey),
    findUser(db, told.userId),
  ]);
  return revoked || !user ? null : { kind: 'chat-token', ...told, role: 'user' };
}
