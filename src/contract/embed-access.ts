import * as z from 'zod/mini';
import { EmbedTenantParams } from './embed-tenants.js';
import { FolderParams } from './folders.js';
import { operation } from './operation.js';
import { EmbedTenantName, IdParam, openEnum, optional, PageQuery, pageOf } from './wire.js';
import { Workbook, WorkbookParams } from './workbooks.js';

const accessActions = ['read', 'none'] as const;

/** Who may see what is published in a folder: embed users of some tenants, or of all. */
export const Audiences = z.looseObject({
  allEmbedUsers: z.looseObject({
    enabled: z.boolean(),
    action: openEnum(accessActions),
    groupId: optional(z.int()),
  }),
  tenants: z.array(z.looseObject({ embedTenantName: z.string(), groupId: z.int(), action: openEnum(accessActions) })),
});
/** Who may see what is published in a folder. */
export type Audiences = z.infer<typeof Audiences>;

/** Who may see a published dashboard (`EmbedAccessResponse`). */
export const EmbedAccess = z.extend(Audiences, { allowEmbed: z.boolean() });
/** Who may see a published dashboard. */
export type EmbedAccess = z.infer<typeof EmbedAccess>;

const target = {
  action: optional(z.enum(accessActions)),
  allEmbedUsers: optional(z.boolean()),
  embedTenantName: optional(EmbedTenantName),
};

/** Who may see the dashboard of a workbook. A session in creator mode is told of its own tenant and of all embed users alone. */
export const getEmbedAccess = operation({
  id: 'getEmbedAccess',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/embed-access',
  access: 'authenticated',
  params: WorkbookParams,
  response: EmbedAccess,
  errors: { 404: 'no such workbook' },
});

/**
 * Changes who may see the dashboard of a workbook: one target (`embedTenantName` or `allEmbedUsers: true`) with an `action`,
 * or neither with `allowEmbed` alone. A session in creator mode shares with its own tenant alone.
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
  errors: { 404: 'no such workbook or embed tenant' },
});

/**
 * Who may see what is published in a folder, at any depth. Our extension: the operations document knows of access by a shared folder,
 * and of no operation that shares one.
 */
export const getFolderEmbedAccess = operation({
  id: 'getFolderEmbedAccess',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/folders/{folderId}/embed-access',
  access: 'viewer',
  params: FolderParams,
  response: Audiences,
  errors: { 404: 'no such folder' },
});

/** Shares all that is published in a folder, at any depth, with a target, or takes that back; our extension. */
export const updateFolderEmbedAccess = operation({
  id: 'updateFolderEmbedAccess',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/folders/{folderId}/embed-access',
  access: 'user',
  params: FolderParams,
  body: z.strictObject(target),
  response: Audiences,
  errors: { 404: 'no such folder or embed tenant' },
});

/** By what an embed tenant has access to a workbook. */
export const accessSources = ['tenant', 'allEmbedUsers', 'folder'] as const;
/** By what an embed tenant has access to a workbook. */
export type AccessSource = (typeof accessSources)[number];

/**
 * Lists the workbooks that are shared with an embed tenant, the newest first: shared with the tenant, with all embed users, or in a
 * folder that is, at any depth; without `accessSource` by any of these.
 */
export const listEmbedTenantWorkbooks = operation({
  id: 'listEmbedTenantWorkbooks',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}/workbooks',
  access: 'admin',
  params: z.extend(EmbedTenantParams, { deploymentId: IdParam }),
  query: z.extend(PageQuery, { accessSource: z.optional(z.enum(accessSources)) }),
  response: pageOf(Workbook),
  errors: { 404: 'no such deployment or embed tenant' },
});
