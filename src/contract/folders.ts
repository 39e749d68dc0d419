import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { digits, FolderPathEntry, IdParam, ItemType, optional, PageQuery, pageOf, UserSummary } from './wire.js';

/** Maximum nesting depth of folders. */
export const maxFolderDepth = 10;

/**
 * A folder that contains folders, workbooks and reports. `folderPath` is its path from the root, without the folder
 * itself. `embedTenantName` is set if users of that embed tenant created the folder in creator mode.
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
/** A folder that contains folders, workbooks and reports. */
export type Folder = z.infer<typeof Folder>;

/** Query parameter with the id of a folder; 0 means the root, as does omitting the parameter. */
export const FolderIdQuery = z.pipe(
  z.union([z.number(), digits(15, 0)]),
  z.pipe(z.transform(Number), z.int('must be a whole number').check(z.gte(0))),
);

/** Path parameters of a folder. */
export const FolderParams = z.strictObject({ deploymentId: IdParam, folderId: IdParam });

const FolderName = z.string().check(z.minLength(1), z.maxLength(255));
/**
 * Position among the folders of one parent, in ascending order. Folders with equal positions are ordered by creation.
 */
const Position = z.int().check(z.gte(0), z.lte(1_000_000));

/**
 * Lists one level of folders by position, in `parentId` or at the root: folders that the caller can read, and their
 * ancestors (spec 4.5). `data` and `count` are deprecated.
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
  errors: { 404: 'The deployment or parent folder does not exist.' },
});

/**
 * Creates a folder at the root, or in a folder that the caller can edit. By default, the folder is added in the last
 * position. Returns 400 if the folder would be nested deeper than 10 levels.
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
  errors: { 404: 'The deployment or parent folder does not exist.' },
});

/** Changes the name or position of a folder. Requires edit access. Use `moveWorkspaceObject` to change its parent. */
export const updateFolder = operation({
  id: 'updateFolder',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/folders/{folderId}',
  access: 'viewer',
  params: FolderParams,
  body: z.strictObject({ name: optional(FolderName), position: optional(Position) }),
  response: Folder,
  errors: { 404: 'The folder does not exist in this deployment.' },
});

/**
 * Deletes a folder. Returns 400 if it has subfolders; its other content moves to the root. Requires manage access. The
 * operations document declares 200 with an empty JSON body but its text says 204; this platform returns 204.
 */
export const deleteFolder = operation({
  id: 'deleteFolder',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}/folders/{folderId}',
  access: 'viewer',
  params: FolderParams,
  response: null,
  errors: { 404: 'The folder does not exist in this deployment.' },
});

/** Returns the path to a folder that the caller can see, from the root to the folder itself. */
export const getFolderAncestors = operation({
  id: 'getFolderAncestors',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/folders/{folderId}/ancestors',
  access: 'viewer',
  params: FolderParams,
  response: z.array(Folder),
  errors: { 404: 'The folder does not exist in this deployment.' },
});
