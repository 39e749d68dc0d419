import { isLoopback } from '../../../contract/loopback.js';

/** Options for sending notifications by mail. */
export interface MailOptions {
  /**
   * Mail server: `smtp://user:password@host:587` (STARTTLS) or `smtps://…` (TLS). Without it, messages are written as
   * `.eml` files to the folder `mail/` in the data folder.
   */
  readonly smtpUrl?: string;
  /** Sender: `reports@example.com` or `Reports <reports@example.com>`. Required with `smtpUrl`. */
  readonly from?: string;
  /** Address for replies; by default the sender. */
  readonly replyTo?: string;
}

/** Name and address of a mailbox. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** Connection to a mail server. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Whether to use TLS from the first byte; otherwise STARTTLS. */
  readonly secure: boolean;
  /** Whether sending fails if the server does not offer STARTTLS. */
  readonly requireTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

/** Validated mail options. */
export interface MailSettings {
  readonly server: SmtpServer | null;
  readonly from: Mailbox;
  readonly replyTo: Mailbox | null;
}

const defaultSender = { name: '', address: 'notifications@localhost' };

/**
 * RFC 5322 atoms with RFC 6531 letters. Rejects quoted local parts and comments, because parsers disagree about them.
 */
const localPart = /^[\w!#$%&'*+/=?^`{|}~\-\p{L}\p{N}]+(\.[\w!#$%&'*+/=?^`{|}~\-\p{L}\p{N}]+)*$/u;
const domain = /^[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u;

/** Returns true for an address that no parser can interpret as several addresses or as another address. */
export function isMailbox(address: string): boolean {
  const at = address.lastIndexOf('@');
  return at > 0 && address.length <= 254 && localPart.test(address.slice(0, at)) && domain.test(address.slice(at + 1));
}

/** Returns the email of a user, or its external id if that is an address; `null` if it has none. */
export function mailboxOf({ email, externalId }: MailUser): string | null {
  return [email, externalId].find(address => address !== null && isMailbox(address)) ?? null;
}

/** The fields of a user that can contain the user's address. */
interface MailUser {
  readonly email: string | null;
  readonly externalId: string | null;
}

/**
 * Validates mail options.
 * @throws Error with a one-sentence reason without the URL, because the URL can contain a password.
 */
export function readMailOptions({ smtpUrl, from, replyTo }: MailOptions): MailSettings {
  const server = smtpUrl === undefined ? null : readServer(smtpUrl);
  if (server && from === undefined) {
    throw new Error('Set PA_MAIL_FROM to the sender of notifications, such as reports@example.com.');
  }
  return {
    server,
    from: from === undefined ? defaultSender : readMailbox('PA_MAIL_FROM', from),
    replyTo: replyTo === undefined ? null : readMailbox('PA_MAIL_REPLY_TO', replyTo),
  };
}

function readServer(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isValid =
    url && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && ['', '/'].includes(url.pathname) && url.hash === '';
  if (!isValid) throw new Error('PA_SMTP_URL must be a URL such as smtp://user:password@mail.example.com:587.');
  const secure = url.protocol === 'smtps:';
  const defaultPort = secure ? 465 : 587;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const { requireTls, auth } = readConnection(url);
  const isLocal = isLoopback(url.hostname);
  if (!secure && !requireTls && !isLocal && auth) {
    throw new Error('PA_SMTP_URL must not contain a password together with requireTLS=false.');
  }
  return {
    host,
    port: url.port === '' ? defaultPort : Number(url.port),
    secure,
    requireTLS: !secure && requireTls && !isLocal,
    ...(auth && { auth }),
  };
}

function readConnection({ searchParams, username, password }: URL) {
  for (const name of searchParams.keys()) {
    if (name !== 'requireTLS') throw new Error(`PA_SMTP_URL supports only the parameter requireTLS.`);
  }
  const auth = username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return { requireTls: searchParams.get('requireTLS') !== 'false', auth };
}

/** Reads a name and address. @throws Error with the name of the variable. */
function readMailbox(variable: string, text: string): Mailbox {
  const [, name = '', inBrackets] = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(text) ?? [];
  const address = (inBrackets ?? text).trim();
  if (isMailbox(address) && !/\p{Cc}/u.test(name)) return { name: name.trim(), address };
  throw new Error(`${variable} must be an address such as reports@example.com or "Reports <reports@example.com>".`);
}
