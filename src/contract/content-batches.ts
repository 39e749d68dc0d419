import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { JsonObject, openEnum, optional, PageQuery, pageOf } from './wire.js';

// Content as code. All operations are extensions of the specification.

/** Kinds of objects that content files describe. */
export const contentKinds = ['folder', 'report', 'workbook', 'notification', 'role', 'group', 'variable'] as const;
/** Kind of an object that content files describe. */
export type ContentKind = (typeof contentKinds)[number];

/** Operations that a batch can contain, by `operationId`. */
export const batchOperations = [
  'createFolder',
  'updateFolder',
  'deleteFolder',
  'upsertReportByPublicId',
  'deleteReport',
  'upsertWorkbookBySlug',
  'deleteWorkbook',
  'publishDashboard',
  'updateEmbedAccess',
  'updateFolderEmbedAccess',
  'moveWorkspaceObject',
  'createRole',
  'updateRole',
  'deleteRole',
  'createAccountGroup',
  'updateAccountGroup',
  'deleteAccountGroup',
  'createNotification',
  'updateNotification',
  'deleteNotification',
  'addRecipients',
  'removeRecipients',
  'setEnvVariables',
  'deleteEnvVariable',
] as const;
/** An operation that a batch can contain. */
export type BatchOperation = (typeof batchOperations)[number];

/** Name of a set of content files, such as a repository. Separates the objects of several sets in one deployment. */
export const ContentOwner = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'must consist of letters, digits, hyphens, dots and underscores'));

/** Owner of objects whose set of files has no name. */
export const defaultOwner = 'default';

/**
 * One call of an operation in a batch. The deployment of the batch is added to `params`. With `creates`, the object
 * that the call creates belongs to the owner of the batch.
 */
export const BatchStep = z.strictObject({
  operation: z.enum(batchOperations),
  params: optional(JsonObject),
  body: optional(JsonObject),
  creates: optional(z.enum(contentKinds)),
});
/** One call of an operation in a batch. */
export type BatchStep = z.infer<typeof BatchStep>;

/** An object that content files created: its id, or for a variable its name. */
export const ManagedObject = z.looseObject({
  kind: openEnum(contentKinds),
  id: optional(z.int()),
  name: optional(z.string()),
  owner: z.string(),
});
/** An object that content files created. */
export type ManagedObject = z.infer<typeof ManagedObject>;

/** An existing object that the batch assigns to its owner. */
const AdoptedObject = z.strictObject({
  kind: z.enum(contentKinds),
  id: optional(z.int().check(z.positive())),
  name: optional(z.string().check(z.minLength(1), z.maxLength(255))),
});
/** An existing object that a batch assigns to its owner. */
export type AdoptedObject = z.infer<typeof AdoptedObject>;

const maxSteps = 5000;
const path = '/api/v1/deployments/{deploymentId}';

/**
 * Executes operations in one transaction: if one fails, nothing is changed. Each step is authorized and recorded in the
 * audit log like a separate request.
 *
 * To use the id that an earlier step returned, a step contains the integer `placeholder` minus the index of that step,
 * as a number or a string, anywhere in its `params` and `body`. Choose a negative `placeholder` that does not occur in
 * the content. The message of an error starts with `steps.<index>: `, and contains placeholders instead of the ids of
 * objects that the rollback has removed.
 *
 * Objects that are created by steps with `creates`, and those in `adopt`, are assigned to `owner`; `adopt` changes the
 * owner of an object only if it is `default`. The owner does not affect access: it limits what
 * `pa-platform apply --prune` removes.
 */
export const applyContentBatch = operation({
  id: 'applyContentBatch',
  api: 'platform',
  method: 'POST',
  path: `${path}/content-batches`,
  access: 'admin',
  params: DeploymentParams,
  body: z.strictObject({
    owner: ContentOwner,
    placeholder: z.int().check(z.lte(-maxSteps)),
    steps: z.array(BatchStep).check(z.maxLength(maxSteps)),
    adopt: optional(z.array(AdoptedObject).check(z.maxLength(maxSteps))),
  }),
  maxBodyBytes: 32 * 1024 * 1024,
  response: z.looseObject({
    /** For each step, the ids of the object that its operation returned. */
    results: z.array(z.looseObject({ id: optional(z.int()), publicId: optional(z.string()) })),
  }),
  errors: {
    404: 'The deployment, or an object that a step refers to, does not exist.',
    409: 'A step conflicts with an existing object.',
  },
});

/** Lists the objects of a deployment and of its account that content files created or adopted, oldest first. */
export const getManagedContent = operation({
  id: 'getManagedContent',
  api: 'platform',
  method: 'GET',
  path: `${path}/managed-content`,
  access: 'admin',
  params: DeploymentParams,
  query: PageQuery,
  response: pageOf(ManagedObject),
  errors: { 404: 'The deployment does not exist.' },
});
