import type { Db } from '../db/database.js';
import { Role } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import { Batcher } from '../runtime/batcher.js';
import { createApiKeyFinder } from './api-key-store.js';
import type { ChatPrincipal, ChatTokenPrincipal, EmbedPrincipal, Principal } from './principal.js';
import { adminRights, creatorRights, downloadRights, noRights, type Rights, rightsOf } from './rights.js';
import { hashApiKey } from './secrets.js';
import { createRevokedSessionsFinder, createSessionCheck, type SessionRef } from './sessions.js';
import type { ChatClaims, DataClaims, EmbedClaims, Tokens, Verified } from './tokens.js';
import { createUsersFinder, type StoredUser } from './user-store.js';
import { cacheVerifiedTokens } from './verified-token-cache.js';

/**
 * Finds out who calls; throws PlatformError 401.
 * @param params - of the path, unchecked: for whom may look up the item that is asked for in the same statement.
 */
export type Authenticate<P = Principal> = (request: Request, params?: Readonly<Record<string, string>>) => Promise<P>;

/** What signing in looks things up in. */
export interface AuthenticateDeps {
  readonly db: Db;
  readonly tokens: Tokens;
}

/** Who calls the Data API: whose rows that caller sees, and whether more than rows. */
export type DataPrincipal = Pick<DataClaims, 'securityContext' | 'isDeveloper'>;

/**
 * Finds out who calls the Data API.
 * @param begin - hears of a caller whose token is good while its session is still looked up: work may begin whose answer waits for
 * the promise.
 * @throws PlatformError 403
 */
export type AuthenticateData = (request: Request, begin?: (caller: DataPrincipal) => void) => Promise<DataPrincipal>;

const credential = /^(?:bearer|embed-token|api-key) +(\S+)$/i;

/** What is looked up for every request anew, together with others that come at the same time. */
interface Lookups {
  isRevoked(session: SessionRef): Promise<boolean>;
  findUser(userId: number): Promise<StoredUser | null>;
}

function createLookups(db: Db): Lookups {
  const findUsers = createUsersFinder(db);
  const users = new Batcher<number, StoredUser | null>(async ids => {
    const found = await findUsers([...new Set(ids)]);
    return ids.map(id => found.get(id) ?? null);
  });
  return { isRevoked: createSessionCheck(createRevokedSessionsFinder(db)), findUser: id => users.add(id) };
}

/**
 * Signing in to the Platform API: `Authorization: Bearer`, `Embed-Token` or `Api-Key`, synonyms, with an API key or an embed
 * token (spec 5.2). Access tokens don't exist yet; cookies are never read.
 */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  return authenticateWith(deps, createLookups(deps.db));
}

/**
 * The credential that a request of the Platform API brings along; null where it isn't written as one is.
 * @throws PlatformError 401 where there is none.
 */
export function sentCredential(request: Request): string | null {
  const header = request.headers.get('authorization');
  if (header === null)
    throw new PlatformError(401, 'Send an API key or an embed token: Authorization: Bearer <credential>.');
  return credential.exec(header.trim())?.[1] ?? null;
}

/** What a credential is answered that signs nobody in. */
export function unknownCredential(): PlatformError {
  return new PlatformError(401, 'The credential is unknown, expired or revoked.');
}

/** Whom an embed token stands for whose session holds: the token may be older than a change of the user's role, and the lesser holds. */
export function embedPrincipalOf(claims: Verified<EmbedClaims>, userRole: Role): EmbedPrincipal {
  const { embedTheme: _, role, mayDownload, ...session } = claims;
  const isAdmin = userRole === Role.admin && role === Role.admin;
  return { kind: 'embed', ...session, rights: isAdmin ? adminRights : rightsInSession({ ...session, mayDownload }) };
}

function rightsInSession({ creatorMode, mayDownload }: Pick<EmbedClaims, 'creatorMode' | 'mayDownload'>): Rights {
  if (creatorMode) return creatorRights;
  return mayDownload ? downloadRights : noRights;
}

function authenticateWith({ db, tokens }: AuthenticateDeps, { isRevoked, findUser }: Lookups): Authenticate {
  const verify = cacheVerifiedTokens(tokens.verifyEmbedToken);
  const findKey = createApiKeyFinder(db);
  return async request => {
    const sent = sentCredential(request);
    const principal = sent === null ? null : ((await embedPrincipal(sent)) ?? (await keyPrincipal(sent)));
    if (!principal) throw unknownCredential();
    return principal;
  };

  async function embedPrincipal(token: string): Promise<EmbedPrincipal | null> {
    const claims = await verify(token);
    if (!claims) return null;
    const [revoked, user] = await Promise.all([isRevoked(claims), findUser(claims.userId)]);
    return revoked || !user ? null : embedPrincipalOf(claims, user.role);
  }

  async function keyPrincipal(key: string): Promise<Principal | null> {
    const found = await findKey(hashApiKey(key));
    if (!found) return null;
    const { keyId, userId } = found;
    return { kind: 'api-key', keyId, userId, rights: rightsOf(found.role === Role.admin, found.policies, found.most) };
  }
}

/**
 * Signing in to the Data API: `Authorization: <data token>`, without a scheme (spec 5; errors as in domain facts 3), or with `Bearer`
 * before it, as many clients send every token. Equal tokens give the same frozen object. Whether the session was revoked is looked up for every request.
 */
export function createAuthenticateData({ db, tokens }: AuthenticateDeps): AuthenticateData {
  const verify = cacheVerifiedTokens(tokens.verifyDataToken);
  const isRevoked = createSessionCheck(createRevokedSessionsFinder(db));
  return async (request, begin) => {
    const token = request.headers
      .get('authorization')
      ?.trim()
      .replace(/^bearer +/i, '');
    if (!token) throw new PlatformError(403, "Authorization header isn't set");
    const claims = await verify(token);
    if (!claims) throw new PlatformError(403, 'Invalid token');
    if (!opens(claims, request)) throw new PlatformError(403, 'The scopes of this token don’t open this operation.');
    const revoked = isRevoked(claims);
    begin?.(claims);
    if (await revoked) throw new PlatformError(403, 'Invalid token');
    return claims;
  };
}

/** True for a token whose scopes are enough: what the Data API tells of its model is `meta`, everything else `data`. */
function opens({ scopes }: DataClaims, request: Request): boolean {
  return scopes === undefined || scopes.includes(/\/meta\/*$/.test(new URL(request.url).pathname) ? 'meta' : 'data');
}

/**
 * Signing in to the Chat API (operations.md): as to the Platform API, or with a chat token in `X-Platform-Auth-Token`; where both are
 * sent, `Authorization` alone counts.
 */
export function createAuthenticateChat(deps: AuthenticateDeps): Authenticate<ChatPrincipal> {
  const lookups = createLookups(deps.db);
  const authenticate = authenticateWith(deps, lookups);
  const verify = cacheVerifiedTokens(deps.tokens.verifyChatToken);
  return async request => {
    const token = request.headers.get('x-platform-auth-token');
    if (token === null || request.headers.has('authorization')) return authenticate(request);
    const principal = await chatPrincipal(await verify(token.trim()), lookups);
    if (!principal) throw new PlatformError(401, 'The chat token is unknown, expired or revoked.');
    return principal;
  };
}

async function chatPrincipal(
  claims: Verified<ChatClaims> | null,
  { isRevoked, findUser }: Lookups,
): Promise<ChatTokenPrincipal | null> {
  if (!claims) return null;
  const { sessionKey: _sessionKey, expiresAt: _, ...told } = claims;
  const [revoked, user] = await Promise.all([isRevoked(claims), findUser(told.userId)]);
  return revoked || !user ? null : { kind: 'chat-token', ...told, rights: noRights };
}
