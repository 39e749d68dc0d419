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

  it.each([
    ['Flights.parquet', 'Rename it to flights.parquet.'],
    ['2001.PARQUET', 'Rename it to _2001.parquet.'],
    ['a-b (1).parquet', 'Rename it to a_b_1.parquet.'],
    ['OrderItems.csv', 'Rename it to order_items.csv.'],
    ['Größe.csv', 'Rename it to gro_e.csv.'],
    ['日本.csv', 'Rename it to lowercase letters, digits and underscores, with a letter or underscore first.'],
    ['HERE.csv', 'Rename it to lowercase letters, digits and underscores, with a letter or underscore first.'],
  ])('skips %s with a warning that suggests a name', async (name, fix) => {
    await writeFile(join(folder, 'here.parquet'), '');
    await writeFile(join(folder, name), '');
    const onSkip = vi.fn<(warning: string) => void>();
    expect((await findSources(folder, onSkip)).map(({ table }) => table)).toEqual(['here']);
    expect(onSkip).toHaveBeenCalledExactlyOnceWith(
      `Skipped the source ${JSON.stringify(name)}: its name is not a valid table name. ${fix}`,
    );
  });

  it('reports a broken link', async () => {
    await symlink(join(folder, 'nowhere'), join(folder, 'link.parquet'));
    await expect(findSources(folder)).rejects.toThrow('Could not read the source link.parquet');
  });
});
