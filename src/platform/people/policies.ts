import type { ResourceType } from '../../contract/roles.js';
import { type ActionName, allResources } from '../auth/rights.js';

/** A policy from a request, before validation. */
export interface UncheckedPolicy {
  readonly resourceType: ResourceType;
  readonly actions: readonly ActionName[];
  readonly resources: readonly string[];
  readonly effect?: 'allow' | 'deny' | null | undefined;
}

/** A validation problem of a policy and the field that causes it. */
export interface PolicyProblem {
  readonly field: 'actions' | 'resources' | 'effect';
  readonly message: string;
}

/** License tiers. Each has two names. */
const tiers: readonly ActionName[] = [
  'AIBIView',
  'AIBIViewer',
  'AIBIExplore',
  'AIBIUser',
  'AIBIDevelop',
  'AIBIDeveloper',
];

/** Account-wide actions of the operations document, including those without an effect. */
const accountActions: readonly ActionName[] = [
  'DeploymentsManage',
  'DeploymentCreate',
  'AuditLogManage',
  'BillingRead',
  'PlatformNetworkConnect',
  'AgentAdmin',
  'AgentManage',
  'AgentSpaceManage',
  'OAuthIntegrationsManage',
  'OAuthIntegrationsIssueTokens',
  'McpToolsManage',
  'ChartPalettesManage',
  'DashboardThemesManage',
];

/** Actions that a policy on chat threads can allow or deny. */
export const chatThreadActions: readonly ActionName[] = ['ChatThreadRead', 'ChatHistoryRead'];

/** The actions that have an effect, by type of resource. */
const enforcedActions: Readonly<Record<ResourceType, readonly ActionName[]>> = {
  Global: [
    ...tiers,
    'DeploymentsManage',
    'DeploymentCreate',
    'AuditLogManage',
    'AgentAdmin',
    'AgentManage',
    'AgentSpaceManage',
    'OAuthIntegrationsManage',
    'OAuthIntegrationsIssueTokens',
  ],
  Deployment: [
    'All',
    'DeploymentsManage',
    'DeploymentRead',
    'DeploymentUpdate',
    'DeploymentDelete',
    'SecretsManage',
    'DownloadData',
    'SchemaRead',
    'SchemaUpdate',
    'SchemaUpdateDevBranches',
    'ChatHistoryRead',
    'DeploymentAgentRead',
  ],
  Report: ['All', 'ReportRead', 'ReportEdit', 'ReportManage'],
  ReportFolder: [],
  Workbook: ['All', 'WorkbookRead', 'WorkbookEdit', 'WorkbookManage'],
  Folder: ['All', 'FolderRead', 'FolderEdit', 'FolderManage'],
  Dashboard: ['All', 'EmbedDashboardRead'],
  Agent: ['All', 'AgentRead', 'AgentManage'],
  AgentSpace: ['All', 'AgentRead', 'AgentManage', 'AgentSpaceManage'],
  ChatThread: ['All', ...chatThreadActions],
};

const numeric = /^[1-9]\d{0,14}$/;
const threadOrAgent = /^(?:[1-9]\d{0,14}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Returns the first problem of a policy (operations.md, Roles), or `null` if it is valid. */
export function checkPolicy({ resourceType, actions, resources, effect }: UncheckedPolicy): PolicyProblem | null {
  if (effect != null && resourceType !== 'ChatThread') {
    return {
      field: 'effect',
      message: 'is supported only for ChatThread; for other types, everything that is not allowed is denied',
    };
  }
  for (const [field, list] of Object.entries({ actions, resources } as const)) {
    if (list.includes(allResources) && list.length > 1) {
      return {
        field: field === 'actions' ? 'actions' : 'resources',
        message: 'must be either All or a list without All',
      };
    }
  }
  return checkActions(resourceType, actions) ?? checkResources(resourceType, resources);
}

/**
 * Returns the problem of a policy that has no effect, or `null`. Roles of earlier versions that contain such a policy
 * can still be edited.
 */
export function checkEnforced({ resourceType, actions, resources, effect }: UncheckedPolicy): PolicyProblem | null {
  const idle = actions.find(action => !enforcedActions[resourceType].includes(action));
  if (idle !== undefined) {
    return { field: 'actions', message: `${idle} on ${resourceType} is not enforced by this platform; omit it` };
  }
  const isAllow = resourceType === 'ChatThread' && effect !== 'deny';
  if (isAllow && !resources.every(id => id === allResources || numeric.test(id))) {
    const message = 'a policy that allows a single thread is not supported by this platform; list agents, or All';
    return { field: 'resources', message };
  }
  return null;
}

function checkActions(type: ResourceType, actions: readonly ActionName[]): PolicyProblem | null {
  if (type === 'Global' && !actions.every(action => tiers.includes(action) || accountActions.includes(action))) {
    const message = `of Global must be license tiers (AIBIView, AIBIExplore, AIBIDevelop) or account-wide actions (${accountActions.join(', ')})`;
    return { field: 'actions', message };
  }
  if (
    type === 'ChatThread' &&
    !actions.every(action => action === allResources || chatThreadActions.includes(action))
  ) {
    return { field: 'actions', message: `of ChatThread must be All or any of ${chatThreadActions.join(', ')}` };
  }
  return null;
}

function checkResources(type: ResourceType, resources: readonly string[]): PolicyProblem | null {
  if (resources.includes(allResources)) return null;
  if (type === 'Global') return { field: 'resources', message: 'of Global must be All' };
  const shape = type === 'ChatThread' ? threadOrAgent : numeric;
  if (resources.every(id => shape.test(id))) return null;
  const ids = type === 'ChatThread' ? 'ids of threads or agents' : 'numeric ids as text';
  return { field: 'resources', message: `of ${type} must be All or ${ids}` };
}
