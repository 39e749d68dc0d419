import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import { isMailbox, type MailSettings, type SmtpServer } from './mail-options.js';

/** A file of a message. With `cid`, the HTML part displays it as an image. */
export interface MailFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array | string;
  readonly cid?: string;
}

/** The content of a message, equal for all of its recipients. */
export interface MailContent {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly files: readonly MailFile[];
}

/** A message to one recipient. */
export interface OutgoingMail extends MailContent {
  readonly to: string;
  /** Local part of the `Message-ID` header. */
  readonly messageId: string;
  /** Address that ends the subscription with one POST (RFC 8058); `null` if there is none. */
  readonly unsubscribeUrl: string | null;
}

/** Result of handing a message over. */
export type SendResult =
  | { readonly kind: 'accepted'; readonly responseCode: number | null }
  /** The server permanently rejects this message or recipient. */
  | { readonly kind: 'rejected'; readonly responseCode: number | null; readonly problem: string }
  /** The server temporarily rejects this message or recipient. */
  | { readonly kind: 'postponed'; readonly responseCode: number | null; readonly problem: string }
  /** No message can be sent now: connection, TLS or authentication failed. */
  | { readonly kind: 'unavailable'; readonly responseCode: number | null; readonly problem: string };

/** Hands messages over to a mail server, one at a time. */
export interface MailSender {
  /** Whether messages can be sent: a mail server or a folder is configured. */
  readonly canSend: boolean;
  send(mail: OutgoingMail): Promise<SendResult>;
  close(): void;
}

const maxSubjectLength = 200;
const maxProblemLength = 300;
const sendTimeoutMs = 120_000;

/** Control characters, including line breaks, and characters that change the direction of surrounding text. */
const unsafeCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Puts text on one line and removes control characters. */
export function singleLine(text: string, maxLength: number): string {
  const line = text.replace(unsafeCharacters, ' ').trim();
  return line.length > maxLength ? `${[...line].slice(0, maxLength - 1).join('')}…` : line;
}

/**
 * Opens the configured sender: a mail server, or the folder for `.eml` files.
 * @param directory - folder for files; `null` if there is no data folder.
 */
export async function openMailSender(settings: MailSettings, directory: string | null): Promise<MailSender> {
  if (settings.server) return smtpSender(settings, settings.server);
  return directory === null ? noSender : fileSender(settings, directory);
}

async function smtpSender(settings: MailSettings, server: SmtpServer): Promise<MailSender> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...server,
    pool: true,
    // Use one connection, so that at most one message is in transit when the process crashes, and at most one is sent
    // twice.
    maxConnections: 1,
    // The platform retries itself, because retries of the library would be missing in the delivery log.
    maxRequeues: 0,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    canSend: true,
    async send(mail) {
      if (!isMailbox(mail.to)) return invalidAddress;
      try {
        const { response } = await transport.sendMail({
          ...messageOf(mail, settings),
          signal: AbortSignal.timeout(sendTimeoutMs),
        });
        return { kind: 'accepted', responseCode: Number(/^\d{3}/.exec(response)?.[0] ?? 250) };
      } catch (error) {
        return failureOf(error);
      }
    },
    close: () => transport.close(),
  };
}

const invalidAddress: SendResult = {
  kind: 'rejected',
  responseCode: null,
  problem: 'The address of the recipient is not valid.',
};

/** Fields of the errors of nodemailer. */
interface MailError {
  readonly code?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

/** Codes of errors about one message or recipient, for which the reply code determines whether a retry can succeed. */
const messageErrors: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];

/** Distinguishes permanent from temporary failures by the reply code of the server (RFC 5321, section 4.2.1). */
function failureOf(error: unknown): SendResult {
  const { code, responseCode: reply, response }: MailError = Object(error);
  const responseCode = typeof reply === 'number' ? reply : null;
  const problem = describe(code, response);
  if (responseCode === null || responseCode === 421 || !messageErrors.includes(code)) {
    // An address that cannot be sent at all has no reply code.
    if (code === 'EENVELOPE' && responseCode === null) return invalidAddress;
    return { kind: 'unavailable', responseCode, problem };
  }
  return { kind: responseCode >= 500 ? 'rejected' : 'postponed', responseCode, problem };
}

const problems: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server rejected the user or password of PA_SMTP_URL.',
  ETLS: 'The connection to the mail server could not be secured with TLS.',
  EDNS: 'The host of the mail server was not found.',
};

function describe(code: unknown, response: unknown): string {
  const known = typeof code === 'string' ? problems[code] : undefined;
  if (known) return known;
  if (typeof response !== 'string') return 'The mail server could not be reached, or closed the connection.';
  return `The mail server replied: ${singleLine(response, maxProblemLength)}`;
}

/** Writes each message to a file whose name derives from its id, so that a repeated message replaces the first one. */
async function fileSender(settings: MailSettings, directory: string): Promise<MailSender> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    canSend: true,
    async send(mail) {
      if (!isMailbox(mail.to)) return invalidAddress;
      const { message } = await transport.sendMail(messageOf(mail, settings));
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const path = join(directory, `${mail.messageId}.eml`);
      await writeFile(`${path}.part`, message, { mode: 0o600 });
      await rename(`${path}.part`, path);
      return { kind: 'accepted', responseCode: null };
    },
    close: () => undefined,
  };
}

const noSender: MailSender = {
  canSend: false,
  send: async () => ({
    kind: 'unavailable',
    responseCode: null,
    problem: 'No mail server is configured. Set PA_SMTP_URL and PA_MAIL_FROM.',
  }),
  close: () => undefined,
};

function messageOf(mail: OutgoingMail, { from, replyTo }: MailSettings): SendMailOptions {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const { unsubscribeUrl } = mail;
  return {
    from: { ...from },
    to: { name: '', address: mail.to },
    ...(replyTo && { replyTo: { ...replyTo } }),
    // The envelope is explicit, so that no header can add a recipient.
    envelope: { from: from.address, to: [mail.to] },
    subject: singleLine(mail.subject, maxSubjectLength),
    messageId: `<${mail.messageId}@${domain}>`,
    text: mail.text,
    html: mail.html,
    attachments: mail.files.map(({ content, ...file }) => ({
      ...file,
      content: typeof content === 'string' ? content : Buffer.from(content),
      contentDisposition: file.cid === undefined ? 'attachment' : 'inline',
    })),
    headers: {
      // Prevents automatic replies, such as out-of-office messages.
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl !== null && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        // Omit these headers without HTTPS, which RFC 8058 requires.
        ...(unsubscribeUrl.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
      }),
    },
  };
}
