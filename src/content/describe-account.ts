import type { AccountGroup } from '../contract/account-groups.js';
import {
  type GroupFile,
  type NotificationFile,
  NotificationValues,
  type PolicyResource,
  type RecipientFile,
  type RoleFile,
} from '../contract/content-files.js';
import type { NotificationRecipient } from '../contract/notification-recipients.js';
import { PolicyInput, type ResourceType, type Role } from '../contract/roles.js';
import type { NotificationState } from './account-state.js';
import type { DeploymentState } from './deployment-state.js';
import { withoutGaps } from './describe-state.js';

/** Names of the objects that policies and notifications refer to. */
export type ResourceNames = Pick<DeploymentState, 'folderNames' | 'reportIds' | 'slugs'> & {
  readonly deploymentId: number;
  /** Slugs of workbooks by the ids of their published dashboards. */
  readonly dashboards: ReadonlyMap<number, string>;
};

/**
 * Returns a role in the format of a file.
 * @throws Error if a newer platform returns a policy that this version cannot write.
 */
export function describeRole({ name, description, policies }: Role, names: ResourceNames): RoleFile {
  const written = policies.map(policy => {
    const read = PolicyInput.safeParse(policy);
    if (!read.success)
      throw new Error(`This version of pa-platform does not support a policy of the role ${name}. Update pa-embed.`);
    const { effect, actions, resourceType, resources } = read.data;
    const named = resources.map(resource => nameResource(resourceType, resource, names));
    return { actions, ...(effect != null && { effect }), resourceType, resources: named };
  });
  return { ...withoutGaps({ description }), name, policies: written };
}

/** Replaces the id of a resource with its name, if it has one. */
export function nameResource(type: ResourceType, resource: PolicyResource, names: ResourceNames): PolicyResource {
  if (Array.isArray(resource) || !/^\d+$/.test(String(resource))) return resource;
  const id = Number(resource);
  const found = nameOf(type, id, names);
  if (found === undefined) return Number.isSafeInteger(id) ? id : resource;
  return typeof found === 'string' ? found : [...found];
}

function nameOf(type: ResourceType, id: number, names: ResourceNames): string | readonly string[] | undefined {
  switch (type) {
    case 'Deployment':
      return id === names.deploymentId ? 'this' : undefined;
    case 'Report':
      return names.reportIds.get(id);
    case 'Workbook':
      return names.slugs.get(id);
    case 'Dashboard':
      return names.dashboards.get(id);
    case 'Folder':
    case 'ReportFolder':
      return names.folderNames.get(id);
    default:
      return undefined;
  }
}

/** Returns a group of the account in the format of a file. */
export function describeGroup({ name, description, role }: AccountGroup): GroupFile {
  return { ...withoutGaps({ description, role: role?.name }), name };
}

/** Values that a notification has if a file omits them. */
const defaults = {
  timezone: 'UTC',
  isEnabled: true,
  notificationEnabled: true,
  notificationAiSummary: false,
  notificationFormat: 'png',
} as const;

/** Returns a notification in the format of a file, without fields that have the default value. */
export function describeNotification(
  { notification, recipients }: NotificationState,
  { dashboards }: Pick<ResourceNames, 'dashboards'>,
): NotificationFile {
  const { name, dashboardId, cronExpression } = notification;
  const fields = Object.fromEntries(
    Object.entries(defaults).flatMap(([key, value]) => (notification[key] === value ? [] : [[key, notification[key]]])),
  );
  const { alert, filters, memberSwitchers, timeGrains } = NotificationValues.parse(notification);
  return {
    dashboard: dashboards.get(dashboardId) ?? '',
    schedule: cronExpression,
    ...fields,
    ...(alert && { alert: { ...withoutGaps(alert), kind: alert.kind } }),
    ...withoutGaps({ filters, memberSwitchers, timeGrains }),
    recipients: nameRecipients(name ?? '', recipients).map(({ file }) => file),
  };
}

/** Adds the default values that a description omits. */
export function withDefaults(file: NotificationFile): NotificationFile {
  return { ...defaults, ...file };
}

/** A stored recipient with its description in the format of a file. */
export interface NamedRecipient {
  readonly file: RecipientFile;
  readonly recipient: NotificationRecipient;
}

/** Describes recipients in the format of a file, sorted. A webhook is a reference, because its URL is a secret. */
export function nameRecipients(notification: string, recipients: readonly NotificationRecipient[]): NamedRecipient[] {
  const variables = webhookVariables(notification, recipients);
  return recipients
    .map(recipient => ({ file: describeRecipient(recipient, variables.get(recipient.url ?? '') ?? ''), recipient }))
    .sort((a, b) => (recipientKey(a.file) < recipientKey(b.file) ? -1 : 1));
}

/** Name of an environment variable with the URL of a webhook. */
const variableName = /^[A-Z][A-Z0-9_]{0,99}$/;

/**
 * Returns the names of the environment variables with the URLs of webhooks, by URL: the name that a file gave it, or
 * the name of the notification with the number of the webhook.
 */
function webhookVariables(
  notification: string,
  recipients: readonly NotificationRecipient[],
): ReadonlyMap<string, string> {
  const prefix = notification
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^[^A-Z]+|_$/g, '')
    .slice(0, 80);
  const webhooks = recipients.filter(({ type }) => type === 'WEBHOOK');
  const urls = webhooks.map(({ url }) => url ?? '').sort();
  return new Map(
    webhooks.map(({ url, channelName }) => {
      const own = channelName != null && variableName.test(channelName) ? channelName : null;
      const number = urls.indexOf(url ?? '') + 1;
      return [url ?? '', own ?? (prefix === '' ? `WEBHOOK_${number}` : `${prefix}_WEBHOOK_${number}`)];
    }),
  );
}

function describeRecipient(recipient: NotificationRecipient, variable: string): RecipientFile {
  const { type, email, embedTenantName, externalId, groups, userAttributes, securityContext, channelId } = recipient;
  const rendering = { groups, userAttributes: userAttributes && Object(userAttributes), securityContext };
  switch (type) {
    case 'EMBED_USER':
      return {
        type: 'EMBED_USER',
        ...withoutGaps({ embedTenantName, externalId, email: email === externalId ? null : email, ...rendering }),
      };
    case 'SLACK':
      return {
        type: 'SLACK',
        ...withoutGaps({ channelId, channelName: recipient.channelName, embedTenantName, ...rendering }),
      };
    case 'WEBHOOK': {
      const channelName = recipient.channelName === variable ? null : recipient.channelName;
      return {
        type: 'WEBHOOK',
        url: `\${${variable}}`,
        ...withoutGaps({ channelName, embedTenantName, ...rendering }),
      };
    }
    default:
      return { type: 'USER', ...withoutGaps({ email }) };
  }
}

/** Returns the key of a recipient, which is unique in its notification. */
export function recipientKey({ type, email, embedTenantName, externalId, channelId, url }: RecipientFile): string {
  const parts = {
    USER: [email?.toLowerCase()],
    EMBED_USER: [embedTenantName, externalId],
    SLACK: [channelId],
    WEBHOOK: [url],
  };
  return JSON.stringify([type, ...parts[type]]);
}
