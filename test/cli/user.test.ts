import { createServer, type Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readPassword } from '../../src/cli/read-password.js';
import { user } from '../../src/cli/user.js';
import { readUserOptions } from '../../src/cli/user-options.js';
import { findSignInUser } from '../../src/platform/auth/password-store.js';
import { verifyPassword } from '../../src/platform/auth/passwords.js';
import { startTestPlatform, type TestPlatform } from '../platform/test-platform.js';

let platform: TestPlatform;
let server: Server;
let url: string;
const note = vi.fn<(text: string) => void>();
const { signal } = new AbortController();

beforeAll(async () => {
  platform = await startTestPlatform();
  const listener = getRequestListener(request => platform.app.fetch(request));
  server = createServer((request, response) => void listener(request, response));
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

async function run(args: readonly string[], password: string) {
  const options = readUserOptions([...args, '--url', url]);
  if (!options) throw new Error('The arguments request the help text.');
  const environment = { PA_ADMIN_KEY: 'the-admin-key' };
  return user(options, { environment, signal, print: note, note, readPassword: async () => password });
}

const verifies = async (email: string, password: string) =>
  verifyPassword(password, (await findSignInUser(platform.db, email))?.hash ?? null);

describe('pa-platform user', () => {
  test('add creates an administrator with a password, which is never printed', async () => {
    expect(await run(['add', 'Ann@acme.example', '--admin', '--name', 'Ann'], 'correct horse battery')).toBe(0);
    const { items } = await platform.ok('GET', '/api/v1/users?search=ann@acme');
    expect(items).toMatchObject([{ email: 'Ann@acme.example', firstName: 'Ann', isAdmin: true }]);
    expect(await verifies('ann@acme.example', 'correct horse battery')).toBe(true);
    expect(await findSignInUser(platform.db, 'ann@acme.example')).toMatchObject({ isBreakGlass: true });
    expect(note.mock.calls.join()).not.toContain('horse');
  });

  test('add creates no user if the password is too short', async () => {
    await expect(run(['add', 'bob@acme.example', '--role', 'AIBIUser'], 'short')).rejects.toThrow('12 characters');
    expect((await platform.ok('GET', '/api/v1/users?search=bob@acme')).items).toEqual([]);
  });

  test('password replaces the password, sign-out keeps it', async () => {
    const { email, token } = await platform.signedIn('AIBIUser');
    expect(await run(['sign-out', email], '')).toBe(0);
    expect(await platform.call('GET', '/api/v1/users/me', undefined, token)).toMatchObject({ status: 401 });
    expect(await verifies(email, 'correct horse battery')).toBe(true);
    expect(await run(['password', email.toUpperCase()], 'another long password')).toBe(0);
    expect(await verifies(email, 'another long password')).toBe(true);
    await expect(run(['password', 'nobody@acme.example'], 'another long password')).rejects.toThrow('No user');
  });

  test.each([
    ['no task', [], 'add|password|sign-out'],
    ['no email', ['add', '--admin'], 'Missing email'],
    ['both an admin and a role', ['add', 'a@b', '--admin', '--role', 'AIBIUser'], 'mutually exclusive'],
    ['a password as argument', ['add', 'a@b', '--password', 'secret'], "Unknown option '--password'"],
  ])('rejects %s', (_, args, message) => {
    expect(() => readUserOptions(args)).toThrow(message);
  });
});

describe('readPassword', () => {
  test('reads the first line of a stream that is not a terminal', async () => {
    const stream = new PassThrough();
    stream.end('correct horse battery\nrest\n');
    expect(await readPassword({ note, signal, stream })).toBe('correct horse battery');
    expect(note).not.toHaveBeenCalled();
  });

  test('rejects an empty stream', async () => {
    const stream = new PassThrough();
    stream.end();
    await expect(readPassword({ note, signal, stream })).rejects.toThrow('Missing password');
  });

  test('reads the password twice from a terminal', async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    note.mockImplementation(text => {
      // A person types after the prompt.
      const answer = text.startsWith('Repeat') ? 'something else' : 'correct horse battery';
      setImmediate(() => terminal.write(`${answer}\r`));
    });
    await expect(readPassword({ note, signal, stream: terminal })).rejects.toThrow('differ');
    expect(note.mock.calls.map(([text]) => text)).toEqual(['Password:', 'Repeat the password:']);
  });
});
