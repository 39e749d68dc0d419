import { checkEmbedGrant } from '../../../contract/embed-grant.js';
import type {
  NotificationRecipient,
  NotificationRecipientInput,
  RemovedRecipient,
} from '../../../contract/notification-recipients.js';
import type { Db } from '../../db/database.js';
import { findTenant } from '../../embed/tenant-store.js';
import { PlatformError } from '../../errors.js';
import type { RouteDeps } from '../../http/route-deps.js';
import type { NewRecipient, StoredRecipient } from '../recipient-store.js';
import { type Channel, channelKey, readChannel } from './channel.js';
import { webhookProblem } from './channel-options.js';
import { governedBy } from './governed-by.js';

interface ChannelEntry {
  readonly input: NotificationRecipientInput;
  readonly where: string;
}

/** True for a recipient that is a channel, not a user. */
export function isChannel({ input }: Pick<ChannelEntry, 'input'>): boolean {
  return input.type === 'SLACK' || input.type === 'WEBHOOK';
}

const userFields = ['userId', 'email', 'externalId'] as const;

/** Checks a channel against the configuration of the platform. @throws PlatformError 400 */
export function checkChannel(
  { input, where }: ChannelEntry,
  deploymentId: number,
  { hasSlack, webhookHosts }: RouteDeps['channels'],
): void {
  const refuse = (field: string, message: string): never => {
    throw new PlatformError(400, `${where}.${field}: ${message}`);
  };
  const userField = userFields.find(name => input[name] != null);
  if (userField) refuse(userField, 'is supported only with type USER or EMBED_USER');
  if (input.type === 'SLACK') {
    if (!hasSlack) refuse('type', 'SLACK is not supported, because PA_SLACK_TOKEN is not set');
    if (input.url != null) refuse('url', 'is supported only with type WEBHOOK');
    if (!/^[A-Z\d]{2,30}$/.test(input.channelId ?? ''))
      refuse('channelId', 'must be the id of a channel, such as C0123456789');
  } else {
    if (webhookHosts.length === 0) refuse('type', 'WEBHOOK is not supported, because PA_WEBHOOK_HOSTS is not set');
    if (input.channelId != null) refuse('channelId', 'is supported only with type SLACK');
    const problem = webhookProblem(input.url ?? '', webhookHosts);
    if (problem !== null) refuse('url', problem);
  }
  const { groups, userAttributes, securityContext } = input;
  // Pass a placeholder, because the check requires a user, and a channel has none.
  const user = { embedTenantName: input.embedTenantName ?? 'account', externalId: 'channel' };
  const problem = checkEmbedGrant({ deploymentId, ...user, groups, userAttributes, securityContext });
  if (problem) refuse(problem.field, problem.message);
}

/** Finds the tenants of channels. @throws PlatformError 400 */
export async function resolveChannels(tx: Db, entries: readonly ChannelEntry[]): Promise<NewRecipient[]> {
  const resolved = new Map<string, NewRecipient>();
  for (const { input, where } of entries) {
    const channel = channelKey(channelOf(input));
    if (resolved.has(channel)) throw new PlatformError(400, `${where}: duplicates an earlier recipient`);
    const name = input.embedTenantName;
    const tenant = name == null ? null : await findTenant(tx, name);
    if (name != null && !tenant) throw new PlatformError(400, `${where}.embedTenantName: tenant not found`);
    resolved.set(channel, {
      userId: null,
      channel,
      channelName: input.channelName ?? null,
      embedTenantId: tenant?.id ?? null,
      embed: governedBy(input),
    });
  }
  return [...resolved.values()];
}

function channelOf({ type, channelId, url }: NotificationRecipientInput): Channel {
  return type === 'SLACK' ? { type, channelId: channelId ?? '' } : { type: 'WEBHOOK', url: new URL(url ?? '').href };
}

/** Returns the key of the channel to remove; none for a user. */
export function removedChannel({ type, id }: RemovedRecipient): string[] {
  if (type === 'SLACK') return [channelKey({ type, channelId: String(id) })];
  return type === 'WEBHOOK'
    ? [channelKey({ type, url: URL.canParse(String(id)) ? new URL(String(id)).href : String(id) })]
    : [];
}

/** Returns a channel as in responses. */
export function showChannel(
  { channelName, embedTenantName }: Pick<StoredRecipient, 'channelName' | 'embedTenantName'>,
  key: string,
): NotificationRecipient {
  return { ...readChannel(key), channelName, embedTenantName };
}
