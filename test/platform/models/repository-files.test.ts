import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { isBranchName } from '../../../src/platform/models/git/paths.js';
import { Repositories } from '../../../src/platform/models/git/repositories.js';
import { Repository } from '../../../src/platform/models/git/repository.js';
import { requireSpace } from '../../../src/platform/models/git/repository-size.js';
import { findGitProblem } from '../../../src/platform/models/git/run-git.js';

const folders: string[] = [];
let repository: Repository;

afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true }))));

const text = { author: 'user 1', message: 'Change' };
const never = async () => {
  throw new Error('The merge was not expected.');
};

const merge = (branch: string, check: () => Promise<void> = async () => undefined) =>
  repository.merge(branch, { into: 'main', text, check });

async function contents(branch: string): Promise<Record<string, string>> {
  const files = await repository.files(await repository.version(branch));
  const read = await repository.read(files);
  return Object.fromEntries(files.map(({ path }, index) => [path, read[index] ?? '']));
}

describe('a repository', () => {
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pa-git-'));
    folders.push(folder);
    repository = await Repository.create(join(folder, 'model.git'), new Map([['model/a.yml', 'a: 1\n']]), 'user 1');
  });

  it('keeps changes of a branch apart from the deploy branch until they are merged', async () => {
    await repository.createBranch('work', 'main');
    await repository.write(
      'work',
      new Map([
        ['model/b.yml', 'ü: 2\n'],
        ['model/a.yml', null],
      ]),
      'user 1',
    );
    expect(await contents('work')).toEqual({ 'model/b.yml': 'ü: 2\n' });
    expect(await contents('main')).toEqual({ 'model/a.yml': 'a: 1\n' });
    await expect(merge('work', never)).rejects.toMatchObject({ status: 409 });
    await repository.commit('work', text);
    expect(await contents('main')).toEqual({ 'model/a.yml': 'a: 1\n' });
    expect(await merge('work')).toMatchObject({ isMerged: true });
    expect(await contents('main')).toEqual({ 'model/b.yml': 'ü: 2\n' });
    expect(await merge('work', never)).toMatchObject({ isMerged: false });
  });

  it('keeps the other files in repeated writes, and rejects a file that is a folder', async () => {
    await repository.createBranch('work', 'main');
    const write = (path: string, content: string | null = 'b: 1\n') =>
      repository.write('work', new Map([[path, content]]), 'user 1');
    await write('model/a b/c.yml');
    await write('model/d.yml');
    await expect(write('model/a b')).rejects.toMatchObject({
      status: 400,
      message: 'model/a b is a folder, not a file',
    });
    await expect(write('model/d.yml/e.yml')).rejects.toMatchObject({ status: 400 });
    await write('model/a b/c.yml', null);
    await write('model/a b');
    expect(Object.keys(await contents('work'))).toEqual(['model/a b', 'model/a.yml', 'model/d.yml']);
    expect((await repository.commits('work', 10)).map(({ message }) => message)).toEqual(['Create the project']);
  });

  it('neither merges nor deletes a branch that changes in the meantime', async () => {
    await repository.createBranch('work', 'main');
    await repository.write('work', new Map([['model/b.yml', 'b: 1\n']]), 'user 1');
    await repository.commit('work', text);
    const change = () => repository.write('work', new Map([['model/b.yml', 'b: 2\n']]), 'user 1');
    await expect(merge('work', change)).rejects.toMatchObject({ status: 409 });
    await repository.commit('work', text);
    const { head } = await merge('work');
    await repository.write('work', new Map([['model/b.yml', 'b: 3\n']]), 'user 1');
    await expect(repository.removeBranch('work', head)).rejects.toMatchObject({ status: 409 });
    expect(await contents('work')).toEqual({ 'model/a.yml': 'a: 1\n', 'model/b.yml': 'b: 3\n' });
  });

  it('changes nothing if files conflict or the check of the merge fails', async () => {
    for (const [branch, value] of [
      ['one', '1'],
      ['two', '2'],
    ] as const) {
      await repository.createBranch(branch, 'main');
      await repository.write(branch, new Map([['model/a.yml', `a: ${value}${value}\n`]]), 'user 1');
      await repository.commit(branch, text);
    }
    await expect(merge('one', never)).rejects.toThrow('not expected');
    expect(await contents('main')).toEqual({ 'model/a.yml': 'a: 1\n' });
    await merge('one');
    const conflict = { status: 409, message: expect.stringContaining('model/a.yml') };
    await expect(merge('two', never)).rejects.toMatchObject(conflict);
    expect(await contents('main')).toEqual({ 'model/a.yml': 'a: 11\n' });
  });

  it('rejects a write if another one was faster', async () => {
    await repository.createBranch('work', 'main');
    const writes = ['x', 'y', 'z'].map(name => repository.write('work', new Map([[`${name}.md`, name]]), 'user 1'));
    const ends = await Promise.allSettled(writes);
    const lost = ends.filter(({ status }) => status === 'rejected');
    for (const end of lost) expect(end).toMatchObject({ reason: { status: 409 } });
    expect(Object.keys(await contents('work'))).toHaveLength(1 + ends.length - lost.length);
  });

  it('rejects a write of files that have changed, with both versions', async () => {
    await repository.createBranch('work', 'main');
    const [file] = await repository.files(await repository.version('work'));
    const hash = file?.hash ?? '';
    const write = (content: string, base: string, path = 'model/a.yml') =>
      repository.write('work', new Map([[path, content]]), 'user 1', new Map([[path, base]]));
    await write('a: 2\n', hash);
    const conflict = { path: 'model/a.yml', baseHash: hash, base: 'a: 1\n', current: 'a: 2\n' };
    await expect(write('a: 3\n', hash)).rejects.toMatchObject({
      status: 409,
      code: 'file_conflict',
      details: { conflicts: [conflict] },
    });
    await expect(write('a: 3\n', 'new')).rejects.toMatchObject({ details: { conflicts: [{ base: null }] } });
    await write('b: 1\n', 'new', 'model/b.yml');
    expect(await contents('work')).toEqual({ 'model/a.yml': 'a: 2\n', 'model/b.yml': 'b: 1\n' });
  });

  it('limits the size of the contents in a conflict', async () => {
    await repository.createBranch('work', 'main');
    const paths = ['a', 'b', 'c'].map(name => `${name}.md`);
    await repository.write('work', new Map(paths.map(path => [path, path.repeat(250_000)])), 'user 1');
    const expected = new Map(paths.map(path => [path, 'new']));
    const error = await repository.write('work', new Map([['d.md', '']]), 'user 1', expected).catch(Object);
    const sizes = error.details.conflicts.map(({ current }: { current: string | null }) => current?.length ?? null);
    expect(sizes).toEqual([1_000_000, 1_000_000, null]);
  });

  it('compares a branch with another one, and lists its commits', async () => {
    await repository.createBranch('work', 'main');
    await repository.createBranch('other', 'main');
    for (const branch of ['work', 'other']) {
      await repository.write(branch, new Map([[`model/${branch}.yml`, 'x: 1\n']]), 'user 2');
      await repository.commit(branch, { author: 'user 2', message: `Add ${branch}\n\nwith a body` });
    }
    await merge('other');
    await repository.write('work', new Map([['model/a.yml', null]]), 'user 2');
    const { base, version, files, ...state } = await repository.compare('work', 'main');
    expect(state).toEqual({ hasPendingChanges: true, isBehind: true });
    expect(files).toMatchObject([
      { path: 'model/a.yml', oldHash: expect.any(String), newHash: null },
      { path: 'model/work.yml', oldHash: null, newHash: expect.any(String) },
    ]);
    expect(await repository.patch(base, version)).toContain('-a: 1\n');
    await repository.createBranch('empty', 'work');
    await repository.createBranch('merged', 'other');
    await repository.write('merged', new Map([['model/a.yml', 'a: 2\n']]), 'user 2');
    await repository.commit('merged', { author: 'user 2', message: 'Merge' }, 'main');
    const branches = await repository.branches();
    const compared = await repository.compareAll(branches, 'main');
    const shown = compared.map((comparison, index) => {
      const paths = comparison.files.map(({ path }) => path.replace('model/', '')).join(' ');
      return `${branches[index]?.name} ${comparison.isBehind} ${comparison.hasPendingChanges} ${paths}`;
    });
    expect(shown).toEqual([
      'empty true false work.yml',
      'main false false ',
      'merged false false a.yml',
      'other true false ',
      'work true true a.yml work.yml',
    ]);
    expect(await repository.commits('work', 10)).toMatchObject([
      { author: 'user 2', message: 'Add work\n\nwith a body' },
      { message: 'Create the project' },
    ]);
  });

  it('reverts a commit and restores files, and changes nothing if later changes conflict', async () => {
    await repository.createBranch('work', 'main');
    for (const [path, content] of [
      ['model/a.yml', 'a: 2\n'],
      ['model/b.yml', 'b: 1\n'],
      ['model/b.yml', 'b: 2\n'],
    ] as const) {
      await repository.write('work', new Map([[path, content]]), 'user 1');
      await repository.commit('work', text);
    }
    const [, second, first, root] = await repository.commits('work', 10);
    await expect(repository.revertCommit('work', second?.hash ?? '', 'user 1')).rejects.toMatchObject({
      status: 409,
      details: { conflicts: ['model/b.yml'] },
    });
    await expect(repository.revertCommit('work', root?.hash ?? '', 'user 1')).rejects.toMatchObject({ status: 400 });
    await expect(repository.revertCommit('main', first?.hash ?? '', 'user 1')).rejects.toMatchObject({ status: 409 });
    await repository.revertCommit('work', first?.hash ?? '', 'user 1');
    expect(await contents('work')).toEqual({ 'model/a.yml': 'a: 1\n', 'model/b.yml': 'b: 2\n' });
    await repository.restoreFiles('work', ['model/a.yml'], 'work', 'user 1');
    await repository.restoreFiles('work', ['model/b.yml'], 'main', 'user 1');
    expect(await contents('work')).toEqual({ 'model/a.yml': 'a: 2\n' });
  });

  it('resolves a merge conflict with the content of the branch', async () => {
    for (const branch of ['one', 'two']) {
      await repository.createBranch(branch, 'main');
      const changes = [
        ['model/a.yml', `a: ${branch}\n`],
        [`model/${branch}.yml`, ''],
      ] as const;
      await repository.write(branch, new Map(changes), 'user 1');
      await repository.commit(branch, text);
    }
    await merge('one');
    await repository.write('two', new Map([['model/late.yml', '']]), 'user 1');
    await repository.commit('two', text, 'main');
    await repository.merge('two', { into: 'main', text, isBranchDeleted: true, check: async () => undefined });
    const expected = { 'model/a.yml': 'a: two\n', 'model/late.yml': '', 'model/one.yml': '', 'model/two.yml': '' };
    expect(await contents('main')).toEqual(expected);
    await expect(repository.version('two')).rejects.toMatchObject({ status: 404 });
  });

  it('returns the parent of a branch, and moves the children of a deleted branch to its parent', async () => {
    await repository.createBranch('one', 'main');
    await repository.createBranch('two', 'one');
    await repository.createBranch('three', 'two');
    expect(await repository.parent('two')).toBe('one');
    await repository.write('three', new Map([['model/b.yml', 'b: 1\n']]), 'user 1');
    await repository.commit('three', text);
    const check = async () => undefined;
    await repository.merge('three', { into: 'two', text, isSquashed: true, isBranchDeleted: true, check });
    expect(await repository.commits('two', 10)).toMatchObject([
      { message: 'Change' },
      { message: 'Create the project' },
    ]);
    await repository.removeBranch('one');
    const names = (await repository.branches()).map(({ name, parent }) => [name, parent]);
    expect(names).toEqual([
      ['main', null],
      ['two', 'main'],
    ]);
    await expect(repository.parent('main')).rejects.toMatchObject({ status: 400 });
  });

  it('keeps working after a git process was killed', async () => {
    await repository.createBranch('work', 'main');
    const lock = join(folders.at(-1) ?? '', 'model.git', 'refs', 'heads', 'work.lock');
    const old = new Date(Date.now() - 60_000);
    for (const repair of [() => repository.removeStaleFiles(), async () => undefined]) {
      await writeFile(lock, '');
      await utimes(lock, old, old);
      await repair();
      await repository.write('work', new Map([['model/b.yml', `# ${old.getTime()}`]]), 'user 1');
    }
    await repository.collectGarbage();
    expect(Object.keys(await contents('work'))).toEqual(['model/a.yml', 'model/b.yml']);
  });

  it.skipIf(process.platform !== 'linux')('fails commands whose process is killed, and starts it again', async () => {
    const children = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
    const pids = children.trim().split(' ').map(Number);
    const commands = await Promise.all(pids.map(each => readFile(`/proc/${each}/cmdline`, 'utf8').catch(() => '')));
    const pid = pids[commands.findIndex(command => command.includes('git-process'))] ?? 0;
    // A stopped process cannot complete the command before it is killed.
    process.kill(pid, 'SIGSTOP');
    const creation = repository.createBranch('work', 'main');
    process.kill(pid, 'SIGKILL');
    await expect(creation).rejects.toThrow('The process that runs git ended. Try again.');
    await repository.createBranch('work', 'main');
  });

  it('protects the deploy branch, and does not find a deleted branch', async () => {
    await expect(repository.write('main', new Map([['a.md', '']]), 'user 1')).rejects.toMatchObject({ status: 409 });
    await expect(repository.removeBranch('main')).rejects.toMatchObject({ status: 400 });
    await repository.createBranch('work', 'main');
    await repository.write('work', new Map([['a.md', '']]), 'user 1');
    await repository.removeBranch('work');
    await expect(repository.version('work')).rejects.toMatchObject({ status: 404 });
    expect((await repository.branches()).map(({ name }) => name)).toEqual(['main']);
  });

  it('never reads a reference outside its branches', async () => {
    for (const name of [
      '../../HEAD',
      '../pending/work',
      'HEAD',
      '',
      '/',
      'a/../main',
      '.hidden',
      'main.lock',
      'a b',
      '-x',
    ])
      await expect(repository.version(name), name).rejects.toMatchObject({ status: 404 });
  });
});

it('serves no marked folder, and repairs marked folders after a crash', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pa-repositories-'));
  folders.push(folder);
  const repositories = new Repositories(folder);
  for (const id of [2, 3, 4]) await repositories.create(id, 'user 1');
  await expect(repositories.open(2)).rejects.toMatchObject({ status: 404 });
  const old = new Date(Date.now() - 3_600_000);
  await utimes(join(repositories.folderOf(3), 'uncommitted'), old, old);
  // The deletion of a folder was interrupted.
  await mkdir(join(folder, '5-0.deleted', 'model.git'), { recursive: true });
  const failures: unknown[] = [];
  await repositories.repair(
    async id => id === 2,
    error => failures.push(error),
  );
  expect(failures).toEqual([]);
  expect((await readdir(folder)).sort()).toEqual(['2', '4']);
  expect((await (await repositories.open(2)).branches()).map(({ name }) => name)).toEqual(['main']);
  await expect(repositories.open(4)).rejects.toMatchObject({ status: 404 });
});

it('limits the size of the objects of a repository for writes (the limit of pulls)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pa-size-'));
  folders.push(folder);
  const directory = join(folder, 'model.git');
  const repository = await Repository.create(directory, new Map([['a.md', 'a']]), 'user 1');
  await requireSpace(directory, 1_000, 10_000);
  await requireSpace(directory, 1_000, 10_000);
  const tooLarge = { status: 409, message: expect.stringContaining('history') };
  await expect(requireSpace(directory, 9_900, 10_000)).rejects.toMatchObject(tooLarge);
  // A rejected write does not count.
  await requireSpace(directory, 1_000, 10_000);
  // The estimate is too large, so the size is measured again.
  await requireSpace(directory, 499_000_000);
  await repository.createBranch('work', 'main');
  await repository.write('work', new Map([['b.md', 'x'.repeat(2_000_000)]]), 'user 1');
});

it('accepts the installed git', async () => expect(await findGitProblem()).toBeNull());

it.each([
  ['main', true],
  ['fix/one-2', true],
  ['a.b@c+d', true],
  ['a..b', false],
  ['a//b', false],
  ['a/', false],
  ['a@{1}', false],
  ['a~1', false],
  ['a^', false],
  ['a:b', false],
  ['x'.repeat(201), false],
])('accepts or rejects %s as a branch name: %s', (name, isValid) => expect(isBranchName(name)).toBe(isValid));
