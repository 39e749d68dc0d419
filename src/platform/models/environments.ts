import type { Hono } from 'hono';
import * as contract from '../../contract/environments.js';
import { sessionKeyOfPrincipal } from '../auth/data-claims.js';
import { pathOfBranch, pathOfDeployment } from '../auth/model-target.js';
import type { Principal } from '../auth/principal.js';
import { isAllowedOnDeployment } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import type { Call } from '../http/mount.js';
import { readPageSelection, showSelectedPage } from '../http/paging.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';
import * as store from './environment-store.js';
import { requireDeployment, requireDeploymentAction } from './require-deployment.js';

type TokenCall = Call<typeof contract.createDeploymentEnvironmentToken>;

const tokenLife = 3600;
/** Maximum length of a security context, in characters of JSON. It is sent in a header of every request. */
const maxContext = 8_000;

/** Mounts the routes for environments of deployments and their Data API tokens (operations.md, Environments). */
export function mountEnvironments(app: Hono, deps: RouteDeps): void {
  mountList(app, deps);
  mountTokens(app, deps);
}

function mountList(app: Hono, deps: RouteDeps): void {
  const { db } = deps;
  const { origin } = new URL(deps.publicUrl);

  serve(
    app,
    contract.getDeploymentEnvironments,
    deps,
    async ({ params, query: { type = null, ...query }, principal }) => {
      const { id } = await requireDeployment(db, principal, params.deploymentId);
      const either = readPageSelection(query);
      const urlOf = (branch: string | null) => {
        const path = branch === null ? pathOfDeployment(id) : pathOfBranch(id, branch);
        return `${origin}${path}${deps.dataApiPath}/v1`;
      };
      // Only callers who can read branches learn who works on which branch.
      const hasDevelopment = isAllowedOnDeployment(principal.rights, 'SchemaRead', id);
      const found = await store.listEnvironments(db, id, { type, hasDevelopment, ...either });
      const shown = found.items.map(environment => ({
        id: String(environment.id),
        type: environment.type,
        branch: environment.branch,
        ...(environment.userId !== null && { user: String(environment.userId) }),
        api_credentials: [{ type: 'rest', version: 1, url: urlOf(environment.branch) }],
      }));
      return showSelectedPage(shown, found, either);
    },
  );
}

function mountTokens(app: Hono, deps: RouteDeps): void {
  const { db, sealedSecrets, tokens } = deps;

  serve(app, contract.getDeploymentEnvironmentTokens, deps, async ({ params, query, principal }) => {
    await requireEnvironment(db, principal, params);
    const either = readPageSelection(query);
    const found = await store.listEnvironmentTokens(db, sealedSecrets, params.environmentId, either);
    const shown = found.items.flatMap(({ token, ...row }) => (token === null ? [] : [show({ ...row, token })]));
    return showSelectedPage(shown, found, either);
  });

  write(app, contract.createDeploymentEnvironmentToken, deps, async (call, tx, target) => {
    const { branch } = await requireEnvironment(tx, call.principal, call.params);
    const { scopes } = call.body;
    const showsSql = scopes?.includes('sql') === true;
    if (showsSql && !call.principal.rights.isAdmin) {
      throw new PlatformError(403, 'The scope "sql" requires an API key or a signed-in user with the admin role.');
    }
    return makeToken(call, tx, { target, branch, scopes: scopes ?? undefined, isDeveloper: showsSql });
  });

  write(app, contract.createDeploymentEnvironmentTokenForMetaSync, deps, async (call, tx, target) => {
    const { branch } = await requireEnvironment(tx, call.principal, call.params);
    if (call.body.scopes?.some(scope => scope !== 'meta')) {
      throw new PlatformError(400, 'body.scopes: must be ["meta"] for a metadata sync token');
    }
    return makeToken(call, tx, { target, branch, scopes: ['meta'], isDeveloper: false });
  });

  async function makeToken(
    { params, body, principal }: Pick<TokenCall, 'params' | 'body' | 'principal'>,
    tx: Db,
    made: Making,
  ) {
    const given = readContext(body.security_context);
    const expiresAt = new Date(Date.now() + (body.expires_in ?? tokenLife) * 1000);
    const securityContext = { ...given, platform: { groups: [], userAttributes: {} } };
    const { branch, scopes, isDeveloper } = made;
    const token = await tokens.signDataToken({
      securityContext,
      deploymentId: params.deploymentId,
      ...(branch !== null && { branchName: branch, environmentId: params.environmentId }),
      embedTenantId: null,
      // The token ends with the session, the API key or the user that created it.
      sessionKey: sessionKeyOfPrincipal(principal),
      expiresAt,
      ...(scopes && { scopes: [...new Set(scopes)] }),
      ...(isDeveloper && { isDeveloper }),
    });
    const row = { environmentId: params.environmentId, securityContext: given, expiresAt };
    const { id, createdAt } = await store.insertEnvironmentToken(tx, sealedSecrets, { ...row, token });
    made.target.tokenId = id;
    return { data: show({ ...row, token, createdAt }) };
  }
}

interface Making {
  /** Target of the audit log entry. */
  readonly target: Record<string, unknown>;
  /** Branch of the environment; `null` for production. */
  readonly branch: string | null;
  readonly scopes: readonly string[] | undefined;
  /** Whether the token allows reading the SQL of queries. */
  readonly isDeveloper: boolean;
}

/**
 * Returns the environment if the caller can manage its tokens. Requires a user of the account and `SecretsManage`,
 * because a caller that chooses the security context can read the rows of any tenant.
 * @throws PlatformError 403, 404
 */
async function requireEnvironment(
  db: Db,
  principal: Principal,
  { deploymentId, environmentId }: { readonly deploymentId: number; readonly environmentId: number },
): Promise<store.StoredEnvironment> {
  const { id } = await requireDeployment(db, principal, deploymentId);
  if (principal.kind === 'embed')
    throw new PlatformError(403, 'This operation requires an API key or a signed-in user.');
  await requireDeploymentAction(db, principal, id, 'SecretsManage');
  const environment = await store.findEnvironment(db, id, environmentId);
  const isHidden = environment?.type === 'development' && !isAllowedOnDeployment(principal.rights, 'SchemaRead', id);
  if (!environment || isHidden) throw notFound('Environment');
  return environment;
}

function readContext(context: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (Object.hasOwn(context, 'platform')) {
    throw new PlatformError(400, 'body.security_context.platform: is reserved; omit it');
  }
  const size = JSON.stringify(context).length;
  if (size <= maxContext) return { ...context };
  throw new PlatformError(400, `body.security_context: has ${size} characters; the limit of a token is ${maxContext}`);
}

function show({
  token,
  securityContext,
  createdAt,
  expiresAt,
}: store.StoredEnvironmentToken & { readonly token: string }) {
  return {
    token,
    security_context: securityContext,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
