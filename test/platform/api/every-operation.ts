import { createHmac } from 'node:crypto';
import type { BodyOf, FormOf, OperationShape, ParamsOf, QueryOf } from '../../../src/contract/operation.js';
import { ScimUrn } from '../../../src/contract/scim.js';
import type { PlatformOperation } from '../../../src/platform/http/operations.js';
import { testPassword } from '../test-platform.js';
import { fresh, freshPublicId, installationBody, integrationBody } from './things.js';
import type { Owner, Sent, Who, World } from './world.js';

/** The `operationId` of an operation. */
export type OperationId = PlatformOperation['id'];

/** The input of a request to this operation. */
interface SentTo<O extends OperationShape> extends Sent {
  readonly params?: ParamsOf<O>;
  readonly query?: QueryOf<O>;
  readonly body?: BodyOf<O>;
  readonly form?: FormOf<O>;
}

/** Creates the data that a request needs and returns its input. Each result is valid for one request. */
type Example<O extends OperationShape> = (things: ReturnType<typeof makersOf>) => SentTo<O> | Promise<SentTo<O>>;

/** Returns functions that create data for examples. Content belongs to the given owner. */
function makersOf(world: World, owner: Owner) {
  return { ...world.things[owner], ann: (world.credentials.embed ?? '').replace('Bearer ', '') };
}

const deploymentId = 1;
const embedTenantName = 'acme';
const inDeployment = { params: { deploymentId } };
const inTenant = { params: { embedTenantName } };

/** Keys of an installation with ssh, which nothing uses. */
const sshKeys = {
  hostKey: 'ssh-ed25519 AAAA',
  privateKey: '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n',
};

/** Returns an unused name of a table. */
const tableName = () => fresh('table').replace('-', '_');

/** Returns the input of a request about a branch. */
function onBranch<T>(
  { deploymentId: id, branchName }: { readonly deploymentId: number; readonly branchName: string },
  inputOf: (branchName: string) => T,
): T & { readonly params: { readonly deploymentId: number } } {
  return { params: { deploymentId: id }, ...inputOf(branchName) };
}

/** A valid request of every operation, by operation id. */
export const examples: { readonly [O in PlatformOperation as O['id']]: Example<O> } = {
  createApiKey: () => ({
    body: {
      name: fresh('key'),
      username: fresh('robot'),
      role: 'AIBIViewer',
      expiresAt: '2199-01-01T00:00:00Z',
    },
  }),
  listApiKeys: () => ({ query: { first: 2 } }),
  revokeApiKey: async ({ key }) => ({ params: { id: await key() } }),

  listAgents: () => ({ ...inDeployment, query: { first: 2, spaceId: 1 } }),
  createAgent: async ({ space }) => ({
    ...inDeployment,
    body: {
      name: fresh('agent'),
      description: 'Answers questions about flights.',
      instructions: 'Answer in one sentence.',
      views: ['flights'],
      tools: ['modelMeta', 'dataQuery'],
      suggestions: ['How many flights?'],
      model: 'small-model',
      groups: ['sales'],
      spaceId: await space(),
    },
  }),
  getAgent: async ({ agent }) => ({ params: { deploymentId, agentId: await agent() } }),
  updateAgent: async ({ agent }) => ({ params: { deploymentId, agentId: await agent() }, body: { views: null } }),
  deleteAgent: async ({ agent }) => ({ params: { deploymentId, agentId: await agent() } }),
  listAgentSpaces: () => ({ ...inDeployment, query: { first: 2 } }),
  createAgentSpace: () => ({
    ...inDeployment,
    body: { name: fresh('space'), description: 'Agents of the sales team' },
  }),
  getAgentSpace: async ({ space }) => ({ params: { deploymentId, spaceId: await space() } }),
  updateAgentSpace: async ({ space }) => ({
    params: { deploymentId, spaceId: await space() },
    body: { name: fresh('space'), description: null },
  }),
  deleteAgentSpace: async ({ space }) => ({ params: { deploymentId, spaceId: await space() } }),
  listAgentFeedback: () => ({
    ...inDeployment,
    query: { first: 2, agentId: 1, rating: 'down', from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' },
  }),

  getAppConfig: () => ({}),
  updateAppConfig: () => ({
    body: {
      applyThemeGlobally: true,
      creatorMode: { showGeneratedSql: false, localizedTitles: [{ locale: 'de', value: 'Studio' }] },
      embedding: { enableDashboardComments: true, locale: 'en-GB' },
    },
  }),

  createUsageAnalyticsToken: () => ({}),
  getQueryLog: () => ({ query: { first: 5, outcome: 'ok', search: 'ann', minMs: 100, userId: 1 } }),
  getAuditLog: () => ({ query: { first: 5, operation: 'createRole' } }),

  listDashboardComments: async ({ comment, ann }) => ({
    params: { publicId: (await comment(ann)).publicId },
    query: { includeResolved: 'true' },
  }),
  createDashboardComment: async ({ comment, ann }) => {
    const { publicId, commentId } = await comment(ann);
    const context = { widgetId: 'w1', state: { filters: { 'orders.status': { value: 'open' } } } };
    return { params: { publicId }, body: { body: 'It rained.', parentId: commentId, context } };
  },
  readDashboardComments: async ({ comment, ann }) => {
    const { publicId, commentId } = await comment(ann);
    return { params: { publicId }, body: { upTo: commentId } };
  },
  listMentionableEmbedUsers: async ({ published }) => ({
    params: { publicId: (await published()).publicId },
    query: { search: 'an' },
  }),
  listDashboardViews: async ({ view, ann }) => ({ params: { publicId: (await view(ann)).publicId } }),
  createDashboardView: async ({ published }) => ({
    params: { publicId: (await published()).publicId },
    body: { name: 'West', state: { filters: { 'orders.status': { value: 'open' } } } },
  }),
  updateDashboardView: async ({ view, ann }) => ({ params: await view(ann), body: { name: 'East' } }),
  deleteDashboardView: async ({ view, ann }) => ({ params: await view(ann) }),
  setDefaultDashboardView: async ({ view, ann }) => {
    const { publicId, viewId } = await view(ann);
    return { params: { publicId }, body: { viewId } };
  },
  removeDashboardComment: async ({ comment, ann }) => ({ params: await comment(ann) }),
  updateDashboardComment: async ({ comment, ann }) => ({ params: await comment(ann), body: { body: 'Why so high?' } }),
  setDashboardCommentResolved: async ({ comment, ann }) => ({ params: await comment(ann), body: { resolved: true } }),

  listDashboardSubscriptions: async ({ subscribed, ann }) => ({
    params: { publicId: (await subscribed(ann)).publicId },
  }),
  createDashboardSubscription: async ({ subscribable }) => ({
    params: { publicId: await subscribable() },
    body: { scheduleType: 'DAILY', hour: 9, filters: [{ member: 'flights.carrier', operator: 'equals', value: 'AA' }] },
  }),
  deleteDashboardSubscription: async ({ subscribed, ann }) => ({ params: await subscribed(ann) }),
  sendDashboardSubscription: async ({ subscribed, ann }) => ({
    params: await subscribed(ann),
    query: { waitSeconds: 0 },
  }),

  getDeployments: () => ({ query: { first: 2, creationStep: ['ready'] } }),
  getDeployment: () => inDeployment,
  getDeploymentSettings: () => inDeployment,
  updateDeployment: () => ({ ...inDeployment, body: { name: 'local', launchpadTabs: ['workbooks'] } }),
  createDeployment: () => ({ body: { name: fresh('deployment'), creationMethod: 'upload', cloudProvider: 'aws' } }),
  listBranches: async ({ changedBranch }) => ({
    params: { deploymentId: (await changedBranch()).deploymentId },
    query: { first: 1 },
  }),
  createBranch: async ({ branch }) => {
    const { deploymentId: id, branchName: from } = await branch();
    return { params: { deploymentId: id }, body: { name: `fix/${from}`, from } };
  },
  removeBranch: async ({ branch }) => onBranch(await branch(), branchName => ({ query: { branchName } })),
  listFiles: async ({ changedBranch }) =>
    onBranch(await changedBranch(), branchName => ({ query: { branchName, withContent: 'true', first: 1 } })),
  updateFiles: async ({ branch }) =>
    onBranch(await branch(), branchName => ({
      body: { branchName, files: [{ path: 'model/cubes/flights.yml', content: 'cubes: []' }] },
    })),
  removeFiles: async ({ changedBranch }) =>
    onBranch(await changedBranch(), branchName => ({
      body: { branchName, files: [{ path: `model/${branchName}.yml` }] },
    })),
  validateDataModel: async ({ changedBranch }) =>
    onBranch(await changedBranch(), branchName => ({ query: { branchName } })),
  renameFiles: async ({ changedBranch }) =>
    onBranch(await changedBranch(), branchName => ({
      body: { branchName, files: [{ path: `model/${branchName}.yml`, newPath: `model/new-${branchName}.yml` }] },
    })),
  diffDataModel: async ({ changedBranch }) =>
    onBranch(await changedBranch(), branchName => ({ query: { branchName, withPatch: 'true' } })),
  listCommits: async ({ changedBranch }) =>
    onBranch(await changedBranch(), branchName => ({ query: { branchName, first: 1 } })),
  revertChanges: async ({ changedBranch }) =>
    onBranch(await changedBranch(), branchName => ({ body: { branchName, paths: [`model/${branchName}.yml`] } })),
  commitChanges: async ({ changedBranch }) =>
    onBranch(await changedBranch(), branchName => ({ body: { branchName, message: 'Add a file' } })),
  mergeToDefaultBranch: async things =>
    onBranch(await things.committedBranch(), branchName => ({
      body: { branchName, message: 'Merge', removeBranchAfterMerge: true },
    })),
  mergeIntoParentBranch: async things =>
    onBranch(await things.childBranch(), branchName => ({ body: { branchName, deleteBranch: true } })),
  setBranchStagingEnvironment: async ({ branch }) =>
    onBranch(await branch(), branchName => ({ body: { branchName, enabled: true } })),
  startDevMode: async ({ branch }) => onBranch(await branch(), branchName => ({ body: { branchName } })),
  stopDevMode: async ({ branch }) => onBranch(await branch(), () => ({})),
  fileHashes: async ({ changedBranch }) => onBranch(await changedBranch(), branchName => ({ query: { branchName } })),
  startUpload: async ({ branch }) => onBranch(await branch(), branchName => ({ query: { branchName } })),
  uploadFile: async things => {
    const { transaction, ...branch } = await things.upload();
    const form = {
      transaction: JSON.stringify(transaction),
      fileName: 'model/flights.yml',
      file: new File(['cubes: []'], 'f'),
    };
    return onBranch(branch, branchName => ({ query: { branchName, live: 'true' }, form }));
  },
  finishUpload: async things => {
    const { transaction, ...branch } = await things.upload();
    return onBranch(branch, () => ({ body: { transaction, files: {}, commitMessage: 'Remove the files' } }));
  },
  listTables: async ({ repository }) => ({ params: { deploymentId: await repository() }, query: { first: 1 } }),
  previewTable: async ({ repository }) => ({
    params: { deploymentId: await repository() },
    form: { file: new File(['airport,flights\nJFK,3\n'], 'Airports 2026.csv') },
  }),
  importTable: async ({ tableUpload }) => {
    const { deploymentId: id, uploadId } = await tableUpload();
    return { params: { deploymentId: id }, body: { uploadId, table: tableName(), mode: 'create' } };
  },
  generateModel: async ({ branch }) =>
    onBranch(await branch(), branchName => ({
      body: { branchName, tables: ['flights'], tenantColumn: 'tenant', allowAll: true },
    })),
  deleteTable: async things => {
    const { deploymentId: id, uploadId } = await things.tableUpload();
    const table = tableName();
    await things.importTable(id, { uploadId, table, mode: 'create' });
    return { params: { deploymentId: id }, query: { table } };
  },
  deleteDeployment: async ({ deployment }) => ({ params: { deploymentId: await deployment() } }),
  deploymentToken: () => ({ ...inDeployment, body: { expiresIn: 60 } }),

  postTokenBySessionId: async ({ session }) => ({ body: { sessionId: await session() } }),
  revokeSession: async ({ session }) => ({ body: { sessionId: await session() } }),
  getDashboard: async ({ published }) => ({ params: { publicId: (await published()).publicId } }),
  listDashboardAiWidgets: async ({ published }) => ({ params: { publicId: (await published()).publicId } }),
  postDashboardPythonRun: async ({ published }) => {
    const { publicId, snapshot } = await published();
    const body = { reportId: snapshot.reportId, reportVersionId: snapshot.id, sqlQuery: 'SELECT 1' };
    return { params: { publicId }, body };
  },
  updateDashboardEmbedding: async ({ published }) => ({
    params: { publicId: (await published()).publicId },
    body: { allowEmbed: false },
  }),

  getEmbedAccess: async ({ workbook }) => ({ params: { deploymentId, workbookId: await workbook() } }),
  updateEmbedAccess: async ({ workbook }) => ({
    params: { deploymentId, workbookId: await workbook() },
    body: { embedTenantName, action: 'read' },
  }),
  getFolderEmbedAccess: async ({ folder }) => ({ params: { deploymentId, folderId: await folder() } }),
  updateFolderEmbedAccess: async ({ folder }) => ({
    params: { deploymentId, folderId: await folder() },
    body: { embedTenantName, action: 'read' },
  }),
  listEmbedTenantWorkbooks: async ({ published }) => {
    await published();
    return { params: { deploymentId, embedTenantName }, query: { accessSource: 'tenant', first: 2 } };
  },

  getEnvVariables: () => ({ ...inDeployment, query: { first: 2 } }),
  deleteEnvVariable: async ({ variable }) => ({ params: { deploymentId, name: await variable() } }),
  setEnvVariables: () => ({
    ...inDeployment,
    body: { env_variables: [{ name: fresh('SCHEMA').replace('-', '_'), value: 'sales' }] },
  }),
  getDeploymentEnvironments: () => ({ ...inDeployment, query: { type: 'production' } }),
  getDeploymentEnvironmentTokens: async ({ environment }) => ({
    params: { deploymentId, environmentId: await environment() },
    query: { first: 2 },
  }),
  createDeploymentEnvironmentToken: async ({ environment }) => ({
    params: { deploymentId, environmentId: await environment() },
    body: { security_context: { tenant: 7 }, expires_in: 60 },
  }),
  createDeploymentEnvironmentTokenForMetaSync: async ({ environment }) => ({
    params: { deploymentId, environmentId: await environment() },
    body: { security_context: {} },
  }),

  getFolders: () => ({ ...inDeployment, query: { first: 2 } }),
  createFolder: async ({ folder }) => ({ ...inDeployment, body: { name: fresh('folder'), parentId: await folder() } }),
  updateFolder: async ({ folder }) => ({
    params: { deploymentId, folderId: await folder() },
    body: { name: fresh('folder'), position: 1 },
  }),
  deleteFolder: async ({ folder }) => ({ params: { deploymentId, folderId: await folder() } }),
  getFolderAncestors: async ({ folder }) => ({ params: { deploymentId, folderId: await folder() } }),

  generateSession: () => ({ body: { deploymentId, externalId: fresh('visitor'), embedTenantName } }),

  startExport: async ({ published }) => ({
    ...inDeployment,
    body: {
      dashboardPublicId: (await published()).publicId,
      format: 'pdf',
      filters: [{ member: 'flights.carrier', operator: 'equals', value: 'AA' }],
    },
  }),
  getExportStatus: async things => ({ params: { deploymentId, jobId: await things.export() } }),
  cancelExport: async things => ({ params: { deploymentId, jobId: await things.export() } }),
  downloadExport: async ({ completedExport }) => ({
    params: { deploymentId, jobId: await completedExport() },
    query: { filename: 'Sales' },
  }),

  getNotifications: () => ({ ...inDeployment, query: { first: 2 } }),
  createNotification: async ({ published }) => ({
    ...inDeployment,
    body: {
      dashboardId: (await published()).dashboardId,
      scheduleType: 'WEEKLY',
      hour: 9,
      filters: [{ member: 'flights.carrier', operator: 'equals', value: 'AA' }],
    },
  }),
  getNotification: async ({ notification }) => ({ params: { deploymentId, id: await notification() } }),
  updateNotification: async ({ notification }) => ({
    params: { deploymentId, id: await notification() },
    body: { isEnabled: false },
  }),
  deleteNotification: async ({ notification }) => ({ params: { deploymentId, id: await notification() } }),
  getRecipients: async ({ notification }) => ({ params: { deploymentId, id: await notification() } }),
  addRecipients: async ({ notification }) => ({
    params: { deploymentId, id: await notification() },
    body: { recipients: [{ type: 'EMBED_USER', embedTenantName, externalId: 'ann' }] },
  }),
  removeRecipients: async ({ notification, user }) => ({
    params: { deploymentId, id: await notification() },
    body: { recipients: [{ type: 'USER', id: await user() }] },
  }),
  getNotificationDeliveries: async ({ notification }) => ({
    params: { deploymentId, id: await notification() },
    query: { first: 2, state: 'dead' },
  }),
  getNotificationEvaluations: async ({ notification }) => ({ params: { deploymentId, id: await notification() } }),
  getNotificationRuns: async ({ notification }) => ({ params: { deploymentId, id: await notification() } }),
  sendNotification: async ({ notification }) => ({
    params: { deploymentId, id: await notification() },
    query: { waitSeconds: 0 },
  }),
  unsubscribe: async ({ subscription }) => ({ params: { token: await subscription() } }),

  listRegions: () => ({ query: { first: 2 } }),

  getReports: async ({ report }) => {
    await report();
    return { ...inDeployment, query: { first: 2, sortBy: 'name', search: 'report' } };
  },
  createReport: async ({ workbook }) => ({
    ...inDeployment,
    body: { name: fresh('report'), publicId: freshPublicId(), workbookId: await workbook() },
  }),
  upsertReportByPublicId: () => ({
    params: { deploymentId, publicId: freshPublicId() },
    body: { name: fresh('report') },
  }),
  getReport: async ({ report }) => ({ params: { deploymentId, reportId: await report() } }),
  updateReport: async ({ report }) => ({
    params: { deploymentId, reportId: await report() },
    body: { title: 'Flights', publicId: freshPublicId() },
  }),
  deleteReport: async ({ report }) => ({ params: { deploymentId, reportId: await report() } }),
  connectReportToWorkbook: async ({ report }) => ({
    params: { deploymentId, reportId: await report() },
    body: { externalWorkbookId: 'sheet', resultLocation: 'Sheet1!A1', endResultCell: 'C9' },
  }),
  disconnectReportFromWorkbook: async ({ report }) => ({
    params: { deploymentId, reportId: await report() },
    body: { externalWorkbookId: 'sheet', resultLocation: 'Sheet1!A1' },
  }),
  refreshReport: async ({ report }) => ({ params: { deploymentId, reportId: await report() }, body: {} }),

  // Use a separate deployment, because the operation starts a build of its branch.
  connect: async ({ repositoryOfHost, project }) => ({
    params: { deploymentId: await project() },
    body: { ...(await repositoryOfHost()), deployBranchName: 'main', isNewRepo: false, private: true },
  }),
  getRepositoryConnection: async ({ connectedProject }) => ({ params: { deploymentId: await connectedProject() } }),
  disconnectRepository: async ({ newConnectedProject }) => ({ params: { deploymentId: await newConnectedProject() } }),
  createRepositoryWebhook: async ({ connectedProject }) => ({
    params: { deploymentId: await connectedProject() },
  }),
  receiveRepositoryWebhook: async ({ webhook }) => {
    const { deploymentId: ofProject, secret } = await webhook();
    const signature = createHmac('sha256', secret).digest('hex');
    return { params: { deploymentId: ofProject }, headers: { 'x-hub-signature-256': `sha256=${signature}` } };
  },
  pull: async ({ connectedProject }) => ({
    params: { deploymentId: await connectedProject() },
    body: { branchName: 'main' },
  }),
  push: async ({ connectedProject }) => ({
    params: { deploymentId: await connectedProject() },
    body: { branchName: 'main' },
  }),
  installations: () => ({ query: { first: 1 } }),
  repositories: async ({ gitHost }) => ({ params: { installationId: await gitHost() }, query: { first: 1 } }),
  branches: async ({ repositoryOfHost }) => {
    const { installationId, name } = await repositoryOfHost();
    const [owner = '', repo = ''] = name.split('/');
    return { params: { owner, repo }, query: { installationId } };
  },
  status: () => ({}),
  createInstallation: () => ({ body: installationBody() }),
  updateInstallation: async ({ gitHost }) => ({
    params: { installationId: await gitHost() },
    body: { ...installationBody(), url: 'ssh://git@git.example.com', token: null, ...sshKeys },
  }),
  deleteInstallation: async ({ gitHost }) => ({ params: { installationId: await gitHost() } }),

  getRoles: () => ({ query: { first: 2 } }),
  createRole: () => ({
    body: {
      name: fresh('role'),
      policies: [{ actions: ['WorkbookRead'], resourceType: 'Workbook', resources: ['All'] }],
    },
  }),
  getRole: async ({ role }) => ({ params: { roleId: await role() } }),
  updateRole: async ({ role }) => ({ params: { roleId: await role() }, body: { description: 'Reads' } }),
  deleteRole: async ({ role }) => ({ params: { roleId: await role() } }),
  assignRoleToUser: async ({ role, user }) => ({ params: { roleId: await role(), userId: await user() } }),
  removeRoleFromUser: async ({ role, user }) => ({ params: { roleId: await role(), userId: await user() } }),

  getSpec: () => ({}),

  getTenantSettings: () => ({}),
  updateTenantSettings: () => ({ body: { maintenanceWindowEnabled: false, hasSupportAccess: false } }),

  listEmbedTenants: () => ({ query: { search: 'ac', first: 2 } }),
  deleteEmbedTenant: async ({ tenant }) => ({ params: { embedTenantName: await tenant() } }),
  getGroups: async ({ group }) => {
    await group();
    return { ...inTenant, query: { first: 2 } };
  },
  createGroup: () => ({ ...inTenant, body: { name: fresh('group'), description: 'Those who decide' } }),
  getGroup: async ({ group }) => ({ params: { embedTenantName, id: await group() } }),
  updateGroup: async ({ group }) => ({ params: { embedTenantName, id: await group() }, body: { description: 'x' } }),
  deleteGroup: async ({ group }) => ({ params: { embedTenantName, id: await group() } }),
  getGroupMembers: async ({ group }) => ({ params: { embedTenantName, id: await group() } }),
  addGroupMembers: async ({ group }) => ({
    params: { embedTenantName, id: await group() },
    body: { members: [{ externalId: 'ann' }] },
  }),
  removeGroupMembers: async ({ group }) => ({
    params: { embedTenantName, id: await group() },
    body: { members: [{ externalId: 'ann' }] },
  }),
  provisionEmbedUser: () => ({ ...inTenant, body: { externalId: fresh('visitor'), email: 'visitor@acme.example' } }),
  provisionEmbedUsers: () => ({ ...inTenant, body: { users: [{ externalId: fresh('visitor'), tenantGroups: [] }] } }),
  listEmbedUsers: () => ({ ...inTenant, query: { search: 'ann' } }),
  listEmbedUserSessions: () => ({ ...inTenant, query: { search: 'ann', first: 2 } }),
  revokeEmbedUserSessions: async ({ tenant }) => ({ params: { embedTenantName: await tenant() } }),

  listContentRuns: () => ({ ...inDeployment, query: { first: 2 } }),
  buildStatus: () => ({ ...inDeployment, query: { branchName: 'main' } }),
  pods: () => ({ ...inDeployment, query: { first: 2 } }),
  logs: () => ({ ...inDeployment, query: { first: 2, source: 'production' } }),
  listDeploymentVersions: () => ({ ...inDeployment, query: { first: 2 } }),

  startXformSync: () => ({ ...inDeployment, body: { branchName: fresh('branch') } }),
  listXformSyncs: async ({ sync }) => {
    await sync();
    return { ...inDeployment, query: { first: 2, status: 'RUNNING' } };
  },
  getXformSyncStatus: async ({ sync }) => ({ params: { deploymentId, syncJobId: await sync() } }),
  cancelXformSync: async ({ sync }) => ({ params: { deploymentId, syncJobId: await sync() } }),
  getXformSyncResult: async ({ completedSync }) => ({ params: { deploymentId, syncJobId: await completedSync() } }),
  getXformSyncLogs: async ({ completedSync }) => ({ params: { deploymentId, syncJobId: await completedSync() } }),
  getXformSyncGeneratedFiles: async ({ completedSync }) => ({
    params: { deploymentId, syncJobId: await completedSync() },
    query: { first: 2 },
  }),

  getUserAttributes: () => ({ query: { first: 2, type: 'string' } }),
  createUserAttribute: () => ({ body: { name: fresh('attribute').replace('-', '_'), type: 'boolean' } }),
  updateUserAttribute: async ({ attribute }) => ({ params: { id: await attribute() }, body: { displayName: 'City' } }),
  upsertUserAttributeValue: async ({ attribute, user }) => ({
    body: { userAttributeId: await attribute(), userId: await user(), value: 'Bonn' },
  }),
  getUserAttributeValues: async ({ user }) => ({ params: { userId: await user() } }),

  listUsers: () => ({ query: { first: 2, search: 'a', status: 'active', role: 'Admin' } }),
  getUser: async ({ accountUser }) => ({ params: { id: await accountUser() } }),
  createUser: () => ({
    body: {
      username: fresh('person'),
      email: `${fresh('person')}@acme.example`,
      firstName: 'Ann',
      picture: 'https://acme.example/ann.png',
      externalId: 'directory-7',
      isAdmin: false,
      defaultRoles: ['AIBIUser'],
      settings: { locale: 'de', sheets: { showAppliedFilters: true } },
    },
  }),
  updateUser: async ({ accountUser }) => ({
    params: { id: await accountUser() },
    body: { firstName: 'Ann', title: 'Analyst', isDeactivated: true, settings: { locale: null } },
  }),
  deleteUser: async ({ accountUser }) => ({
    params: { id: await accountUser() },
    query: { reassignTo: await accountUser() },
  }),
  applyContentBatch: () => ({
    ...inDeployment,
    body: {
      owner: 'examples',
      placeholder: -1_000_000_000,
      steps: [
        { operation: 'createFolder', body: { name: fresh('folder') }, creates: 'folder' },
        { operation: 'createFolder', body: { name: 'Inner', parentId: -1_000_000_000 }, creates: 'folder' },
      ],
      adopt: [{ kind: 'variable', name: 'SCHEMA' }],
    },
  }),
  getManagedContent: () => ({ ...inDeployment, query: { first: 2 } }),
  listAccountGroups: () => ({ query: { first: 2, search: 'a' } }),
  createAccountGroup: async ({ role }) => ({
    body: { name: fresh('team'), description: 'The team in Berlin', roleId: await role() },
  }),
  getAccountGroup: async ({ accountGroup }) => ({ params: { id: Number(await accountGroup()) } }),
  updateAccountGroup: async ({ accountGroup, role }) => ({
    params: { id: Number(await accountGroup()) },
    body: { name: fresh('team'), description: '', roleId: await role() },
  }),
  deleteAccountGroup: async ({ accountGroup }) => ({ params: { id: Number(await accountGroup()) } }),
  listAccountGroupMembers: async ({ accountGroup }) => ({
    params: { id: Number(await accountGroup()) },
    query: { first: 2, search: 'a' },
  }),
  addAccountGroupMembers: async ({ accountGroup, accountUser }) => ({
    params: { id: Number(await accountGroup()) },
    body: { userIds: [await accountUser()] },
  }),
  removeAccountGroupMembers: async ({ accountGroup, accountUser }) => ({
    params: { id: Number(await accountGroup()) },
    body: { userIds: [await accountUser()] },
  }),
  listOAuthIntegrations: () => ({}),
  createOAuthIntegration: () => ({ body: integrationBody() }),
  getOAuthIntegration: async ({ integration }) => ({ params: { id: await integration() } }),
  updateOAuthIntegration: async ({ integration }) => ({
    params: { id: await integration() },
    body: { ...integrationBody(), clientId: 'another' },
  }),
  deleteOAuthIntegration: async ({ integration }) => ({ params: { id: await integration() } }),
  listUserOAuthTokens: () => ({}),
  getUserOAuthToken: async ({ connected }) => ({ params: { integrationId: await connected() } }),
  revokeUserOAuthToken: async ({ connected }) => ({ params: { integrationId: await connected() } }),
  initiateOAuthFlow: async ({ integration }) => ({ params: { integrationId: await integration() } }),
  listOidcTokenConfigs: () => ({}),
  createOidcTokenConfig: () => ({
    body: {
      audienceType: 'custom',
      customAudience: 'https://warehouse.example',
      customClaims: { team: 'analytics' },
      isEnabled: true,
      name: fresh('token'),
      subFormat: 'platform:{region}:{deployment_id}',
      targetEnvVar: fresh('TOKEN').replace('-', '_'),
    },
  }),
  getOidcTokenConfig: async ({ tokenConfig }) => ({ params: { id: await tokenConfig() } }),
  updateOidcTokenConfig: async ({ tokenConfig }) => ({
    params: { id: await tokenConfig() },
    body: { customAudience: 'https://other.example', name: fresh('token'), isEnabled: false },
  }),
  deleteOidcTokenConfig: async ({ tokenConfig }) => ({ params: { id: await tokenConfig() } }),
  createOidcToken: async ({ tokenConfig }) => ({ params: { id: await tokenConfig() } }),
  rotateOidcSigningKey: () => ({}),
  getJwks: () => ({}),
  getIssuerMetadata: () => ({}),
  createScimKey: () => ({ body: { name: fresh('directory') } }),
  listScimKeys: () => ({ query: { first: 2 } }),
  revokeScimKey: async ({ scimKey }) => ({ params: { id: await scimKey() } }),
  listScimUsers: () => ({ query: { filter: 'active eq true', count: 2 } }),
  createScimUser: () => ({ body: { schemas: [ScimUrn.user], userName: fresh('person') } }),
  getScimUser: async ({ accountUser }) => ({ params: { id: String(await accountUser()) } }),
  replaceScimUser: async ({ accountUser }) => ({
    params: { id: String(await accountUser()) },
    body: { userName: fresh('person') },
  }),
  patchScimUser: async ({ accountUser }) => ({
    params: { id: String(await accountUser()) },
    body: { schemas: [ScimUrn.patch], Operations: [{ op: 'replace', path: 'active', value: false }] },
  }),
  deleteScimUser: async ({ accountUser }) => ({ params: { id: String(await accountUser()) } }),
  listScimGroups: () => ({ query: { count: 2, excludedAttributes: 'members' } }),
  createScimGroup: () => ({ body: { displayName: fresh('team') } }),
  getScimGroup: async ({ accountGroup }) => ({ params: { id: await accountGroup() } }),
  replaceScimGroup: async ({ accountGroup }) => ({
    params: { id: await accountGroup() },
    body: { displayName: fresh('team') },
  }),
  patchScimGroup: async ({ accountGroup, accountUser }) => ({
    params: { id: await accountGroup() },
    body: { Operations: [{ op: 'add', path: 'members', value: [{ value: String(await accountUser()) }] }] },
  }),
  deleteScimGroup: async ({ accountGroup }) => ({ params: { id: await accountGroup() } }),
  getScimServiceProviderConfig: () => ({}),
  listScimResourceTypes: () => ({}),
  getScimResourceType: () => ({ params: { id: 'User' } }),
  listScimSchemas: () => ({}),
  getScimSchema: () => ({ params: { id: ScimUrn.group } }),
  bulkUserAction: async ({ accountUser }) => ({ body: { action: 'DEACTIVATE', userIds: [await accountUser()] } }),
  getSignIn: () => ({}),
  signIn: async ({ signedIn }) => {
    const { headers, email, password } = await signedIn();
    return { headers, body: { email, password } };
  },
  createSessionToken: async ({ signedIn }) => ({ headers: (await signedIn()).headers }),
  signOut: async ({ signedIn }) => ({ headers: (await signedIn()).headers }),
  endMySessions: () => ({}),
  changeMyPassword: () => ({ body: { currentPassword: testPassword, newPassword: 'another long password' } }),
  listUserSessions: async ({ signedIn }) => ({ params: { id: (await signedIn()).userId }, query: { first: 2 } }),
  endUserSessions: async ({ signedIn }) => ({ params: { id: (await signedIn()).userId } }),
  setUserPassword: async ({ accountUser }) => ({
    params: { id: await accountUser() },
    body: { password: 'a long password' },
  }),
  getMe: () => ({}),
  updateMySettings: () => ({ body: { timezone: 'Europe/Berlin', sheets: { revealSheetOnOpen: null } } }),

  getWorkbooks: async ({ workbook }) => {
    await workbook();
    return { ...inDeployment, query: { first: 2, folderId: 0 } };
  },
  createWorkbook: async ({ folder }) => ({
    ...inDeployment,
    body: { name: fresh('workbook'), folderId: await folder(), meta: { color: 'green' } },
  }),
  upsertWorkbookBySlug: async ({ widgets }) => ({
    params: { deploymentId, slug: fresh('slug') },
    body: { name: fresh('workbook'), meta: { dashboardDraft: { widgets: await widgets() } } },
  }),
  getWorkbook: async ({ published }) => ({ params: { deploymentId, workbookId: (await published()).workbookId } }),
  updateWorkbook: async ({ workbook }) => ({
    params: { deploymentId, workbookId: await workbook() },
    body: { name: fresh('workbook'), slug: fresh('slug') },
  }),
  deleteWorkbook: async ({ workbook }) => ({ params: { deploymentId, workbookId: await workbook() } }),
  updateWorkbookDashboard: async ({ workbook, widgets }) => ({
    params: { deploymentId, workbookId: await workbook() },
    body: { dashboardDraft: { title: 'Draft', widgets: await widgets() } },
  }),
  publishDashboard: async ({ workbook, widgets }) => ({
    params: { deploymentId, workbookId: await workbook() },
    body: { config: { title: 'Board', widgets: await widgets() } },
  }),
  listDashboardVersions: async ({ published }) => ({
    params: { deploymentId, workbookId: (await published()).workbookId },
  }),
  getDashboardVersion: async ({ published }) => ({
    params: { deploymentId, workbookId: (await published()).workbookId, versionNumber: 1 },
  }),
  duplicateWorkbook: async ({ workbook }) => ({ params: { deploymentId, workbookId: await workbook() }, body: {} }),
  updatePublishedDashboardAiWidgetThread: async ({ published }) => ({
    params: { deploymentId, workbookId: (await published()).workbookId },
    body: { threadId: null, widgetId: 'ai' },
  }),

  workspaceObjects: async ({ workbook }) => {
    await workbook();
    return { ...inDeployment, query: { types: ['WORKBOOK', 'FOLDER'], orderByField: 'updated_at', first: 2 } };
  },
  sharedWorkspaceObjects: async ({ published }) => {
    await published();
    return { ...inDeployment, query: { first: 2 } };
  },
  moveWorkspaceObject: async ({ workbook, folder }) => ({
    ...inDeployment,
    body: { type: 'WORKBOOK', id: await workbook(), folderId: await folder() },
  }),
  setWorkspaceFavorite: async ({ workbook }) => ({
    ...inDeployment,
    body: { type: 'WORKBOOK', id: await workbook(), isFavorite: true },
  }),
  bulkMoveWorkspaceObjects: async ({ report, folder }) => ({
    ...inDeployment,
    body: { items: [{ type: 'REPORT', id: await report() }], folderId: await folder() },
  }),
  bulkDeleteWorkspaceObjects: async ({ report }) => ({
    ...inDeployment,
    body: { items: [{ type: 'REPORT', id: await report() }] },
  }),
};

const others: Readonly<Record<string, Who>> = {
  listDashboardComments: 'embed',
  createDashboardComment: 'embed',
  listDashboardViews: 'embed',
  createDashboardView: 'embed',
  updateDashboardView: 'embed',
  deleteDashboardView: 'embed',
  setDefaultDashboardView: 'embed',
  readDashboardComments: 'embed',
  listMentionableEmbedUsers: 'embed',
  removeDashboardComment: 'embed',
  updateDashboardComment: 'embed',
  setDashboardCommentResolved: 'embed',
  listDashboardSubscriptions: 'embed',
  createDashboardSubscription: 'embed',
  deleteDashboardSubscription: 'embed',
  sendDashboardSubscription: 'embed',
  sharedWorkspaceObjects: 'embed',
  postTokenBySessionId: 'nobody',
  signIn: 'nobody',
  createSessionToken: 'nobody',
  signOut: 'nobody',
  changeMyPassword: 'adminPerson',
  initiateOAuthFlow: 'adminPerson',
} satisfies Partial<Record<OperationId, Who>>;

/** Returns a caller for whom the example succeeds: an admin, unless the operation requires another caller. */
export function rightCaller({ id }: OperationShape): Who {
  return others[id] ?? 'admin';
}

/** Creates the input of a valid request of an operation. */
export async function exampleOf(world: World, { id }: OperationShape, owner: Owner = 'admin'): Promise<Sent> {
  if (!isKnown(id)) throw new Error(`There is no example of ${id}: add one to every-operation.ts.`);
  return examples[id](makersOf(world, owner));
}

function isKnown(id: string): id is OperationId {
  return Object.hasOwn(examples, id);
}

/** Calls `work` for each item with limited concurrency. */
export async function forEachOf<T>(list: readonly T[], work: (each: T) => Promise<void>, atOnce = 6): Promise<void> {
  const left = [...list];
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
