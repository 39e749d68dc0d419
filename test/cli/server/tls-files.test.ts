import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Listener, listen } from '../../../src/cli/server/listen.js';
import { type Certificate, readCertificate, watchCertificate } from '../../../src/cli/server/tls-files.js';
import { selfSigned } from './self-signed.js';

const first = selfSigned('first');
const second = selfSigned('second');
let folder = '';
const path = (name: string) => join(folder, name);
const files = () => ({ cert: path('cert'), key: path('key') });

async function write({ cert, key }: Certificate): Promise<void> {
  await Promise.all([writeFile(path('cert'), cert), writeFile(path('key'), key)]);
}

/**
 * Replaces files without intermediate states, so that polling finds no partial file and mismatched files at most once.
 */
async function replace(changed: Partial<Certificate>): Promise<void> {
  const texts = Object.entries(changed);
  await Promise.all(texts.map(([name, text]) => writeFile(path(`${name}.new`), text)));
  for (const [name] of texts) renameSync(path(`${name}.new`), path(name));
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pa-tls-'));
  await write(first);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('readCertificate', () => {
  test('reads a certificate and its key', async () => {
    expect(await readCertificate(files())).toEqual(first);
  });

  test.each([
    ['is not there', { cert: '' }, /^--tls-cert: could not read \S+none \(ENOENT\)\.$/],
    ['is not a certificate', { cert: first.key }, /^--tls-cert: \S+ does not contain a certificate \(PEM\)\.$/],
    ['is not a key', { key: 'nothing' }, /^--tls-key: \S+ does not contain a private key \(PEM\) without a passphrase/],
    ['is that of another', { key: second.key }, /^--tls-key: \S+key is not the key of the certificate in \S+cert\.$/],
  ])('rejects files with one sentence if one of them %s', async (_name, changed, message) => {
    await write({ ...first, ...changed });
    const missing = 'cert' in changed && changed.cert === '';
    await expect(readCertificate(missing ? { ...files(), cert: path('none') } : files())).rejects.toThrow(message);
  });
});

describe('watchCertificate', () => {
  const open: { listener: Listener | null; stop: AbortController } = { listener: null, stop: new AbortController() };

  afterEach(async () => {
    open.stop.abort();
    await open.listener?.close(0);
  });

  async function start() {
    open.stop = new AbortController();
    const current = await readCertificate(files());
    const listener = await listen({ host: '127.0.0.1', port: 0 }, { certificate: current });
    open.listener = listener;
    listener.serve(async ({ url }) => new Response(url));
    const problems: string[] = [];
    const watching = watchCertificate(files(), {
      current,
      onChange: listener.setCertificate,
      onProblem: problem => problems.push(problem),
      signal: open.stop.signal,
      intervalMs: 10,
    });
    return { listener, problems, watching };
  }

  async function nameAt({ url }: Listener): Promise<string | string[] | undefined> {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { CN } = socket.getPeerCertificate().subject;
    socket.destroy();
    return CN;
  }

  test('serves HTTPS with the certificate, and with the new one after its files change', async () => {
    const { listener, problems } = await start();
    expect(listener.url).toMatch(/^https:/);
    const [response] = await once(request(`${listener.url}/x`, { ca: first.cert }).end(), 'response');
    expect(Buffer.concat(await response.toArray()).toString()).toBe(`${listener.url}/x`);
    expect(await nameAt(listener)).toBe('first');
    await replace(second);
    await expect.poll(() => nameAt(listener)).toBe('second');
    expect(problems).toEqual([]);
  });

  test('follows changed symbolic links', async () => {
    await Promise.all(['cert', 'key'].map(name => rename(path(name), path(`${name}.1`))));
    await Promise.all(['cert', 'key'].map(name => symlink(path(`${name}.1`), path(name))));
    const { listener } = await start();
    for (const name of ['cert', 'key'] as const) {
      await writeFile(path(`${name}.2`), second[name]);
      await symlink(path(`${name}.2`), path('next'));
      await rename(path('next'), path(name));
    }
    await expect.poll(() => nameAt(listener)).toBe('second');
  });

  test('keeps the previous certificate while the files do not match, and reports it once', async () => {
    const { listener, problems, watching } = await start();
    await replace({ cert: second.cert });
    await expect.poll(() => problems).toHaveLength(1);
    expect(problems[0]).toMatch(/is not the key of the certificate in .* The previous certificate stays in use\.$/);
    expect(await nameAt(listener)).toBe('first');
    await replace({ key: second.key });
    await expect.poll(() => nameAt(listener)).toBe('second');
    expect(problems).toHaveLength(1);
    open.stop.abort();
    await watching;
  });

  test('the listener rejects old versions of TLS and plain HTTP', async () => {
    const { listener } = await start();
    const port = Number(new URL(listener.url).port);
    const old = connect({
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
    });
    await expect(once(old, 'secureConnect')).rejects.toThrow();
    await expect(fetch(listener.url.replace('https', 'http'))).rejects.toThrow();
  });
});
