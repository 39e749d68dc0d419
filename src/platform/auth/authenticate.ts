import type { Db } from '../db/database.js';
import { Role } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import { Batcher } from '../runtime/batcher.js';
import { createApiKeyFinder } from './api-key-store.js';
import { dataClaimsOf } from './data-claims.js';
import { type CheckDownload, createDownloadCheck } from './download-check.js';
import { subjectOf } from './identity-store.js';
import type { IssuerTokens } from './issuer-tokens.js';
import { branchOfPath, defaultDeploymentId, deploymentOfPath, targetOf } from './model-target.js';
import { createPersonSessionFinder, type PersonSession, startIssuerSession } from './person-session-store.js';
import type { ChatPrincipal, ChatTokenPrincipal, EmbedPrincipal, PersonPrincipal, Principal } from './principal.js';
import {
  adminRights,
  creatorRights,
  downloadRights,
  isAllowedOnDeployment,
  noRights,
  type Rights,
  rightsOf,
} from './rights.js';
import { hashApiKey } from './secrets.js';
import { createRevokedSessionsFinder, createSessionCheck, type SessionRef, sessionKeyOf } from './sessions.js';
import { isEnvironmentServed } from './staging-environment.js';
import type { ChatClaims, DataClaims, EmbedClaims, Tokens, Verified } from './tokens.js';
import { createUsersFinder, type StoredUser } from './user-store.js';
import { cacheVerifiedTokens } from './verified-token-cache.js';

/**
 * Identifies the caller of a request.
 * @param params - path parameters, not validated yet. An implementation may use them to look up the requested item in
 * the same statement.
 * @throws PlatformError 401
 */
export type Authenticate<P = Principal> = (request: Request, params?: Readonly<Record<string, string>>) => Promise<P>;

/** Dependencies of authentication. */
export interface AuthenticateDeps {
  readonly db: Db;
  readonly tokens: Tokens;
  /** Tokens of the configured issuer, which the Platform and Chat API accept; `null` if there is none. */
  readonly issuerTokens?: IssuerTokens | null;
}

/**
 * Caller of the Data API: the security context that filters its rows, whether it may also see generated SQL, the model
 * that it may query, and its identity for the query log.
 */
export type DataPrincipal = Pick<
  DataClaims,
  'securityContext' | 'isDeveloper' | 'viewer' | 'deploymentId' | 'branchName'
> &
  Partial<Pick<DataClaims, 'embedTenantId'>>;

/**
 * Identifies the caller of the Data API.
 * @param begin - called as soon as the token is verified, while the session is still being looked up. It may start
 * work, but the result must not be returned before the promise of this call is fulfilled.
 * @throws PlatformError 403
 */
export type AuthenticateData<P extends DataPrincipal = DataPrincipal> = (
  request: Request,
  begin?: (caller: P) => void,
) => Promise<P>;

const credentialPattern = /^(?:bearer|embed-token|api-key) +(\S+)$/i;

/** Database lookups that every request needs. Concurrent requests share one statement; results are not cached. */
interface Lookups {
  isRevoked(session: SessionRef): Promise<boolean>;
  findUser(userId: number): Promise<StoredUser | null>;
  readonly checkDownload: CheckDownload;
}

function createLookups(db: Db): Lookups {
  const findUsers = createUsersFinder(db);
  const users = new Batcher<number, StoredUser | null>(async ids => {
    const found = await findUsers([...new Set(ids)]);
    return ids.map(id => found.get(id) ?? null);
  });
  return {
    isRevoked: createSessionCheck(createRevokedSessionsFinder(db)),
    findUser: id => users.add(id),
    checkDownload: createDownloadCheck(db),
  };
}

/**
 * Creates the authentication of the Platform API with an API key, an embed token, the token of a signed-in user, or a
 * token of the configured issuer (spec 5.2). The schemes `Bearer`, `Embed-Token` and `Api-Key` of the header
 * `Authorization` are synonyms. Cookies are never read.
 */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  return authenticateWith(deps, createLookups(deps.db));
}

/**
 * Reads the credential of a Platform API request; returns `null` if the `Authorization` header is malformed.
 * @throws PlatformError 401 if the header is missing.
 */
export function readCredential(request: Request): string | null {
  const header = request.headers.get('authorization');
  if (header === null) throw new PlatformError(401, 'Send an API key or a token: Authorization: Bearer <credential>.');
  return credentialPattern.exec(header.trim())?.[1] ?? null;
}

/** Returns the error for a credential that does not authenticate the caller. */
export function invalidCredential(): PlatformError {
  return new PlatformError(401, 'The credential is unknown, expired or revoked.');
}

/**
 * Converts the claims of an embed token into a principal. The user's role may have changed since the token was created,
 * so both the token and the user must have the admin role.
 * @param claims - with the current value of `mayDownload`.
 */
export function embedPrincipalOf(claims: Verified<EmbedClaims>, userRole: Role): EmbedPrincipal {
  const { embedTheme: _, role, mayDownload, downloadRoles: _roles, ...session } = claims;
  const isAdmin = userRole === Role.admin && role === Role.admin;
  return { kind: 'embed', ...session, rights: isAdmin ? adminRights : rightsInSession({ ...session, mayDownload }) };
}

function personPrincipalOf({ role, policies, ...session }: PersonSession): PersonPrincipal {
  return { kind: 'person', ...session, rights: rightsOf(policies, { isAdmin: role === Role.admin, maxRole: null }) };
}

function rightsInSession({ creatorMode, mayDownload }: Pick<EmbedClaims, 'creatorMode' | 'mayDownload'>): Rights {
  if (creatorMode) return creatorRights;
  return mayDownload ? downloadRights : noRights;
}

function authenticateWith(
  { db, tokens, issuerTokens }: AuthenticateDeps,
  { isRevoked, findUser, checkDownload }: Lookups,
): Authenticate {
  const verify = cacheVerifiedTokens(tokens.verifyEmbedToken);
  const verifyAccess = cacheVerifiedTokens(tokens.verifyAccessToken);
  const findKey = createApiKeyFinder(db);
  const findSession = createPersonSessionFinder(db);
  return async request => {
    const credential = readCredential(request);
    const principal =
      credential === null
        ? null
        : ((await embedPrincipal(credential)) ??
          (await personPrincipal(credential)) ??
          (await issuerPrincipal(credential)) ??
          (await keyPrincipal(credential)));
    if (!principal) throw invalidCredential();
    return principal;
  };

  async function embedPrincipal(token: string): Promise<EmbedPrincipal | null> {
    const claims = await verify(token);
    if (!claims) return null;
    const [revoked, user, mayDownload] = await Promise.all([
      isRevoked(claims),
      findUser(claims.userId),
      checkDownload(claims),
    ]);
    return revoked || !user ? null : embedPrincipalOf({ ...claims, mayDownload }, user.role);
  }

  async function personPrincipal(token: string): Promise<PersonPrincipal | null> {
    const claims = await verifyAccess(token);
    const session = claims && (await findSession(claims.sessionKey));
    return session?.userId === claims?.userId ? session && personPrincipalOf(session) : null;
  }

  async function issuerPrincipal(token: string): Promise<PersonPrincipal | null> {
    const claims = await issuerTokens?.verify(token);
    const subject = claims && subjectOf(claims.iss, claims);
    if (!subject) return null;
    // Several strings can encode the same signature. The signed part identifies the token.
    const key = sessionKeyOf(token.slice(0, token.lastIndexOf('.')));
    const expiresAt = new Date(claims.exp * 1000);
    const session =
      (await findSession(key)) ??
      ((await startIssuerSession(db, key, { subject, expiresAt })) ? await findSession(key) : null);
    return session && personPrincipalOf(session);
  }

  async function keyPrincipal(key: string): Promise<Principal | null> {
    const found = await findKey(hashApiKey(key));
    if (!found) return null;
    const { keyId, userId, expiresAt } = found;
    return {
      kind: 'api-key',
      keyId,
      userId,
      ...(expiresAt && { expiresAt }),
      rights: rightsOf(found.policies, { isAdmin: found.role === Role.admin, maxRole: found.maxRole }),
    };
  }
}

/**
 * Creates the authentication of the Data API: `Authorization: <data token>`, without a scheme (spec 5; errors as in
 * domain.md 3), or with the scheme `Bearer`, which many clients add to every token. Equal tokens return the same
 * frozen object. Every request checks whether the session was revoked.
 * @param isAllowed - decides whether a token allows a request. By default, the deployment of the token must be the one
 * in the path, and its scopes must allow the operation.
 */
export function createAuthenticateData(
  { db, tokens }: AuthenticateDeps,
  isAllowed: (claims: DataClaims, request: Request) => boolean = isAllowedAtPath,
): AuthenticateData<DataClaims> {
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
    if (!isAllowed(claims, request))
      throw new PlatformError(403, 'The scopes of this token don’t allow this operation.');
    const { pathname } = new URL(request.url);
    const checks = Promise.all([isRevoked(claims), isEnvironmentServed(db, claims, pathname)]);
    begin?.(claims);
    const [revoked, isServed] = await checks;
    if (revoked) throw new PlatformError(403, 'Invalid token');
    if (!isServed) throw new PlatformError(404, 'The branch has no staging environment.');
    return claims;
  };
}

/** Scope of tokens for the model of the platform's own usage. No other operation accepts them. */
export const usageScope = 'usage';

/**
 * Creates the authentication of the Data API over the platform's own usage: a data token with only the scope `usage`,
 * whose user is an administrator at the time of the request.
 */
export function createAuthenticateUsage(deps: AuthenticateDeps): AuthenticateData<DataClaims> {
  const authenticate = createAuthenticateData(deps, isUsageToken);
  const { findUser } = createLookups(deps.db);
  return async request => {
    const claims = await authenticate(request);
    const user = claims.viewer ? await findUser(claims.viewer.userId) : null;
    if (user?.role !== Role.admin) throw new PlatformError(403, 'Only administrators can read usage analytics.');
    return claims;
  };
}

function isUsageToken({ scopes }: DataClaims): boolean {
  return scopes?.includes(usageScope) === true;
}

/**
 * Creates the authentication of the MCP endpoint: a data token for the deployment, or the token of a signed-in person
 * or of the configured issuer, whose user may read the folder deployment.
 */
export function createAuthenticateMcp(deps: AuthenticateDeps, authenticate: Authenticate): Authenticate<DataClaims> {
  const authenticateData = createAuthenticateData(deps, claims => !isUsageToken(claims));
  return async request => {
    try {
      return await authenticateData(request);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.status !== 403 || !request.headers.has('authorization'))
        throw error;
    }
    const principal = await authenticate(request);
    const deploymentId = defaultDeploymentId;
    const mayRead = isAllowedOnDeployment(principal.rights, 'DeploymentRead', deploymentId);
    if (principal.kind !== 'person' || !mayRead) throw invalidCredential();
    return { ...dataClaimsOf(principal, deploymentId), viewer: { userId: principal.userId, deploymentId } };
  };
}

/**
 * Returns whether the scopes of a token include `meta` for metadata of the model, or `data` for every other operation.
 * @throws PlatformError 403 if the path is not that of the token's deployment, or that of another branch.
 */
function isAllowedAtPath(claims: DataClaims, request: Request): boolean {
  const { pathname } = new URL(request.url);
  const { deploymentId, branchName } = targetOf(claims);
  const branch = branchOfPath(pathname);
  if (deploymentOfPath(pathname) !== deploymentId) throw new PlatformError(403, 'Invalid token');
  if (branch !== null && branch !== branchName) throw new PlatformError(403, 'Invalid token');
  return claims.scopes === undefined || claims.scopes.includes(/\/meta\/*$/.test(pathname) ? 'meta' : 'data');
}

/**
 * Creates the authentication of the Chat API (operations.md): as in the Platform API, or with a chat token in
 * `X-Platform-Auth-Token`. If a request has both, only `Authorization` is used.
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
  const { sessionKey: _sessionKey, expiresAt: _, ...identity } = claims;
  const [revoked, user] = await Promise.all([isRevoked(claims), findUser(identity.userId)]);
  return revoked || !user ? null : { kind: 'chat-token', ...identity, rights: noRights };
}
