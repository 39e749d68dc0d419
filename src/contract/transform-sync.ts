import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { IdParam, JsonObject, openEnum, optional, PageQuery, pageOf } from './wire.js';

/** Status of a sync run; UNKNOWN if its result was lost. */
export const syncRunStatuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'UNKNOWN'] as const;
/** Status of a sync run. */
export type SyncRunStatus = (typeof syncRunStatuses)[number];

/** Trigger of a run. */
export const syncTriggers = ['manual', 'api', 'webhook', 'agent', 'unknown'] as const;
/** Trigger of a run. */
export type SyncTrigger = (typeof syncTriggers)[number];

/** Source of a run. */
export const syncSources = ['git', 'manifest'] as const;
/** Source of a run. */
export type SyncSource = (typeof syncSources)[number];

/** Name of a branch; may contain slashes. */
export const BranchName = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));

/**
 * Input for starting a sync. The specification defines only `branchName` (2.8, 4.5); the other fields are those of the
 * operations document. `source` defaults to git, `manifest` requires `source: manifest`, and `output` and `ref` are
 * only recorded.
 */
export const StartTransformSync = z.strictObject({
  branchName: optional(BranchName),
  source: optional(z.enum(syncSources)),
  manifest: optional(JsonObject),
  output: optional(z.enum(['branch', 'files'])),
  ref: optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(255))),
});
/** Input for starting a sync. */
export type StartTransformSync = z.infer<typeof StartTransformSync>;

/** A started sync (spec 2.8). */
export const TransformSync = z.looseObject({
  branchName: z.string(),
  syncJobId: z.string(),
  workflowId: z.string(),
});

/**
 * Counts of a run. The embedded platform has no project to compile. It reads the current model and counts its cubes and
 * views (`cubes` and `views` are extensions; `modelCount` is their sum). `models`, `macros` and `sources` are counted
 * in the manifest of the request.
 */
export const SyncStats = z.looseObject({
  modelCount: optional(z.int()),
  cubes: optional(z.int()),
  views: optional(z.int()),
  generatedFileCount: optional(z.int()),
  macros: optional(z.int()),
  models: optional(z.int()),
  sources: optional(z.int()),
});
/** Counts of a run. */
export type SyncStats = z.infer<typeof SyncStats>;

/** A sync run in a list. */
export const SyncRun = z.looseObject({
  syncJobId: z.string(),
  deploymentId: z.int(),
  branchName: z.string(),
  source: openEnum(syncSources),
  status: openEnum(syncRunStatuses),
  trigger: openEnum(syncTriggers),
  startedAt: z.string(),
  completedAt: optional(z.string()),
  durationMs: optional(z.int()),
  errorMessage: optional(z.string()),
  gitRef: optional(z.string()),
  stats: optional(SyncStats),
  userId: optional(z.int()),
});
/** A sync run. */
export type SyncRun = z.infer<typeof SyncRun>;

/** Progress of a run. */
export const SyncProgress = z.looseObject({
  syncJobId: z.string(),
  /** `INITIALIZING` until the run starts, `PROCESSING_MANIFEST` while it runs, then the status of the run. */
  status: z.string(),
  progress: z.looseObject({ stage: z.string(), percentComplete: z.int(), message: optional(z.string()) }),
  updatedAt: z.string(),
  error: optional(z.string()),
});

/** Result of a completed run. */
export const SyncResult = z.looseObject({
  syncJobId: z.string(),
  completedAt: z.string(),
  durationMs: z.int(),
  modelCount: z.int(),
  generatedFiles: z.array(z.looseObject({ path: z.string() })),
  manifestStats: z.looseObject({ macros: z.int(), models: z.int(), sources: z.int() }),
});

/** A line of a run's log. */
export const SyncLogEntry = z.looseObject({
  timestamp: z.string(),
  level: openEnum(['info', 'error']),
  stream: openEnum(['system']),
  message: z.string(),
  phase: optional(z.string()),
  durationMs: optional(z.int()),
});

/** Path parameters of a run. */
export const SyncParams = z.strictObject({ deploymentId: IdParam, syncJobId: z.string().check(z.maxLength(64)) });

/**
 * Starts a sync, optionally on a branch (spec 4.5). Requires `SchemaUpdate` on the deployment. The branch defaults to
 * that of the connected repository, else `main`. Rejected while another sync runs on the branch.
 */
export const startXformSync = operation({
  id: 'startXformSync',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/xform-sync',
  access: 'authenticated',
  params: DeploymentParams,
  body: StartTransformSync,
  response: TransformSync,
  errors: { 404: 'The deployment does not exist.', 409: 'A sync is already running on the branch.' },
});

/** Lists runs, newest first. Requires `SchemaRead` on the deployment, as do all operations that read runs. */
export const listXformSyncs = operation({
  id: 'listXformSyncs',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/xform-sync',
  access: 'authenticated',
  params: DeploymentParams,
  query: z.strictObject({
    ...PageQuery.shape,
    status: z.optional(z.enum(syncRunStatuses)),
    trigger: z.optional(z.enum(syncTriggers)),
  }),
  response: pageOf(SyncRun),
  errors: { 404: 'The deployment does not exist.' },
});

/** Returns the progress of a run. */
export const getXformSyncStatus = operation({
  id: 'getXformSyncStatus',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/xform-sync/{syncJobId}',
  access: 'authenticated',
  params: SyncParams,
  response: SyncProgress,
  errors: { 404: 'The sync does not exist in the deployment.' },
});

/** Cancels a run. Idempotent. Requires `SchemaUpdate` on the deployment. */
export const cancelXformSync = operation({
  id: 'cancelXformSync',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}/xform-sync/{syncJobId}',
  access: 'authenticated',
  params: SyncParams,
  response: z.looseObject({ message: z.string() }),
  errors: { 404: 'The sync does not exist in the deployment.', 409: 'The sync has ended.' },
});

/** Returns the result of a run. */
export const getXformSyncResult = operation({
  id: 'getXformSyncResult',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/xform-sync/{syncJobId}/result',
  access: 'authenticated',
  params: SyncParams,
  response: SyncResult,
  errors: { 404: 'The sync does not exist in the deployment.', 409: 'The sync is not completed.' },
});

/** Returns the log of a run, oldest line first. */
export const getXformSyncLogs = operation({
  id: 'getXformSyncLogs',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/xform-sync/{syncJobId}/logs',
  access: 'authenticated',
  params: SyncParams,
  response: pageOf(SyncLogEntry),
  errors: { 404: 'The sync does not exist in the deployment.' },
});

/**
 * Lists the uncommitted files that a run generated. Always empty, because the embedded platform does not
 * generate models.
 */
export const getXformSyncGeneratedFiles = operation({
  id: 'getXformSyncGeneratedFiles',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/xform-sync/{syncJobId}/generated-files',
  access: 'authenticated',
  params: SyncParams,
  query: PageQuery,
  response: pageOf(z.looseObject({ path: z.string(), content: z.string() })),
  errors: { 404: 'The sync does not exist in the deployment.' },
});
