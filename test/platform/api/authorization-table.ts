import type { OperationId } from './every-operation.js';
import { type Caller, callers } from './world.js';

/**
 * The status of an otherwise valid request. `ok` is a success (200 or 204). For bulk operations it is the status of the
 * item.
 */
export type Outcome = 'ok' | '400' | '403' | '404';

/**
 * The authorization rules (spec 5.3), one per line, with the outcome for each caller. The requested item is in
 * deployment 1 and belongs to the admin, except for `owner` and `tenantOwner`, who request their own. Nothing is shared
 * unless the rule states it. Hidden items return 404; visible items without the required right, or a missing role,
 * return 403.
 */
const ruleText = `
  rule               embed embedOther creator noRole viewer user developer reader editor manager owner tenantOwner admin adminSession adminPerson

  # Account and embed tenants (spec 4.1: the admin role, for any kind of token)
  public             ok    ok         ok      ok     ok     ok   ok        ok     ok     ok      ok    ok          ok    ok           ok
  signedIn           ok    ok         ok      ok     ok     ok   ok        ok     ok     ok      ok    ok          ok    ok           ok
  admin              403   403        403     403    403    403  403       403    403    403     403   403         ok    ok           ok
  # What makes credentials takes a key or a sign-in: a page that holds an admin's session can't make more of them.
  adminKey           403   403        403     403    403    403  403       403    403    403     403   403         ok    403          ok
  # Directories and keys of admins provision users
  provision          403   403        403     403    403    403  403       403    403    403     403   403         ok    403          403
  # Users of the account, who have no embed tenant
  ofAccount          403   403        403     ok     ok     ok   ok        ok     ok     ok      ok    403         ok    ok           ok
  # By a person who signed in
  person             403   403        403     403    403    403  403       403    403    403     403   403         403   403          ok
  # Tokens that administrators have: other users do not see them
  connected          403   403        403     404    404    404  404       404    404    404     404   403         ok    403          ok
  # A page that holds an admin's session does not manage the admin's tokens
  ownTokens          403   403        403     ok     ok     ok   ok        ok     ok     ok      ok    403         ok    403          ok
  viewer             403   403        ok      403    ok     ok   ok        ok     ok     ok      ok    ok          ok    ok           ok

  # Deployments: an embed session knows its own, a key those that policies let it read
  readDeployment     ok    ok         ok      404    ok     ok   ok        ok     ok     ok      ok    ok          ok    ok           ok
  updateDeployment   403   403        403     404    403    403  ok        403    403    403     403   403         ok    ok           ok
  # Of a deployment beside that of the sessions
  deleteDeployment   404   404        404     404    403    403  403       403    403    403     403   404         ok    404          ok
  connectRepository  404   404        404     404    403    403  ok        403    403    403     403   404         ok    404          ok
  # Repositories of git hosts, without embed sessions
  gitHosts           403   403        403     403    403    403  ok        403    403    403     403   403         ok    403          ok
  model              403   403        403     404    403    403  ok        403    403    403     403   403         ok    ok           ok
  # Whoever chooses a security context sees any tenant's rows
  secrets            403   403        403     404    403    403  403       403    403    403     403   403         ok    403          ok

  # Content: by owning it, or by a policy
  create             403   403        ok      403    403    ok   ok        ok     ok     ok      ok    ok          ok    ok           ok
  read               404   404        404     404    404    404  404       ok     ok     ok      ok    ok          ok    ok           ok
  edit               404   404        404     404    404    404  404       403    ok     ok      ok    ok          ok    ok           ok
  manage             404   404        404     404    404    404  404       403    403    ok      ok    ok          ok    ok           ok
  # The same for operations that ask for the role AI BI Viewer first, or AI BI User
  viewerReads        403   403        404     403    404    404  404       ok     ok     ok      ok    ok          ok    ok           ok
  viewerEdits        403   403        404     403    404    404  404       403    ok     ok      ok    ok          ok    ok           ok
  viewerManages      403   403        404     403    404    404  404       403    403    ok      ok    ok          ok    ok           ok
  userReads          403   403        404     403    403    404  404       ok     ok     ok      ok    ok          ok    ok           ok
  userEdits          403   403        404     403    403    404  404       403    ok     ok      ok    ok          ok    ok           ok
  userManages        403   403        404     403    403    404  404       403    403    ok      ok    ok          ok    ok           ok
  # Only who started an export sees it
  startedBySelf      403   403        404     403    403    404  404       404    404    404     ok    ok          ok    404          404
  # What an admin makes by an embed session belongs to its tenant, and does not go among the account's.
  createWithin       403   403        404     403    403    404  404       403    ok     ok      ok    ok          ok    400          ok

  # Published dashboards, shared with the tenant of all sessions but embedOther; comments are by embed
  dashboard          ok    404        ok      404    404    404  404       ok     ok     ok      ok    ok          ok    ok           ok
  # The same for a feature that the platform does not have
  missingFeature     403   404        403     404    404    404  404       403    403    403     403   403         403   403          403
  sharedWorkspace    ok    ok         ok      403    403    403  403       403    403    403     403   ok          403   ok           403
  commentAsTenant    ok    404        ok      403    403    403  403       403    403    403     403   ok          403   403          403
  commentOfOwn       ok    404        403     403    403    403  403       403    403    403     403   403         403   403          403
  # Of sessions with allowSubscriptions; embed and embedOther have an email
  subscribe          ok    404        403     403    403    403  403       403    403    403     403   403         403   403          403
  subscriptionOfOwn  ok    404        404     403    403    403  403       403    403    403     403   404         403   403          403
`;

/** The rule of each operation. */
const operationRules = {
  createApiKey: 'adminKey',
  listApiKeys: 'adminKey',
  revokeApiKey: 'adminKey',

  getAppConfig: 'signedIn',
  updateAppConfig: 'admin',
  getAuditLog: 'admin',
  getQueryLog: 'adminKey',
  createUsageAnalyticsToken: 'adminKey',
  getSpec: 'signedIn',
  getTenantSettings: 'admin',
  updateTenantSettings: 'admin',
  listRegions: 'viewer',

  getRoles: 'admin',
  createRole: 'admin',
  getRole: 'admin',
  updateRole: 'admin',
  deleteRole: 'admin',
  assignRoleToUser: 'admin',
  removeRoleFromUser: 'admin',
  listUsers: 'adminKey',
  getUser: 'adminKey',
  createUser: 'adminKey',
  updateUser: 'adminKey',
  deleteUser: 'adminKey',
  bulkUserAction: 'adminKey',
  applyContentBatch: 'adminKey',
  getManagedContent: 'adminKey',
  listAccountGroups: 'adminKey',
  createAccountGroup: 'adminKey',
  getAccountGroup: 'adminKey',
  updateAccountGroup: 'adminKey',
  deleteAccountGroup: 'adminKey',
  listAccountGroupMembers: 'adminKey',
  addAccountGroupMembers: 'adminKey',
  removeAccountGroupMembers: 'adminKey',
  listOAuthIntegrations: 'adminKey',
  createOAuthIntegration: 'adminKey',
  getOAuthIntegration: 'adminKey',
  updateOAuthIntegration: 'adminKey',
  deleteOAuthIntegration: 'adminKey',
  listUserOAuthTokens: 'ownTokens',
  getUserOAuthToken: 'connected',
  revokeUserOAuthToken: 'connected',
  initiateOAuthFlow: 'person',
  listOidcTokenConfigs: 'adminKey',
  createOidcTokenConfig: 'adminKey',
  getOidcTokenConfig: 'adminKey',
  updateOidcTokenConfig: 'adminKey',
  deleteOidcTokenConfig: 'adminKey',
  createOidcToken: 'adminKey',
  rotateOidcSigningKey: 'adminKey',
  getJwks: 'public',
  getIssuerMetadata: 'public',
  createScimKey: 'adminKey',
  listScimKeys: 'adminKey',
  revokeScimKey: 'adminKey',
  createScimUser: 'provision',
  getScimUser: 'provision',
  replaceScimUser: 'provision',
  patchScimUser: 'provision',
  deleteScimUser: 'provision',
  createScimGroup: 'provision',
  getScimGroup: 'provision',
  replaceScimGroup: 'provision',
  patchScimGroup: 'provision',
  deleteScimGroup: 'provision',
  listScimUsers: 'provision',
  listScimGroups: 'provision',
  getScimServiceProviderConfig: 'provision',
  listScimResourceTypes: 'provision',
  getScimResourceType: 'provision',
  listScimSchemas: 'provision',
  getScimSchema: 'provision',
  // The cookie is the credential of the operations on the caller's session.
  getSignIn: 'public',
  signIn: 'public',
  createSessionToken: 'public',
  signOut: 'public',
  endMySessions: 'ofAccount',
  changeMyPassword: 'person',
  listUserSessions: 'adminKey',
  endUserSessions: 'adminKey',
  setUserPassword: 'adminKey',
  getMe: 'ofAccount',
  updateMySettings: 'ofAccount',
  getUserAttributes: 'admin',
  createUserAttribute: 'admin',
  updateUserAttribute: 'admin',
  upsertUserAttributeValue: 'admin',
  getUserAttributeValues: 'admin',

  listEmbedTenants: 'admin',
  deleteEmbedTenant: 'admin',
  getGroups: 'admin',
  createGroup: 'admin',
  getGroup: 'admin',
  updateGroup: 'admin',
  deleteGroup: 'admin',
  getGroupMembers: 'admin',
  addGroupMembers: 'admin',
  removeGroupMembers: 'admin',
  provisionEmbedUser: 'admin',
  provisionEmbedUsers: 'admin',
  listEmbedUsers: 'admin',
  listEmbedUserSessions: 'admin',
  revokeEmbedUserSessions: 'admin',
  listEmbedTenantWorkbooks: 'admin',

  generateSession: 'adminKey',
  revokeSession: 'adminKey',
  // The session id is the credential; other credentials are ignored.
  postTokenBySessionId: 'public',
  getDashboard: 'dashboard',
  listDashboardAiWidgets: 'dashboard',
  postDashboardPythonRun: 'missingFeature',
  updateDashboardEmbedding: 'admin',
  listDashboardComments: 'commentAsTenant',
  listDashboardViews: 'commentAsTenant',
  createDashboardView: 'commentAsTenant',
  updateDashboardView: 'commentOfOwn',
  deleteDashboardView: 'commentOfOwn',
  setDefaultDashboardView: 'commentAsTenant',
  createDashboardComment: 'commentAsTenant',
  readDashboardComments: 'commentAsTenant',
  listMentionableEmbedUsers: 'commentAsTenant',
  removeDashboardComment: 'commentOfOwn',
  updateDashboardComment: 'commentOfOwn',
  setDashboardCommentResolved: 'commentOfOwn',
  listDashboardSubscriptions: 'commentAsTenant',
  createDashboardSubscription: 'subscribe',
  deleteDashboardSubscription: 'subscriptionOfOwn',
  sendDashboardSubscription: 'subscriptionOfOwn',

  // Callers without the admin role need an agent policy.
  listAgents: 'admin',
  createAgent: 'admin',
  getAgent: 'admin',
  updateAgent: 'admin',
  deleteAgent: 'admin',
  listAgentFeedback: 'admin',
  listAgentSpaces: 'admin',
  createAgentSpace: 'admin',
  getAgentSpace: 'admin',
  updateAgentSpace: 'admin',
  deleteAgentSpace: 'admin',

  startExport: 'userManages',
  getExportStatus: 'startedBySelf',
  cancelExport: 'startedBySelf',
  downloadExport: 'startedBySelf',

  getNotifications: 'admin',
  createNotification: 'admin',
  getNotification: 'admin',
  updateNotification: 'admin',
  deleteNotification: 'admin',
  getRecipients: 'admin',
  addRecipients: 'admin',
  removeRecipients: 'admin',
  getNotificationDeliveries: 'admin',
  getNotificationRuns: 'admin',
  getNotificationEvaluations: 'admin',
  sendNotification: 'admin',
  unsubscribe: 'public',

  getDeployments: 'signedIn',
  getDeployment: 'readDeployment',
  getDeploymentSettings: 'updateDeployment',
  updateDeployment: 'updateDeployment',
  deleteDeployment: 'deleteDeployment',
  createDeployment: 'adminKey',
  listBranches: 'connectRepository',
  createBranch: 'connectRepository',
  removeBranch: 'connectRepository',
  listFiles: 'connectRepository',
  updateFiles: 'connectRepository',
  removeFiles: 'connectRepository',
  validateDataModel: 'connectRepository',
  renameFiles: 'connectRepository',
  commitChanges: 'connectRepository',
  diffDataModel: 'connectRepository',
  listCommits: 'connectRepository',
  revertChanges: 'connectRepository',
  mergeToDefaultBranch: 'connectRepository',
  mergeIntoParentBranch: 'connectRepository',
  setBranchStagingEnvironment: 'connectRepository',
  startDevMode: 'connectRepository',
  stopDevMode: 'connectRepository',
  fileHashes: 'connectRepository',
  startUpload: 'connectRepository',
  uploadFile: 'connectRepository',
  finishUpload: 'connectRepository',
  listTables: 'connectRepository',
  previewTable: 'connectRepository',
  importTable: 'connectRepository',
  generateModel: 'connectRepository',
  deleteTable: 'connectRepository',
  deploymentToken: 'readDeployment',
  getEnvVariables: 'adminKey',
  deleteEnvVariable: 'adminKey',
  setEnvVariables: 'adminKey',
  getDeploymentEnvironments: 'viewer',
  getDeploymentEnvironmentTokens: 'secrets',
  createDeploymentEnvironmentToken: 'secrets',
  createDeploymentEnvironmentTokenForMetaSync: 'secrets',
  connect: 'connectRepository',
  getRepositoryConnection: 'connectRepository',
  disconnectRepository: 'connectRepository',
  createRepositoryWebhook: 'connectRepository',
  receiveRepositoryWebhook: 'public',
  pull: 'connectRepository',
  push: 'connectRepository',
  installations: 'gitHosts',
  repositories: 'gitHosts',
  branches: 'gitHosts',
  status: 'gitHosts',
  createInstallation: 'adminKey',
  updateInstallation: 'adminKey',
  deleteInstallation: 'adminKey',
  listContentRuns: 'model',
  buildStatus: 'model',
  pods: 'model',
  logs: 'model',
  listDeploymentVersions: 'model',
  startXformSync: 'model',
  listXformSyncs: 'model',
  getXformSyncStatus: 'model',
  cancelXformSync: 'model',
  getXformSyncResult: 'model',
  getXformSyncLogs: 'model',
  getXformSyncGeneratedFiles: 'model',

  // Lists contain what the caller can read; they are empty for callers without access.
  getReports: 'readDeployment',
  getWorkbooks: 'viewer',
  getFolders: 'viewer',
  workspaceObjects: 'viewer',
  sharedWorkspaceObjects: 'sharedWorkspace',

  // Creates content in a folder or workbook of the owner.
  createFolder: 'createWithin',
  createWorkbook: 'createWithin',
  createReport: 'createWithin',
  // Creates content with a new id or slug, at the root.
  upsertReportByPublicId: 'create',
  upsertWorkbookBySlug: 'create',

  getReport: 'read',
  connectReportToWorkbook: 'read',
  disconnectReportFromWorkbook: 'read',
  refreshReport: 'read',
  updateReport: 'edit',
  deleteReport: 'manage',

  getWorkbook: 'read',
  getEmbedAccess: 'read',
  setWorkspaceFavorite: 'read',
  listDashboardVersions: 'userEdits',
  getDashboardVersion: 'userEdits',
  duplicateWorkbook: 'userReads',
  updateWorkbook: 'userEdits',
  updateWorkbookDashboard: 'userEdits',
  publishDashboard: 'userEdits',
  updatePublishedDashboardAiWidgetThread: 'userEdits',
  deleteWorkbook: 'userManages',
  updateEmbedAccess: 'userManages',

  getFolderAncestors: 'viewerReads',
  getFolderEmbedAccess: 'viewerReads',
  updateFolder: 'viewerEdits',
  deleteFolder: 'viewerManages',
  updateFolderEmbedAccess: 'userManages',

  moveWorkspaceObject: 'viewerManages',
  bulkMoveWorkspaceObjects: 'viewerManages',
  bulkDeleteWorkspaceObjects: 'viewerManages',
} satisfies Readonly<Record<OperationId, string>>;

/** The outcome of an operation for each caller. */
export type Row = Readonly<Record<Caller, Outcome>>;

const rules = readRules();

/** The authorization table: the outcome of every operation for each caller. */
export const authorizationTable: ReadonlyMap<string, Row> = new Map(
  Object.entries(operationRules).map(([id, rule]) => [id, ruleOf(rule)]),
);

/** Rules that no operation uses. */
export const unusedRules: readonly string[] = [...rules.keys()].filter(
  rule => !Object.values<string>(operationRules).includes(rule),
);

function ruleOf(name: string): Row {
  const rule = rules.get(name);
  if (!rule) throw new Error(`There is no rule ${name}.`);
  return rule;
}

function readRules(): ReadonlyMap<string, Row> {
  const [header, ...lines] = ruleText
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => line.split(/\s+/));
  if (header?.join() !== ['rule', ...callers].join())
    throw new Error('The rules must name the callers in their order.');
  return new Map(lines.map(([rule = '', ...cells]) => [rule, readRow(rule, cells)]));
}

function readRow(rule: string, cells: readonly string[]): Row {
  const outcomes = cells.filter(isOutcome);
  if (cells.length !== callers.length || outcomes.length !== callers.length) {
    throw new Error(`The rule ${rule} must say ok, 400, 403 or 404 of each caller.`);
  }
  return Object.fromEntries(callers.map((caller, index) => [caller, outcomes[index]])) as Row;
}

function isOutcome(cell: string): cell is Outcome {
  return ['ok', '400', '403', '404'].includes(cell);
}
