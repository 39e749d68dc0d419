import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { IdParam, optional, PageQuery, pageOf } from './wire.js';

// Agent spaces. All operations on them are extensions of the specification.

/** A space that groups agents. Policies on the space apply to its agents. */
export const AgentSpace = z.looseObject({
  id: z.int(),
  deploymentId: z.int(),
  name: z.string(),
  description: optional(z.string()),
});
/** A space that groups agents. */
export type AgentSpace = z.infer<typeof AgentSpace>;

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));
const settings = { description: optional(z.string().check(z.maxLength(1000))) };

/** Input for creating a space. */
export const AgentSpaceInput = z.strictObject({ name: Name, ...settings });
/** Changes to a space. Omitted fields stay unchanged; `null` removes the description. */
export const AgentSpaceChange = z.strictObject({ name: z.optional(Name), ...settings });

const AgentSpaceParams = z.extend(DeploymentParams, { spaceId: IdParam });
const common = { api: 'platform', access: 'viewer' } as const;
const path = '/api/v1/deployments/{deploymentId}/agent-spaces';
const noSpace = { 404: 'The deployment or space does not exist.' } as const;

/**
 * Lists the spaces of a deployment that the caller can read. Requires `AgentRead`, `AgentManage` or `AgentSpaceManage`
 * on `AgentSpace`, or `AgentManage` or `AgentSpaceManage` on `Global`.
 */
export const listAgentSpaces = operation({
  ...common,
  id: 'listAgentSpaces',
  method: 'GET',
  path,
  params: DeploymentParams,
  query: PageQuery,
  response: pageOf(AgentSpace),
  errors: { 404: 'The deployment does not exist.' },
});

/** Creates a space. Requires `AgentSpaceManage` on all spaces. */
export const createAgentSpace = operation({
  ...common,
  id: 'createAgentSpace',
  method: 'POST',
  path,
  params: DeploymentParams,
  body: AgentSpaceInput,
  response: AgentSpace,
  errors: { 404: 'The deployment does not exist.' },
});

/** Returns a space. Requires `AgentRead`, `AgentManage` or `AgentSpaceManage`. */
export const getAgentSpace = operation({
  ...common,
  id: 'getAgentSpace',
  method: 'GET',
  path: `${path}/{spaceId}`,
  params: AgentSpaceParams,
  response: AgentSpace,
  errors: noSpace,
});

/** Updates a space. Requires `AgentSpaceManage`. */
export const updateAgentSpace = operation({
  ...common,
  id: 'updateAgentSpace',
  method: 'PATCH',
  path: `${path}/{spaceId}`,
  params: AgentSpaceParams,
  body: AgentSpaceChange,
  response: AgentSpace,
  errors: noSpace,
});

/** Deletes a space. Its agents remain, without a space. Requires `AgentSpaceManage`. */
export const deleteAgentSpace = operation({
  ...common,
  id: 'deleteAgentSpace',
  method: 'DELETE',
  path: `${path}/{spaceId}`,
  params: AgentSpaceParams,
  response: null,
  errors: noSpace,
});
