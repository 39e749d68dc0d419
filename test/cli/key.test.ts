import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { key } from '../../src/cli/key.js';
import { keyHelp, readKeyOptions } from '../../src/cli/key-options.js';
import { startTestPlatform, type TestPlatform } from '../platform/test-platform.js';
import { selfSigned } from './server/self-signed.js';

let platform: TestPlatform;
let server: Server;
let url: string;
const print = vi.fn<(line: string) => void>();
const note = vi.fn<(text: string) => void>();

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const credential = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const body = text === '' ? undefined : JSON.parse(text);
  const answer = await platform.call(request.method ?? 'GET', request.url ?? '/', body, credential);
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
}

beforeAll(async () => {
  platform = await startTestPlatform();
  server = createServer((request, response) => void forward(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await platform.stop();
});
beforeEach(() => {
  vi.clearAllMocks();
});

async function run(args: readonly string[], environment: Record<string, string> = { PA_ADMIN_KEY: 'the-admin-key' }) {
  const options = readKeyOptions([...args, '--url', url]);
  if (!options) throw new Error('The arguments request the help text.');
  const code = await key(options, { environment, signal: new AbortController().signal, print, note });
  return { code, out: print.mock.calls.map(([line]) => line), err: note.mock.calls.map(([line]) => line) };
}

describe('pa-platform key', () => {
  test('add prints only the key, which has the rights of its role', async () => {
    const { code, out, err } = await run(['add', 'ci', '--user', 'ci-bot', '--role', 'AIBIViewer']);
    expect({ code, lines: out.length }).toEqual({ code: 0, lines: 1 });
    expect(out[0]).toMatch(/^pa_[\w-]{43}$/);
    expect(err.join()).not.toContain(out[0]);
    expect(await platform.call('GET', '/api/v1/deployments/1', undefined, out[0])).toMatchObject({ status: 200 });
    expect(await platform.call('GET', '/api/v1/roles', undefined, out[0])).toMatchObject({ status: 403 });
  });

  test('add --expires sets when the key ends: after days, or at a time', async () => {
    const { err } = await run(['add', 'for days', '--user-id', '1', '--expires', '90d']);
    const keys: { name: string; expiresAt: string; createdAt: string }[] = (
      await platform.ok('GET', '/api/v1/api-keys')
    ).items;
    const { expiresAt = '', createdAt = '' } = keys.find(({ name }) => name === 'for days') ?? {};
    expect(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000)).toBe(90);
    expect(err.join()).toContain(`which expires ${expiresAt}`);
    vi.clearAllMocks();
    await run(['add', 'until', '--user-id', '1', '--expires', '2199-01-31']);
    expect((await run(['list'])).out.join('\n')).toMatch(/\tuntil\t.*\tnot used yet\texpires 2199-01-31T00:00:00.000Z/);
    await expect(run(['add', 'late', '--user-id', '1', '--expires', '2020-01-31'])).rejects.toThrow('in the future');
  });

  test('list prints a line per key, or all as JSON, without the keys themselves', async () => {
    await run(['add', 'listed', '--user-id', '1']);
    const secret = print.mock.calls[0]?.[0] ?? '';
    vi.clearAllMocks();
    const { out } = await run(['list']);
    expect(out[0]).toMatch(/^1\tadmin\tadmin\tall rights of the user\t\d{4}-/);
    expect(out.some(line => line.includes('\tlisted\tadmin\t'))).toBe(true);
    expect(out.join()).not.toContain(secret);
    vi.clearAllMocks();
    const [json = ''] = (await run(['list', '--json'])).out;
    expect(JSON.parse(json)[0]).toMatchObject({ id: 1, name: 'admin', user: { id: 1 } });
  });

  test('revoke ends a key by name or id', async () => {
    await run(['add', 'by name', '--user-id', '1']);
    await run(['add', 'by id', '--user-id', '1']);
    const secrets = print.mock.calls.map(([line]) => line);
    const keys: { id: number; name: string }[] = (await platform.ok('GET', '/api/v1/api-keys')).items;
    expect(await run(['revoke', 'by name'])).toMatchObject({ code: 0 });
    expect(await run(['revoke', String(keys.find(({ name }) => name === 'by id')?.id)])).toMatchObject({ code: 0 });
    for (const secret of secrets) {
      expect(await platform.call('GET', '/api/v1/roles', undefined, secret)).toMatchObject({ status: 401 });
    }
    await expect(run(['revoke', 'by name'])).rejects.toThrow('There is no API key with the name or id by name');
    await expect(run(['revoke', 'admin'])).rejects.toThrow('PA_ADMIN_KEY');
  });

  test('--scim creates, lists and revokes keys of directories', async () => {
    const [key = ''] = (await run(['add', 'directory', '--scim'])).out;
    expect(key).toMatch(/^pa_scim_[\w-]{43}$/);
    expect(await platform.call('GET', '/api/scim/v2/Users', undefined, key)).toMatchObject({ status: 200 });
    vi.clearAllMocks();
    expect((await run(['list', '--scim'])).out[0]).toMatch(/^\d+\tdirectory\t\d{4}-.*\tlast used \d{4}-/);
    expect(await run(['revoke', 'directory', '--scim'])).toMatchObject({ code: 0 });
    expect(await platform.call('GET', '/api/scim/v2/Users', undefined, key)).toMatchObject({ status: 401 });
    await expect(run(['revoke', 'directory', '--scim'])).rejects.toThrow(
      'There is no SCIM key with the name or id directory',
    );
  });

  test('explains that the certificate of the platform is not trusted', async () => {
    const secure = createSecureServer(selfSigned('platform'));
    await new Promise<void>(resolve => secure.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = Object(secure.address());
      const options = readKeyOptions(['list', '--url', `https://127.0.0.1:${port}`]);
      if (options === null) throw new Error('expected options');
      const context = { environment: { PA_ADMIN_KEY: 'k' }, signal: new AbortController().signal, print, note };
      await expect(key(options, context)).rejects.toThrow(
        /TLS certificate is self-signed or from an unknown authority\. Set NODE_EXTRA_CA_CERTS/,
      );
    } finally {
      secure.close();
    }
  });

  test('reads the API key from a file or the environment, and fails without one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pa-key-'));
    try {
      await writeFile(join(folder, 'key'), 'the-admin-key\n');
      expect(await run(['list', '--key-file', join(folder, 'key')], {})).toMatchObject({ code: 0 });
      await writeFile(join(folder, 'admin-key'), 'the-admin-key\n');
      expect(await run(['list', '--data', folder], {})).toMatchObject({ code: 0 });
      await expect(run(['list', '--data', join(folder, 'none')], {})).rejects.toThrow('none/admin-key. Check that it');
      await expect(run(['list', '--key-file', join(folder, 'none')], {})).rejects.toThrow(
        'Could not read the key file',
      );
      await expect(run(['list'], {})).rejects.toThrow('Missing API key: set PA_ADMIN_KEY');
      await expect(run(['list'], { PA_ADMIN_KEY: 'wrong' })).rejects.toThrow('unknown, expired or revoked');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.each([
    [[], 'Usage: pa-platform key'],
    [['make'], 'Usage: pa-platform key'],
    [['add', '--user', 'x'], 'Missing key name'],
    [['add', 'x'], 'Missing owner of the key'],
    [['add', 'x', '--scim', '--user', 'a'], 'A SCIM key belongs to no user'],
    [['add', 'x', '--user', 'a', '--expires', 'soon'], '--expires must be a number of days'],
    [['add', 'x', '--user', 'a', '--user-id', '1'], 'Missing owner of the key'],
    [['add', 'x', '--user-id', '0'], '--user-id must be a whole number'],
    [['add', 'x', '--user', 'a', '--role', 'Owner'], '--role must be one of AIBIViewer'],
    [['revoke'], 'Missing key name'],
    [['list', 'x'], 'See pa-platform key --help'],
    [['list', '--url', 'http://example.com'], '--url must be'],
  ])('%j is rejected', (args, message) => {
    expect(() => readKeyOptions(args)).toThrow(message);
  });

  test('prints its subcommands and options with --help', () => {
    for (const args of [['--help'], ['add', '--help'], ['list', '--help'], ['revoke', '--help']]) {
      expect(readKeyOptions(args)).toBeNull();
    }
    expect(keyHelp).toMatch(/key add.*key list.*key revoke.*--role/s);
  });
});
