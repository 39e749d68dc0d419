import * as z from 'zod/mini';
import { chatRatings } from './chat.js';
import { DeploymentParams } from './deployments.js';
import { Moment } from './moment.js';
import { operation } from './operation.js';
import { IdParam, openEnum, optional, PageQuery, pageOf } from './wire.js';

/** A user's rating of an agent's answer. */
export const AgentFeedback = z.looseObject({
  agentId: z.int(),
  /** Id of the thread. */
  chatId: z.string(),
  /** Id of the message whose answer is rated. */
  messageId: z.string(),
  rating: openEnum(chatRatings),
  comment: optional(z.string()),
  /** Text of the message. Returned only to callers with `ChatHistoryRead` on the deployment. */
  question: optional(z.string()),
  userId: z.int(),
  embedTenantName: optional(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
/** A user's rating of an agent's answer. */
export type AgentFeedback = z.infer<typeof AgentFeedback>;

/**
 * Lists the feedback of users on answers, latest change first. Requires `AgentManage` on at least one agent, and lists
 * only feedback on the agents that the caller can manage. `from` is inclusive, `to` exclusive; both apply to
 * `updatedAt`. Answers are not included, because they contain rows that only their users may see. This operation is an
 * extension.
 */
export const listAgentFeedback = operation({
  id: 'listAgentFeedback',
  api: 'platform',
  access: 'viewer',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/agent-feedback',
  params: DeploymentParams,
  query: z.strictObject({
    ...PageQuery.shape,
    agentId: z.optional(IdParam),
    rating: z.optional(z.enum(chatRatings)),
    from: Moment,
    to: Moment,
  }),
  response: pageOf(AgentFeedback),
  errors: { 404: 'The deployment does not exist.' },
});
