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

/** Changes files at once: whoever reads them again and again sees none of them half written, and two that don't fit once at most. */
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

describe('a certificate and its key', () => {
  test('are read', async () => {
    expect(await readCertificate(files())).toEqual(first);
  });

  test.each([
    ['is not there', { cert: '' }, /^--tls-cert: \S+none can't be read \(ENOENT\)\.$/],
    ['is no certificate', { cert: first.key }, /^--tls-cert: \S+ holds no certificate \(PEM\)\.$/],
    ['is no key', { key: 'nothing' }, /^--tls-key: \S+ holds no private key \(PEM\) that can be read without a pass/],
    ['is that of another', { key: second.key }, /^--tls-key: \S+key is not the key of the certificate in \S+cert\.$/],
  ])('are refused in a sentence where one of them %s', async (_name, changed, message) => {
    await write({ ...first, ...changed });
    const missing = 'cert' in changed && changed.cert === '';
    await expect(readCertificate(missing ? { ...files(), cert: path('none') } : files())).rejects.toThrow(message);
  });
});

describe('a certificate that is renewed', () => {
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

  test('serves HTTPS by the certificate, and by the new one once its files have changed', async () => {
    const { listener, problems } = await start();
    expect(listener.url).toMatch(/^https:/);
    const [response] = await once(request(`${listener.url}/x`, { ca: first.cert }).end(), 'response');
    expect(Buffer.concat(await response.toArray()).toString()).toBe(`${listener.url}/x`);
    expect(await nameAt(listener)).toBe('first');
    await replace(second);
    await expect.poll(() => nameAt(listener)).toBe('second');
    expect(problems).toEqual([]);
  });

  test('is found behind a link that changes', async () => {
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

  test('leaves the one from before in use while its files do not fit, and says so once', async () => {
    const { listener, problems, watching } = await start();
    await replace({ cert: second.cert });
    await expect.poll(() => problems).toHaveLength(1);
    expect(problems[0]).toMatch(/is not the key of the certificate in .* The certificate from before stays in use\.$/);
    expect(await nameAt(listener)).toBe('first');
    await replace({ key: second.key });
    await expect.poll(() => nameAt(listener)).toBe('second');
    expect(problems).toHaveLength(1);
    open.stop.abort();
    await watching;
  });

  test('is not spoken to in old versions of TLS, nor in plain HTTP', async () => {
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
