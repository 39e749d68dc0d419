import type { Hono } from 'hono';
import * as contract from '../../contract/env-variables.js';
import type { Principal } from '../auth/principal.js';
import { isAllowedOnDeployment } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import type { PageRequest } from '../db/keyset.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';
import { findDeployment } from './deployment-store.js';
import * as store from './env-variable-store.js';

const newName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Mounts the routes for the environment variables of deployments (operations.md, Env Variables). */
export function mountEnvVariables(app: Hono, deps: RouteDeps): void {
  const { db, sealedSecrets } = deps;

  serve(app, contract.getEnvVariables, deps, async ({ params, query, principal }) => {
    await requireSecrets(db, principal, params.deploymentId);
    return show(db, params.deploymentId, query, query.search);
  });

  write(app, contract.setEnvVariables, deps, async ({ params, body, principal }, tx, target) => {
    await requireSecrets(tx, principal, params.deploymentId);
    const variables = body.env_variables;
    const names = variables.map(({ name }) => name);
    const known = await store.findVariableNames(tx, params.deploymentId, names);
    for (const [index, { name, value }] of variables.entries()) {
      const problem = problemOf(name, value, { isKnown: known.has(name), isRepeated: names.indexOf(name) !== index });
      if (problem) throw new PlatformError(400, `body.env_variables.${index}.${problem}`);
    }
    await store.writeVariables(tx, sealedSecrets, params.deploymentId, variables);
    target.names = names;
    return show(tx, params.deploymentId, {});
  });

  write(app, contract.deleteEnvVariable, deps, async ({ params, principal }, tx) => {
    await requireSecrets(tx, principal, params.deploymentId);
    if (!(await store.deleteVariable(tx, params.deploymentId, params.name))) throw notFound('Variable');
    return undefined;
  });

  async function show(
    from: Db,
    deploymentId: number,
    page: PageRequest,
    search?: string,
  ): Promise<contract.EnvVariables> {
    const { items, pageInfo } = await store.listVariables(from, sealedSecrets, { deploymentId, search }, page);
    const shown = items.map(({ name, value }) => ({
      name,
      value: value === null || contract.isMaskedName(name) ? contract.maskedValue : value,
    }));
    return { items: shown, data: shown, pageInfo };
  }
}

function problemOf(
  name: string,
  value: string,
  { isKnown, isRepeated }: { readonly isKnown: boolean; readonly isRepeated: boolean },
): string | null {
  if (isRepeated) return 'name: is listed twice';
  if (!isKnown && !newName.test(name)) return 'name: must consist of letters, digits and _, and not start with a digit';
  if (value === contract.maskedValue)
    return `value: ${contract.maskedValue} is the placeholder of a masked value; send the value itself`;
  return null;
}

/**
 * Checks that the caller can read and write variables. Rejects embed sessions, because pages of hosts must not receive
 * them.
 * @throws PlatformError 403, 404
 */
async function requireSecrets(db: Db, principal: Principal, deploymentId: number): Promise<void> {
  const isHolder = isAllowedOnDeployment(principal.rights, 'SecretsManage', deploymentId);
  if (principal.kind === 'embed' || !isHolder) {
    throw new PlatformError(
      403,
      'This operation requires an API key or a signed-in user with SecretsManage on the deployment.',
    );
  }
  if (!(await findDeployment(db, deploymentId))) throw notFound('Deployment');
}
