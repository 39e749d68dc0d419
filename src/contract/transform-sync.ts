import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { IdParam, JsonObject, openEnum, optional, PageQuery, pageOf } from './wire.js';

/** Where a run stands; UNKNOWN is a run whose outcome was lost. */
export const syncRunStatuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'UNKNOWN'] as const;
/** Where a run stands. */
export type SyncRunStatus = (typeof syncRunStatuses)[number];

/** What started a run. */
export const syncTriggers = ['manual', 'api', 'webhook', 'agent', 'unknown'] as const;
/** What started a run. */
export type SyncTrigger = (typeof syncTriggers)[number];

/** What a run reads. */
export const syncSources = ['git', 'manifest'] as const;
/** What a run reads. */
export type SyncSource = (typeof syncSources)[number];

/** Name of a branch: it may hold slashes. */
export const BranchName = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));

/**
 * A sync to be started. The specification names `branchName` alone (2.8, 4.5); the rest is the operations document's: `source` is git by
 * default, a `manifest` goes with `source: manifest`, `output` and `ref` are kept in the record.
 */
export const StartTransformSync = z.strictObject({
  branchName: optional(BranchName),
  source: optional(z.enum(syncSources)),
  manifest: optional(JsonObject),
  output: optional(z.enum(['branch', 'files'])),
  ref: optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(255))),
});
/** A sync to be started. */
export type StartTransformSync = z.infer<typeof StartTransformSync>;

/** A sync that was started (spec 2.8). */
export const TransformSync = z.looseObject({
  branchName: z.string(),
  syncJobId: z.string(),
  workflowId: z.string(),
});

/**
 * What a run found. The embedded platform has no project to compile: it reads the model that is served, and counts. `cubes` and `views`
 * are our extension; `modelCount` is both together. `models`, `macros` and `sources` are those of the manifest that was sent.
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
/** What a run found. */
export type SyncStats = z.infer<typeof SyncStats>;

/** One run of the sync, as lists tell of it. */
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
/** One run of the sync. */
export type SyncRun = z.infer<typeof SyncRun>;

/** How far a run has come. */
export const SyncProgress = z.looseObject({
  syncJobId: z.string(),
  /** `INITIALIZING` until it is worked on, `PROCESSING_MANIFEST` while it is, then the run's own status. */
  status: z.string(),
  progress: z.looseObject({ stage: z.string(), percentComplete: z.int(), message: optional(z.string()) }),
  updatedAt: z.string(),
  error: optional(z.string()),
});

/** What came of a run that was completed. */
export const SyncResult = z.looseObject({
  syncJobId: z.string(),
  completedAt: z.string(),
  durationMs: z.int(),
  modelCount: z.int(),
  generatedFiles: z.array(z.looseObject({ path: z.string() })),
  manifestStats: z.looseObject({ macros: z.int(), models: z.int(), sources: z.int() }),
});

/** One line of a run's log. */
export const SyncLogEntry = z.looseObject({
  timestamp: z.string(),
  level: openEnum(['info', 'error']),
  stream: openEnum(['system']),
  message: z.string(),
  phase: optional(z.string()),
  durationMs: optional(z.int()),
});

/** Path parameters of one run. */
export const SyncParams = z.strictObject({ deploymentId: IdParam, syncJobId: z.string().check(z.maxLength(64)) });

/**
 * Starts a sync, optionally on a branch (spec 4.5); needs SchemaUpdate on the deployment. Without a branch it is that of the repository
 * which the deployment is connected to, else `main`. While one runs on a branch, another one on it is refused.
 */
export const startXformSync = operation({
  id: 'startXformSync',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/xform-sync',
  access: 'developer',
  params: DeploymentParams,
  body: StartTransformSync,
  response: TransformSync,
  errors: { 404: 'no such deployment', 409: 'a sync runs on the branch already' },
});

/** Lists runs, the newest first; needs SchemaRead on the deployment, as all that reads them. */
export const listXformSyncs = operation({
  id: 'listXformSyncs',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/xform-sync',
  access: 'developer',
  params: DeploymentParams,
  query: z.strictObject({
    ...PageQuery.shape,
    status: z.optional(z.enum(syncRunStatuses)),
    trigger: z.optional(z.enum(syncTriggers)),
  }),
  response: pageOf(SyncRun),
  errors: { 404: 'no such deployment' },
});

/** How far a run has come. */
export const getXformSyncStatus = operation({
  id: 'getXformSyncStatus',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/xform-sync/{syncJobId}',
  access: 'developer',
  params: SyncParams,
  response: SyncProgress,
  errors: { 404: 'no such sync in the deployment' },
});

/** Cancels a run; one that was cancelled before stays so. Needs SchemaUpdate on the deployment. */
export const cancelXformSync = operation({
  id: 'cancelXformSync',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}/xform-sync/{syncJobId}',
  access: 'developer',
  params: SyncParams,
  response: z.looseObject({ message: z.string() }),
  errors: { 404: 'no such sync in the deployment', 409: 'the sync has ended' },
});

/** What came of a run. */
export const getXformSyncResult = operation({
  id: 'getXformSyncResult',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/xform-sync/{syncJobId}/result',
  access: 'developer',
  params: SyncParams,
  response: SyncResult,
  errors: { 404: 'no such sync in the deployment', 409: 'the sync was not completed' },
});

/** The log of a run, from its start on. */
export const getXformSyncLogs = operation({
  id: 'getXformSyncLogs',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/xform-sync/{syncJobId}/logs',
  access: 'developer',
  params: SyncParams,
  response: pageOf(SyncLogEntry),
  errors: { 404: 'no such sync in the deployment' },
});

/** The files that a run has made and not committed: none, since the embedded platform writes no model. */
export const getXformSyncGeneratedFiles = operation({
  id: 'getXformSyncGeneratedFiles',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/xform-sync/{syncJobId}/generated-files',
  access: 'developer',
  params: SyncParams,
  query: PageQuery,
  response: pageOf(z.looseObject({ path: z.string(), content: z.string() })),
  errors: { 404: 'no such sync in the deployment' },
});
