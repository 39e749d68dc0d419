import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDataDirectory } from '../../../src/platform/runtime/data-directory.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-directory-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('creates a data folder that git ignores, and adds nothing to an existing folder', async () => {
  const data = join(folder, 'new', 'data');
  await createDataDirectory(data);
  expect((await stat(data)).mode & 0o777).toBe(0o700);
  expect(await readFile(join(data, '.gitignore'), 'utf8')).toBe('*\n');
  await rm(join(data, '.gitignore'));
  await createDataDirectory(data);
  expect(await readdir(data)).toEqual([]);
});
