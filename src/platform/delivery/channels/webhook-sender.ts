import { createHmac } from 'node:crypto';
import { type RequestOptions, request } from 'node:https';
import { isIP } from 'node:net';
import { AddressNotAllowed, guardedLookup, isPublicAddress } from '../../runtime/public-address.js';
import type { SendResult } from '../mail/mail-sender.js';
import { type Channel, type ChannelMessage, type ChannelSender, postponed, rejected } from './channel.js';
import { type ChannelSettings, webhookProblem } from './channel-options.js';

const timeoutMs = 15_000;
/** Status codes below 500 for which a retry can succeed. All codes from 500 on are retried too. */
const temporary: readonly number[] = [408, 425, 429];
const notPublic = 'The host of the webhook has an address that is not public.';

/** Returns a function that posts messages as JSON, signed as in Standard Webhooks; `null` if no host is allowed. */
export function openWebhookSender({
  webhook,
  testing = {},
}: ChannelSettings): ChannelSender<Channel & { readonly type: 'WEBHOOK' }> | null {
  if (!webhook) return null;
  const isAllowed = testing.isAllowedAddress ?? isPublicAddress;
  const connection = {
    lookup: guardedLookup(isAllowed),
    ...(testing.certificateAuthority !== undefined && { ca: testing.certificateAuthority }),
  };
  return async ({ url: text }, message) => {
    const problem = webhookProblem(text, webhook.hosts);
    if (problem !== null) return rejected(`The URL ${problem}.`);
    const url = new URL(text);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // The lookup function is not called for IP addresses, so they are checked here.
    if (isIP(host) !== 0 && !isAllowed(host)) return rejected(notPublic);
    return post(url, bodyOf(message), { ...connection, messageId: message.messageId, secrets: webhook.secrets });
  };
}

interface PostOptions extends Pick<RequestOptions, 'lookup' | 'ca'> {
  readonly messageId: string;
  readonly secrets: readonly Uint8Array[];
}

/** Sends one request on its own connection. Redirects are not followed. */
function post(url: URL, body: string, { messageId, secrets, ...connection }: PostOptions): Promise<SendResult> {
  const timestamp = Math.floor(Date.now() / 1000);
  const signed = `${messageId}.${timestamp}.${body}`;
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'pa-platform',
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(secret => `v1,${signatureOf(secret, signed)}`).join(' '),
  };
  return new Promise(resolve => {
    const options = { ...connection, method: 'POST', headers, agent: false, signal: AbortSignal.timeout(timeoutMs) };
    const sent = request(url, options, response => {
      const { statusCode = 0 } = response;
      // The body is not read, because the status is sufficient and the body may be large.
      response.destroy();
      resolve(resultOf(statusCode));
    });
    sent.on('error', error => resolve(failureOf(error)));
    sent.end(body);
  });
}

function signatureOf(secret: Uint8Array, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64');
}

function resultOf(status: number): SendResult {
  if (status >= 200 && status < 300) return { kind: 'accepted', responseCode: status };
  const problem = `The webhook replied with status ${status}.`;
  return status >= 500 || temporary.includes(status) ? postponed(problem, status) : rejected(problem, status);
}

function failureOf(error: unknown): SendResult {
  if (error instanceof AddressNotAllowed) return rejected(notPublic);
  return postponed('The webhook could not be reached, or closed the connection.');
}

function bodyOf({ messageId, notificationId, dashboardPublicId, ...message }: ChannelMessage): string {
  return JSON.stringify({
    type: 'notification',
    id: messageId,
    notificationId,
    dashboardPublicId,
    title: message.title,
    scheduledAt: message.scheduledAt.toISOString(),
    isTest: message.isTest,
    summary: message.summary?.join('\n\n') ?? null,
    reports: message.reports.map(({ title, rowSet }) => ({
      title,
      columns:
        rowSet?.columns.map(({ member, annotation: { title, type } }) => ({ name: member, title, type })) ?? null,
      rows: rowSet?.rows.map(row => rowSet.columns.map(({ member }) => row[member] ?? null)) ?? null,
    })),
    files: message.files.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      content: Buffer.from(content).toString('base64'),
    })),
  });
}
