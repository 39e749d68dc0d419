import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readModelFiles } from '../../../src/platform/data/model/model-files.js';
import { Repository } from '../../../src/platform/models/git/repository.js';
import { ModelChecks } from '../../../src/platform/models/model-checks.js';

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
    const valid = { entities: 0, members: new Set<string>(), problems: [], warnings: [] };
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
    const expected = [
      [2, first],
      [2, first],
      [2, second],
      [3, first],
      [4, first],
    ] as const;
    const results = expected.map(([id, commit]) => checks.check(id, repository, commit));
    await vi.waitFor(() => expect(started.length).toBeGreaterThanOrEqual(2));
    // All checks that do not wait in the queue have started, because they read the repository at the same time.
    await Promise.all(commits.map(commit => repository.files(commit)));
    expect(started.sort()).toEqual(['2 1', '3 1']);
    open();
    expect(await Promise.all(results)).toEqual(expected.map(() => valid));
    expect(started.sort()).toEqual(['2 1', '2 2', '3 1', '4 1']);
    await checks.check(2, repository, first);
    expect(started).toHaveLength(5);
  });
});

describe('model files in memory', () => {
  it('are limited to 2 MB in total, before and after a write', async () => {
    const half = new Map([['model/c.yml', 'x'.repeat(1_000_000)]]);
    const check = async (changes: ReadonlyMap<string, string>) =>
      repository.checkChanges(await repository.version('b'), changes);
    await check(new Map([...half, ['notes.md', 'x'.repeat(2_000_000)]]));
    await repository.write('b', half, 'ann');
    const rest = 'é'.repeat(500_000);
    await check(new Map([['model/c.yml', rest]]));
    const refusal = { status: 400, message: 'The model files of a branch can have at most 2 MB in total.' };
    await expect(check(new Map([['model/d.yml', rest]]))).rejects.toMatchObject(refusal);
    const texts = ['a', 'b', 'c'].map(name => ({ name: `${name}.yml`, text: `# ${'x'.repeat(700_000)}` }));
    const problem = { file: '.', line: 1, message: 'exceeds the limit of 2 MB' };
    expect(await readModelFiles(texts)).toMatchObject({ files: [], problems: [problem] });
  });

  it('have the same limits in merges and reverts', async () => {
    const text = { author: 'ann', message: 'Change' };
    const large = 'x'.repeat(1_200_000);
    for (const [branch, changes] of [
      ['one', [['model/one.yml', large]]],
      ['one', [['model/one.yml', null]]],
      ['one', [['model/other.yml', large]]],
      ['two', [['model/two.yml', large]]],
    ] as const) {
      if (!(await repository.branches()).some(({ name }) => name === branch))
        await repository.createBranch(branch, 'main');
      await repository.write(branch, new Map(changes), 'ann');
      await repository.commit(branch, text);
    }
    const removal = (await repository.commits('one', 2))[1]?.hash ?? '';
    await expect(repository.revertCommit('one', removal, 'ann')).rejects.toMatchObject({ status: 400 });
    const merge = repository.merge('two', { into: 'one', text, check: async () => undefined });
    await expect(merge).rejects.toMatchObject({ status: 400 });
    expect((await repository.files(await repository.version('one'))).map(({ path }) => path)).toEqual([
      'model/a.yml',
      'model/other.yml',
    ]);
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
