import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A message that the sink has accepted. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as sent. */
  readonly raw: string;
}

/** Reply of the sink to a recipient or to a message; `null` accepts it. */
type Reply = { readonly code: number; readonly message: string } | null;

/** A mail server on loopback that keeps all messages. */
export interface SmtpSink {
  readonly url: string;
  readonly received: ReceivedMail[];
  /** Called for each `RCPT TO`; accepts all by default. */
  onRecipient: (address: string) => Reply;
  /** Called for each complete message before it is accepted; accepts all by default. */
  onMessage: (mail: ReceivedMail) => Reply | Promise<Reply>;
  close(): Promise<void>;
}

/** Starts a mail server for tests. @param port - a free port by default. */
export async function startSmtpSink(port = 0): Promise<SmtpSink> {
  const sink: SmtpSink = {
    url: '',
    received: [],
    onRecipient: () => null,
    onMessage: () => null,
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, callback) => callback(errorOf(sink.onRecipient(address))),
    onData(stream, { envelope }, callback) {
      const receive = async () => {
        const raw = await text(stream);
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const mail = { from, to: envelope.rcptTo.map(({ address }) => address), raw };
        const reply = await sink.onMessage(mail);
        if (reply === null) sink.received.push(mail);
        return errorOf(reply);
      };
      receive().then(callback, callback);
    },
  });
  // Clients that are killed reset their connections.
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const { port: used } = server.server.address() as AddressInfo;
  return Object.assign(sink, { url: `smtp://127.0.0.1:${used}` });
}

function errorOf(reply: Reply): Error | null {
  return reply && Object.assign(new Error(reply.message), { responseCode: reply.code });
}

/** Returns a header of a message, unfolded; `null` if it is missing. */
export function headerOf({ raw }: Pick<ReceivedMail, 'raw'>, name: string): string | null {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const line = head.split('\r\n').find(each => each.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim() ?? null;
}

/** Returns the decoded parts of a message by content type, in order. */
export function partsOf({
  raw,
}: Pick<ReceivedMail, 'raw'>): { readonly type: string; readonly head: string; readonly body: string }[] {
  const [, boundary] = /boundary="([^"]+)"/.exec(raw.slice(0, raw.indexOf('\r\n\r\n'))) ?? [];
  return boundary === undefined ? [decode(raw)] : split(raw, boundary);
}

function split(text: string, boundary: string): ReturnType<typeof partsOf> {
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap(part => {
      const raw = part.replace(/^\r\n/, '');
      const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
      const [, inner] = /boundary="([^"]+)"/.exec(head) ?? [];
      return inner === undefined ? [decode(raw)] : split(raw, inner);
    });
}

function decode(raw: string) {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, end);
  const body = raw.slice(end + 4).replace(/\r\n$/, '');
  const type = /content-type:\s*([\w/+-]+)/i.exec(head)?.[1] ?? '';
  const encoding = /content-transfer-encoding:\s*([\w-]+)/i.exec(head)?.[1]?.toLowerCase();
  if (encoding === 'base64') return { type, head, body: Buffer.from(body, 'base64').toString() };
  if (encoding === 'quoted-printable') return { type, head, body: unquote(body) };
  return { type, head, body };
}

function unquote(body: string): string {
  const joined = body.replace(/=\r\n/g, '');
  return Buffer.from(
    joined.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
}
