import type { BuiltInRole, Policy } from '../../contract/policies.js';

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
