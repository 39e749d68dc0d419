import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { isBranchName } from '../../../src/platform/models/git/paths.js';
import { Repository } from '../../../src/platform/models/git/repository.js';

const folders: string[] = [];
let repository: Repository;

afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true }))));

const text = { author: 'user 1', message: 'Change' };
const never = async () => {
  throw new Error('The merge was not expected.');
};

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
    await expect(repository.merge('work', text, never)).rejects.toMatchObject({ status: 409 });
    await repository.commit('work', text);
    expect(await contents('main')).toEqual({ 'model/a.yml': 'a: 1\n' });
    expect(await repository.merge('work', text, async () => undefined)).toMatchObject({ isMerged: true });
    expect(await contents('main')).toEqual({ 'model/b.yml': 'ü: 2\n' });
    expect(await repository.merge('work', text, never)).toMatchObject({ isMerged: false });
  });

  it('neither merges nor deletes a branch that changes meanwhile', async () => {
    await repository.createBranch('work', 'main');
    await repository.write('work', new Map([['model/b.yml', 'b: 1\n']]), 'user 1');
    await repository.commit('work', text);
    const change = () => repository.write('work', new Map([['model/b.yml', 'b: 2\n']]), 'user 1');
    await expect(repository.merge('work', text, change)).rejects.toMatchObject({ status: 409 });
    await repository.commit('work', text);
    const { head } = await repository.merge('work', text, async () => undefined);
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
    await expect(repository.merge('one', text, never)).rejects.toThrow('not expected');
    expect(await contents('main')).toEqual({ 'model/a.yml': 'a: 1\n' });
    await repository.merge('one', text, async () => undefined);
    const conflict = { status: 409, message: expect.stringContaining('model/a.yml') };
    await expect(repository.merge('two', text, never)).rejects.toMatchObject(conflict);
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

  it('protects the deploy branch, and does not know a deleted branch', async () => {
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
])('%s as a branch name: %s', (name, isValid) => expect(isBranchName(name)).toBe(isValid));
