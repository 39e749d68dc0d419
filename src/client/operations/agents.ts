import * as feedback from '../../contract/agent-feedback.js';
import * as spaces from '../../contract/agent-spaces.js';
import * as agents from '../../contract/agents.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Lists the agents of a deployment that the caller may read, oldest first, one page at a time. */
export const listAgents: Endpoint<typeof agents.listAgents, 'deploymentId'> = /* @__PURE__ */ endpoint(
  agents.listAgents,
  'deploymentId',
);

/** Creates a chat agent. */
export const createAgent: Endpoint<typeof agents.createAgent, 'deploymentId'> = /* @__PURE__ */ endpoint(
  agents.createAgent,
  'deploymentId',
);

/** Returns an agent. */
export const getAgent: Endpoint<typeof agents.getAgent> = /* @__PURE__ */ endpoint(agents.getAgent);

/** Updates an agent. Omitted fields are unchanged; `null` removes a setting. */
export const updateAgent: Endpoint<typeof agents.updateAgent> = /* @__PURE__ */ endpoint(agents.updateAgent);

/** Deletes an agent and its threads. The last agent of a deployment cannot be deleted. */
export const deleteAgent: Endpoint<typeof agents.deleteAgent> = /* @__PURE__ */ endpoint(agents.deleteAgent);

/** Lists the feedback of users on answers, latest change first, one page at a time. */
export const listAgentFeedback: Endpoint<typeof feedback.listAgentFeedback, 'deploymentId'> = /* @__PURE__ */ endpoint(
  feedback.listAgentFeedback,
  'deploymentId',
);

/** Lists the agent spaces that the caller may read, oldest first, one page at a time. */
export const listAgentSpaces: Endpoint<typeof spaces.listAgentSpaces, 'deploymentId'> = /* @__PURE__ */ endpoint(
  spaces.listAgentSpaces,
  'deploymentId',
);

/** Creates an agent space. */
export const createAgentSpace: Endpoint<typeof spaces.createAgentSpace, 'deploymentId'> = /* @__PURE__ */ endpoint(
  spaces.createAgentSpace,
  'deploymentId',
);

/** Returns an agent space. */
export const getAgentSpace: Endpoint<typeof spaces.getAgentSpace> = /* @__PURE__ */ endpoint(spaces.getAgentSpace);

/** Updates an agent space. */
export const updateAgentSpace: Endpoint<typeof spaces.updateAgentSpace> = /* @__PURE__ */ endpoint(
  spaces.updateAgentSpace,
);

/** Deletes a space. Its agents remain, without a space. */
export const deleteAgentSpace: Endpoint<typeof spaces.deleteAgentSpace> = /* @__PURE__ */ endpoint(
  spaces.deleteAgentSpace,
);
