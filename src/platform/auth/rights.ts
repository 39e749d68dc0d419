import type { OperationAccess } from '../../contract/operation.js';
import type { actions, BuiltInRole, Policy, ResourceType } from '../../contract/roles.js';

const everywhere = ['All'];
const read = ['DeploymentRead', 'DeploymentAgentRead', 'DownloadData'];
const explore = [...read, 'PlaygroundRead', 'ChatHistoryRead'];
const develop = [...explore, 'DeploymentUpdate', 'SchemaRead', 'SchemaUpdate', 'SchemaUpdateDevBranches'];

const role = (tier: string, actions: readonly string[]): readonly Policy[] => [
  { resourceType: 'Global', actions: [tier], resources: everywhere },
  { resourceType: 'Deployment', actions: [...actions], resources: everywhere },
];

/** What the roles allow that every account has (spec 5). Content of others they open to nobody: that takes a policy on it. */
export const builtInPolicies: Readonly<Record<BuiltInRole, readonly Policy[]>> = {
  AIBIViewer: role('AIBIView', read),
  AIBIUser: role('AIBIExplore', explore),
  AIBIDeveloper: role('AIBIDevelop', develop),
  Admin: [{ resourceType: 'Global', actions: ['All'], resources: everywhere }],
};

/** Licence tiers, the lesser first: AIBIView (reads), AIBIExplore (makes content of its own), AIBIDevelop (the model too). */
export const Tier = { none: 0, view: 1, explore: 2, develop: 3 } as const;
/** A licence tier. */
export type Tier = (typeof Tier)[keyof typeof Tier];

/** What a policy names in place of ids. */
export const allResources = 'All';

/** An action that a policy may name. */
export type ActionName = (typeof actions)[number];

/** What a caller may do, settled when it signs in (spec 5.3). Content of its own comes on top: see `content-access`. */
export interface Rights {
  readonly isAdmin: boolean;
  readonly tier: Tier;
  readonly policies: readonly Policy[];
}

/** Of embed users: they see what is shared with them, and have no role. */
export const noRights: Rights = { isAdmin: false, tier: Tier.none, policies: [] };

const downloads: readonly Policy[] = [
  { resourceType: 'Deployment', actions: ['DownloadData'], resources: [allResources] },
];

/** Of an embed user whose host gave the session roles that allow downloads. */
export const downloadRights: Rights = { ...noRights, policies: downloads };

/** Of a session in creator mode: AI BI User, whose content is that of its own tenant (spec 5). */
export const creatorRights: Rights = { isAdmin: false, tier: Tier.explore, policies: downloads };

/** Of a user with the admin role. */
export const adminRights: Rights = { isAdmin: true, tier: Tier.develop, policies: [] };

const tierOfAction: Readonly<Record<string, Tier>> = {
  AIBIView: Tier.view,
  AIBIViewer: Tier.view,
  AIBIExplore: Tier.explore,
  AIBIUser: Tier.explore,
  AIBIDevelop: Tier.develop,
  AIBIDeveloper: Tier.develop,
};

const tierOfRole: Readonly<Record<BuiltInRole, Tier>> = {
  AIBIViewer: Tier.view,
  AIBIUser: Tier.explore,
  AIBIDeveloper: Tier.develop,
  Admin: Tier.develop,
};

const tierOfAccess = { viewer: Tier.view, user: Tier.explore, developer: Tier.develop } as const;

/**
 * The rights of a user: the union of the roles' policies.
 * @param most - the role beyond which a key of the user's gives nothing; null for all that the user may.
 */
export function rightsOf(isAdmin: boolean, policies: readonly Policy[], most: BuiltInRole | null): Rights {
  const own: Rights = isAdmin ? adminRights : { isAdmin, tier: tierOf(policies), policies };
  if (most === null || most === 'Admin') return own;
  const bound = builtInPolicies[most];
  const tier = Math.min(own.tier, tierOfRole[most]) as Tier;
  return { isAdmin: false, tier, policies: isAdmin ? bound : policies.map(policy => within(policy, bound)) };
}

function tierOf(policies: readonly Policy[]): Tier {
  const tiers = policies
    .filter(({ resourceType }) => resourceType === 'Global')
    .flatMap(({ actions }) => actions.map(action => tierOfAction[action] ?? Tier.none));
  return Math.max(Tier.none, ...tiers) as Tier;
}

/** What the role allows of a policy on deployments or the account; access to content is bounded by the tier. */
function within(policy: Policy, bound: readonly Policy[]): Policy {
  if (policy.resourceType !== 'Deployment' && policy.resourceType !== 'Global') return policy;
  const allowed = bound.filter(each => each.resourceType === policy.resourceType).flatMap(({ actions }) => actions);
  return {
    ...policy,
    actions: policy.actions.includes(allResources) ? allowed : policy.actions.filter(a => allowed.includes(a)),
  };
}

/** True for whoever may call an operation at all. */
export function canCall(rights: Rights, access: Exclude<OperationAccess, 'public'>): boolean {
  if (access === 'authenticated' || rights.isAdmin) return true;
  return access !== 'admin' && rights.tier >= tierOfAccess[access];
}

/** True when a policy allows an action on a resource, and none denies it. */
export function isAllowed(rights: Rights, action: ActionName, type: ResourceType, id: number | string): boolean {
  if (rights.isAdmin) return true;
  const about = rights.policies.filter(
    ({ actions, resourceType, resources }) =>
      resourceType === type &&
      (actions.includes(action) || actions.includes(allResources)) &&
      (resources.includes(allResources) || resources.includes(String(id))),
  );
  return about.length > 0 && about.every(({ effect }) => effect !== 'deny');
}

/** What it takes to have all deployments in one's hands. */
const managed: readonly ActionName[] = ['DeploymentRead', 'DeploymentUpdate', 'DeploymentDelete'];

/** True when an action on a deployment is allowed: by a policy on it that names the action, or by `DeploymentsManage`. */
export function isAllowedOnDeployment(rights: Rights, action: ActionName, deploymentId: number): boolean {
  if (isAllowed(rights, action, 'Deployment', deploymentId)) return true;
  if (!managed.includes(action)) return false;
  return (
    isAllowed(rights, 'DeploymentsManage', 'Deployment', deploymentId) ||
    isAllowed(rights, 'DeploymentsManage', 'Global', allResources)
  );
}

/** The deployments on which an action is allowed: all of them, or those of these ids. */
export function allowedDeployments(rights: Rights, action: ActionName): typeof allResources | readonly number[] {
  // No deployment has the id 0: what is allowed on it is allowed by a policy on all.
  if (isAllowedOnDeployment(rights, action, 0)) return allResources;
  const named = rights.policies.flatMap(({ resourceType, resources }) =>
    resourceType === 'Deployment' ? resources : [],
  );
  const ids = [...new Set(named)].filter(text => /^\d{1,15}$/.test(text)).map(Number);
  return ids.filter(id => isAllowedOnDeployment(rights, action, id));
}
