import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, JsonObject, openEnum, optional, PageInfo, PageQuery } from './wire.js';

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

/** Whole number of a query, from 0. */
const Count = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^\d{1,9}$/, 'must be a whole number'))]),
  z.pipe(z.transform(Number), z.int().check(z.gte(0))),
);

/**
 * Parameters of lists that page in two ways: `first` and `after` a cursor, as everywhere; or `limit` and `offset`, which skips as many. One
 * of the two.
 */
export const EitherPageQuery = z.extend(PageQuery, { offset: optional(Count), limit: optional(Count) });
/** Parameters of lists that page in two ways. */
export type EitherPageQuery = z.output<typeof EitherPageQuery>;

/** Where a page stands that was asked for by `offset` and `limit`; of one by cursor `offset` is 0. */
export const DeploymentsPagination = z.looseObject({ limit: z.int(), offset: z.int(), total: z.int() });

/**
 * One page of a list that pages in two ways. `count` and `totalCount` are the total.
 * @__NO_SIDE_EFFECTS__
 */
export function eitherPageOf<T extends z.ZodMiniType>(item: T) {
  return z.looseObject({
    items: z.array(item),
    data: z.array(item),
    pageInfo: PageInfo,
    pagination: optional(DeploymentsPagination),
    count: optional(z.int()),
    totalCount: optional(z.int()),
  });
}

/** Lists the deployments that the caller may read (spec 4.5), all or those at one of some steps of their creation. */
export const getDeployments = operation({
  id: 'getDeployments',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments',
  access: 'authenticated',
  query: z.extend(EitherPageQuery, {
    creationStep: z.optional(z.array(z.enum(creationSteps)).check(z.maxLength(creationSteps.length))),
  }),
  response: eitherPageOf(Deployment),
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

/** Enums of a deployment's settings (operations.md, Deployments). */
const cloudProviders = ['platformcloud', 'aws', 'gcp'] as const;
const creationMethods = ['upload', 'platformcloud', 'repohost', 'ssh'] as const;
const deployModes = ['git', 'cli'] as const;
const releaseChannels = ['latest', 'release'] as const;
const templates = ['single', 'simpleCluster', 'multiCluster'] as const;

const Setting = z.string().check(z.maxLength(255));

const storage = {
  enabled: z.boolean(),
  storageProvider: Setting,
  awsRoleArn: optional(Setting),
  azureClientId: optional(Setting),
  azureContainer: optional(Setting),
  azureStorageAccount: optional(Setting),
  azureTenantId: optional(Setting),
  gcpServiceAccountEmail: optional(Setting),
  gcpWorkloadIdentityProvider: optional(Setting),
  gcsBucket: optional(Setting),
  s3Bucket: optional(Setting),
  s3Region: optional(Setting),
  s3Sse: optional(Setting),
};

/** Settings of a deployment, in full. */
export const DeploymentSettings = z.looseObject({
  id: z.int(),
  name: z.string(),
  creationStep: openEnum(creationSteps),
  deploymentUrl: z.string(),
  cloudProvider: openEnum(cloudProviders),
  creationMethod: optional(openEnum(creationMethods)),
  cspsConfig: optional(z.looseObject(storage)),
  customDomain: optional(z.string()),
  defaultLaunchpadViewGroup: optional(z.string()),
  deployBranchMergeAllowed: z.boolean(),
  deployBranchName: z.string(),
  deployBranchReadOnly: z.boolean(),
  deployMode: optional(openEnum(deployModes)),
  deployProjectRoot: z.string(),
  isManaged: optional(z.boolean()),
  isSqlEnabled: z.boolean(),
  isSupportPreAggregations: z.boolean(),
  launchpadTabs: optional(z.array(z.string())),
  region: optional(z.string()),
  releaseChannel: openEnum(releaseChannels),
  releaseChannelVersion: optional(z.string()),
  releaseChannelVersionHold: optional(z.boolean()),
  repoType: optional(openEnum(['git', 'deployRepo'])),
  template: openEnum(templates),
  templateVariables: optional(JsonObject),
});
/** Settings of a deployment, in full. */
export type DeploymentSettings = z.infer<typeof DeploymentSettings>;

const one = { api: 'platform', access: 'authenticated', params: DeploymentParams } as const;
const noDeployment = { 404: 'no such deployment' } as const;

/** The settings of a deployment, for whoever may change them (`DeploymentUpdate`). They hold no secret. */
export const getDeploymentSettings = operation({
  ...one,
  id: 'getDeploymentSettings',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/settings',
  response: DeploymentSettings,
  errors: noDeployment,
});

/**
 * Changes settings of a deployment (`DeploymentUpdate`): what is left out stays, null gives a setting its default again, and
 * `templateVariables` are merged by key, where null takes one away. The settings are a record: the platform runs where and as it was
 * started, whatever provider, template, region, domain or storage they name. A `releaseChannelVersion` has to be one that is listed for
 * the channel; here none is, and any is 400.
 */
export const updateDeployment = operation({
  ...one,
  id: 'updateDeployment',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}',
  body: z.strictObject({
    name: optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(255))),
    cloudProvider: optional(z.enum(cloudProviders)),
    creationMethod: optional(z.enum(creationMethods)),
    cspsConfig: optional(z.strictObject(storage)),
    customDomain: optional(
      z
        .string()
        .check(z.maxLength(253), z.regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i, 'must be a domain, like data.example.com')),
    ),
    defaultLaunchpadViewGroup: optional(Setting),
    deployBranchMergeAllowed: optional(z.boolean()),
    deployBranchName: optional(z.string().check(z.minLength(1), z.maxLength(255))),
    deployBranchReadOnly: optional(z.boolean()),
    deployMode: optional(z.enum(deployModes)),
    deployProjectRoot: optional(z.string().check(z.maxLength(1000))),
    launchpadTabs: optional(z.array(Setting).check(z.maxLength(100))),
    region: optional(Setting),
    releaseChannel: optional(z.enum(releaseChannels)),
    releaseChannelVersion: optional(Setting),
    releaseChannelVersionHold: optional(z.boolean()),
    template: optional(z.enum(templates)),
    templateVariables: optional(JsonObject),
  }),
  response: DeploymentSettings,
  errors: noDeployment,
});

/**
 * Deletes a deployment with all that is in it (`DeploymentDelete` or `DeploymentsManage`). The last one stays: 409, as there is no
 * making another yet.
 */
export const deleteDeployment = operation({
  ...one,
  id: 'deleteDeployment',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}',
  response: z.looseObject({ success: z.boolean() }),
  errors: { ...noDeployment, 409: 'it is the last deployment' },
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
