import * as z from 'zod/mini';
import { EmbedTenantParams } from './embed-tenants.js';
import { FolderParams } from './folders.js';
import { operation } from './operation.js';
import { EmbedTenantName, IdParam, openEnum, optional, pageOf, SearchQuery } from './wire.js';
import { Workbook, WorkbookParams } from './workbooks.js';

const accessActions = ['read', 'none'] as const;

/** Embed users who can see the published content of a folder: those of some tenants, or all. */
export const Audiences = z.looseObject({
  allEmbedUsers: z.looseObject({
    enabled: z.boolean(),
    action: openEnum(accessActions),
    groupId: optional(z.int()),
  }),
  tenants: z.array(z.looseObject({ embedTenantName: z.string(), groupId: z.int(), action: openEnum(accessActions) })),
});
/** Embed users who can see the published content of a folder. */
export type Audiences = z.infer<typeof Audiences>;

/** Embed users who can see a published dashboard (`EmbedAccessResponse`). */
export const EmbedAccess = z.extend(Audiences, { allowEmbed: z.boolean() });
/** Embed users who can see a published dashboard. */
export type EmbedAccess = z.infer<typeof EmbedAccess>;

const target = {
  action: optional(z.enum(accessActions)),
  allEmbedUsers: optional(z.boolean()),
  embedTenantName: optional(EmbedTenantName),
};

/**
 * Returns who can see the dashboard of a workbook. A session in creator mode gets only the entries for its tenant
 * and for all embed users.
 */
export const getEmbedAccess = operation({
  id: 'getEmbedAccess',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/embed-access',
  access: 'authenticated',
  params: WorkbookParams,
  response: EmbedAccess,
  errors: { 404: 'The workbook does not exist.' },
});

/**
 * Changes who can see the dashboard of a workbook: one target (`embedTenantName` or `allEmbedUsers: true`) with an
 * `action`, or only `allowEmbed`. A session in creator mode can share only with its own tenant.
 */
export const updateEmbedAccess = operation({
  id: 'updateEmbedAccess',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/embed-access',
  access: 'user',
  params: WorkbookParams,
  body: z.strictObject({ ...target, allowEmbed: optional(z.boolean()) }),
  response: EmbedAccess,
  errors: { 404: 'The workbook or embed tenant does not exist.' },
});

/**
 * Returns who can see the published content of a folder and its subfolders. An extension: the operations document
 * describes access through shared folders, but has no operation to share a folder.
 */
export const getFolderEmbedAccess = operation({
  id: 'getFolderEmbedAccess',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/folders/{folderId}/embed-access',
  access: 'viewer',
  params: FolderParams,
  response: Audiences,
  errors: { 404: 'The folder does not exist.' },
});

/** Shares the published content of a folder and its subfolders with a target, or revokes that access. An extension. */
export const updateFolderEmbedAccess = operation({
  id: 'updateFolderEmbedAccess',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/folders/{folderId}/embed-access',
  access: 'user',
  params: FolderParams,
  body: z.strictObject(target),
  response: Audiences,
  errors: { 404: 'The folder or embed tenant does not exist.' },
});

/** How an embed tenant has access to a workbook. */
export const accessSources = ['tenant', 'allEmbedUsers', 'folder'] as const;
/** How an embed tenant has access to a workbook. */
export type AccessSource = (typeof accessSources)[number];

/**
 * Lists the workbooks that are shared with an embed tenant, newest first: with the tenant itself, with all embed users,
 * or through a shared folder above them. `accessSource` limits the list to one of these. `search` (extension) matches
 * part of the name, ignoring case.
 */
export const listEmbedTenantWorkbooks = operation({
  id: 'listEmbedTenantWorkbooks',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}/workbooks',
  access: 'admin',
  params: z.extend(EmbedTenantParams, { deploymentId: IdParam }),
  query: z.extend(SearchQuery, { accessSource: z.optional(z.enum(accessSources)) }),
  response: pageOf(Workbook),
  errors: { 404: 'The deployment or embed tenant does not exist.' },
});
