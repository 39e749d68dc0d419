import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { FolderPathEntry, IdParam, ItemType, optional, PageQuery, pageOf, UserSummary } from './wire.js';

/** Most levels of folders, one in the other. */
export const maxFolderDepth = 10;

/**
 * A folder of folders, workbooks and reports. `folderPath` is the way to it, root first and itself left out. `embedTenantName` is the
 * embed tenant whose users made it in creator mode; content of the account has none.
 */
export const Folder = z.looseObject({
  createdAt: z.string(),
  deploymentId: z.int(),
  id: z.int(),
  name: z.string(),
  position: z.int(),
  type: ItemType,
  updatedAt: z.string(),
  createdBy: optional(z.int()),
  embedTenantName: optional(z.string()),
  folderPath: optional(z.array(FolderPathEntry)),
  parentId: optional(z.int()),
  updatedBy: optional(z.int()),
  user: optional(UserSummary),
});
/** A folder of folders, workbooks and reports. */
export type Folder = z.infer<typeof Folder>;

/** Id of a folder in a query; 0 is the root, as if it were not given. */
export const FolderIdQuery = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number'))]),
  z.pipe(z.transform(Number), z.int('must be a whole number').check(z.gte(0))),
);

/** Path parameters of one folder. */
export const FolderParams = z.strictObject({ deploymentId: IdParam, folderId: IdParam });

const FolderName = z.string().check(z.minLength(1), z.maxLength(255));
/** Place among the folders of one parent, the least first. Equal ones stand in the order in which they were made. */
const Position = z.int().check(z.gte(0), z.lte(1_000_000));

/**
 * One level of folders, that of `parentId` or the root, by position: those that the caller may read, and those on the way to
 * something that it may read (spec 4.5). `data` and `count` are deprecated.
 */
export const getFolders = operation({
  id: 'getFolders',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/folders',
  access: 'viewer',
  params: DeploymentParams,
  query: z.extend(PageQuery, { parentId: optional(FolderIdQuery) }),
  response: pageOf(Folder),
  errors: { 404: 'no such deployment or parent folder' },
});

/**
 * Creates a folder at the root, or in one that the caller may edit; `position` is after the last by default. Folders nest 10 levels
 * deep at most: more is 400.
 */
export const createFolder = operation({
  id: 'createFolder',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/folders',
  access: 'user',
  params: DeploymentParams,
  body: z.strictObject({
    name: FolderName,
    parentId: optional(z.int().check(z.positive())),
    position: optional(Position),
  }),
  response: Folder,
  errors: { 404: 'no such deployment or parent folder' },
});

/** Changes the name or the place of a folder; needs edit access. Another parent is given to it by `moveWorkspaceObject`. */
export const updateFolder = operation({
  id: 'updateFolder',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/folders/{folderId}',
  access: 'viewer',
  params: FolderParams,
  body: z.strictObject({ name: optional(FolderName), position: optional(Position) }),
  response: Folder,
  errors: { 404: 'no such folder in this deployment' },
});

/**
 * Deletes a folder without folders in it (else 400); needs manage access. What lies in it moves to the root. The operations document
 * declares an empty JSON body with 200 and says 204 in its text: it is 204.
 */
export const deleteFolder = operation({
  id: 'deleteFolder',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}/folders/{folderId}',
  access: 'viewer',
  params: FolderParams,
  response: null,
  errors: { 404: 'no such folder in this deployment' },
});

/** The way to a folder that the caller may see: root first, the folder itself last. */
export const getFolderAncestors = operation({
  id: 'getFolderAncestors',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/folders/{folderId}/ancestors',
  access: 'viewer',
  params: FolderParams,
  response: z.array(Folder),
  errors: { 404: 'no such folder in this deployment' },
});
