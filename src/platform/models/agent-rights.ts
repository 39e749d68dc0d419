import { type AgentRef, allResources, isAllowed, isAllowedOnAgent, type Rights } from '../auth/rights.js';
import { PlatformError } from '../errors.js';

function canManageAccount(rights: Rights): boolean {
  return (
    isAllowed(rights, 'AgentManage', 'Global', allResources) || isAllowed(rights, 'AgentAdmin', 'Global', allResources)
  );
}

/** True if the caller may change an agent. */
export function canManageAgent(rights: Rights, agent: AgentRef): boolean {
  return canManageAccount(rights) || isAllowedOnAgent(rights, 'AgentManage', agent);
}

/** True if the caller may read an agent. */
export function canReadAgent(rights: Rights, agent: AgentRef): boolean {
  return canManageAgent(rights, agent) || isAllowedOnAgent(rights, 'AgentRead', agent);
}

/** True if the caller may create agents in a space, or move agents to it; `null` means no space. */
export function canAddAgentTo(rights: Rights, spaceId: number | null): boolean {
  return (
    canManageAccount(rights) ||
    isAllowed(rights, 'AgentManage', 'Agent', allResources) ||
    (spaceId !== null && isAllowed(rights, 'AgentManage', 'AgentSpace', spaceId))
  );
}

/** A space, or all spaces. */
type SpaceRef = number | typeof allResources;

/** True if the caller may change a space, or create spaces. */
export function canManageSpace(rights: Rights, spaceId: SpaceRef): boolean {
  return (
    isAllowed(rights, 'AgentSpaceManage', 'AgentSpace', spaceId) ||
    isAllowed(rights, 'AgentSpaceManage', 'Global', allResources) ||
    isAllowed(rights, 'AgentAdmin', 'Global', allResources)
  );
}

/** True if the caller may read a space. */
export function canReadSpace(rights: Rights, spaceId: SpaceRef): boolean {
  return (
    canManageSpace(rights, spaceId) ||
    canManageAccount(rights) ||
    isAllowed(rights, 'AgentManage', 'AgentSpace', spaceId) ||
    isAllowed(rights, 'AgentRead', 'AgentSpace', spaceId)
  );
}

/** Agents that the caller's policies apply to: individual agents, and all agents of some spaces. */
export interface AllowedAgents {
  readonly agentIds: readonly number[];
  readonly spaceIds: readonly number[] | typeof allResources;
}

/** Id that no agent or space has, so only a policy on all of them can match it. */
const noId = 0;

/**
 * Returns the agents on which a caller has a right by policies on agents and on spaces; `null` for all agents.
 * @param needed - the actions that grant the right, for the error message.
 * @throws PlatformError 403 if no policy grants the right.
 */
export function allowedAgents(
  rights: Rights,
  has: (rights: Rights, agent: AgentRef) => boolean,
  needed: string,
): AllowedAgents | null {
  if (has(rights, { id: noId, spaceId: null })) return null;
  const agentIds = idsIn(rights, 'Agent').filter(id => has(rights, { id, spaceId: null }));
  if (has(rights, { id: noId, spaceId: noId })) return { agentIds, spaceIds: allResources };
  const spaceIds = idsIn(rights, 'AgentSpace').filter(spaceId => has(rights, { id: noId, spaceId }));
  if (agentIds.length === 0 && spaceIds.length === 0) throw missingPolicy(needed);
  return { agentIds, spaceIds };
}

/**
 * Returns the ids of the spaces that a caller may read; `null` for all.
 * @throws PlatformError 403 if the caller may read none.
 */
export function readableSpaces(rights: Rights): readonly number[] | null {
  if (canReadSpace(rights, allResources)) return null;
  const ids = idsIn(rights, 'AgentSpace').filter(id => canReadSpace(rights, id));
  if (ids.length === 0) throw missingPolicy('AgentRead, AgentManage or AgentSpaceManage');
  return ids;
}

function idsIn({ policies }: Rights, type: 'Agent' | 'AgentSpace'): number[] {
  const named = policies.filter(({ resourceType }) => resourceType === type).flatMap(({ resources }) => resources);
  return [...new Set(named)].filter(text => text !== allResources).map(Number);
}

/** Creates the error for an operation that no policy allows. */
export function missingPolicy(needed: string): PlatformError {
  return new PlatformError(403, `This operation requires a policy with ${needed}.`);
}
