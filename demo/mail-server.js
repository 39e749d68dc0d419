import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

const maxMessages = 50;
const maxMessageBytes = 10 * 1024 * 1024;

/**
 * Starts a mail server on loopback that keeps the latest messages in memory and delivers nothing. Only programs on this
 * machine can connect.
 */
export async function startMailServer() {
  const messages = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    size: maxMessageBytes,
    onData(stream, { envelope }, done) {
      buffer(stream).then(source => {
        messages.unshift(readMessage(source, envelope));
        messages.splice(maxMessages);
        done();
      }, done);
    },
  });
  // A client that exits resets its connection, which is not an error.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${server.server.address().port}`,
    /** Returns the messages to an address, newest first. */
    messagesTo: address => messages.filter(({ to }) => to.includes(address)),
    close: () => new Promise(resolve => server.close(resolve)),
  };
}

function readMessage(source, { mailFrom, rcptTo }) {
  const root = readPart(source.toString('latin1'));
  const parts = leavesOf(root);
  return {
    id: randomUUID(),
    source,
    receivedAt: new Date().toISOString(),
    from: mailFrom ? mailFrom.address : '',
    to: rcptTo.map(({ address }) => address),
    subject: decodeWords(root.headers.get('subject') ?? ''),
    text: parts.find(({ type }) => type === 'text/plain')?.content.toString() ?? '',
    files: parts.filter(({ type }) => type === 'image/png' || type === 'application/pdf'),
  };
}

/** Reads a part of a message (MIME): its headers, and its body or parts. */
function readPart(raw) {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, end).replace(/\r\n[ \t]+/g, ' ');
  const headers = new Map(
    head.split('\r\n').map(line => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = raw.slice(end + 4);
  const contentType = headers.get('content-type') ?? 'text/plain';
  const type = contentType.split(';')[0].trim().toLowerCase();
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) {
    const name = /name="?([^";]+)"?/.exec(contentType)?.[1] ?? '';
    return { type, headers, name: decodeWords(name), content: decodeBody(body, headers) };
  }
  const parts = body.split(`--${boundary}`).slice(1, -1);
  return { type, headers, parts: parts.map(part => readPart(part.replace(/^\r\n/, ''))) };
}

function leavesOf(part) {
  return part.parts ? part.parts.flatMap(leavesOf) : [part];
}

function decodeBody(body, headers) {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding === 'quoted-printable') return unquote(body.replace(/=\r\n/g, ''));
  return Buffer.from(body, 'latin1');
}

function unquote(text) {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

/** Decodes the encoded words of a header (RFC 2047). */
function decodeWords(text) {
  const joined = text.replace(/\?=\s+=\?/g, '?==?');
  return joined.replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, encoding, word) =>
    (encoding.toUpperCase() === 'B' ? Buffer.from(word, 'base64') : unquote(word.replaceAll('_', ' '))).toString(),
  );
}
