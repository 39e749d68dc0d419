import * as z from 'zod/mini';
import * as accountGroups from '../../contract/account-groups.js';
import * as agentFeedback from '../../contract/agent-feedback.js';
import * as agentSpaces from '../../contract/agent-spaces.js';
import * as agents from '../../contract/agents.js';
import * as aiWidgets from '../../contract/ai-widgets.js';
import * as apiKeys from '../../contract/api-keys.js';
import * as appConfig from '../../contract/app-config.js';
import * as auditLog from '../../contract/audit-log.js';
import * as contentBatches from '../../contract/content-batches.js';
import * as contentRuns from '../../contract/content-runs.js';
import * as dashboardExports from '../../contract/dashboard-exports.js';
import * as dashboardViews from '../../contract/dashboard-views.js';
import * as dataModel from '../../contract/data-model.js';
import * as deploymentStatus from '../../contract/deployment-status.js';
import * as deployments from '../../contract/deployments.js';
import * as embed from '../../contract/embed.js';
import * as embedAccess from '../../contract/embed-access.js';
import * as comments from '../../contract/embed-comments.js';
import * as grants from '../../contract/embed-grant.js';
import * as subscriptions from '../../contract/embed-subscriptions.js';
import * as tenants from '../../contract/embed-tenants.js';
import * as envVariables from '../../contract/env-variables.js';
import * as environments from '../../contract/environments.js';
import * as folders from '../../contract/folders.js';
import * as modelHistory from '../../contract/model-history.js';
import * as modelUploads from '../../contract/model-uploads.js';
import * as notificationDeliveries from '../../contract/notification-deliveries.js';
import * as notificationRecipients from '../../contract/notification-recipients.js';
import * as notifications from '../../contract/notifications.js';
import * as oauthIntegrations from '../../contract/oauth-integrations.js';
import * as oidcTokenConfigs from '../../contract/oidc-token-configs.js';
import type { OperationShape, Schema } from '../../contract/operation.js';
import * as regions from '../../contract/regions.js';
import * as reports from '../../contract/reports.js';
import * as repository from '../../contract/repository.js';
import * as repositoryInstallations from '../../contract/repository-installations.js';
import * as roles from '../../contract/roles.js';
import * as scim from '../../contract/scim.js';
import * as scimKeys from '../../contract/scim-keys.js';
import * as signIn from '../../contract/sign-in.js';
import * as spec from '../../contract/spec.js';
import * as tables from '../../contract/tables.js';
import * as tenantSettings from '../../contract/tenant-settings.js';
import * as transformSync from '../../contract/transform-sync.js';
import * as usageAnalytics from '../../contract/usage-analytics.js';
import * as userAttributes from '../../contract/user-attributes.js';
import * as userOAuthTokens from '../../contract/user-oauth-tokens.js';
import * as users from '../../contract/users.js';
import * as workbooks from '../../contract/workbooks.js';
import * as workspace from '../../contract/workspace.js';

const modules = {
  accountGroups,
  agentFeedback,
  agentSpaces,
  agents,
  aiWidgets,
  apiKeys,
  appConfig,
  auditLog,
  contentBatches,
  contentRuns,
  dashboardViews,
  comments,
  dashboardExports,
  dataModel,
  deploymentStatus,
  deployments,
  embed,
  embedAccess,
  envVariables,
  environments,
  folders,
  grants,
  modelHistory,
  modelUploads,
  notificationDeliveries,
  notificationRecipients,
  notifications,
  oauthIntegrations,
  oidcTokenConfigs,
  regions,
  reports,
  repository,
  repositoryInstallations,
  roles,
  scim,
  scimKeys,
  signIn,
  spec,
  subscriptions,
  tables,
  tenantSettings,
  tenants,
  transformSync,
  usageAnalytics,
  userAttributes,
  userOAuthTokens,
  users,
  workbooks,
  workspace,
};

// Distributes over a union: the exports of all its members.
type Exported<M> = M extends unknown ? M[keyof M] : never;

/** Any operation of the Platform API, with its own input and response types. */
export type PlatformOperation = Extract<
  Exported<Exported<typeof modules>>,
  OperationShape & { readonly api: 'platform' }
>;

/** Operations and schemas that one module of the contract declares. */
export interface Family {
  /** Name of the module, as lowercase words. */
  readonly name: string;
  readonly operations: readonly OperationShape[];
  /** Exported schemas of the module. */
  readonly schemas: readonly (readonly [name: string, schema: Schema])[];
}

/** The operations of the Platform API, grouped by the module of their contract. */
export const families: readonly Family[] = Object.entries(modules).map(([name, exported]) => ({
  name: name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`),
  operations: Object.values<unknown>(exported).filter(isOperation),
  schemas: Object.entries<unknown>(exported).flatMap(([key, value]) =>
    isSchema(value) ? [[key, value] as const] : [],
  ),
}));

/**
 * Every operation of the Platform API as the contract declares it. Routes, documentation and tests are compared with
 * this list.
 */
export const operations: readonly OperationShape[] = families.flatMap(family => family.operations);

function isOperation(value: unknown): value is OperationShape {
  return typeof value === 'object' && value !== null && 'api' in value && value.api === 'platform';
}

function isSchema(value: unknown): value is Schema {
  return value instanceof z.ZodMiniType;
}
