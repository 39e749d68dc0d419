import * as z from 'zod/mini';
import { operation } from './operation.js';
import { EmbedTenantName, openEnum, optional } from './wire.js';
import { WorkbookParams } from './workbooks.js';

const accessActions = ['read', 'none'] as const;

/** Who may see a published dashboard (`EmbedAccessResponse`). */
export const EmbedAccess = z.looseObject({
  allowEmbed: z.boolean(),
  allEmbedUsers: z.looseObject({
    enabled: z.boolean(),
    action: openEnum(accessActions),
    groupId: optional(z.int()),
  }),
  tenants: z.array(z.looseObject({ embedTenantName: z.string(), groupId: z.int(), action: openEnum(accessActions) })),
});
/** Who may see a published dashboard. */
export type EmbedAccess = z.infer<typeof EmbedAccess>;

/** Who may see the dashboard of a workbook. */
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
 * or neither with `allowEmbed` alone.
 */
export const updateEmbedAccess = operation({
  id: 'updateEmbedAccess',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/embed-access',
  access: 'authenticated',
  params: WorkbookParams,
  body: z.strictObject({
    action: optional(z.enum(accessActions)),
    allEmbedUsers: optional(z.boolean()),
    allowEmbed: optional(z.boolean()),
    embedTenantName: optional(EmbedTenantName),
  }),
  response: EmbedAccess,
  errors: { 404: 'no such workbook or embed tenant' },
});
