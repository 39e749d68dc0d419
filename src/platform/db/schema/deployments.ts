import { sql } from 'drizzle-orm';
import { index, integer, json, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { ContentRunLogLine, contentRunStatuses } from '../../../contract/content-runs.js';
import type { creationSteps } from '../../../contract/deployments.js';
import type { SyncRunStatus, SyncSource, SyncStats, SyncTrigger } from '../../../contract/transform-sync.js';
import type { JsonObject } from '../../../contract/wire.js';
import { users } from './accounts.js';
import { createdAt, id, jsonValue, moment, ref } from './columns.js';

/** Deployments. */
export const deployments = pgTable('deployments', {
  id: id(),
  name: text().notNull(),
  creationStep: text().$type<(typeof creationSteps)[number]>().notNull(),
  /** Settings that an administrator changed; missing keys have their defaults. */
  settings: json().$type<JsonObject>().notNull().default({}),
});

/** Creates a reference to the deployment that a row belongs to; deleting the deployment deletes the row. */
export const deploymentRef = () =>
  ref()
    .notNull()
    .references(() => deployments.id, { onDelete: 'cascade' });

/**
 * Environments of deployments. Each deployment has an environment of the type `production`. A user in development mode
 * has one of the type `development`, whose branch is the active branch of the user.
 */
export const deploymentEnvironments = pgTable(
  'deployment_environments',
  {
    id: id(),
    deploymentId: deploymentRef(),
    type: text().$type<'production' | 'staging' | 'development'>().notNull(),
    branch: text(),
    /** User of an environment of the type `development`; `null` for other types. */
    userId: ref().references(() => users.id, { onDelete: 'cascade' }),
  },
  table => [index().on(table.deploymentId), unique().on(table.userId, table.deploymentId)],
);

/** Environment variables of deployments. Values are encrypted. */
export const environmentVariables = pgTable(
  'environment_variables',
  {
    id: id(),
    deploymentId: deploymentRef(),
    name: text().notNull(),
    sealedValue: text().notNull(),
    updatedAt: createdAt(),
  },
  table => [unique().on(table.deploymentId, table.name)],
);

/** Tokens that were created for an environment, stored until they expire. The token itself is encrypted. */
export const environmentTokens = pgTable(
  'environment_tokens',
  {
    id: id(),
    environmentId: ref()
      .notNull()
      .references(() => deploymentEnvironments.id, { onDelete: 'cascade' }),
    sealedToken: text().notNull(),
    securityContext: json().$type<JsonObject>().notNull(),
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
  },
  table => [index().on(table.environmentId, table.id), index().on(table.expiresAt)],
);

/** Git hosts with encrypted credentials. */
export const repositoryInstallations = pgTable('repository_installations', {
  id: id(),
  login: text().notNull().unique(),
  url: text().notNull(),
  username: text().notNull(),
  /** Public key of the host; `null` for https. */
  hostKey: text(),
  sealedSecret: text().notNull(),
  /** Names of the repositories that deployments may be connected to. */
  repositories: json().$type<readonly string[]>().notNull(),
  createdAt: createdAt(),
});

/** Result of a pull that a webhook started. */
export interface WebhookPullResult {
  readonly branchName: string;
  readonly finishedAt: string;
  readonly isChanged: boolean;
  readonly problem: string | null;
}

/** The repository that a deployment is connected to. */
export const repositoryConnections = pgTable(
  'repository_connections',
  {
    deploymentId: deploymentRef().primaryKey(),
    /** The body of the request that connected the repository, with the deploy branch. */
    connection: json().$type<JsonObject>().notNull(),
    /** `null` for connections of earlier versions, which were only stored. */
    installationId: ref().references(() => repositoryInstallations.id),
    connectedBy: ref().references(() => users.id, { onDelete: 'set null' }),
    connectedAt: createdAt(),
    sealedWebhookSecret: text(),
    lastWebhookPull: json().$type<WebhookPullResult>(),
  },
  table => [index().on(table.installationId)],
);

/** Runs of the model-transform sync. */
export const transformSyncs = pgTable(
  'transform_syncs',
  {
    id: uuid().primaryKey().defaultRandom(),
    deploymentId: deploymentRef(),
    branchName: text().notNull(),
    source: text().$type<SyncSource>().notNull(),
    status: text().$type<SyncRunStatus>().notNull(),
    trigger: text().$type<SyncTrigger>().notNull().default('api'),
    gitRef: text(),
    errorMessage: text(),
    /** Counts of the request until the run is completed, then counts of the served model. */
    outcome: json().$type<SyncStats>(),
    userId: ref().references(() => users.id, { onDelete: 'set null' }),
    startedAt: createdAt(),
    /** Time at which the work began. */
    takenAt: moment(),
    updatedAt: createdAt(),
    completedAt: moment(),
  },
  table => [
    index().on(table.deploymentId, table.startedAt, table.id),
    index().on(table.userId),
    uniqueIndex('transform_syncs_one_runs').on(table.deploymentId, table.branchName).where(sql`status = 'RUNNING'`),
  ],
);

/** Runs that apply the content of a deployment's repository. At most one per deployment waits, and one runs. */
export const contentRuns = pgTable(
  'content_runs',
  {
    id: uuid().primaryKey().defaultRandom(),
    deploymentId: deploymentRef(),
    status: text().$type<(typeof contentRunStatuses)[number]>().notNull(),
    /** `null` until the run starts. */
    commit: text(),
    userId: ref().references(() => users.id, { onDelete: 'set null' }),
    log: json().$type<readonly ContentRunLogLine[]>().notNull().default([]),
    requestedAt: createdAt(),
    startedAt: moment(),
    completedAt: moment(),
  },
  table => [
    index().on(table.deploymentId, table.requestedAt, table.id),
    index().on(table.userId),
    uniqueIndex('content_runs_one_waits').on(table.deploymentId).where(sql`status = 'QUEUED'`),
    uniqueIndex('content_runs_one_runs').on(table.deploymentId).where(sql`status = 'RUNNING'`),
  ],
);

/** Platform processes, each with the time of its last heartbeat. */
export const replicas = pgTable(
  'replicas',
  {
    name: text().primaryKey(),
    version: text().notNull(),
    startedAt: createdAt(),
    seenAt: createdAt(),
  },
  table => [index().on(table.seenAt)],
);

/** The last log lines of deployments. */
export const deploymentLogs = pgTable(
  'deployment_logs',
  {
    id: id(),
    deploymentId: deploymentRef(),
    at: createdAt(),
    /** Name of the platform process. */
    pod: text().notNull(),
    source: text().$type<'production' | 'dev'>().notNull(),
    level: text().$type<'info' | 'error'>().notNull(),
    branchName: text(),
    message: text().notNull(),
  },
  table => [index().on(table.deploymentId, table.id)],
);

/**
 * Background jobs. The process that holds the lease executes a job; another process takes it over once the lease has
 * expired.
 */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: text().notNull(),
    payload: jsonValue<JsonObject>().notNull(),
    attempts: integer().notNull().default(0),
    runAt: createdAt(),
    leaseOwner: text(),
    leaseExpiresAt: moment(),
    createdAt: createdAt(),
  },
  table => [index().on(table.runAt)],
);
