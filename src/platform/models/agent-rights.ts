import { allResources, isAllowed, type Rights } from '../auth/rights.js';
import { PlatformError } from '../errors.js';

/** An agent, or all of them. */
type AgentRef = number | typeof allResources;

/** True if the caller may change an agent, or create agents. */
export function canManageAgent(rights: Rights, agentId: AgentRef): boolean {
  return (
    isAllowed(rights, 'AgentManage', 'Agent', agentId) ||
    isAllowed(rights, 'AgentManage', 'Global', allResources) ||
    isAllowed(rights, 'AgentAdmin', 'Global', allResources)
  );
}

/** True if the caller may read an agent. */
export function canReadAgent(rights: Rights, agentId: AgentRef): boolean {
  return canManageAgent(rights, agentId) || isAllowed(rights, 'AgentRead', 'Agent', agentId);
}

/**
 * Ids of the agents for which a caller has a right; `null` for all.
 * @param needed - the actions that grant the right, for the message.
 * @throws PlatformError 403 if the caller has the right for no agent.
 */
export function agentsWith(
  rights: Rights,
  has: (rights: Rights, agentId: AgentRef) => boolean,
  needed: string,
): readonly number[] | null {
  if (has(rights, allResources)) return null;
  const named = rights.policies.filter(({ resourceType }) => resourceType === 'Agent');
  const ids = named.flatMap(({ resources }) => resources.map(Number)).filter(id => has(rights, id));
  if (ids.length === 0) throw missingPolicy(needed);
  return ids;
}

/** The error of a caller without a policy for the operation. */
export function missingPolicy(needed: string): PlatformError {
  return new PlatformError(403, `This operation requires a policy with ${needed}.`);
}
