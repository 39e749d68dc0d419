import * as z from 'zod/mini';
import { openEnum, optional } from './wire.js';

/** Actions that a role may hold (spec 2.2; the other members are those of the operations document). */
export const actions = [
  'All',
  'DeploymentsManage',
  'DeploymentCreate',
  'DeploymentRead',
  'DeploymentUpdate',
  'DeploymentDelete',
  'SecretsManage',
  'DownloadData',
  'PlaygroundRead',
  'SchemaRead',
  'SchemaUpdate',
  'SchemaUpdateDevBranches',
  'APMRead',
  'ChatHistoryRead',
  'PreAggregationBuild',
  'AlertsCreate',
  'AlertsRead',
  'AlertsUpdate',
  'AlertsDelete',
  'AuditLogManage',
  'BillingRead',
  'SqlRunnerRead',
  'DataAssetsRead',
  'DataAssetsManage',
  'PlatformNetworkConnect',
  'ReportRead',
  'ReportEdit',
  'ReportManage',
  'WorkbookManage',
  'WorkbookRead',
  'WorkbookEdit',
  'ChatThreadRead',
  'AgentManage',
  'AgentRead',
  'AgentSpaceManage',
  'AgentAdmin',
  'DeploymentAgentRead',
  'OAuthIntegrationsManage',
  'OAuthIntegrationsIssueTokens',
  'McpToolsManage',
  'AIBIDevelop',
  'AIBIExplore',
  'AIBIView',
  'ChartPalettesManage',
  'DashboardThemesManage',
  'AIBIDeveloper',
  'AIBIUser',
  'AIBIViewer',
  'EmbedDeploymentRead',
  'EmbedDashboardRead',
  'FolderRead',
  'FolderEdit',
  'FolderManage',
] as const;

/** An action as it is read: unknown ones survive. */
export const Action = openEnum(actions);

/** Roles that every account has, the lesser first (spec 5): what they allow stands in `platform/access/built-in-roles`. */
export const builtInRoles = ['AIBIViewer', 'AIBIUser', 'AIBIDeveloper', 'Admin'] as const;
/** A role that every account has. */
export type BuiltInRole = (typeof builtInRoles)[number];

/** What the actions of a policy are done to. */
export const resourceTypes = [
  'Global',
  'Deployment',
  'Report',
  'ReportFolder',
  'Agent',
  'AgentSpace',
  'Workbook',
  'Dashboard',
  'Folder',
  'ChatThread',
] as const;
/** What the actions of a policy are done to. */
export type ResourceType = (typeof resourceTypes)[number];

/** Whether a policy allows or denies; a deny wins over every allow (spec 2.8). */
export const policyEffects = ['allow', 'deny'] as const;

/** One rule of a role: `actions` on `resources`, which are ids as text or `All` alone. `effect` is for chat threads; allow by default. */
export const Policy = z.looseObject({
  actions: z.array(Action),
  effect: optional(openEnum(policyEffects)),
  resourceType: openEnum(resourceTypes),
  resources: z.array(z.string()),
});
/** One rule of a role. */
export type Policy = z.infer<typeof Policy>;
