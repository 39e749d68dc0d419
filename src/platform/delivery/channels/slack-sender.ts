import { type MailFile, type SendResult, singleLine } from '../mail/mail-sender.js';
import { type Channel, type ChannelMessage, type ChannelSender, postponed, rejected } from './channel.js';
import type { ChannelSettings } from './channel-options.js';

const slackApi = 'https://slack.com/api';
const timeoutMs = 30_000;
const maxTitleLength = 200;
/** Maximum length of a message. Slack truncates longer ones. */
const maxTextLength = 3_000;
/** Error codes of Slack that a retry cannot fix. */
const permanentErrors: readonly unknown[] = [
  'channel_not_found',
  'is_archived',
  'not_in_channel',
  'missing_scope',
  'restricted_action',
];

/** Thrown if a call failed, with the result to report. */
class SlackFailure extends Error {
  readonly result: SendResult;

  constructor(result: SendResult) {
    super('Slack rejected a call.');
    this.result = result;
  }
}

/**
 * Returns a function that posts an image or PDF with its title, or text if there is no file; `null` without a token.
 */
export function openSlackSender({
  slackToken: token,
  testing = {},
}: ChannelSettings): ChannelSender<Channel & { readonly type: 'SLACK' }> | null {
  if (token === undefined) return null;
  const slack = new Slack(token, testing.slackUrl ?? slackApi);
  return async ({ channelId }, message) => {
    const [file] = message.files;
    try {
      await (file ? slack.upload(channelId, file, message) : slack.post(channelId, message));
      return { kind: 'accepted', responseCode: 200 };
    } catch (error) {
      if (error instanceof SlackFailure) return error.result;
      return postponed('Slack could not be reached.');
    }
  };
}

class Slack {
  readonly #token: string;
  readonly #url: string;

  constructor(token: string, url: string) {
    this.#token = token;
    this.#url = url;
  }

  async post(channel: string, message: ChannelMessage): Promise<void> {
    const text = [...message.text].slice(0, maxTextLength).join('');
    await this.#call('chat.postMessage', {
      channel,
      text: escaped(text),
      unfurl_links: 'false',
      unfurl_media: 'false',
    });
  }

  async upload(channelId: string, { filename, content }: MailFile, message: ChannelMessage): Promise<void> {
    const bytes = new Uint8Array(Buffer.from(content));
    const place = await this.#call('files.getUploadURLExternal', { filename, length: String(bytes.byteLength) });
    const url = this.#uploadUrl(place.upload_url);
    const response = await fetch(url, { method: 'POST', body: bytes, ...this.#options });
    await response.body?.cancel();
    if (!response.ok) throw new SlackFailure(postponed('Slack rejected the file.', response.status));
    const title = singleLine(message.title, maxTitleLength);
    await this.#call('files.completeUploadExternal', {
      files: JSON.stringify([{ id: String(place.file_id), title }]),
      channel_id: channelId,
      initial_comment: escaped([title, ...(message.summary ?? [])].join('\n')),
    });
  }

  /** Validates the URL that receives the content, but not the token. */
  #uploadUrl(text: unknown): URL {
    const url = URL.canParse(String(text)) ? new URL(String(text)) : null;
    const isSlack = url?.protocol === 'https:' && /(^|\.)slack\.com$/.test(url.hostname);
    if (url && (isSlack || url.origin === new URL(this.#url).origin)) return url;
    throw new SlackFailure(postponed('Slack returned an upload URL on another host.'));
  }

  get #options() {
    return { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) } as const;
  }

  async #call(method: string, fields: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> {
    const response = await fetch(`${this.#url}/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}` },
      body: new URLSearchParams(fields),
      ...this.#options,
    });
    const { status } = response;
    if (!response.ok) {
      await response.body?.cancel();
      throw new SlackFailure(postponed('Slack rejected the call.', status));
    }
    const answer: unknown = await response.json();
    const read: Readonly<Record<string, unknown>> = typeof answer === 'object' && answer !== null ? { ...answer } : {};
    if (read.ok === true) return read;
    const problem = `Slack replied: ${singleLine(String(read.error ?? 'unknown error'), maxTitleLength)}`;
    throw new SlackFailure(permanentErrors.includes(read.error) ? rejected(problem) : postponed(problem));
  }
}

/** Escapes text, because Slack interprets `<…>` as mentions and links. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
