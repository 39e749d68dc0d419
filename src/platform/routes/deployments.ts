import type { Hono } from 'hono';
import { createDeploymentToken, type Deployment, getDeployment, getDeployments } from '../../contract/deployments.js';
import type { ChatClaims, DataClaims } from '../auth/tokens.js';
import type { Principal } from '../principal.js';
import { accountConfig } from '../store/accounts.js';
import { listDeployments, type StoredDeployment } from '../store/deployments.js';
import { mayReadDeployment, requireDeployment } from './access.js';
import { requireAi } from './chat-access.js';
import type { PlatformRoutesDeps } from './deps.js';
import { pageOfList } from './paging.js';
import { serve } from './serve.js';

const defaultTokenLife = 86_400;
const maxEmbedTokenLife = 3_600;

/** Deployments and the tokens of their Data API and Chat API (spec 4.5). */
export function mountDeployments(app: Hono, deps: PlatformRoutesDeps): void {
  const { db, tokens } = deps;
  const deploymentUrl = new URL(deps.publicUrl).origin;
  const show = ({ id, name, creationStep }: StoredDeployment): Deployment => ({
    id,
    name,
    deploymentUrl,
    creationStep,
  });

  serve(app, getDeployments, deps, async ({ principal, query }) => {
    const all = await listDeployments(db);
    const visible = all.filter(({ id }) => mayReadDeployment(principal, id));
    return pageOfList(visible.map(show), query);
  });

  serve(app, getDeployment, deps, async ({ params, principal }) =>
    show(await requireDeployment(db, principal, params.deploymentId)),
  );

  serve(app, createDeploymentToken, deps, async ({ params, body, principal }) => {
    await requireDeployment(db, principal, params.deploymentId);
    const expiresAt = tokenEnd(principal, body.expiresIn ?? defaultTokenLife);
    if (body.scope == null)
      return { platformApiToken: await tokens.signDataToken({ ...speaksFor(principal), expiresAt }) };
    const claims = { ...chatsAs(principal), ...speaksFor(principal), deploymentId: params.deploymentId };
    requireAi(claims.settings, await accountConfig(db));
    return { platformApiToken: await tokens.signChatToken({ ...claims, expiresAt }) };
  });
}

/** An embed session's token lives 1 h at most and never outlives the embed token. */
function tokenEnd(principal: Principal, seconds: number): Date {
  if (principal.kind === 'api-key') return new Date(Date.now() + seconds * 1000);
  const end = Date.now() + Math.min(seconds, maxEmbedTokenLife) * 1000;
  return new Date(Math.min(end, principal.expiresAt.getTime()));
}

/** An API key speaks for no tenant: its token is in no group and has no attribute. An admin's is a
 * developer's. */
function speaksFor(principal: Principal): DataClaims {
  if (principal.kind === 'api-key') {
    const securityContext = { platform: { groups: [], userAttributes: {} } };
    const claims = { securityContext, embedTenantId: null, sessionKey: null };
    return principal.rights.isAdmin ? { ...claims, isDeveloper: true } : claims;
  }
  const { securityContext, embedTenantId, sessionKey } = principal;
  return { securityContext, embedTenantId, sessionKey };
}

function chatsAs(principal: Principal): Pick<ChatClaims, 'userId' | 'embedTenantId' | 'settings'> {
  const { userId } = principal;
  if (principal.kind === 'api-key') return { userId, embedTenantId: null, settings: {} };
  return { userId, embedTenantId: principal.embedTenantId, settings: principal.settings };
}
