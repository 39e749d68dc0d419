import * as z from 'zod/mini';
import { UserAttributeInput } from './embed-grant.js';
import { lowerAscii } from './lower-ascii.js';
import { NotificationParams } from './notifications.js';
import { operation } from './operation.js';
import { EmbedTenantName, JsonObject, openEnum, optional, PageQuery, pageOf } from './wire.js';

/** Types of recipients: a user of the console, a user of an embed tenant, a channel, or a URL (extension). */
export const recipientTypes = ['USER', 'EMBED_USER', 'SLACK', 'WEBHOOK'] as const;

/** A recipient of a notification (spec 2.8). */
export const NotificationRecipient = z.looseObject({
  type: openEnum(recipientTypes),
  userId: optional(z.int()),
  username: optional(z.string()),
  embedUserId: optional(z.int()),
  embedTenantName: optional(z.string()),
  externalId: optional(z.string()),
  email: optional(z.string()),
  channelId: optional(z.string()),
  channelName: optional(z.string()),
  url: optional(z.string()),
  /** Groups, attributes and security context for rendering (extension). Only in lists of recipients. */
  groups: optional(z.array(z.string())),
  userAttributes: optional(z.array(JsonObject)),
  securityContext: optional(JsonObject),
});
/** A recipient of a notification. */
export type NotificationRecipient = z.infer<typeof NotificationRecipient>;

/** An email address. Host names without a dot are allowed, because company networks use them. */
export const MailAddress = z.string().check(z.maxLength(255), z.regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address'));

/**
 * Input for adding a recipient. USER is identified by `userId` or `email`; EMBED_USER by `embedTenantName` and
 * `externalId`, with the groups, attributes and security context to use for rendering. Extensions: SLACK is identified
 * by `channelId` and requires a Slack token of the platform; WEBHOOK is identified by `url`, whose host must be
 * allowed. Both accept the same fields for rendering, and `embedTenantName` for a dashboard that is shared with this
 * tenant.
 */
export const NotificationRecipientInput = z.strictObject({
  type: z.enum(recipientTypes),
  userId: optional(z.int().check(z.positive())),
  email: optional(MailAddress),
  embedTenantName: optional(EmbedTenantName),
  externalId: optional(z.string().check(z.trim(), z.overwrite(lowerAscii), z.minLength(1), z.maxLength(255))),
  groups: optional(z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.maxLength(1000))),
  userAttributes: optional(z.array(UserAttributeInput).check(z.maxLength(1000))),
  securityContext: optional(JsonObject),
  channelId: optional(z.string().check(z.maxLength(255))),
  channelName: optional(z.string().check(z.maxLength(255))),
  url: optional(z.string().check(z.minLength(1), z.maxLength(2000))),
});
/** Input for adding a recipient. */
export type NotificationRecipientInput = z.infer<typeof NotificationRecipientInput>;

const maxRecipients = 1000;

/** Input for removing a recipient. `id` is the `userId`, `embedUserId`, `channelId` or `url`. */
export const RemovedRecipient = z.strictObject({
  type: z.enum(recipientTypes),
  id: z.union([z.int().check(z.positive()), z.string().check(z.minLength(1), z.maxLength(2000))]),
  embedTenantName: optional(EmbedTenantName),
});
/** Input for removing a recipient. */
export type RemovedRecipient = z.infer<typeof RemovedRecipient>;

/** Lists the recipients of a notification, newest first. */
export const getRecipients = operation({
  id: 'getRecipients',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}/recipients',
  access: 'admin',
  params: NotificationParams,
  query: PageQuery,
  response: pageOf(NotificationRecipient),
  errors: { 404: 'The notification does not exist in the deployment.' },
});

/**
 * Adds recipients atomically. Each must have an email address. If an embed user is already a recipient, `groups`,
 * `userAttributes` and `securityContext` are replaced. Embed users that do not exist are created.
 */
export const addRecipients = operation({
  id: 'addRecipients',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}/recipients',
  access: 'admin',
  params: NotificationParams,
  body: z.strictObject({
    recipients: z.array(NotificationRecipientInput).check(z.minLength(1), z.maxLength(maxRecipients)),
  }),
  response: z.looseObject({
    createdRecipients: z.array(NotificationRecipient),
    updatedRecipients: z.array(NotificationRecipient),
    unchangedRecipients: z.array(NotificationRecipient),
  }),
  errors: {
    404: 'The notification does not exist in the deployment.',
    409: 'The notification is a subscription. Its recipients cannot be changed.',
  },
});

/** Removes recipients. Unknown recipients are ignored. */
export const removeRecipients = operation({
  id: 'removeRecipients',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}/recipients',
  access: 'admin',
  params: NotificationParams,
  body: z.strictObject({ recipients: z.array(RemovedRecipient).check(z.minLength(1), z.maxLength(maxRecipients)) }),
  response: null,
  errors: { 404: 'The notification does not exist in the deployment.' },
});

/**
 * Removes the recipient that a `List-Unsubscribe` header identifies (RFC 8058, extension). The token is the credential.
 * The body, a form that mail providers send, is ignored.
 */
export const unsubscribe = operation({
  id: 'unsubscribe',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/notifications/unsubscribe/{token}',
  access: 'public',
  params: z.strictObject({ token: z.string().check(z.maxLength(300)) }),
  response: null,
  errors: { 404: 'The token is invalid.' },
});
