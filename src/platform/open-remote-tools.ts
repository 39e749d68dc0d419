import { and, eq, isNull } from 'drizzle-orm';
import type { RemoteToolCaller, RemoteToolDeps } from './agent/remote-tools/remote-tools.js';
import type { SealedSecrets } from './auth/sealed-secrets.js';
import type { Db } from './db/database.js';
import { oidcTokenConfigs, users } from './db/schema.js';
import { PlatformError } from './errors.js';
import { recordWrite } from './http/audit.js';
import { findIntegration } from './people/oauth/integration-store.js';
import type { OAuthOptions } from './people/oauth/oauth-options.js';
import { accessTokenOf } from './people/oauth/user-token-store.js';
import { issueToken } from './people/oidc-tokens/issue-token.js';

/** Dependencies of the tokens for the tools of other services. */
interface TokenDeps {
  readonly db: Db;
  readonly secrets: SealedSecrets;
  readonly oauth: OAuthOptions;
  /** Origin of the public URL of the platform. */
  readonly origin: string;
}

/** Returns the tokens for the tools of other services, and the audit log of their calls. */
export function remoteToolHooks(deps: TokenDeps): Pick<RemoteToolDeps, 'tokenOf' | 'record'> {
  const { db } = deps;
  return {
    async tokenOf({ name, oauthIntegrationId, oidcTokenConfigId }, caller) {
      if (oauthIntegrationId != null) return userToken(deps, { name, id: oauthIntegrationId }, caller);
      if (oidcTokenConfigId != null) return platformToken(deps, { name, id: oidcTokenConfigId }, caller);
      return null;
    },
    async record({ principal: kind, userId, embedTenantId, deploymentId }, target) {
      const principal = { kind, userId, embedTenantId };
      await recordWrite(db, {
        operation: 'callAgentTool',
        principal,
        target: { ...target, deploymentId },
        requestId: null,
      });
    },
  };
}

/** Returns the token that the user has from an integration. @throws PlatformError 403, 404 */
async function userToken(
  { db, secrets, oauth, origin }: TokenDeps,
  { name, id }: { readonly name: string; readonly id: number },
  { userId }: RemoteToolCaller,
): Promise<string> {
  const token = await accessTokenOf(db, { secrets, options: oauth }, { user: userId, integration: id });
  if (token !== null) return token;
  if (!(await findIntegration(db, id))) {
    throw new PlatformError(404, `${name} is not available, because its OAuth integration was deleted.`);
  }
  if (!(await isAccountUser(db, userId))) {
    throw new PlatformError(403, `${name} requires a token that only users of the account can get.`);
  }
  throw new PlatformError(
    403,
    `You have not authorized ${name} yet, or its token has expired. Open ${origin}/console?authorize=${id} in a browser, sign in, and authorize it. Then send the message again.`,
  );
}

/**
 * Signs a token that identifies the platform, not the user. Users of embed tenants get none, because the service could
 * not distinguish the tenants.
 * @throws PlatformError 403, 404
 */
async function platformToken(
  { db, secrets, origin }: TokenDeps,
  { name, id }: { readonly name: string; readonly id: number },
  { userId }: RemoteToolCaller,
): Promise<string> {
  if (!(await isAccountUser(db, userId))) {
    throw new PlatformError(403, `${name} is available to users of the account only.`);
  }
  const [config] = await db.select().from(oidcTokenConfigs).where(eq(oidcTokenConfigs.id, id));
  if (!config?.isEnabled) {
    throw new PlatformError(404, `${name} is not available, because its token configuration is disabled.`);
  }
  return (await issueToken(db, secrets, origin, { config, component: 'agent' })).token;
}

/** Whether a user belongs to the account. The session of such a user can name an embed tenant too. */
async function isAccountUser(db: Db, userId: number): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, userId), isNull(users.embedTenantId)))) > 0;
}
