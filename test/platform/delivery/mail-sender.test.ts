import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isMailbox, readMailOptions } from '../../../src/platform/delivery/mail/mail-options.js';
import { type MailSender, type OutgoingMail, openMailSender } from '../../../src/platform/delivery/mail/mail-sender.js';
import { headerOf, type SmtpSink, startSmtpSink } from './smtp-sink.js';

let sink: SmtpSink;
let sender: MailSender;

beforeAll(async () => {
  sink = await startSmtpSink();
  sender = await openMailSender(readMailOptions({ smtpUrl: sink.url, from: 'Reports <reports@example.com>' }), null);
});

afterEach(() => {
  sink.received.length = 0;
  sink.onRecipient = () => null;
  sink.onMessage = () => null;
});

afterAll(async () => {
  sender.close();
  await sink.close();
});

const mail: OutgoingMail = {
  to: 'ann@example.com',
  messageId: 'a1b2',
  subject: 'Flights',
  html: '<p>Hello</p>',
  text: 'Hello',
  files: [],
  unsubscribeUrl: 'https://platform.example/unsubscribe/x',
};

describe('the mail sender', () => {
  it('sets sender, id and the headers of one-click unsubscribe', async () => {
    expect(await sender.send(mail)).toEqual({ kind: 'accepted', responseCode: 250 });
    const [received] = sink.received;
    if (!received) throw new Error('Nothing was received.');
    expect(received).toMatchObject({ from: 'reports@example.com', to: ['ann@example.com'] });
    expect(headerOf(received, 'From')).toBe('Reports <reports@example.com>');
    expect(headerOf(received, 'Message-ID')).toBe('<a1b2@example.com>');
    expect(headerOf(received, 'List-Unsubscribe')).toBe('<https://platform.example/unsubscribe/x>');
    expect(headerOf(received, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(headerOf(received, 'Auto-Submitted')).toBe('auto-generated');
  });

  it.each([
    ['line breaks', 'Flights\r\nBcc: eve@example.com\r\n\r\n<script>', 'Flights Bcc: eve@example.com <script>'],
    ['separators of lines and paragraphs', 'a\u2028b\u2029c\u0085d', 'a b c d'],
    ['characters that change the direction', 'a\u202egnp\u2066b', 'a gnp b'],
  ])('sends a subject with %s on one line', async (_what, subject, expected) => {
    await sender.send({ ...mail, subject });
    const [received] = sink.received;
    expect(received?.to).toEqual(['ann@example.com']);
    expect(received && headerOf(received, 'Subject')).toBe(expected);
    expect(received && headerOf(received, 'Bcc')).toBeNull();
  });

  it.each([
    'ann@example.com\r\nRCPT TO:<eve@example.com>',
    'ann@example.com, eve@example.com',
    '"eve@example.com x"@example.com',
    'ann@example.com>',
    '<eve@example.com> ann@example.com',
    'group:ann@example.com;',
    'ann (comment)@example.com',
    'ann@[127.0.0.1]',
    '@example.com',
    'ann@',
  ])('does not send to %j', async to => {
    expect(await sender.send({ ...mail, to })).toMatchObject({ kind: 'rejected' });
    expect(sink.received).toEqual([]);
  });

  it.each(['ann.o+tag@example.com', "o'brien@mail", 'jürgen@bücher.example'])('accepts the address %s', address => {
    expect(isMailbox(address)).toBe(true);
  });

  it.each([
    [550, 'rejected'],
    [553, 'rejected'],
    [450, 'postponed'],
    [452, 'postponed'],
  ])('distinguishes reply %i to the recipient: %s', async (code, kind) => {
    sink.onRecipient = () => ({ code, message: 'because' });
    expect(await sender.send(mail)).toMatchObject({ kind, responseCode: code });
  });

  it('takes reply 421 as the end of the connection', async () => {
    sink.onRecipient = () => ({ code: 421, message: 'because' });
    expect(await sender.send(mail)).toMatchObject({ kind: 'unavailable' });
  });

  it.each([
    [554, 'rejected'],
    [451, 'postponed'],
  ])('distinguishes reply %i to the message: %s', async (code, kind) => {
    sink.onMessage = () => ({ code, message: 'because' });
    const result = await sender.send(mail);
    expect(result).toMatchObject({ kind, responseCode: code, problem: expect.stringContaining('because') });
  });

  it('reports a server that cannot be reached as unavailable', async () => {
    const other = await startSmtpSink();
    await other.close();
    const broken = await openMailSender(readMailOptions({ smtpUrl: other.url, from: 'reports@example.com' }), null);
    expect(await broken.send(mail)).toMatchObject({ kind: 'unavailable', responseCode: null });
    broken.close();
  });

  it('does not repeat a message whose connection breaks before the reply', async () => {
    let count = 0;
    sink.onMessage = () => {
      count += 1;
      return { code: 421, message: 'closing' };
    };
    expect(await sender.send(mail)).toMatchObject({ kind: 'unavailable' });
    expect(count).toBe(1);
  });

  it('writes files that only their owner can read, one per message id', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pa-eml-'));
    const files = await openMailSender(readMailOptions({}), join(folder, 'mail'));
    await files.send(mail);
    expect(await files.send({ ...mail, text: 'Again' })).toEqual({ kind: 'accepted', responseCode: null });
    expect(await readdir(join(folder, 'mail'))).toEqual(['a1b2.eml']);
    const path = join(folder, 'mail', 'a1b2.eml');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toContain('Again');
    await rm(folder, { recursive: true });
  });

  it('sends nothing without a server and a data folder', async () => {
    const none = await openMailSender(readMailOptions({}), null);
    expect(await none.send(mail)).toMatchObject({
      kind: 'unavailable',
      problem: expect.stringContaining('PA_SMTP_URL'),
    });
  });
});

describe('mail options', () => {
  const read = (smtpUrl: string, from: string | undefined = 'a@example.com') =>
    readMailOptions({ smtpUrl, ...(from !== undefined && { from }) }).server;

  it('require TLS, except on this machine or if it is turned off', () => {
    expect(read('smtp://mail.example.com')).toEqual({
      host: 'mail.example.com',
      port: 587,
      secure: false,
      requireTLS: true,
    });
    expect(read('smtps://u:p%40ss@mail.example.com')).toMatchObject({
      port: 465,
      secure: true,
      auth: { user: 'u', pass: 'p@ss' },
    });
    expect(read('smtp://mail.example.com:25?requireTLS=false')).toMatchObject({ port: 25, requireTLS: false });
    expect(read('smtp://127.0.0.1:2525')).toMatchObject({ requireTLS: false });
  });

  it.each([
    'mail.example.com',
    'http://mail.example.com',
    'smtp://',
    'smtp://secret:word@mail.example.com?requireTLS=false',
    'smtp://secret@mail.example.com?proxy=http://127.0.0.1',
    'smtp://secret@mail.example.com?tls.rejectUnauthorized=false',
  ])('reject %s without repeating it', url => {
    expect(() => read(url)).toThrow(/^(?!.*secret).*PA_SMTP_URL/);
  });

  it.each(['reports', 'a@b, c@d', 'x\r\nBcc: y <a@b>', 'Name <a@b> <c@d>'])('reject the sender %j', from => {
    expect(() => read('smtp://127.0.0.1', from)).toThrow('PA_MAIL_FROM');
  });

  it('require a sender with a server', () => {
    expect(() => readMailOptions({ smtpUrl: 'smtp://127.0.0.1' })).toThrow('PA_MAIL_FROM');
  });
});
