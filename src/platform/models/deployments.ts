import { isDeepStrictEqual } from 'node:util';
import type { Hono } from 'hono';
import type { Deployment, DeploymentSettings, updateDeployment } from '../../contract/deployments.js';
import * as contract from '../../contract/deployments.js';
import type { JsonObject } from '../../contract/wire.js';
import { dataClaimsOf } from '../auth/data-claims.js';
import { defaultDeploymentId, pathOfDeployment, requireProduction } from '../auth/model-target.js';
import type { Principal } from '../auth/principal.js';
import { allowedDeployments, allResources, isAllowed } from '../auth/rights.js';
import type { ChatClaims } from '../auth/tokens.js';
import { PlatformError } from '../errors.js';
import { notFound, requireManager } from '../http/access.js';
import type { Call } from '../http/mount.js';
import { readPageSelection, showSelectedPage } from '../http/paging.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, transact, write } from '../http/serve.js';
import { accountConfig, mergeFields, requireAi, withoutNullFields } from '../settings/account-settings.js';
import { requestContentRun } from './content-runs/content-run-store.js';
import type { DeploymentChange, StoredDeployment } from './deployment-store.js';
import * as store from './deployment-store.js';
import { Repositories } from './git/repositories.js';
import { findGitProblem } from './git/run-git.js';
import { requireDeployment, requireDeploymentAction } from './require-deployment.js';

type Changes = Call<typeof updateDeployment>['body'];

/** Maximum length of the settings of a deployment, in characters of JSON. */
const maxCharacters = 64_000;

/** Defaults of settings that are not set. */
const defaults = {
  applyContent: false,
  cloudProvider: 'platformcloud',
  deployBranchMergeAllowed: true,
  deployBranchName: 'main',
  deployBranchReadOnly: false,
  deployProjectRoot: '/',
  isManaged: false,
  isSqlEnabled: true,
  isSupportPreAggregations: false,
  pruneContent: false,
  region: 'local',
  releaseChannel: 'latest',
  template: 'single',
  templateVariables: {},
} as const;

/** Settings whose values would promise what the platform does not do, such as to store data in another region. */
const notEnforced = ['cspsConfig', 'customDomain', 'deployBranchName', 'deployProjectRoot', 'region'] as const;

/**
 * Checks that no setting promises what the platform does not do. Values that an earlier version has stored may be sent
 * again.
 * @throws PlatformError 400 with the name of the field
 */
function refuseIdleSettings(changes: Partial<Changes>, stored: JsonObject = {}): void {
  const current: JsonObject = { ...defaults, ...stored };
  for (const name of notEnforced) {
    const value = changes[name];
    if (value == null || isDeepStrictEqual(value, current[name])) continue;
    if (typeof value === 'object' && !value.enabled) continue;
    throw new PlatformError(400, `body.${name}: is not supported by this platform; omit it`);
  }
}

/** Returns the settings of a deployment, with defaults for unset fields. */
function settingsOf({ settings }: StoredDeployment, deployment: Deployment): DeploymentSettings {
  return { ...defaults, ...settings, ...deployment };
}

/**
 * Merges changes into the settings of a deployment.
 * @throws PlatformError 400 with the name of the field
 */
function changeSettings(
  stored: StoredDeployment,
  { name, templateVariables, releaseChannelVersion, ...changes }: Changes,
  principal: Principal,
): DeploymentChange {
  if (releaseChannelVersion != null) {
    const message = 'is not a version of the channel; the platform runs the installed version';
    throw new PlatformError(400, `body.releaseChannelVersion: ${message}`);
  }
  refuseIdleSettings(changes, stored.settings);
  const settings = mergeFields(stored.settings, {
    ...changes,
    templateVariables: variablesOf(stored, templateVariables),
    ...contentUserOf(stored, changes, principal),
  });
  const size = JSON.stringify(settings).length;
  if (size > maxCharacters) {
    throw new PlatformError(400, `body: the settings would have ${size} characters; the limit is ${maxCharacters}`);
  }
  return { name: name ?? stored.name, settings };
}

/**
 * Returns the user as whom content of the repository is applied, if a request turns this on.
 * @throws PlatformError 403 unless the caller is an administrator, 409 without a repository
 */
function contentUserOf(
  { id }: StoredDeployment,
  { applyContent, pruneContent }: Pick<Changes, 'applyContent' | 'pruneContent'>,
  principal: Principal,
): { readonly contentUserId?: number } {
  if (applyContent !== true && pruneContent !== true) return {};
  requireManager(principal);
  if (id === defaultDeploymentId) {
    throw new PlatformError(
      409,
      'The deployment of --model has no repository whose content could be applied. Use pa-platform apply instead.',
    );
  }
  return applyContent === true ? { contentUserId: principal.userId } : {};
}

function variablesOf(
  { settings }: StoredDeployment,
  changes: JsonObject | null | undefined,
): JsonObject | null | undefined {
  return changes == null ? changes : mergeFields(withoutNullFields(Object(settings.templateVariables)), changes);
}

const defaultTokenLife = 86_400;
const maxEmbedTokenLife = 3_600;

/**
 * Mounts the routes for deployments, their settings and their Data and Chat API tokens (spec 4.5; operations.md,
 * Deployments).
 */
export function mountDeployments(app: Hono, deps: RouteDeps): void {
  const repositories = deps.deploymentsDirectory === null ? null : new Repositories(deps.deploymentsDirectory);
  mountStoredDeployments(app, deps);
  mountLifecycle(app, deps, repositories);
  mountTokens(app, deps, repositories);
}

/** Returns a function that shows a deployment with its URL. */
function deploymentView({ publicUrl }: RouteDeps) {
  const { origin } = new URL(publicUrl);
  return ({ id, name, creationStep }: store.StoredDeployment): contract.Deployment => ({
    id,
    name,
    deploymentUrl: `${origin}${pathOfDeployment(id)}`,
    creationStep,
  });
}

/** Mounts the routes for the list of deployments, and their settings. */
function mountStoredDeployments(app: Hono, deps: RouteDeps): void {
  const { db } = deps;
  const show = deploymentView(deps);
  const showSettings = (stored: store.StoredDeployment) => settingsOf(stored, show(stored));

  serve(app, contract.getDeployments, deps, async ({ principal, query: { creationStep, ...query } }) => {
    const either = readPageSelection(query);
    const among =
      principal.kind === 'embed' ? [principal.deploymentId] : allowedDeployments(principal.rights, 'DeploymentRead');
    const found = await store.listDeployments(db, { among, creationSteps: creationStep, ...either });
    return showSelectedPage(found.items.map(show), found, either);
  });

  serve(app, contract.getDeployment, deps, async ({ params, principal }) =>
    show(await requireDeployment(db, principal, params.deploymentId)),
  );

  serve(app, contract.getDeploymentSettings, deps, async ({ params, principal }) =>
    showSettings(await requireDeploymentAction(db, principal, params.deploymentId, 'DeploymentUpdate')),
  );

  write(app, contract.updateDeployment, deps, async ({ params, body, principal }, tx) => {
    const { id } = await requireDeploymentAction(tx, principal, params.deploymentId, 'DeploymentUpdate');
    const changed = await store.changeDeployment(tx, id, stored => changeSettings(stored, body, principal));
    if (!changed) throw notFound('Deployment');
    if (body.applyContent === true) await requestContentRun(tx, id);
    return showSettings(changed);
  });
}

/** Mounts the routes that create and delete deployments. */
function mountLifecycle(app: Hono, deps: RouteDeps, repositories: Repositories | null): void {
  const { db } = deps;
  const show = deploymentView(deps);

  serve(app, contract.createDeployment, deps, async ({ body, principal, request }) => {
    requireDeploymentCreate(principal);
    refuseIdleSettings({ region: body.region });
    if (!repositories) {
      throw new PlatformError(409, 'Deployments require a data folder. Start the platform with --data.');
    }
    const problem = await findGitProblem();
    if (problem !== null) throw new PlatformError(409, problem);
    const { name, creationStep: _, ...settings } = body;
    const target: JsonObject = {};
    const created = await transact(db, contract.createDeployment.id, { principal, request, target }, async tx => {
      const inserted = await store.insertDeployment(tx, { name, settings: withoutNullFields(settings) });
      // If the transaction fails, the folder and its marker file remain until the next start of the platform.
      await repositories.create(inserted.id, `user ${principal.userId}`);
      target.deploymentId = inserted.id;
      return inserted;
    });
    await repositories.unmark(created.id);
    return show(created);
  });

  serve(app, contract.deleteDeployment, deps, async ({ params, principal, request }) => {
    const { id } = await requireDeploymentAction(db, principal, params.deploymentId, 'DeploymentDelete');
    // Scripts on a host's page can read the tokens of its sessions, including those of administrators.
    if (principal.kind === 'embed') throw new PlatformError(403, 'Embed sessions cannot delete deployments.');
    if (id === defaultDeploymentId) throw new PlatformError(409, 'Cannot delete the deployment of --model.');
    // A folder with a marker file is not served, so that tokens of the deployment cannot read it after a crash.
    await repositories?.mark(id);
    try {
      await transact(db, contract.deleteDeployment.id, { principal, request, target: { ...params } }, async tx => {
        if (!(await store.deleteDeployment(tx, id))) throw notFound('Deployment');
      });
    } catch (error) {
      // The transaction may be committed although its response was lost.
      if (await store.findDeployment(db, id)) await repositories?.unmark(id);
      throw error;
    }
    await deps.forgetDeployment(id);
    await repositories?.remove(id);
    return { success: true };
  });
}

/** Mounts the routes that create tokens for the Data and Chat APIs. */
function mountTokens(app: Hono, deps: RouteDeps, repositories: Repositories | null): void {
  const { db, tokens } = deps;

  serve(app, contract.createDeploymentToken, deps, async call => {
    const { params, body, principal } = call;
    await requireDeployment(db, principal, params.deploymentId);
    const named = body.branchName == null ? {} : { branchName: await requireBranch(call, body.branchName) };
    const expiresAt = tokenEnd(principal, body.expiresIn ?? defaultTokenLife);
    if (body.scope == null) {
      const isAiDisabled = principal.kind === 'embed' && principal.settings.allowAi === false;
      const user = { userId: principal.userId, deploymentId: params.deploymentId };
      const viewer = isAiDisabled ? { ...user, allowAi: false as const } : user;
      const claims = { ...dataClaimsOf(principal, params.deploymentId), ...named, viewer };
      return { platformApiToken: await tokens.signDataToken({ ...claims, expiresAt }) };
    }
    const { branchName, ...dataClaims } = { ...dataClaimsOf(principal, params.deploymentId), ...named };
    requireProduction({ branchName });
    const claims = { ...chatsAs(principal), ...dataClaims, deploymentId: params.deploymentId };
    requireAi(claims.settings, await accountConfig(db));
    return { platformApiToken: await tokens.signChatToken({ ...claims, expiresAt }) };
  });

  /** Returns the name of a branch that the caller may query. @throws PlatformError 403, 404 */
  async function requireBranch(
    { params: { deploymentId }, principal }: Pick<Call<typeof contract.createDeploymentToken>, 'params' | 'principal'>,
    branchName: string,
  ): Promise<string> {
    if (principal.kind === 'embed') {
      if (principal.branchName === branchName) return branchName;
      throw new PlatformError(403, 'body.branchName: an embed session can use only its own branch');
    }
    await requireDeploymentAction(db, principal, deploymentId, 'SchemaRead');
    if (!repositories || deploymentId === defaultDeploymentId) throw notFound('Branch');
    await repositories.find({ deploymentId, branchName });
    return branchName;
  }
}

/** @throws PlatformError 403 */
function requireDeploymentCreate({ kind, rights }: Principal): void {
  const isEnough = (['DeploymentCreate', 'DeploymentsManage'] as const).some(action =>
    isAllowed(rights, action, 'Global', allResources),
  );
  if (kind !== 'embed' && isEnough) return;
  throw new PlatformError(403, 'This operation requires an API key or a signed-in user with DeploymentCreate.');
}

/**
 * Returns the expiry of a token: never later than the expiry of the caller's key, session or embed token and, in an
 * embed session, after 1 h at most.
 */
function tokenEnd({ kind, expiresAt }: Principal, seconds: number): Date {
  const end = Date.now() + (kind === 'embed' ? Math.min(seconds, maxEmbedTokenLife) : seconds) * 1000;
  return new Date(Math.min(end, expiresAt?.getTime() ?? end));
}

function chatsAs(principal: Principal): Pick<ChatClaims, 'userId' | 'embedTenantId' | 'settings'> {
  const { userId } = principal;
  if (principal.kind !== 'embed') return { userId, embedTenantId: null, settings: {} };
  return { userId, embedTenantId: principal.embedTenantId, settings: principal.settings };
}
