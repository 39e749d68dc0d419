import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '../../../src/platform/auth/passwords.js';

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

test('takes as long without a hash as with one', async () => {
  const stored = await hashPassword('correct horse');
  const shortest = async (hash: string | null) => {
    const times = [];
    for (let count = 0; count < 4; count++) {
      const start = performance.now();
      expect(await verifyPassword('wrong', hash)).toBe(false);
      times.push(performance.now() - start);
    }
    return Math.min(...times);
  };
  const ratio = (await shortest(null)) / (await shortest(stored));
  expect(ratio).toBeGreaterThan(0.3);
  expect(ratio).toBeLessThan(3);
});
