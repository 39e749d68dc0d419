import type { Hono } from 'hono';
import * as contract from '../../../contract/oauth-integrations.js';
import type { BodyOf } from '../../../contract/operation.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { Principal } from '../../auth/principal.js';
import { allResources, isAllowed } from '../../auth/rights.js';
import { DatabaseCode, type Db, databaseCode } from '../../db/database.js';
import { notifyVariables } from '../../db/variable-changes.js';
import { PlatformError } from '../../errors.js';
import { notFound, requireManager } from '../../http/access.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, transact, write } from '../../http/serve.js';
import { callbackPath } from './callback-path.js';
import * as store from './integration-store.js';
import { oauthUrlProblem } from './oauth-options.js';

type Body = BodyOf<typeof contract.updateOAuthIntegration>;
/** The keys of `config` that the platform uses. Others are rejected, because they would have no effect. */
const configKeys = ['revocationUrl', 'issuer', 'targetEnvVar'];

/** Mounts the routes for OAuth integrations (operations.md, OAuth Integrations). */
export function mountOAuthIntegrations(app: Hono, deps: RouteDeps): void {
  const { db, sealedSecrets } = deps;

  serve(app, contract.listOAuthIntegrations, deps, async ({ principal }) => {
    requireIntegrations(principal);
    return (await store.listIntegrations(db)).map(show);
  });

  serve(app, contract.getOAuthIntegration, deps, async ({ params, principal }) => {
    requireIntegrations(principal);
    const found = await store.findIntegration(db, params.id);
    if (!found) throw notFound('OAuth integration');
    return show(found);
  });

  serve(app, contract.createOAuthIntegration, deps, async ({ body, principal, request }) => {
    requireIntegrations(principal);
    const content = contentOf(body, deps);
    const dataUserId = content.targetEnvVar === null ? null : dataUserOf(principal);
    const target: JsonObject = {};
    return withUniqueNames(() =>
      transact(db, contract.createOAuthIntegration.id, { principal, request, target }, async tx => {
        const { clientSecret } = body;
        const created = await store.insertIntegration(tx, sealedSecrets, { ...content, dataUserId, clientSecret });
        Object.assign(target, { id: created.id });
        await notifyVariables(tx);
        return show(created);
      }),
    );
  });

  serve(app, contract.updateOAuthIntegration, deps, async ({ params, body, principal, request }) => {
    requireIntegrations(principal);
    const content = contentOf(body, deps);
    const { id } = params;
    const { clientSecret } = body;
    const context = { principal, request, target: { id } };
    return withUniqueNames(() =>
      transact(db, contract.updateOAuthIntegration.id, context, tx =>
        changeIntegration(tx, sealedSecrets, { id, content, clientSecret, principal }),
      ),
    );
  });

  write(app, contract.deleteOAuthIntegration, deps, async ({ params, principal }, tx) => {
    requireIntegrations(principal);
    const stored = await store.lockIntegration(tx, params.id);
    if (!stored) throw notFound('OAuth integration');
    if (stored.targetEnvVar !== null) requireManager(principal);
    await store.deleteIntegration(tx, params.id);
    await notifyVariables(tx);
    return undefined;
  });
}

/** New content of an integration, and who changes it. */
interface IntegrationChange {
  readonly id: number;
  readonly content: ReturnType<typeof contentOf>;
  /** `null` or `undefined` keeps the stored secret. */
  readonly clientSecret?: Body['clientSecret'];
  readonly principal: Principal;
}

/**
 * Changes an integration.
 * @returns the integration as in API responses.
 * @throws PlatformError 400, 403, 404
 */
async function changeIntegration(
  tx: Db,
  sealedSecrets: RouteDeps['sealedSecrets'],
  { id, content, clientSecret = null, principal }: IntegrationChange,
) {
  const stored = await store.lockIntegration(tx, id);
  if (!stored) throw notFound('OAuth integration');
  // Require an administrator, because the tokens of this integration grant access to the data source.
  if (stored.targetEnvVar !== null) requireManager(principal);
  const revocation = (config: JsonObject | null) => store.textIn(config, 'revocationUrl');
  const isOtherService =
    stored.tokenUrl !== content.tokenUrl ||
    stored.clientId !== content.clientId ||
    revocation(stored.config) !== revocation(content.config);
  if (isOtherService && clientSecret === null) {
    throw new PlatformError(400, 'body.clientSecret: is required to change tokenUrl, clientId or config.revocationUrl');
  }
  // The tokens belong to the previous service, and must not be sent to another one.
  if (isOtherService || stored.authUrl !== content.authUrl) await store.deleteTokensOf(tx, id);
  const isSameVariable = content.targetEnvVar === stored.targetEnvVar && stored.dataUserId !== null;
  const ownVariable = () => (content.targetEnvVar === null ? null : dataUserOf(principal));
  const dataUserId = isSameVariable ? stored.dataUserId : ownVariable();
  const changed = await store.changeIntegration(tx, sealedSecrets, id, { ...content, dataUserId, clientSecret });
  await notifyVariables(tx);
  return show(changed);
}

/** Checks that the caller may manage integrations. @throws PlatformError 403 */
function requireIntegrations(principal: Principal): void {
  if (principal.kind !== 'embed' && isAllowed(principal.rights, 'OAuthIntegrationsManage', 'Global', allResources))
    return;
  throw new PlatformError(
    403,
    'This operation requires the admin role or OAuthIntegrationsManage, without an embed session.',
  );
}

/**
 * Returns the user whose token the data source gets: the caller. Requires the admin role, because a token replaces a
 * variable with the same name.
 * @throws PlatformError 403
 */
function dataUserOf(principal: Principal): number {
  requireManager(principal);
  return principal.userId;
}

/** Reads the columns of an integration from a body. @throws PlatformError 400 */
function contentOf({ name, type, clientId, ...body }: Omit<Body, 'clientSecret'>, { publicUrl, oauth }: RouteDeps) {
  const { authUrl, tokenUrl, redirectUri, scopes, config = null } = body;
  const revocationUrl = store.textIn(config, 'revocationUrl');
  const urls = { authUrl, tokenUrl, ...(revocationUrl !== null && { 'config.revocationUrl': revocationUrl }) };
  for (const [field, url] of Object.entries(urls)) {
    const problem = oauthUrlProblem(url, oauth);
    if (problem !== null) throw new PlatformError(400, `body.${field}: ${problem}`);
  }
  const callback = new URL(publicUrl).origin + callbackPath;
  if (redirectUri !== callback) throw new PlatformError(400, `body.redirectUri: must be ${callback}`);
  for (const [key, value] of Object.entries(config ?? {})) {
    if (!configKeys.includes(key)) throw new PlatformError(400, `body.config.${key.slice(0, 100)}: is not supported`);
    if (typeof value !== 'string' || value.length > 2000)
      throw new PlatformError(400, `body.config.${key}: must be text`);
  }
  const targetEnvVar = store.textIn(config, 'targetEnvVar');
  if (targetEnvVar !== null && !/^[A-Z_][A-Z0-9_]{0,127}$/.test(targetEnvVar)) {
    throw new PlatformError(400, 'body.config.targetEnvVar: must be the name of a variable, such as DATABASE_TOKEN');
  }
  return { name, type, clientId, authUrl, tokenUrl, redirectUri, scopes: scopes ?? [], config, targetEnvVar };
}

async function withUniqueNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (databaseCode(error) !== DatabaseCode.uniqueViolation) throw error;
    throw new PlatformError(409, 'Another integration has this name or targetEnvVar.', { cause: error });
  }
}

function show(stored: store.StoredIntegration): contract.OAuthIntegration {
  const { id, name, type, authUrl, tokenUrl, redirectUri, clientId, scopes, config, createdAt, updatedAt } = stored;
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return { id, name, type, authUrl, tokenUrl, redirectUri, clientId, scopes: [...scopes], config, ...times };
}
