import * as z from 'zod/mini';
import { ToolName } from './chat-terms.js';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { IdParam, optional, PageQuery, pageOf } from './wire.js';

// Chat agents. All operations on them are extensions of the specification.

/** Tools that an agent can have. */
export const agentTools = [
  ToolName.modelMeta,
  ToolName.dataQuery,
  ToolName.readQuestion,
  ToolName.setDashboardControls,
  ToolName.suggestReplies,
] as const;

/** Maximum number of suggested questions per agent. */
export const maxSuggestions = 6;

/** Maximum number of services per agent, and of tools per service. */
export const maxToolServers = 4;
const maxServerTools = 20;
const maxViews = 200;
const maxGroups = 1000;

/**
 * A service whose tools an agent can use (MCP, streamable HTTP). The tools are called with a token of the user from
 * `oauthIntegrationId`, with a token that the platform signs from `oidcTokenConfigId`, or without a token.
 */
export const AgentToolServer = z.strictObject({
  /** Prefix of the names of the tools for the language model: tool `search` of `crm` is `crm_search`. */
  name: z.string().check(z.regex(/^[a-z][a-z0-9]{0,19}$/, 'must consist of up to 20 lower-case letters and digits')),
  /** HTTPS URL with a host in `PA_AGENT_TOOL_HOSTS`. */
  url: z.string().check(z.maxLength(2000)),
  /** Names of the tools that the agent can use. All other tools of the service are ignored. */
  tools: z
    .array(z.string().check(z.regex(/^[\w-]{1,40}$/, 'must be the name of a tool, at most 40 characters')))
    .check(z.minLength(1), z.maxLength(maxServerTools)),
  oauthIntegrationId: optional(z.int().check(z.positive())),
  oidcTokenConfigId: optional(z.int().check(z.positive())),
});
/** A service whose tools an agent can use. */
export type AgentToolServer = z.infer<typeof AgentToolServer>;

/**
 * A chat agent. `null` means no restriction: all views that the user may see, all tools, all users. Without
 * `suggestions`, questions are derived from the model; without `model`, the platform's language model answers.
 */
export const Agent = z.looseObject({
  id: z.int(),
  deploymentId: z.int(),
  name: z.string(),
  description: optional(z.string()),
  instructions: optional(z.string()),
  views: optional(z.array(z.string())),
  tools: optional(z.array(z.string())),
  /** Services whose tools the agent can use, in addition to `tools`. */
  toolServers: optional(z.array(AgentToolServer)),
  suggestions: optional(z.array(z.string())),
  model: optional(z.string()),
  groups: optional(z.array(z.string())),
  spaceId: optional(z.int()),
});
/** A chat agent. */
export type Agent = z.infer<typeof Agent>;

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));

const settings = {
  description: optional(z.string().check(z.maxLength(1000))),
  /** Text that is added to the instructions of the language model. The built-in analyst ignores this text. */
  instructions: optional(z.string().check(z.maxLength(8000))),
  /** Cubes and views that the agent can read, by name. */
  views: optional(
    z.array(z.string().check(z.minLength(1), z.maxLength(255))).check(z.minLength(1), z.maxLength(maxViews)),
  ),
  /** Tools that a language model can use. The built-in analyst can always use all of them. */
  tools: optional(z.array(z.enum(agentTools)).check(z.minLength(1), z.maxLength(agentTools.length))),
  /** Services whose tools a language model can use. Requires the admin role. The built-in analyst ignores them. */
  toolServers: optional(z.array(AgentToolServer).check(z.minLength(1), z.maxLength(maxToolServers))),
  suggestions: optional(
    z
      .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(300)))
      .check(z.minLength(1), z.maxLength(maxSuggestions)),
  ),
  /** Name of a model that the configured service provides. */
  model: optional(z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/, 'must be the name of a model'))),
  /**
   * Names of the groups whose users can chat with the agent. Other users need a policy with `AgentRead`; without one,
   * the agent does not exist for them.
   */
  groups: optional(
    z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.minLength(1), z.maxLength(maxGroups)),
  ),
  /** Id of the space that contains the agent. Policies on the space apply to the agent. */
  spaceId: optional(z.int().check(z.positive())),
};

/** Input for creating an agent. */
export const AgentInput = z.strictObject({ name: Name, ...settings });
/** Changes to an agent. Omitted fields stay unchanged; `null` removes a setting. */
export const AgentChange = z.strictObject({ name: z.optional(Name), ...settings });

const AgentParams = z.extend(DeploymentParams, { agentId: IdParam });
const common = { api: 'platform', access: 'viewer' } as const;
const path = '/api/v1/deployments/{deploymentId}/agents';

/**
 * Lists the agents of a deployment that the caller can read. Requires `AgentRead` or `AgentManage` on `Agent` or on
 * `AgentSpace`, or `AgentManage` on `Global`.
 */
export const listAgents = operation({
  ...common,
  id: 'listAgents',
  method: 'GET',
  path,
  params: DeploymentParams,
  query: z.strictObject({ ...PageQuery.shape, spaceId: z.optional(IdParam) }),
  response: pageOf(Agent),
  errors: { 404: 'The deployment does not exist.' },
});

/**
 * Creates an agent. Requires `AgentManage` on all agents, or on its space; with `toolServers`, also the admin role.
 */
export const createAgent = operation({
  ...common,
  id: 'createAgent',
  method: 'POST',
  path,
  params: DeploymentParams,
  body: AgentInput,
  response: Agent,
  errors: { 404: 'The deployment or space does not exist.' },
});

/** Returns an agent. Requires `AgentRead` or `AgentManage`. */
export const getAgent = operation({
  ...common,
  id: 'getAgent',
  method: 'GET',
  path: `${path}/{agentId}`,
  params: AgentParams,
  response: Agent,
  errors: { 404: 'The deployment or agent does not exist.' },
});

/**
 * Updates an agent. Requires `AgentManage` on the agent and, if the agent is moved, on the new space; `toolServers`
 * requires the admin role. Running answers are not affected.
 */
export const updateAgent = operation({
  ...common,
  id: 'updateAgent',
  method: 'PATCH',
  path: `${path}/{agentId}`,
  params: AgentParams,
  body: AgentChange,
  response: Agent,
  errors: { 404: 'The deployment, agent or space does not exist.' },
});

/** Deletes an agent and its threads. Requires `AgentManage`. */
export const deleteAgent = operation({
  ...common,
  id: 'deleteAgent',
  method: 'DELETE',
  path: `${path}/{agentId}`,
  params: AgentParams,
  response: null,
  errors: { 404: 'The deployment or agent does not exist.', 409: 'The last agent of a deployment cannot be deleted.' },
});
