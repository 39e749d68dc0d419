import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readModelFiles } from '../../../src/platform/data/model/model-files.js';
import { Repository } from '../../../src/platform/models/git/repository.js';
import { checkModelSize, ModelChecks } from '../../../src/platform/models/model-checks.js';

const empty = 'cubes: []\n';
let folder: string;
let repository: Repository;
/** Commits of the repository. */
let commits: [string, string];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pa-checks-'));
  repository = await Repository.create(join(folder, 'model.git'), new Map([['model/a.yml', empty]]), 'ann');
  await repository.createBranch('b', 'main');
  await repository.write('b', new Map([['model/b.yml', empty]]), 'ann');
  commits = [await repository.version('main'), await repository.version('b')];
});
afterAll(() => rm(folder, { recursive: true }));

describe('checks of models', () => {
  it('run once per commit, one at a time per deployment and two in total', async () => {
    const valid = { entities: 0, problems: [], warnings: [] };
    const started: string[] = [];
    let open = () => {};
    const gate = new Promise<void>(resolve => {
      open = resolve;
    });
    const checks = new ModelChecks(async (id, files) => {
      started.push(`${id} ${files.length}`);
      await gate;
      return valid;
    });
    const [first, second] = commits;
    const wanted = [
      [2, first],
      [2, first],
      [2, second],
      [3, first],
      [4, first],
    ] as const;
    const results = wanted.map(([id, commit]) => checks.check(id, repository, commit));
    await vi.waitFor(() => expect(started.length).toBeGreaterThanOrEqual(2));
    // All checks that do not wait in the queue have started, because they read the repository at the same time.
    await Promise.all(commits.map(commit => repository.files(commit)));
    expect(started.sort()).toEqual(['2 1', '3 1']);
    open();
    expect(await Promise.all(results)).toEqual(wanted.map(() => valid));
    expect(started.sort()).toEqual(['2 1', '2 2', '3 1', '4 1']);
    await checks.check(2, repository, first);
    expect(started).toHaveLength(5);
  });
});

describe('model files in memory', () => {
  it('are limited to 2 MB in total, before and after a write', async () => {
    const half = new Map([['model/c.yml', 'x'.repeat(1_000_000)]]);
    await checkModelSize(repository, 'b', new Map([...half, ['notes.md', 'x'.repeat(2_000_000)]]));
    await repository.write('b', half, 'ann');
    const rest = 'é'.repeat(500_000);
    await checkModelSize(repository, 'b', new Map([['model/c.yml', rest]]));
    await expect(checkModelSize(repository, 'b', new Map([['model/d.yml', rest]]))).rejects.toMatchObject({
      status: 400,
      message: 'The model files of a branch can have 2 MB in total.',
    });
    const texts = ['a', 'b', 'c'].map(name => ({ name: `${name}.yml`, text: `# ${'x'.repeat(700_000)}` }));
    const problem = { file: '.', line: 1, message: 'exceeds the limit of 2 MB' };
    expect(await readModelFiles(texts)).toMatchObject({ files: [], problems: [problem] });
  });

  it('are parsed in separate turns of the event loop', async () => {
    const texts = ['a', 'b', 'c'].map(name => ({ name: `${name}.yml`, text: empty }));
    let turns = 0;
    let isRunning = true;
    const count = async () => {
      for (; isRunning; turns += 1) await setImmediate();
    };
    const counting = count();
    await readModelFiles(texts);
    isRunning = false;
    await counting;
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});
