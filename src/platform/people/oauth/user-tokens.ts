import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import * as contract from '../../../contract/user-oauth-tokens.js';
import { createPersonSessionFinder, type PersonSession } from '../../auth/person-session-store.js';
import type { Principal } from '../../auth/principal.js';
import { allResources, isAllowed, type Rights, rightsOf } from '../../auth/rights.js';
import type { SealedSecrets } from '../../auth/sealed-secrets.js';
import { sessionKeyOf, takeOnce } from '../../auth/sessions.js';
import type { Db } from '../../db/database.js';
import { Role } from '../../db/schema.js';
import { notifyVariables } from '../../db/variable-changes.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import type { RequestIdEnv } from '../../http/request-id.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, transact } from '../../http/serve.js';
import { readCookie } from '../sign-in/session-cookie.js';
import { lockedUser, ownUser } from '../user-lifecycle.js';
import { callbackPath } from './callback-path.js';
import { findIntegration, lockIntegration, serviceOf, textIn } from './integration-store.js';
import { authorizationUrl, createVerifier, exchangeCode, OAuthError, revokeToken } from './oauth-client.js';
import type { OAuthOptions } from './oauth-options.js';
import * as store from './user-token-store.js';

const maxPendingMs = 10 * 60_000;
const owner = 'oauth authorization';
/** Page to which a callback redirects. A URL from a request is never used for a redirect. */
const page = '/console';

/** An authorization in progress. It is sent to the service as `state`, encrypted. */
interface PendingAuthorization {
  readonly id: string;
  readonly integrationId: number;
  /** Time of the last change of the integration, so that a change ends pending authorizations. */
  readonly revision: string;
  readonly userId: number;
  readonly sessionKey: string;
  readonly verifier: string;
  readonly endsAt: number;
}

/**
 * Returns the user whose tokens the caller manages.
 * @throws PlatformError 403 in embed sessions, including those of users of the account, because a host's page must not
 * change tokens.
 */
async function tokenOwner(db: Db, principal: Principal) {
  if (principal.kind === 'embed') throw new PlatformError(403, 'Embed sessions have no OAuth tokens.');
  return ownUser(db, principal);
}

/** Mounts the routes for the tokens that services have issued to users (operations.md, User OAuth Tokens). */
export function mountUserOAuthTokens(app: Hono, deps: RouteDeps): void {
  const { db, sealedSecrets, oauth } = deps;

  serve(app, contract.listUserOAuthTokens, deps, async ({ principal }) => {
    const { id } = await tokenOwner(db, principal);
    return (await store.listUserTokens(db, id)).map(show);
  });

  serve(app, contract.getUserOAuthToken, deps, async ({ params, principal }) => {
    const { id } = await tokenOwner(db, principal);
    const found = await store.findUserToken(db, id, params.integrationId);
    if (!found) throw notFound('OAuth token');
    return show(found);
  });

  serve(app, contract.revokeUserOAuthToken, deps, async ({ params, principal, request }) => {
    const { id } = await tokenOwner(db, principal);
    const { integrationId } = params;
    const context = { principal, request, target: { integrationId, userId: id } };
    const integration = await findIntegration(db, integrationId);
    const taken = await transact(db, contract.revokeUserOAuthToken.id, context, async tx => {
      const token = await store.takeUserToken(tx, sealedSecrets, id, integrationId);
      if (!token) throw notFound('OAuth token');
      return token;
    });
    const service = integration && serviceOf(sealedSecrets, integration);
    if (!service) return undefined;
    for (const token of [taken.refresh, taken.access]) {
      // The token is deleted here in any case. A service that does not respond must not prevent this.
      if (token !== null) await revokeToken(service, token, oauth).catch(ignoreRejection);
    }
    return undefined;
  });

  serve(app, contract.initiateOAuthFlow, deps, async ({ params, principal }) => {
    if (principal.kind !== 'person' || principal.method === 'issuer') {
      throw new PlatformError(403, 'To authorize an integration, sign in with a browser.');
    }
    if (!mayIssue(principal.rights)) {
      throw new PlatformError(403, 'This operation requires the admin role or OAuthIntegrationsIssueTokens.');
    }
    const integration = await findIntegration(db, params.integrationId);
    const service = integration && serviceOf(sealedSecrets, integration);
    if (!service) throw notFound('OAuth integration');
    const { userId, sessionKey } = principal;
    const verifier = createVerifier();
    const pending: PendingAuthorization = {
      id: randomUUID(),
      integrationId: integration.id,
      revision: integration.updatedAt.toISOString(),
      userId,
      sessionKey,
      verifier,
      endsAt: Date.now() + maxPendingMs,
    };
    const state = sealedSecrets.seal(JSON.stringify(pending), owner);
    return { authorizationUrl: authorizationUrl(service, { state, verifier }) };
  });
}

/** Options of the callback. */
interface OAuthCallbackOptions {
  readonly db: Db;
  readonly sealedSecrets: SealedSecrets;
  readonly oauth: OAuthOptions;
  /** Counts a request of an address. @throws PlatformError 429 */
  readonly countRequest: (caller: string) => Promise<void>;
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** Outcome of an authorization, which the page reads from its URL. */
type Outcome = 'connected' | 'denied' | 'expired' | 'failed';

/**
 * Mounts the address to which services send browsers back. It reads the cookie to recognize the user who started the
 * authorization.
 */
export function oauthCallback({
  db,
  sealedSecrets,
  oauth,
  countRequest,
  onFailure,
}: OAuthCallbackOptions): Hono<RequestIdEnv> {
  const app = new Hono<RequestIdEnv>({ strict: false });
  const findSession = createPersonSessionFinder(db);

  app.get(callbackPath, async context => {
    await countRequest(`oauth ${addressOf(context)}`);
    context.header('referrer-policy', 'no-referrer');
    return context.redirect(`${page}?oauth=${await finish(context)}`, 303);
  });
  return app;

  async function finish(context: Context<RequestIdEnv>): Promise<Outcome> {
    const { searchParams } = new URL(context.req.url);
    const pending = openState(sealedSecrets, searchParams.get('state'));
    const secret = readCookie(context.req.raw);
    // Only the session that started the authorization may complete it. Otherwise, the token would be stored for the
    // wrong user.
    const session =
      pending && secret !== null && sessionKeyOf(secret) === pending.sessionKey
        ? await findSession(pending.sessionKey)
        : null;
    if (!pending || session?.userId !== pending.userId) return 'expired';
    // The user may have lost the right since the authorization started.
    if (!mayConnect(session)) return 'denied';
    if (!(await takeOnce(db, `oauth:${pending.id}`))) return 'expired';
    const code = searchParams.get('code');
    if (code === null) return searchParams.get('error') === 'access_denied' ? 'denied' : 'failed';
    try {
      return await connect(context, pending, { code, issuer: searchParams.get('iss') });
    } catch (error) {
      if (!(error instanceof OAuthError || error instanceof PlatformError)) onFailure(error, context.get('requestId'));
      return 'failed';
    }
  }

  async function connect(
    context: Context<RequestIdEnv>,
    { integrationId, revision, userId, sessionKey, verifier }: PendingAuthorization,
    { code, issuer }: { readonly code: string; readonly issuer: string | null },
  ): Promise<Outcome> {
    const integration = await findIntegration(db, integrationId);
    if (!integration || integration.updatedAt.toISOString() !== revision) return 'expired';
    const expected = textIn(integration.config, 'issuer');
    // Prevents a code of one service from being sent to another one (RFC 9207).
    if (expected !== null && issuer !== expected) return 'failed';
    const service = serviceOf(sealedSecrets, integration);
    if (!service) return 'failed';
    const tokens = await exchangeCode(service, { code, verifier }, oauth);
    const write = { principal: null, request: context.req.raw, target: { integrationId, userId } };
    return transact(db, 'connectOAuthToken', write, async tx => {
      // The user may have lost the right or the session, or the integration changed, while the service responded.
      const user = await lockedUser(tx, userId);
      const current = await lockIntegration(tx, integrationId);
      if (user.deactivatedAt !== null || current?.updatedAt.toISOString() !== revision) return 'expired';
      const session = await createPersonSessionFinder(tx)(sessionKey);
      if (!session || !mayConnect(session)) return 'denied';
      await store.writeUserToken(tx, sealedSecrets, { user: userId, integration: integrationId }, tokens);
      await notifyVariables(tx);
      return 'connected';
    });
  }
}

function mayConnect({ policies, role }: PersonSession): boolean {
  return mayIssue(rightsOf(policies, { isAdmin: role === Role.admin, maxRole: null }));
}

function mayIssue(rights: Rights): boolean {
  return isAllowed(rights, 'OAuthIntegrationsIssueTokens', 'Global', allResources);
}

function openState(secrets: SealedSecrets, state: string | null): PendingAuthorization | null {
  const text = state === null ? null : secrets.open(state, owner);
  const pending: PendingAuthorization | null = text === null ? null : JSON.parse(text);
  return pending && pending.endsAt > Date.now() ? pending : null;
}

function ignoreRejection(error: unknown): void {
  if (!(error instanceof OAuthError)) throw error;
}

function addressOf({ env }: Context<RequestIdEnv>): string {
  // The app is called without `env` if there is no listener, as in tests.
  const origin: RequestIdEnv['Bindings'] | undefined = env;
  return origin?.remoteAddress ?? '';
}

function show(token: store.StoredUserToken): contract.UserOAuthToken {
  const { id, integrationId, userId, accessTokenExpiresAt, refreshTokenExpiresAt, lastError, createdAt, updatedAt } =
    token;
  return {
    id,
    integrationId,
    userId,
    status: statusOf(token),
    accessTokenExpiresAt: accessTokenExpiresAt?.toISOString() ?? null,
    refreshTokenExpiresAt: refreshTokenExpiresAt?.toISOString() ?? null,
    lastError,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function statusOf({ accessTokenExpiresAt, sealedRefreshToken, lastError }: store.StoredUserToken) {
  const isExpired = accessTokenExpiresAt !== null && accessTokenExpiresAt.getTime() <= Date.now();
  if (lastError !== null) return 'error';
  return isExpired && sealedRefreshToken === null ? 'expired' : 'connected';
}
