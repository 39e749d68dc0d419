import type { BuiltInRole, Policy, ResourceType } from '../../../src/contract/roles.js';
import type { ActionName } from '../../../src/platform/auth/rights.js';
import type { OperationId } from './every-operation.js';

/** The effect of an action in a policy on all resources: a request is rejected without it, and succeeds with it. */
interface Effect {
  /** The rights of the caller besides the policy; `null` for none. */
  readonly base: BuiltInRole | null | readonly Policy[];
  readonly operation: OperationId;
}

/** The test file that verifies an effect on something other than the status of an operation of the Platform API. */
type Elsewhere = `test/${string}.test.ts`;

const exporter: readonly Policy[] = [
  { resourceType: 'Global', actions: ['AIBIExplore'], resources: ['All'] },
  { resourceType: 'Deployment', actions: ['DeploymentRead'], resources: ['All'] },
  { resourceType: 'Workbook', actions: ['WorkbookManage'], resources: ['All'] },
];
const by = (base: Effect['base'], operation: OperationId): Effect => ({ base, operation });
const chat = 'test/platform/chat/chat-caller.test.ts';

/** The effect of every action that a policy can contain, by type of resource. All other actions are rejected. */
export const policyEffects: Readonly<Record<ResourceType, Partial<Record<ActionName, Effect | Elsewhere>>>> = {
  Global: {
    AIBIView: by(null, 'listRegions'),
    AIBIViewer: by(null, 'listRegions'),
    AIBIExplore: by('AIBIViewer', 'upsertWorkbookBySlug'),
    AIBIUser: by('AIBIViewer', 'upsertWorkbookBySlug'),
    AIBIDevelop: by('AIBIViewer', 'upsertWorkbookBySlug'),
    AIBIDeveloper: by('AIBIViewer', 'upsertWorkbookBySlug'),
    DeploymentsManage: by(null, 'createDeployment'),
    DeploymentCreate: by(null, 'createDeployment'),
    AuditLogManage: by(null, 'getAuditLog'),
    AgentAdmin: by('AIBIViewer', 'updateAgent'),
    AgentManage: by('AIBIViewer', 'updateAgent'),
    AgentSpaceManage: by('AIBIViewer', 'updateAgentSpace'),
    OAuthIntegrationsManage: by(null, 'listOAuthIntegrations'),
    OAuthIntegrationsIssueTokens: by(null, 'initiateOAuthFlow'),
  },
  Deployment: {
    All: by('AIBIViewer', 'updateDeployment'),
    DeploymentsManage: by('AIBIViewer', 'updateDeployment'),
    DeploymentRead: by(null, 'getDeployment'),
    DeploymentUpdate: by('AIBIViewer', 'updateDeployment'),
    DeploymentDelete: by('AIBIViewer', 'deleteDeployment'),
    SecretsManage: by('AIBIViewer', 'getEnvVariables'),
    DownloadData: by(exporter, 'startExport'),
    SchemaRead: by('AIBIViewer', 'listXformSyncs'),
    SchemaUpdate: by('AIBIViewer', 'startXformSync'),
    SchemaUpdateDevBranches: by('AIBIViewer', 'createBranch'),
    ChatHistoryRead: 'test/platform/models/agent-feedback.test.ts',
    DeploymentAgentRead: by('AIBIViewer', 'getAgent'),
  },
  Report: {
    All: by('AIBIUser', 'deleteReport'),
    ReportRead: by('AIBIUser', 'getReport'),
    ReportEdit: by('AIBIUser', 'updateReport'),
    ReportManage: by('AIBIUser', 'deleteReport'),
  },
  ReportFolder: {},
  Workbook: {
    All: by('AIBIUser', 'deleteWorkbook'),
    WorkbookRead: by('AIBIUser', 'getWorkbook'),
    WorkbookEdit: by('AIBIUser', 'updateWorkbook'),
    WorkbookManage: by('AIBIUser', 'deleteWorkbook'),
  },
  Folder: {
    All: by('AIBIUser', 'deleteFolder'),
    FolderRead: by('AIBIUser', 'getFolderAncestors'),
    FolderEdit: by('AIBIUser', 'updateFolder'),
    FolderManage: by('AIBIUser', 'deleteFolder'),
  },
  Dashboard: { All: by('AIBIUser', 'getDashboard'), EmbedDashboardRead: by('AIBIUser', 'getDashboard') },
  Agent: {
    All: by('AIBIViewer', 'updateAgent'),
    AgentRead: by('AIBIViewer', 'getAgent'),
    AgentManage: by('AIBIViewer', 'updateAgent'),
  },
  AgentSpace: {
    All: by('AIBIViewer', 'updateAgentSpace'),
    AgentRead: by('AIBIViewer', 'getAgentSpace'),
    AgentManage: by('AIBIViewer', 'createAgent'),
    AgentSpaceManage: by('AIBIViewer', 'updateAgentSpace'),
  },
  ChatThread: { All: chat, ChatThreadRead: chat, ChatHistoryRead: chat },
};
