import type { OperationAccess } from '../../contract/operation.js';
import type { actions, BuiltInRole, Policy, ResourceType } from '../../contract/roles.js';

const everywhere = ['All'];
const read = ['DeploymentRead', 'DownloadData'];
const explore = [...read, 'PlaygroundRead', 'ChatHistoryRead'];
const develop = [...explore, 'DeploymentUpdate', 'SchemaRead', 'SchemaUpdate', 'SchemaUpdateDevBranches'];

const role = (tier: string, actions: readonly string[]): readonly Policy[] => [
  { resourceType: 'Global', actions: [tier], resources: everywhere },
  { resourceType: 'Deployment', actions: [...actions], resources: everywhere },
];

/**
 * Policies of the built-in roles (spec 5). They give no access to content of other users, which requires a policy on
 * the content.
 */
export const builtInPolicies: Readonly<Record<BuiltInRole, readonly Policy[]>> = {
  AIBIViewer: role('AIBIView', read),
  AIBIUser: role('AIBIExplore', explore),
  AIBIDeveloper: role('AIBIDevelop', develop),
  Admin: [{ resourceType: 'Global', actions: ['All'], resources: everywhere }],
};

/** License tiers in ascending order: AIBIView (read), AIBIExplore (create content), AIBIDevelop (edit the model). */
export const Tier = { none: 0, view: 1, explore: 2, develop: 3 } as const;
/** A license tier. */
export type Tier = (typeof Tier)[keyof typeof Tier];

/** The value that a policy uses instead of ids to match all resources. */
export const allResources = 'All';

/** An action that a policy can contain. */
export type ActionName = (typeof actions)[number];

/**
 * What a caller may do, determined at authentication (spec 5.3). Rights on the caller's own content are added by
 * `content-access`.
 */
export interface Rights {
  readonly isAdmin: boolean;
  readonly tier: Tier;
  readonly policies: readonly Policy[];
}

/** Rights of embed users, who have no role and see only content that is shared with them. */
export const noRights: Rights = { isAdmin: false, tier: Tier.none, policies: [] };

const downloads: readonly Policy[] = [
  { resourceType: 'Deployment', actions: ['DownloadData'], resources: [allResources] },
];

/** Rights of an embed user whose session has roles that allow downloads. */
export const downloadRights: Rights = { ...noRights, policies: downloads };

/** Rights in creator mode: those of the role AI BI User, on content of the caller's own tenant (spec 5). */
export const creatorRights: Rights = { isAdmin: false, tier: Tier.explore, policies: downloads };

/** Rights of a user with the admin role. */
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
 * Returns the rights of a user: the union of the policies of the user's roles.
 * @param maxRole - role that caps the rights (of an API key); `null` for no cap.
 */
export function rightsOf(
  policies: readonly Policy[],
  { isAdmin, maxRole }: { readonly isAdmin: boolean; readonly maxRole: BuiltInRole | null },
): Rights {
  const own: Rights = isAdmin ? adminRights : { isAdmin, tier: tierOf(policies), policies };
  if (maxRole === null || maxRole === 'Admin') return own;
  const bound = builtInPolicies[maxRole];
  const tier = Math.min(own.tier, tierOfRole[maxRole]) as Tier;
  return { isAdmin: false, tier, policies: isAdmin ? bound : policies.map(policy => within(policy, bound)) };
}

function tierOf(policies: readonly Policy[]): Tier {
  const tiers = policies
    .filter(({ resourceType }) => resourceType === 'Global')
    .flatMap(({ actions }) => actions.map(action => tierOfAction[action] ?? Tier.none));
  return Math.max(Tier.none, ...tiers) as Tier;
}

/**
 * Limits a policy on deployments or the account to what the capping role allows. Access to content is limited by the
 * tier instead.
 */
function within(policy: Policy, bound: readonly Policy[]): Policy {
  if (policy.resourceType !== 'Deployment' && policy.resourceType !== 'Global') return policy;
  const allowed = bound.filter(each => each.resourceType === policy.resourceType).flatMap(({ actions }) => actions);
  return {
    ...policy,
    actions: policy.actions.includes(allResources) ? allowed : policy.actions.filter(a => allowed.includes(a)),
  };
}

/** True if the caller's role allows an operation. */
export function canCall(rights: Rights, access: Exclude<OperationAccess, 'public'>): boolean {
  if (access === 'authenticated' || rights.isAdmin) return true;
  return access !== 'admin' && rights.tier >= tierOfAccess[access];
}

/** True if at least one policy allows an action on a resource and none denies it. */
export function isAllowed(rights: Rights, action: ActionName, type: ResourceType, id: number | string): boolean {
  if (rights.isAdmin) return true;
  const about = policiesAbout(rights, action, type, id);
  return about.length > 0 && about.every(({ effect }) => effect !== 'deny');
}

/** Returns the policies that contain an action on a resource. */
function policiesAbout({ policies }: Rights, action: ActionName, type: ResourceType, id: number | string) {
  return policies.filter(
    ({ actions, resourceType, resources }) =>
      resourceType === type &&
      (actions.includes(action) || actions.includes(allResources)) &&
      (resources.includes(allResources) || resources.includes(String(id))),
  );
}

/** True if a policy denies an action on a deployment. */
export function isDeniedOnDeployment(rights: Rights, action: ActionName, deploymentId: number): boolean {
  if (rights.isAdmin) return false;
  return policiesAbout(rights, action, 'Deployment', deploymentId).some(({ effect }) => effect === 'deny');
}

/** The fields of an agent that policies refer to. */
export interface AgentRef {
  readonly id: number;
  readonly spaceId: number | null;
}

/** True if a policy on the agent or on its space allows an action. */
export function isAllowedOnAgent(rights: Rights, action: ActionName, { id, spaceId }: AgentRef): boolean {
  return (
    isAllowed(rights, action, 'Agent', id) || (spaceId !== null && isAllowed(rights, action, 'AgentSpace', spaceId))
  );
}

/** Actions on a deployment that `DeploymentsManage` includes. */
const managed: readonly ActionName[] = ['DeploymentRead', 'DeploymentUpdate', 'DeploymentDelete'];

/** True if an action on a deployment is allowed: by a policy that contains the action, or by `DeploymentsManage`. */
export function isAllowedOnDeployment(rights: Rights, action: ActionName, deploymentId: number): boolean {
  if (isAllowed(rights, action, 'Deployment', deploymentId)) return true;
  if (!managed.includes(action)) return false;
  return (
    isAllowed(rights, 'DeploymentsManage', 'Deployment', deploymentId) ||
    isAllowed(rights, 'DeploymentsManage', 'Global', allResources)
  );
}

/** Returns the deployments on which an action is allowed: all, or a list of ids. */
export function allowedDeployments(rights: Rights, action: ActionName): typeof allResources | readonly number[] {
  // No deployment has the id 0, so only a policy on all deployments can match it.
  if (isAllowedOnDeployment(rights, action, 0)) return allResources;
  const named = rights.policies.flatMap(({ resourceType, resources }) =>
    resourceType === 'Deployment' ? resources : [],
  );
  const ids = [...new Set(named)].filter(text => /^\d{1,15}$/.test(text)).map(Number);
  return ids.filter(id => isAllowedOnDeployment(rights, action, id));
}
