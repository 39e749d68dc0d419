import { eq } from 'drizzle-orm';
import type { AgentToolServer } from '../../contract/agents.js';
import { toolServerProblem } from '../agent/remote-tools/tool-server-options.js';
import type { Principal } from '../auth/principal.js';
import type { Db } from '../db/database.js';
import { oidcTokenConfigs } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import { requireManager } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { findIntegration } from '../people/oauth/integration-store.js';

/**
 * Checks the services that a body sets or removes. Only administrators may do so, because the agent sends them the
 * questions and tokens of its users.
 * @throws PlatformError 400, 403
 */
export async function requireToolServers(
  tx: Db,
  principal: Principal,
  servers: readonly AgentToolServer[] | null | undefined,
  { agentTools }: RouteDeps,
): Promise<void> {
  if (servers === undefined) return;
  requireManager(principal);
  const names = (servers ?? []).map(({ name }) => name);
  if (new Set(names).size < names.length) throw new PlatformError(400, 'body.toolServers: names must be unique');
  for (const [index, { url }] of (servers ?? []).entries()) {
    const problem = toolServerProblem(url, agentTools);
    if (problem !== null) throw new PlatformError(400, `body.toolServers.${index}.url: ${problem}`);
  }
  await requireTokenSources(tx, servers ?? []);
}

/**
 * Checks that the integration or token configuration of each service exists.
 * @throws PlatformError 400
 */
async function requireTokenSources(db: Db, servers: readonly AgentToolServer[]): Promise<void> {
  for (const [index, { oauthIntegrationId, oidcTokenConfigId }] of servers.entries()) {
    const field = `body.toolServers.${index}`;
    if (oauthIntegrationId != null && oidcTokenConfigId != null) {
      throw new PlatformError(400, `${field}: set either oauthIntegrationId or oidcTokenConfigId`);
    }
    if (oauthIntegrationId != null && !(await findIntegration(db, oauthIntegrationId))) {
      throw new PlatformError(400, `${field}.oauthIntegrationId: the integration does not exist`);
    }
    if (oidcTokenConfigId == null) continue;
    const found = await db.$count(oidcTokenConfigs, eq(oidcTokenConfigs.id, oidcTokenConfigId));
    if (found === 0) throw new PlatformError(400, `${field}.oidcTokenConfigId: the configuration does not exist`);
  }
}
