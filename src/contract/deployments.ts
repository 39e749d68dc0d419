import * as z from 'zod/mini';
import { operation } from './operation.js';
import { digits, IdParam, JsonObject, openEnum, optional, PageInfo, PageQuery } from './wire.js';

/** Path parameters of all operations below a deployment. */
export const DeploymentParams = z.strictObject({ deploymentId: IdParam });

/** Steps of setting up a deployment. */
export const creationSteps = ['project', 'upload', 'schema', 'repohost', 'ssh', 'databases', 'ready', 'demo'] as const;

/**
 * A deployment: one data model with the engine that serves it. `deploymentUrl` and the path of the Data API form the
 * address of its Data API.
 */
export const Deployment = z.looseObject({
  id: z.int(),
  name: z.string(),
  deploymentUrl: z.string(),
  creationStep: openEnum(creationSteps),
});
/** A deployment: one data model with the engine that serves it. */
export type Deployment = z.infer<typeof Deployment>;

/** Query parameter that is a non-negative integer. */
const Count = z.pipe(z.union([z.number(), digits(9, 0)]), z.pipe(z.transform(Number), z.int().check(z.gte(0))));

/**
 * Query parameters of lists with two kinds of pagination: by cursor (`first` and `after`, as in all lists), or by
 * `limit` and `offset` (number of items to skip). Use only one of them.
 */
export const EitherPageQuery = z.extend(PageQuery, { offset: optional(Count), limit: optional(Count) });
/** Query parameters of lists with two kinds of pagination. */
export type EitherPageQuery = z.output<typeof EitherPageQuery>;

/** Position of a page requested with `offset` and `limit`. For a page requested by cursor, `offset` is 0. */
export const DeploymentsPagination = z.looseObject({ limit: z.int(), offset: z.int(), total: z.int() });

/**
 * Returns the schema of one page of a list with two kinds of pagination. `count` and `totalCount` are both the total.
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

/**
 * Lists the deployments that the caller can read (spec 4.5). `creationStep` selects deployments by their creation step.
 */
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

/** Returns a deployment. */
export const getDeployment = operation({
  id: 'getDeployment',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}',
  access: 'authenticated',
  params: DeploymentParams,
  response: Deployment,
  errors: { 404: 'The deployment does not exist.' },
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

/** All settings of a deployment. */
export const DeploymentSettings = z.looseObject({
  id: z.int(),
  name: z.string(),
  creationStep: openEnum(creationSteps),
  deploymentUrl: z.string(),
  /** Whether the files in `content/` of the deploy branch are applied when it changes; an extension. */
  applyContent: optional(z.boolean()),
  cloudProvider: openEnum(cloudProviders),
  /** Administrator who set `applyContent`, and as whom the content is written; an extension. */
  contentUserId: optional(z.int()),
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
  /** Whether objects of the same owner are removed that `content/` no longer contains; an extension. */
  pruneContent: optional(z.boolean()),
  region: optional(z.string()),
  releaseChannel: openEnum(releaseChannels),
  releaseChannelVersion: optional(z.string()),
  releaseChannelVersionHold: optional(z.boolean()),
  repoType: optional(openEnum(['git', 'deployRepo'])),
  template: openEnum(templates),
  templateVariables: optional(JsonObject),
});
/** All settings of a deployment. */
export type DeploymentSettings = z.infer<typeof DeploymentSettings>;

const one = { api: 'platform', access: 'authenticated', params: DeploymentParams } as const;
const noDeployment = { 404: 'The deployment does not exist.' } as const;

/** Returns the settings of a deployment. Requires the action `DeploymentUpdate`. Settings contain no secrets. */
export const getDeploymentSettings = operation({
  ...one,
  id: 'getDeploymentSettings',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/settings',
  response: DeploymentSettings,
  errors: noDeployment,
});

/**
 * Updates settings of a deployment. Requires the action `DeploymentUpdate`. Omitted settings stay unchanged and `null`
 * restores a default; `templateVariables` are merged by key, and `null` removes a key. `name`, `applyContent`,
 * `pruneContent`, `deployBranchMergeAllowed` and `deployBranchReadOnly` have an effect. Only an administrator can set
 * `applyContent` or `pruneContent` to `true`, and `applyContent: true` also starts a content run. The others only
 * describe the deployment: values that would promise what the platform does not do return 400. These are an enabled
 * `cspsConfig`, a `customDomain`, a `deployBranchName` other than `main`, a `deployProjectRoot` other than `/`, and a
 * `region` other than `local`. `releaseChannelVersion` is not supported: the platform runs
 * the installed version, and any value returns 400.
 */
export const updateDeployment = operation({
  ...one,
  id: 'updateDeployment',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}',
  body: z.strictObject({
    name: optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(255))),
    applyContent: optional(z.boolean()),
    cloudProvider: optional(z.enum(cloudProviders)),
    creationMethod: optional(z.enum(creationMethods)),
    cspsConfig: optional(z.strictObject(storage)),
    customDomain: optional(
      z
        .string()
        .check(
          z.maxLength(253),
          z.regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i, 'must be a domain, such as data.example.com'),
        ),
    ),
    defaultLaunchpadViewGroup: optional(Setting),
    deployBranchMergeAllowed: optional(z.boolean()),
    deployBranchName: optional(z.string().check(z.minLength(1), z.maxLength(255))),
    deployBranchReadOnly: optional(z.boolean()),
    deployMode: optional(z.enum(deployModes)),
    deployProjectRoot: optional(z.string().check(z.maxLength(1000))),
    launchpadTabs: optional(z.array(Setting).check(z.maxLength(100))),
    pruneContent: optional(z.boolean()),
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
 * Creates a deployment with an empty model, which is served at its own `deploymentUrl`. Requires the action
 * `DeploymentsManage`, and a platform with a data folder and git. Only `name` has an effect; the other fields are
 * stored as settings. `creationMethod: "repohost"` is not supported, and `region` can only be `local`.
 */
export const createDeployment = operation({
  id: 'createDeployment',
  api: 'platform',
  method: 'POST',
  path: '/build/api/v1/deployments',
  access: 'authenticated',
  body: z.strictObject({
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)),
    cloudProvider: optional(z.enum(cloudProviders)),
    creationMethod: optional(z.enum(['upload', 'platformcloud'])),
    creationStep: optional(z.enum(creationSteps)),
    deployMode: optional(z.enum(deployModes)),
    isManaged: optional(z.boolean()),
    region: optional(Setting),
    targetPlatform: optional(Setting),
  }),
  response: Deployment,
  errors: { 409: 'The platform has no data folder.' },
});

/**
 * Deletes a deployment with its model, its source files and all its content. Requires the action `DeploymentDelete` or
 * `DeploymentsManage`. Returns 409 for the deployment of `--model`.
 */
export const deleteDeployment = operation({
  ...one,
  id: 'deleteDeployment',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}',
  response: z.looseObject({ success: z.boolean() }),
  errors: { ...noDeployment, 409: 'The deployment of --model cannot be deleted.' },
});

/** Response with a token for the Data API, or for the Chat API with `scope: ['chat']`. */
export const DeploymentTokenResponse = z.looseObject({ platformApiToken: z.string().check(z.minLength(1)) });

/**
 * Creates a Data API token for the caller. `expiresIn` is 60 to 86,400 seconds, 86,400 by default; for an embed
 * principal, it is limited to 1 h and to the lifetime of its embed token. A token created with an API key has no
 * groups, attributes or security context. It can read the data that the model exposes to everyone and, if the key has
 * the admin role, the generated SQL. With `scope: ['chat']` (an extension), creates a chat token for
 * `X-Platform-Auth-Token` instead. With `branchName` (an extension), the model of the branch answers queries, which
 * requires `SchemaRead`; an embed principal can name only the branch of its session.
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
    branchName: optional(z.string().check(z.minLength(1), z.maxLength(255))),
  }),
  response: DeploymentTokenResponse,
  errors: { 403: 'AI is disabled for the session.', 404: 'The deployment does not exist.' },
});
