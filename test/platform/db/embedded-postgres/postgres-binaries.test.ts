import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  cachedFolder,
  findPostgresAccount,
  isOpenToOthers,
} from '../../../../src/platform/db/embedded-postgres/postgres-binaries.js';

test('the server never runs as root', async () => {
  const account = await findPostgresAccount();
  if (process.getuid?.() === 0) expect(account?.uid).toBeGreaterThan(0);
  else expect(account).toBeNull();
});

test('a program is accessible to other users only if all of its parent folders are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'account-'));
  const program = join(folder, 'inner', 'program');
  await mkdir(join(folder, 'inner'));
  await writeFile(program, '');
  try {
    await Promise.all([chmod(folder, 0o755), chmod(join(folder, 'inner'), 0o711), chmod(program, 0o755)]);
    expect(await isOpenToOthers(program)).toBe(true);
    await chmod(program, 0o750);
    expect(await isOpenToOthers(program)).toBe(false);
    await Promise.all([chmod(program, 0o755), chmod(folder, 0o700)]);
    expect(await isOpenToOthers(program)).toBe(false);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a folder of the cache is filled once, and is missing if that fails', async () => {
  const name = `test-${randomUUID()}`;
  const fill = (draft: string): Promise<void> => writeFile(join(draft, 'file'), '');
  await expect(cachedFolder(name, () => Promise.reject(new Error('full')))).rejects.toThrow('full');
  const folder = await cachedFolder(name, fill);
  try {
    expect(await cachedFolder(name, () => Promise.reject(new Error('not called')))).toBe(folder);
    expect(await readdir(folder)).toEqual(['file']);
    expect(await readdir(dirname(folder))).toContain(name);
  } finally {
    await rm(folder, { recursive: true });
  }
});
