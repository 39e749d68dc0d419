import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAdminKey, openSecrets, secretsOf } from '../../../src/platform/auth/secrets.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('derives a separate and stable key for each purpose', () => {
  const secrets = secretsOf('x'.repeat(32));
  expect(hex(secrets.derive('a'))).toHaveLength(64);
  expect(hex(secrets.derive('a'))).toBe(hex(secretsOf('x'.repeat(32)).derive('a')));
  expect(hex(secrets.derive('a'))).not.toBe(hex(secrets.derive('b')));
});

test('uses a configured secret key and writes nothing', async () => {
  const secrets = await openSecrets('0123456789abcdef', folder);
  expect(hex(secrets.derive('a'))).toBe(hex(secretsOf('0123456789abcdef').derive('a')));
  expect(await readdir(folder)).toEqual([]);
});

test('creates a key once with owner-only permissions if none is configured', async () => {
  const data = join(folder, 'data');
  const [one, other] = await Promise.all([openSecrets(undefined, data), openSecrets(undefined, data)]);
  expect(hex(one.derive('a'))).toBe(hex(other.derive('a')));
  expect(await readdir(data)).toEqual(['secret-key']);
  expect((await stat(join(data, 'secret-key'))).mode & 0o777).toBe(0o600);
});

test('creates new secrets on every start without a data folder', async () => {
  const [one, other] = await Promise.all([openSecrets(undefined, undefined), openSecrets(undefined, undefined)]);
  expect(hex(one.derive('a'))).not.toBe(hex(other.derive('a')));
});

test('returns the configured admin key, or one from the data folder with its path', async () => {
  expect(await openAdminKey(' given-key ', folder)).toEqual({ key: 'given-key', path: null });
  const made = await openAdminKey(undefined, folder);
  expect(made.path).toBe(join(folder, 'admin-key'));
  expect((await readFile(join(folder, 'admin-key'), 'utf8')).trim()).toBe(made.key);
  expect((await stat(join(folder, 'admin-key'))).mode & 0o777).toBe(0o600);
  expect(await openAdminKey(undefined, folder)).toEqual(made);
});

test('reports a missing or short key without revealing it', async () => {
  await expect(openAdminKey(undefined, undefined)).rejects.toThrow('Set PA_ADMIN_KEY');
  await expect(openAdminKey('s3cret', folder)).rejects.toThrow(/^PA_ADMIN_KEY must be at least 8 visible/);
  await expect(openAdminKey('has a space', folder)).rejects.toThrow(/^PA_ADMIN_KEY must/);
  await expect(openSecrets('s3cret', folder)).rejects.toThrow(/^PA_SECRET_KEY must be at least 16 visible/);
  await writeFile(join(folder, 'secret-key'), '\n');
  await expect(openSecrets(undefined, folder)).rejects.toThrow('does not contain a key');
});
