import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readContent } from '../../src/content/read-content.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pa-read-content-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('readContent', () => {
  it('rejects a folder without content and says what it must contain', async () => {
    await mkdir(join(folder, 'reports'));
    await writeFile(join(folder, 'README.md'), 'no content');
    await expect(readContent(folder)).rejects.toThrow(
      `The folder ${folder} has no content. Add folders.yml, roles.yml, groups.yml, variables.yml, reports/<publicId>.yml, workbooks/<slug>.yml or notifications/<name>.yml.`,
    );
  });

  it('reads a folder with one file', async () => {
    await writeFile(join(folder, 'folders.yml'), 'folders: [{ name: Weekly }]');
    const { folders, reports, workbooks } = await readContent(folder);
    expect(folders?.content).toEqual([{ name: 'Weekly' }]);
    expect([reports.size, workbooks.size]).toEqual([0, 0]);
  });
});
