import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, openEnum, optional, PageQuery, pageOf } from './wire.js';

/** Path parameter of everything below a deployment. */
export const DeploymentParams = z.strictObject({ deploymentId: IdParam });

/** Steps of setting up a deployment. */
export const creationSteps = ['project', 'upload', 'schema', 'repohost', 'ssh', 'databases', 'ready', 'demo'] as const;

/** A deployment: one data model with the engine that serves it. `deploymentUrl` is the origin of its Data API. */
export const Deployment = z.looseObject({
  id: z.int(),
  name: z.string(),
  deploymentUrl: z.string(),
  creationStep: openEnum(creationSteps),
});
/** A deployment: one data model with the engine that serves it. */
export type Deployment = z.infer<typeof Deployment>;

/** Lists the deployments that the caller may read (spec 4.5). */
export const getDeployments = operation({
  id: 'getDeployments',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments',
  access: 'authenticated',
  query: PageQuery,
  response: pageOf(Deployment),
  errors: {},
});

/** One deployment. */
export const getDeployment = operation({
  id: 'getDeployment',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}',
  access: 'authenticated',
  params: DeploymentParams,
  response: Deployment,
  errors: { 404: 'no such deployment' },
});

/** Answer that holds a token of the Data API, or of the Chat API where that was asked for. */
export const DeploymentTokenResponse = z.looseObject({ platformApiToken: z.string().check(z.minLength(1)) });

/**
 * A Data API token for the caller. `expiresIn` is 60 to 86,400 seconds, 86,400 by default; for an embed principal it is cut
 * to 1 h and to the life of its embed token. An API key's token has a context without groups, attributes or keys of a grant: nobody
 * chooses a context here, so that it reads what the model gives to everyone, and an admin's the generated SQL of that. With `scope: ['chat']`, our extension, it is a chat token instead, for
 * `X-Platform-Auth-Token`.
 */
export const createDeploymentToken = operation({
  id: 'deploymentToken',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/token',
  access: 'authenticated',
  params: DeploymentParams,
  body: z.strictObject({
    expiresIn: optional(z.int().check(z.gte(60), z.lte(86_400))),
    scope: optional(z.array(z.enum(['chat'])).check(z.length(1))),
  }),
  response: DeploymentTokenResponse,
  errors: { 403: 'AI is switched off for the session', 404: 'no such deployment' },
});
