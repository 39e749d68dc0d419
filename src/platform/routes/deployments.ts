import type { Hono } from 'hono';
import * as contract from '../../contract/deployments.js';
import { deploymentsAllowed } from '../access/rights.js';
import type { ChatClaims, DataClaims } from '../auth/tokens.js';
import { PlatformError } from '../errors.js';
import type { Principal } from '../principal.js';
import { accountConfig } from '../store/accounts.js';
import * as store from '../store/deployments.js';
import { apiKeySessionOf } from '../store/sessions.js';
import { notFound, requireDeployment, requireDeploymentAction } from './access.js';
import { requireAi } from './chat-access.js';
import { changeSettings, settingsOf } from './deployment-settings.js';
import type { PlatformRoutesDeps } from './deps.js';
import { readEitherPage, showEitherPage } from './either-page.js';
import { serve } from './serve.js';
import { write } from './write.js';

const defaultTokenLife = 86_400;
const maxEmbedTokenLife = 3_600;

/** Deployments, their settings, and the tokens of their Data API and Chat API (spec 4.5; operations.md, Deployments). */
export function mountDeployments(app: Hono, deps: PlatformRoutesDeps): void {
  const { db, tokens } = deps;
  const deploymentUrl = new URL(deps.publicUrl).origin;
  const show = ({ id, name, creationStep }: store.StoredDeployment): contract.Deployment => ({
    id,
    name,
    deploymentUrl,
    creationStep,
  });
  const showSettings = (stored: store.StoredDeployment) => settingsOf(stored, show(stored));

  serve(app, contract.getDeployments, deps, async ({ principal, query: { creationStep, ...query } }) => {
    const either = readEitherPage(query);
    const among =
      principal.kind === 'embed' ? [principal.deploymentId] : deploymentsAllowed(principal.rights, 'DeploymentRead');
    const found = await store.listDeployments(db, { among, creationSteps: creationStep, ...either });
    return showEitherPage(found.items.map(show), found, either);
  });

  serve(app, contract.getDeployment, deps, async ({ params, principal }) =>
    show(await requireDeployment(db, principal, params.deploymentId)),
  );

  serve(app, contract.getDeploymentSettings, deps, async ({ params, principal }) =>
    showSettings(await requireDeploymentAction(db, principal, params.deploymentId, 'DeploymentUpdate')),
  );

  write(app, contract.updateDeployment, deps, async ({ params, body, principal }, tx) => {
    const { id } = await requireDeploymentAction(tx, principal, params.deploymentId, 'DeploymentUpdate');
    const changed = await store.changeDeployment(tx, id, stored => changeSettings(stored, body));
    if (!changed) throw notFound('Deployment');
    return showSettings(changed);
  });

  write(app, contract.deleteDeployment, deps, async ({ params, principal }, tx) => {
    const { id } = await requireDeploymentAction(tx, principal, params.deploymentId, 'DeploymentDelete');
    const outcome = await store.deleteDeployment(tx, id);
    if (outcome === 'missing') throw notFound('Deployment');
    if (outcome === 'last')
      throw new PlatformError(409, 'The last deployment is not deleted: there is no making another.');
    return { success: true };
  });

  serve(app, contract.createDeploymentToken, deps, async ({ params, body, principal }) => {
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
    const claims = { securityContext, embedTenantId: null, sessionKey: apiKeySessionOf(principal.keyId) };
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
