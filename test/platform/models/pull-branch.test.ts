import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { forgetUpstream, type Pull, pullBranch, pushBranch } from '../../../src/platform/models/git/pull-branch.js';
import { Repository } from '../../../src/platform/models/git/repository.js';
import { type CommitFiles, startGitServer } from './git-server.js';

const model: CommitFiles = { 'model/a.yml': 'cubes: []\n' };

let host: Awaited<ReturnType<typeof startGitServer>>;
let folder: string;
let directory: string;
let repository: Repository;
let count = 0;

beforeAll(async () => {
  host = await startGitServer();
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pa-pull-'));
  directory = join(folder, '7', 'model.git');
  repository = await Repository.create(directory, new Map([['model/model.yml', 'cubes: []\n']]), 'user 1');
});

afterAll(async () => {
  await host.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Creates a repository of the host with these commits, and returns its name. */
function hosted(...commits: readonly CommitFiles[]): string {
  count += 1;
  const name = `acme/pull-${count}`;
  host.create(name);
  for (const files of commits) host.commit(name, files);
  return name;
}

const linkOf = (name: string, branch = 'main') => ({
  directory,
  branch,
  remote: { url: join(host.folder, `${name}.git`), config: { 'protocol.file.allow': 'always' }, env: {} },
  remoteBranch: branch,
});
const pull = (name: string, { branch, ...rest }: Partial<Pull> = {}) =>
  pullBranch({ ...linkOf(name, branch), author: 'user 1', check: async () => undefined, ...rest });
const connect = (name: string) => pull(name, { isFirst: true });
const refs = () =>
  execFileSync('git', [`--git-dir=${directory}`, 'for-each-ref', '--format=%(refname)', 'refs/upstream'])
    .toString()
    .split('\n')
    .filter(name => name !== '');

it('rejects a revert that would restore files which a pull rejects', async () => {
  const link = { 'model/link.yml': { mode: '120000', content: '/etc/passwd' } };
  const name = hosted({ ...model, ...link }, { ...model, '.gitmodules': '' });
  await connect(name);
  await repository.createBranch('work', 'main');
  const [commit] = await repository.commits('work', 1);
  await expect(repository.revertCommit('work', commit?.hash ?? '', 'user 1')).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('model/link.yml (symbolic link)'),
  });
  expect(await repository.committedHead('work')).toBe(commit?.hash);
});

it('limits the size of a repository that grows by pulls, after it has packed it', async () => {
  // Random text cannot be compressed, and a pack that git receives contains the whole file for each change.
  const large = randomBytes(30_000).toString('base64');
  const name = hosted(model);
  await connect(name);
  const growing = async (maxBytes: number, seed: number) => {
    host.commit(name, { ...model, 'docs/large.md': `${seed} ${large}` });
    return pull(name, { maxBytes });
  };
  const head = await repository.committedHead('main');
  await expect(growing(1_000, 1)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('more than 0.001 MB'),
  });
  expect(await repository.committedHead('main')).toBe(head);
  const packs = async () =>
    (await readdir(join(directory, 'objects', 'pack'))).filter(file => file.endsWith('.pack')).length;
  for (const seed of [2, 3]) await growing(1_000_000, seed);
  expect(await packs()).toBe(3);
  await growing(80_000, 4);
  expect(await packs()).toBe(2);
});

it('forgets the commits of an earlier connection', async () => {
  const name = hosted(model);
  host.git(name, ['branch', 'work', 'main']);
  await connect(name);
  await repository.createBranch('work', 'main');
  await pull(name, { branch: 'work' });
  expect(refs()).toEqual(['refs/upstream/main', 'refs/upstream/work']);
  await connect(name);
  expect(refs()).toEqual(['refs/upstream/main']);
  await pull(name, { branch: 'work' });
  await pushBranch({ ...linkOf(hosted()), isFirst: true });
  expect(refs()).toEqual(['refs/upstream/main']);
  await forgetUpstream(directory);
  expect(refs()).toEqual([]);
});

it('does not create the folder of a deployment that is deleted during a pull', async () => {
  const name = hosted(model);
  const confirm = () => rm(join(folder, '7'), { recursive: true });
  await expect(pull(name, { isFirst: true, confirm })).rejects.toMatchObject({ status: 404 });
  await expect(connect(name)).rejects.toMatchObject({ status: 404 });
  expect(await readdir(folder)).toEqual([]);
});

it('stores nothing of a pull that is not confirmed', async () => {
  const name = hosted(model);
  const head = await repository.committedHead('main');
  const confirm = async () => {
    throw new Error('The connection has changed.');
  };
  await expect(pull(name, { isFirst: true, confirm })).rejects.toThrow('has changed');
  expect(await repository.committedHead('main')).toBe(head);
  expect(refs()).toEqual([]);
  expect(await readdir(join(folder, '7'))).toEqual(['model.git']);
});
