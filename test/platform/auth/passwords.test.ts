import { scrypt } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { hashPassword, verifyPassword } from '../../../src/platform/auth/passwords.js';

vi.mock('node:crypto', async load => {
  const original = await load<typeof import('node:crypto')>();
  return { ...original, scrypt: vi.fn(original.scrypt) };
});

test('a hash contains its parameters and a random salt, and verifies its password only', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(first).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  expect(second).not.toBe(first);
  expect(await verifyPassword('correct horse', first)).toBe(true);
  expect(await verifyPassword('correct horsf', first)).toBe(false);
});

test('both encodings of a letter are the same password', async () => {
  expect(await verifyPassword('pa\u0308sse sind lang', await hashPassword('p\u00e4sse sind lang'))).toBe(true);
});

test('verifies hashes with other parameters, and rejects malformed ones', async () => {
  const older = 'scrypt$16384$8$1$AAAAAAAAAAAAAAAAAAAAAA$';
  await expect(verifyPassword('x', `${older}AA`)).rejects.toThrow('malformed');
  expect(await verifyPassword('x', `${older}${'A'.repeat(43)}`)).toBe(false);
});

test('derives a hash of the same cost if there is none to verify', async () => {
  expect(await verifyPassword('wrong', await hashPassword('correct horse'))).toBe(false);
  const costs = () => vi.mocked(scrypt).mock.calls.map(([, , length, options]) => ({ length, options }));
  const [, withHash] = costs().slice(-2);
  vi.mocked(scrypt).mockClear();
  expect(await verifyPassword('wrong', null)).toBe(false);
  expect(costs()).toEqual([withHash]);
});
