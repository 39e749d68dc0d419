import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findSources } from '../../../../../src/platform/data/engines/duckdb/sources.js';

// An outdated listing, which still names a removed file.
vi.mock('node:fs/promises', async original => {
  const actual = await original<typeof import('node:fs/promises')>();
  return { ...actual, readdir: async (folder: string) => [...(await actual.readdir(folder)), 'gone.parquet'] };
});

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sources-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('findSources', () => {
  it('ignores a file that was removed after the folder was listed', async () => {
    await writeFile(join(folder, 'here.parquet'), '');
    expect((await findSources(folder)).map(({ table }) => table)).toEqual(['here']);
  });

  it('reports a broken link', async () => {
    await symlink(join(folder, 'nowhere'), join(folder, 'link.parquet'));
    await expect(findSources(folder)).rejects.toThrow('link.parquet can not be read');
  });
});
