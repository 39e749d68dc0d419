import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, openEnum, optional, PageQuery, pageOf } from './wire.js';

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

/** Roles that every account has, the lesser first (spec 5): what they allow is in `platform/auth/rights.ts`. */
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

/**
 * One rule of a role: `actions` on `resources`, which lists ids as strings, or only `All`. `effect` defaults to `allow` and applies to chat
 * threads only.
 */
export const Policy = z.looseObject({
  actions: z.array(Action),
  effect: optional(openEnum(policyEffects)),
  resourceType: openEnum(resourceTypes),
  resources: z.array(z.string()),
});
/** One rule of a role. */
export type Policy = z.infer<typeof Policy>;

const RoleName = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));
const Description = z.string().check(z.maxLength(255));

/** A rule as it is written: a role that held an unknown word would allow something else to a newer platform. */
const PolicyInput = z.strictObject({
  actions: z.array(z.enum(actions)).check(z.minLength(1), z.maxLength(actions.length)),
  effect: optional(z.enum(policyEffects)),
  resourceType: z.enum(resourceTypes),
  resources: z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.minLength(1), z.maxLength(1000)),
});
const PoliciesInput = z.array(PolicyInput).check(z.maxLength(200));

/** A role: what it allows to whoever has it. */
export const Role = z.looseObject({
  id: z.int(),
  name: z.string(),
  description: optional(z.string()),
  policies: z.array(Policy),
});
/** A role. */
export type Role = z.infer<typeof Role>;

const RoleParams = z.strictObject({ roleId: IdParam });
const RoleUserParams = z.strictObject({ roleId: IdParam, userId: IdParam });

const common = { api: 'platform', access: 'admin' } as const;
const noRole = { 404: 'no such role' } as const;
const nameTaken = { 409: 'another role has the name' } as const;

/**
 * The roles that administrators made, the newest first. Those that every account has (AIBIViewer, AIBIUser, AIBIDeveloper, Admin) are
 * not among them; each can be read by its id.
 */
export const getRoles = operation({
  ...common,
  id: 'getRoles',
  method: 'GET',
  path: '/api/v1/roles',
  query: PageQuery,
  response: pageOf(Role),
  errors: {},
});

/**
 * Makes a role. A policy names `actions` on `resources`: each list is `All` alone, or names. 400 of a policy without one of them, and of
 * what can't be meant:
 * - `Global` takes the licence tiers (AIBIView, AIBIExplore, AIBIDevelop) and what is done account-wide, on `All`; never the action
 *   `All`, which is the Admin role's;
 * - ids of deployments, folders, workbooks, reports, dashboards and agents are numbers, those of chat threads their own or an agent's;
 * - `effect` stands beside `ChatThread` alone, whose actions are `ChatThreadRead` and `ChatHistoryRead`. A deny closes the chat; an
 *   allow opens nobody else's threads: they hold rows that only their owner may see.
 *
 * Of content, policies on Workbook, Report and Folder give access, a folder's to all that is below it. The operations document names
 * Global and Deployment alone for policies; the others are in its enum, and here they mean something. Whether the ids exist is not
 * looked at: one that is gone grants nothing. Names of the roles that every account has are 400.
 */
export const createRole = operation({
  ...common,
  id: 'createRole',
  method: 'POST',
  path: '/api/v1/roles',
  body: z.strictObject({ name: RoleName, description: optional(Description), policies: PoliciesInput }),
  response: Role,
  errors: nameTaken,
});

/** A role with its policies. */
export const getRole = operation({
  ...common,
  id: 'getRole',
  method: 'GET',
  path: '/api/v1/roles/{roleId}',
  params: RoleParams,
  response: Role,
  errors: noRole,
});

/** Changes a role; policies that are sent take the place of all it had. A role that every account has is 400. */
export const updateRole = operation({
  ...common,
  id: 'updateRole',
  method: 'PUT',
  path: '/api/v1/roles/{roleId}',
  params: RoleParams,
  body: z.strictObject({
    name: optional(RoleName),
    description: optional(Description),
    policies: optional(PoliciesInput),
  }),
  response: Role,
  errors: { ...noRole, ...nameTaken },
});

/** Deletes a role, and takes it from all who have it. A role that every account has is 400. */
export const deleteRole = operation({
  ...common,
  id: 'deleteRole',
  method: 'DELETE',
  path: '/api/v1/roles/{roleId}',
  params: RoleParams,
  response: null,
  errors: noRole,
});

/** Gives a role to a user of the account; to one who has it already nothing happens. Admin is no role to give: 404. Embed users have none: 404. */
export const assignRoleToUser = operation({
  ...common,
  id: 'assignRoleToUser',
  method: 'PUT',
  path: '/api/v1/roles/{roleId}/users/{userId}',
  params: RoleUserParams,
  response: null,
  errors: { 404: 'no such role, or no such user' },
});

/** Takes a role from a user of the account; from one who doesn't have it nothing happens. */
export const removeRoleFromUser = operation({
  ...common,
  id: 'removeRoleFromUser',
  method: 'DELETE',
  path: '/api/v1/roles/{roleId}/users/{userId}',
  params: RoleUserParams,
  response: null,
  errors: { 404: 'no such user' },
});
