import type { RowSet } from '../../../contract/row-set.js';
import type { MailFile, SendResult } from '../mail/mail-sender.js';

/** A destination of notifications other than a mailbox. */
export type Channel =
  | { readonly type: 'SLACK'; readonly channelId: string }
  | { readonly type: 'WEBHOOK'; readonly url: string };

/** The content of a channel message: the dashboard with the permissions of the channel. */
export interface ChannelMessage {
  /** Id of the message, the same for all attempts of a delivery. */
  readonly messageId: string;
  readonly notificationId: number;
  readonly dashboardPublicId: string;
  readonly title: string;
  readonly scheduledAt: Date;
  readonly isTest: boolean;
  /** Title and tables as text. */
  readonly text: string;
  /** Paragraphs of plain text; `null` without a summary. */
  readonly summary: readonly string[] | null;
  readonly reports: readonly { readonly title: string; readonly rowSet: RowSet | null }[];
  /** The dashboard as an image or a PDF; none if it could not be rendered. */
  readonly files: readonly MailFile[];
}

/** Posts messages to one kind of channel. A failure affects only one message, so the result is never `unavailable`. */
export type ChannelSender<C extends Channel = Channel> = (channel: C, message: ChannelMessage) => Promise<SendResult>;

/** Senders by kind; `null` for kinds that are not configured. */
export interface ChannelSenders {
  readonly slack: ChannelSender<Channel & { readonly type: 'SLACK' }> | null;
  readonly webhook: ChannelSender<Channel & { readonly type: 'WEBHOOK' }> | null;
}

const prefixes = { SLACK: 'slack:', WEBHOOK: 'webhook:' } as const;

/** Returns the key of a channel in the database. */
export function channelKey(channel: Channel): string {
  return prefixes[channel.type] + (channel.type === 'SLACK' ? channel.channelId : channel.url);
}

/** Returns the channel with this key. */
export function readChannel(key: string): Channel {
  if (key.startsWith(prefixes.SLACK)) return { type: 'SLACK', channelId: key.slice(prefixes.SLACK.length) };
  return { type: 'WEBHOOK', url: key.slice(prefixes.WEBHOOK.length) };
}

/** Posts a message to the channel with this key. */
export async function sendToChannel(
  senders: ChannelSenders,
  key: string,
  message: ChannelMessage,
): Promise<SendResult> {
  const channel = readChannel(key);
  const result = channel.type === 'SLACK' ? senders.slack?.(channel, message) : senders.webhook?.(channel, message);
  return (
    result ??
    rejected('The platform is not configured for this kind of channel. Set PA_SLACK_TOKEN or PA_WEBHOOK_HOSTS.')
  );
}

/** Creates the result of a permanent failure. */
export function rejected(problem: string, responseCode: number | null = null): SendResult {
  return { kind: 'rejected', responseCode, problem };
}

/** Creates the result of a temporary failure. */
export function postponed(problem: string, responseCode: number | null = null): SendResult {
  return { kind: 'postponed', responseCode, problem };
}
