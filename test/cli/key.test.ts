import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { key } from '../../src/cli/key.js';
import { keyHelp, readKeyOptions } from '../../src/cli/key-options.js';
import { startTestPlatform, type TestPlatform } from '../platform/test-platform.js';

let platform: TestPlatform;
let server: Server;
let url: string;
const print = vi.fn<(line: string) => void>();
const note = vi.fn<(text: string) => void>();

async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
  server = createServer((request, response) => void passOn(request, response));
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
  if (!options) throw new Error('Help was asked for.');
  const code = await key(options, { environment, signal: new AbortController().signal, print, note });
  return { code, out: print.mock.calls.map(([line]) => line), err: note.mock.calls.map(([line]) => line) };
}

describe('pa-platform key', () => {
  test('add prints the key alone, and it opens what its role does', async () => {
    const { code, out, err } = await run(['add', 'ci', '--user', 'ci-bot', '--role', 'AIBIViewer']);
    expect({ code, lines: out.length }).toEqual({ code: 0, lines: 1 });
    expect(out[0]).toMatch(/^pa_[\w-]{43}$/);
    expect(err.join()).not.toContain(out[0]);
    expect(await platform.call('GET', '/api/v1/deployments/1', undefined, out[0])).toMatchObject({ status: 200 });
    expect(await platform.call('GET', '/api/v1/roles', undefined, out[0])).toMatchObject({ status: 403 });
  });

  test('list tells of each key a line, or all as JSON, and of none the key', async () => {
    await run(['add', 'listed', '--user-id', '1']);
    const secret = print.mock.calls[0]?.[0] ?? '';
    vi.clearAllMocks();
    const { out } = await run(['list']);
    expect(out[0]).toMatch(/^1\tadmin\tadmin\tall that the user may\t\d{4}-/);
    expect(out.some(line => line.includes('\tlisted\tadmin\t'))).toBe(true);
    expect(out.join()).not.toContain(secret);
    vi.clearAllMocks();
    const [json = ''] = (await run(['list', '--json'])).out;
    expect(JSON.parse(json)[0]).toMatchObject({ id: 1, name: 'admin', user: { id: 1 } });
  });

  test('revoke ends a key by its name or its id', async () => {
    await run(['add', 'by name', '--user-id', '1']);
    await run(['add', 'by id', '--user-id', '1']);
    const secrets = print.mock.calls.map(([line]) => line);
    const keys: { id: number; name: string }[] = (await platform.ok('GET', '/api/v1/api-keys')).items;
    expect(await run(['revoke', 'by name'])).toMatchObject({ code: 0 });
    expect(await run(['revoke', String(keys.find(({ name }) => name === 'by id')?.id)])).toMatchObject({ code: 0 });
    for (const secret of secrets) {
      expect(await platform.call('GET', '/api/v1/roles', undefined, secret)).toMatchObject({ status: 401 });
    }
    await expect(run(['revoke', 'by name'])).rejects.toThrow('There is no API key by name');
    await expect(run(['revoke', 'admin'])).rejects.toThrow('PA_ADMIN_KEY');
  });

  test('takes the key of the admin from a file or the environment, and says so where there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pa-key-'));
    try {
      await writeFile(join(folder, 'key'), 'the-admin-key\n');
      expect(await run(['list', '--key-file', join(folder, 'key')], {})).toMatchObject({ code: 0 });
      await expect(run(['list', '--key-file', join(folder, 'none')], {})).rejects.toThrow('can not be read');
      await expect(run(['list'], {})).rejects.toThrow('Set PA_ADMIN_KEY');
      await expect(run(['list'], { PA_ADMIN_KEY: 'wrong' })).rejects.toThrow('unknown, expired or revoked');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.each([
    [[], 'Say what to do'],
    [['make'], 'Say what to do'],
    [['add', '--user', 'x'], 'Name the key'],
    [['add', 'x'], 'Say whose key it is'],
    [['add', 'x', '--user', 'a', '--user-id', '1'], 'Say whose key it is'],
    [['add', 'x', '--user-id', '0'], '--user-id must be a number'],
    [['add', 'x', '--user', 'a', '--role', 'Owner'], '--role must be one of AIBIViewer'],
    [['revoke'], 'Name the key to revoke'],
    [['list', 'x'], 'see pa-platform key --help'],
    [['list', '--url', 'http://example.com'], '--url must be'],
  ])('%j is a mistake', (args, message) => {
    expect(() => readKeyOptions(args)).toThrow(message);
  });

  test('tells its tasks and flags', () => {
    for (const args of [['--help'], ['add', '--help'], ['list', '--help'], ['revoke', '--help']]) {
      expect(readKeyOptions(args)).toBeNull();
    }
    expect(keyHelp).toMatch(/key add.*key list.*key revoke.*--role/s);
  });
});
