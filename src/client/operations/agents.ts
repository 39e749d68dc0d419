import * as feedback from '../../contract/agent-feedback.js';
import * as agents from '../../contract/agents.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Lists the agents of a deployment that the caller may read, oldest first, one page at a time. */
export const listAgents: Endpoint<typeof agents.listAgents, 'deploymentId'> = /* @__PURE__ */ endpoint(
  agents.listAgents,
  'deploymentId',
);

/** Creates an agent of the chat. */
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
