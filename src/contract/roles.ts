import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, openEnum, optional, pageOf, SearchQuery } from './wire.js';

/** Actions that a role can allow (spec 2.2, completed from the operations document). */
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

/** An action in a response; unknown values are preserved. */
export const Action = openEnum(actions);

/** Built-in roles of every account, lowest first (spec 5). `platform/auth/rights.ts` defines their permissions. */
export const builtInRoles = ['AIBIViewer', 'AIBIUser', 'AIBIDeveloper', 'Admin'] as const;
/** A built-in role. */
export type BuiltInRole = (typeof builtInRoles)[number];

/** Types of resources that a policy applies to. */
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
/** Type of resource that a policy applies to. */
export type ResourceType = (typeof resourceTypes)[number];

/** Whether a policy allows or denies. A deny takes precedence over every allow (spec 2.8). */
export const policyEffects = ['allow', 'deny'] as const;

/**
 * A policy of a role: `actions` on `resources`, which lists ids as strings, or only `All`. `effect` defaults to `allow`
 * and applies to chat threads only.
 */
export const Policy = z.looseObject({
  actions: z.array(Action),
  effect: optional(openEnum(policyEffects)),
  resourceType: openEnum(resourceTypes),
  resources: z.array(z.string()),
});
/** A policy of a role. */
export type Policy = z.infer<typeof Policy>;

/** Name of a custom role. */
export const RoleName = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));
/** Description of a role. */
export const RoleDescription = z.string().check(z.maxLength(255));

/** Input schema of a policy. Unknown values are rejected, because a newer platform might interpret them differently. */
export const PolicyInput = z.strictObject({
  actions: z.array(z.enum(actions)).check(z.minLength(1), z.maxLength(actions.length)),
  effect: optional(z.enum(policyEffects)),
  resourceType: z.enum(resourceTypes),
  resources: z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.minLength(1), z.maxLength(1000)),
});
const maxPolicies = 200;
const PoliciesInput = z.array(PolicyInput).check(z.maxLength(maxPolicies));

/** A role, which is a named set of policies. */
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
const noRole = { 404: 'The role does not exist.' } as const;
const nameTaken = { 409: 'Another role has this name.' } as const;

/**
 * Lists the custom roles, newest first. The built-in roles (AIBIViewer, AIBIUser, AIBIDeveloper, Admin) are not
 * included, but can be read by id. `search` (extension) matches part of the name, ignoring case.
 */
export const getRoles = operation({
  ...common,
  id: 'getRoles',
  method: 'GET',
  path: '/api/v1/roles',
  query: SearchQuery,
  response: pageOf(Role),
  errors: {},
});

/**
 * Creates a role. A policy lists `actions` and `resources`; each list contains either only `All` or names. Returns 400
 * for a policy without one of these lists, for names of built-in roles, and for meaningless policies:
 * - `Global` allows the license tiers (AIBIView, AIBIExplore, AIBIDevelop) and account-wide actions, on `All`; the
 *   action `All` is reserved for the Admin role;
 * - ids of deployments, folders, workbooks, reports, dashboards, agents and spaces are numbers; ids of chat threads are
 *   those of the threads or of an agent;
 * - `effect` is allowed only with `ChatThread`, whose actions are `ChatThreadRead` and `ChatHistoryRead`. With `deny`,
 *   a policy blocks the chat and takes precedence. With `allow`, a policy lists agents, which the user can then use
 *   without being in their groups; it never gives access to threads of other users, because threads contain rows that
 *   only their owner may see;
 * - actions that have no effect on this platform are rejected as not enforced. A role that contains them from an
 *   earlier version can still be read and updated, if the policy is sent unchanged.
 *
 * Policies on Workbook, Report and Folder give access to content; a folder's policy covers everything below it. The
 * operations document describes only Global and Deployment for policies, but its enum contains the others, which this
 * platform enforces. Ids are not checked for existence; the id of a deleted object has no effect.
 */
export const createRole = operation({
  ...common,
  id: 'createRole',
  method: 'POST',
  path: '/api/v1/roles',
  body: z.strictObject({ name: RoleName, description: optional(RoleDescription), policies: PoliciesInput }),
  response: Role,
  errors: nameTaken,
});

/** Returns a role with its policies. */
export const getRole = operation({
  ...common,
  id: 'getRole',
  method: 'GET',
  path: '/api/v1/roles/{roleId}',
  params: RoleParams,
  response: Role,
  errors: noRole,
});

/** Updates a role. If `policies` is sent, it replaces all existing policies. Returns 400 for built-in roles. */
export const updateRole = operation({
  ...common,
  id: 'updateRole',
  method: 'PUT',
  path: '/api/v1/roles/{roleId}',
  params: RoleParams,
  body: z.strictObject({
    name: optional(RoleName),
    description: optional(RoleDescription),
    policies: optional(PoliciesInput),
  }),
  response: Role,
  errors: { ...noRole, ...nameTaken },
});

/** Deletes a role and removes it from all its users. Returns 400 for built-in roles. */
export const deleteRole = operation({
  ...common,
  id: 'deleteRole',
  method: 'DELETE',
  path: '/api/v1/roles/{roleId}',
  params: RoleParams,
  response: null,
  errors: noRole,
});

/**
 * Assigns a role to a user of the account. Idempotent. Returns 404 for the Admin role, which cannot be assigned, and
 * for embed users, who cannot have roles.
 */
export const assignRoleToUser = operation({
  ...common,
  id: 'assignRoleToUser',
  method: 'PUT',
  path: '/api/v1/roles/{roleId}/users/{userId}',
  params: RoleUserParams,
  response: null,
  errors: { 404: 'The role or user does not exist.' },
});

/** Removes a role from a user of the account. Succeeds if the user does not have it. */
export const removeRoleFromUser = operation({
  ...common,
  id: 'removeRoleFromUser',
  method: 'DELETE',
  path: '/api/v1/roles/{roleId}/users/{userId}',
  params: RoleUserParams,
  response: null,
  errors: { 404: 'The user does not exist.' },
});
