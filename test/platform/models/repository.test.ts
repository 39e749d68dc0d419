import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { eq, gte } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from 'vitest';
import type { Policy } from '../../../src/contract/roles.js';
import {
  auditLog,
  deployments,
  jobs,
  repositoryConnections,
  repositoryInstallations,
  transformSyncs,
} from '../../../src/platform/db/schema.js';
import { PlatformError } from '../../../src/platform/errors.js';
import type { RouteDeps } from '../../../src/platform/http/route-deps.js';
import { isSafePath } from '../../../src/platform/models/git/paths.js';
import { Repositories } from '../../../src/platform/models/git/repositories.js';
import { WriteJournal } from '../../../src/platform/models/git/write-journal.js';
import { repairWrites } from '../../../src/platform/models/repair-writes.js';
import { isRepositoryName, readGitHostOptions, readHostUrl } from '../../../src/platform/models/repohost/git-host.js';
import { resealInstallations } from '../../../src/platform/models/repohost/installation-store.js';
import { repositoryPullHandler, repositoryPullKind } from '../../../src/platform/models/repohost/webhook.js';
import { testDepth } from '../../property.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';
import { type CommitFiles, gitToken, startGitServer } from './git-server.js';
import { hasSshServer, startSshServer } from './ssh-server.js';

const installations = '/api/v1/repohost/installations';
const checkModel = vi.fn<RouteDeps['checkModel']>();
const compiles = { entities: 1, members: new Set<string>(), problems: [], warnings: [] };
const first: CommitFiles = { 'model/a.yml': 'cubes: []\n', '.gitignore': 'dist\n', 'docs/Café.md': '# Model\n' };

let host: Awaited<ReturnType<typeof startGitServer>>;
let platform: TestPlatform;
let installationId: number;
let count = 0;

beforeAll(async () => {
  host = await startGitServer();
  const { certificateFile } = host;
  checkModel.mockResolvedValue(compiles);
  platform = await startTestPlatform({ checkModel, gitHosts: { privateHosts: ['localhost'], certificateFile } });
  installationId = await install('acme', host.url);
  await platform.addUserKey('user-key', 'AIBIUser');
  await platform.addUserKey('developer-key', 'AIBIDeveloper');
  await platform.addUserKey('narrow-key', null, [
    { resourceType: 'Global', actions: ['AIBIDevelop'], resources: ['All'] },
    { resourceType: 'Deployment', actions: ['DeploymentRead', 'SchemaUpdate'], resources: ['1'] },
  ]);
});

afterEach(() => {
  host.state.redirect = null;
  host.state.credentials.length = 0;
});

afterAll(async () => {
  await platform.stop();
  await host.stop();
});

const names = Array.from({ length: 40 }, (_, index) => `acme/model-${index + 1}`);
const bodyOf = (login: string, url: string) => ({ login, url, token: gitToken, repositories: names });

async function install(login: string, url: string): Promise<number> {
  return Number((await platform.ok('POST', installations, bodyOf(login, url))).id);
}

/** Creates a repository of the host, with a commit unless `files` is `null`. Returns its name. */
function hosted(files: CommitFiles | null = first): string {
  count += 1;
  const name = `acme/model-${count}`;
  host.create(name);
  if (files) host.commit(name, files);
  return name;
}

/** Returns functions for a new deployment. */
async function project() {
  const { id } = await platform.ok('POST', '/build/api/v1/deployments', { name: `project ${count}` });
  const at = (path: string) => `/build/api/v1/deployments/${id}/${path}`;
  const post = (path: string, body: object = {}) => platform.call('POST', at(path), body);
  return {
    id: Number(id),
    at,
    post,
    connect: (name: string, body: object = {}) => post('repohost/connect', { installationId, name, ...body }),
    pull: (branchName = 'main') => post('pull', { branchName }),
    push: (branchName = 'main') => post('push', { branchName }),
    /** Changes a file on a branch, and commits it. */
    async change(branchName: string, path: string, content: string) {
      const files = [{ path, content }];
      await platform.ok('PUT', at('data-model/files'), { branchName, files });
      await platform.ok('POST', at('commit'), { branchName });
    },
    merge: (branchName: string) => platform.ok('POST', at('merge-to-default'), { branchName, message: 'Merge' }),
    async files(branchName = 'main'): Promise<Record<string, string>> {
      const { items } = await platform.ok('GET', at(`data-model/files?withContent=true&branchName=${branchName}`));
      return Object.fromEntries(items.map(({ path, content }: Record<string, string>) => [path, content]));
    },
    head: async (branchName = 'main') =>
      (await platform.ok('GET', at('branches'))).items.find(({ name }: { name: string }) => name === branchName)
        .lastHash,
    /** True if the repository of the deployment has an object. */
    has(object: string): boolean {
      const directory = join(platform.deps.deploymentsDirectory ?? '', String(id), 'model.git');
      return spawnSync('git', [`--git-dir=${directory}`, 'cat-file', '-e', object]).status === 0;
    },
    /** Names in the folder of the deployment. */
    folder: () => readdir(join(platform.deps.deploymentsDirectory ?? '', String(id))),
  };
}

/** Creates a deployment that is connected to a new repository of the host. */
async function connected(files: CommitFiles = first) {
  const name = hosted(files);
  const own = await project();
  expect(await own.connect(name)).toMatchObject({ status: 200 });
  return { ...own, name };
}

describe('connecting a repository (spec 4.4)', () => {
  it('deletes the branch of the host with removeOnUpstream, unless it has other commits', async () => {
    const own = await connected();
    const branchesOf = () =>
      host.git(own.name, ['for-each-ref', '--format=%(refname:short)', 'refs/heads']).split('\n');
    const remove = (branchName: string, options = '&removeOnUpstream=true', key?: string) =>
      platform.call('DELETE', own.at(`branches?branchName=${branchName}${options}`), undefined, key);
    for (const branchName of ['kept', 'gone', 'ahead']) {
      await platform.ok('POST', own.at('branches'), { name: branchName });
      await own.change(branchName, `${branchName}.md`, 'x');
      expect(await own.push(branchName)).toMatchObject({ body: { pushed: true } });
    }
    expect(await remove('kept', '')).toMatchObject({ status: 200 });
    expect(await remove('gone')).toMatchObject({ status: 200 });
    expect(branchesOf()).toEqual(['ahead', 'kept', 'main']);
    host.commit(own.name, { 'other.md': 'y' }, { branch: 'ahead' });
    expect(await remove('ahead')).toMatchObject({ status: 409 });
    expect(branchesOf()).toContain('ahead');
    expect(await own.head('ahead')).toEqual(expect.any(String));
    // The branch was deleted at the host, or was never pushed.
    host.git(own.name, ['update-ref', '-d', 'refs/heads/ahead']);
    expect(await remove('ahead')).toMatchObject({ status: 200 });
    await platform.ok('POST', own.at('branches'), { name: 'local' });
    expect(await remove('local')).toMatchObject({ status: 200 });
    expect(await remove('main')).toMatchObject({ status: 400 });
    expect(branchesOf()).toEqual(['kept', 'main']);
  });

  it('replaces the new project, and returns the connection result (spec 2.7) and a build', async () => {
    const name = hosted();
    const own = await project();
    const { body } = await own.connect(name, { deployProjectRoot: '/', isNewRepo: false, private: true });
    expect(body).toEqual({
      id: own.id,
      name: expect.any(String),
      creationStep: expect.any(String),
      deploymentUrl: `https://platform.example/deployments/${own.id}`,
      syncJobId: expect.any(String),
    });
    expect(await own.files()).toEqual(first);
    const { items } = await platform.ok('GET', `/api/v1/deployments/${own.id}/xform-sync`);
    expect(items).toMatchObject([{ syncJobId: body.syncJobId, branchName: 'main', status: 'RUNNING' }]);
    expect(await platform.ok('GET', own.at('repohost/connection'))).toEqual({
      installationId,
      name,
      deployBranchName: 'main',
      connectedAt: expect.any(String),
      hasWebhook: false,
    });
    expect((await platform.audited('connect')).at(-1)).toMatchObject({ target: { deploymentId: own.id } });
    // A second request changes nothing, and returns the build that is in progress.
    expect((await own.connect(name)).body).toEqual(body);
    expect(await own.folder()).not.toContainEqual(expect.stringContaining('incoming'));
    await platform.call('DELETE', own.at('repohost/connection'));
    expect(await own.pull()).toMatchObject({ status: 409 });
    expect(await own.files()).toEqual(first);
  });

  it('uses another branch as the deploy branch', async () => {
    const name = hosted();
    host.commit(name, { ...first, 'model/release.yml': 'cubes: []\n' }, { branch: 'release' });
    const own = await project();
    expect(await own.connect(name, { deployBranchName: 'nothing' })).toMatchObject({
      status: 409,
      body: { message: 'The repository does not have this branch.' },
    });
    host.git(name, ['update-ref', 'refs/heads/release', host.commit(name, { 'model/b.yml': 'b: 1\n' })]);
    await own.connect(name, { deployBranchName: 'release' });
    expect(Object.keys(await own.files())).toEqual(['model/b.yml']);
    expect(await own.pull('release')).toMatchObject({ status: 409 });
  });

  it('pushes the model to an empty repository', async () => {
    const name = hosted(null);
    const own = await project();
    expect(await own.connect(name)).toMatchObject({ status: 409, body: { message: expect.stringContaining('empty') } });
    expect(await own.connect(name, { isNewRepo: true })).toMatchObject({ status: 200 });
    expect(host.read(name, 'model/model.yml')).toBe('cubes: []');
    expect(await own.connect(name, { isNewRepo: true })).toMatchObject({ status: 409 });
  });

  it('keeps a project that has been changed', async () => {
    const own = await project();
    await platform.ok('POST', own.at('branches'), { name: 'work' });
    await own.change('work', 'model/b.yml', 'b: 1\n');
    await own.merge('work');
    const message = expect.stringContaining('no common commit');
    expect(await own.connect(hosted())).toMatchObject({ status: 409, body: { message } });
    expect(Object.keys(await own.files())).toEqual(['model/b.yml', 'model/model.yml']);
  });

  it('rejects invalid input', async () => {
    const own = await project();
    const named = { installationId, name: 'acme/model-1' };
    const inputs = [
      [{ name: 'acme/model-1' }, 400, 'body.installationId'],
      [{ ...named, token: 'x' }, 400, 'token'],
      [{ ...named, installationId: 99 }, 404, 'Installation'],
      [{ ...named, name: 'other/model' }, 404, 'Repository'],
      [{ ...named, deployBranchName: '--upload-pack=x' }, 400, 'deployBranchName'],
      [{ ...named, deployProjectRoot: 'sub' }, 400, 'deployProjectRoot'],
    ] as const;
    for (const [body, status, field] of inputs) {
      const answer = await own.post('repohost/connect', body);
      expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(field) } });
    }
    expect(await own.pull()).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('not connected') },
    });
  });

  it('requires DeploymentUpdate and a deployment with model files', async () => {
    await platform.db.insert(deployments).values({ id: 900, name: 'another', creationStep: 'ready' });
    const body = { installationId, name: hosted() };
    const as = async (key: string, id = 1) =>
      (await platform.call('POST', `/build/api/v1/deployments/${id}/repohost/connect`, body, key)).status;
    expect(await as('')).toBe(401);
    expect(await as('user-key')).toBe(403);
    expect(await as('narrow-key')).toBe(403);
    expect(await as('narrow-key', 900)).toBe(404);
    expect(await as(await platform.tokenOf({ embedTenantName: 'acme', creatorMode: true }))).toBe(403);
    expect(await as('developer-key', 901)).toBe(404);
    expect(await as('developer-key')).toBe(409);
    // A caller with rights on one deployment could otherwise read the repository of another.
    const own = await project();
    const actions: Policy['actions'] = ['DeploymentRead', 'DeploymentUpdate', 'SchemaRead', 'SchemaUpdate'];
    await platform.addUserKey('one-key', null, [
      { resourceType: 'Global', actions: ['AIBIDevelop'], resources: ['All'] },
      { resourceType: 'Deployment', actions, resources: [String(own.id)] },
    ]);
    expect((await platform.call('GET', own.at('branches'), undefined, 'one-key')).status).toBe(200);
    expect(await as('one-key', own.id)).toBe(403);
  });
});

describe('pulls and pushes', () => {
  let own: Awaited<ReturnType<typeof connected>>;
  beforeAll(async () => {
    own = await connected();
  });

  test('a pull is a fast-forward or a merge, and a push is never forced', async () => {
    expect((await own.pull()).body).toEqual({ buildTriggered: false });
    const head = host.commit(own.name, { ...first, 'model/b.yml': 'b: 1\n' });
    expect((await own.pull()).body).toEqual({ buildTriggered: true });
    expect(await own.head()).toBe(head);

    await platform.ok('POST', own.at('branches'), { name: 'work' });
    await own.change('work', 'model/c.yml', 'c: 1\n');
    expect((await own.push('work')).body).toEqual({ pushed: true });
    expect((await own.push('work')).body).toEqual({ pushed: false });
    expect(host.read(own.name, 'model/c.yml', 'work')).toBe('c: 1');
    await own.merge('work');
    host.commit(own.name, { ...first, 'model/b.yml': 'b: 2\n' });
    expect(await own.push()).toMatchObject({ status: 409, body: { message: expect.stringContaining('not pulled') } });
    expect((await own.pull()).body).toEqual({ buildTriggered: true });
    expect(await own.files()).toMatchObject({ 'model/b.yml': 'b: 2\n', 'model/c.yml': 'c: 1\n' });
    expect((await own.push()).body).toEqual({ pushed: true });
    expect(host.git(own.name, ['rev-parse', 'main'])).toBe(await own.head());
    expect((await platform.audited('push')).at(-1)).toMatchObject({ target: { deploymentId: own.id } });
  });

  test('a conflict lists the files and changes nothing', async () => {
    await platform.ok('POST', own.at('branches'), { name: 'other' });
    await own.change('other', 'model/a.yml', 'ours: 1\n');
    await own.push('other');
    host.commit(own.name, { ...first, 'model/a.yml': 'theirs: 1\n' }, { branch: 'other' });
    await own.change('other', 'model/a.yml', 'ours: 2\n');
    const head = await own.head('other');
    expect(await own.pull('other')).toMatchObject({
      status: 409,
      body: { code: 'merge_conflict', conflicts: ['model/a.yml'] },
    });
    expect(await own.head('other')).toBe(head);
    await platform.ok('PUT', own.at('data-model/files'), {
      branchName: 'other',
      files: [{ path: 'model/d.yml', content: '' }],
    });
    expect(await own.pull('other')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('not committed') },
    });
  });

  test('a rewritten branch and a model that does not compile change nothing', async () => {
    const head = await own.head();
    checkModel.mockResolvedValueOnce({
      ...compiles,
      problems: [{ file: 'model/a.yml', line: 3, message: 'No table.' }],
    });
    host.commit(own.name, { ...first, 'model/a.yml': 'broken: 1\n' });
    expect(await own.pull()).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('model/a.yml:3: No table.') },
    });
    host.commit(own.name, { 'model/other.yml': 'cubes: []\n' }, { isRoot: true });
    expect(await own.pull()).toMatchObject({ status: 409, body: { message: expect.stringContaining('rewritten') } });
    expect(await own.head()).toBe(head);
  });

  const gitmodules = '[submodule "x"]\n\tpath = x\n\turl = https://example.com/x.git\n';
  const hostile: readonly (readonly [CommitFiles, string])[] = [
    [{ 'model/link.yml': { mode: '120000', content: '/etc/passwd' } }, 'model/link.yml (symbolic link)'],
    [{ '.gitmodules': gitmodules, x: { mode: '160000', content: 'a'.repeat(40) } }, 'x (submodule)'],
    [{ '../outside.yml': 'x' }, 'not valid'],
    [{ '.git/config': 'x' }, 'not valid'],
    [{ 'model/a\u202Eb.yml': 'x' }, '(path)'],
    [{ 'model/big.yml': '#'.repeat(2_100_000) }, 'too large'],
    [Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`f/${index}`, ''])), 'too large'],
  ];

  test('hostile commits change nothing, and are not stored', async () => {
    const head = await own.head();
    for (const [files, message] of hostile) {
      host.git(own.name, ['update-ref', 'refs/heads/main', head]);
      const commit = host.commit(own.name, { ...first, ...files });
      expect(await own.pull()).toMatchObject({ status: 409, body: { message: expect.stringContaining(message) } });
      expect(await own.head()).toBe(head);
      expect(own.has(commit)).toBe(false);
    }
    expect(await own.folder()).not.toContainEqual(expect.stringContaining('incoming'));
  });

  test('a pack with a million paths is rejected before they are read', async () => {
    const { name } = own;
    const head = await own.head();
    const blob = host.git(name, ['hash-object', '-w', '--stdin'], 'a: 1\n');
    const treeOf = (mode: string, hash: string) =>
      host.git(name, ['mktree'], Array.from({ length: 100 }, (_, at) => `${mode} ${hash}\tf${at}\n`).join(''));
    const tree = treeOf('040000 tree', treeOf('040000 tree', treeOf('100644 blob', blob)));
    host.git(name, [
      'update-ref',
      'refs/heads/main',
      host.git(name, ['commit-tree', tree, '-p', head, '-m', 'Change']),
    ]);
    expect(await own.pull()).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('too many files') },
    });
    host.git(name, ['update-ref', 'refs/heads/main', head]);
  });

  test('the history lists commits without an author, and with times that no Date represents', async () => {
    const { name } = own;
    const head = await own.head();
    const tree = host.git(name, ['rev-parse', `${head}^{tree}`]);
    const person = '  <zoe@acme.example> 9999999999999 +0000';
    const text = `tree ${tree}\nparent ${head}\nauthor${person}\ncommitter${person}\n\nOdd\n`;
    const commit = host.git(name, ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], text);
    host.git(name, ['update-ref', 'refs/heads/main', commit]);
    expect((await own.pull()).body).toEqual({ buildTriggered: true });
    const { items } = await platform.ok('GET', own.at('commits'));
    expect(items.slice(0, 2)).toMatchObject([{ hash: commit, author: '', message: 'Odd' }, { hash: head }]);
  });
});

describe('git hosts', () => {
  it('are listed with their repositories and branches, without secrets', async () => {
    const name = hosted();
    host.commit(name, first, { branch: 'feature/one' });
    const { items } = await platform.ok('GET', installations, undefined, 'developer-key');
    expect(items[0]).toMatchObject({ installationId: String(installationId), login: 'acme', url: host.url });
    expect(JSON.stringify(items)).not.toContain(gitToken);
    const list = await platform.ok('GET', `${installations}/${installationId}/repositories?first=1`);
    expect(list.items).toEqual([{ id: expect.any(Number), name: names[0], htmlUrl: `${host.url}/${names[0]}` }]);
    const path = `/api/v1/repohost/repositories/${name}/branches?installationId=${installationId}`;
    expect((await platform.ok('GET', path)).items).toEqual([
      { name: 'feature/one', isDefault: false },
      { name: 'main', isDefault: true },
    ]);
    expect(await platform.ok('GET', '/api/v1/repohost/status')).toMatchObject({ connected: true });
  });

  it('receive a secret only at the address that it was set for', async () => {
    const id = await install('rotated', host.url);
    const change = (body: object) =>
      platform.call('PUT', `${installations}/${id}`, { ...bodyOf('rotated', host.url), token: undefined, ...body });
    expect(await change({ url: 'https://other.example.com' })).toMatchObject({ status: 400 });
    expect(await change({ username: 'other' })).toMatchObject({ status: 400 });
    expect(await change({ login: 'renamed' })).toMatchObject({ status: 200, body: { login: 'renamed' } });
    expect(await change({ token: 'wrong-token' })).toMatchObject({ status: 200 });
    const own = await project();
    const rejected = await own.post('repohost/connect', { installationId: id, name: hosted() });
    expect(rejected).toMatchObject({ status: 502, body: { message: expect.stringContaining('credentials') } });
    expect(await platform.call('DELETE', `${installations}/${id}`)).toMatchObject({ status: 204 });
    expect(await platform.call('DELETE', `${installations}/${installationId}`)).toMatchObject({ status: 409 });
    expect(await platform.call('POST', installations, bodyOf('acme', host.url))).toMatchObject({ status: 409 });
  });

  it('cannot redirect the token to another host', async () => {
    const other = await startGitServer();
    host.state.redirect = other.url;
    const own = await project();
    const answer = await own.connect(hosted());
    expect(answer).toMatchObject({ status: 502, body: { message: expect.stringContaining('redirected') } });
    expect(host.state.credentials).not.toEqual([]);
    expect(other.state.credentials).toEqual([]);
    await other.stop();
  });

  it('cannot have private addresses', async () => {
    const own = await project();
    for (const address of ['127.0.0.1', '10.1.2.3', '169.254.169.254']) {
      const id = await install(`private ${address}`, `https://${address}`);
      const answer = await own.post('repohost/connect', { installationId: id, name: 'acme/model-1' });
      expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining('private network') } });
    }
  });

  // Requires an SSH server, which is not part of every installation.
  it.skipIf(testDepth() !== 'deep' || !hasSshServer)('can be used over SSH with a pinned host key', async () => {
    const server = await startSshServer(host.folder);
    const { url, privateKey, hostKey, otherKey } = server;
    const body = { login: 'over ssh', url, privateKey, hostKey, repositories: names };
    const id = Number((await platform.ok('POST', installations, body)).id);
    const name = hosted();
    const own = await project();
    const connect = () => own.post('repohost/connect', { installationId: id, name });
    await platform.ok('PUT', `${installations}/${id}`, { ...body, hostKey: otherKey });
    expect(await connect()).toMatchObject({ status: 502, body: { message: expect.stringContaining('host key') } });
    await platform.ok('PUT', `${installations}/${id}`, body);
    expect(await connect()).toMatchObject({ status: 200 });
    host.commit(name, { ...first, 'model/b.yml': 'b: 1\n' });
    expect((await own.pull()).body).toEqual({ buildTriggered: true });
    await platform.ok('POST', own.at('branches'), { name: 'work' });
    expect((await own.push('work')).body).toEqual({ pushed: true });
    await server.stop();
    expect(await own.pull()).toMatchObject({ status: 502 });
  });

  it('have valid URLs, names and options', () => {
    expect(readHostUrl('https://git.example.com:8443/scm')).toEqual({
      scheme: 'https',
      host: 'git.example.com',
      port: 8443,
    });
    expect(readHostUrl('ssh://git@git.example.com')).toMatchObject({ scheme: 'ssh', port: 22 });
    const wrong = ['http://git.example.com', 'https://user:pw@git.example.com', 'ssh://git.example.com', 'file:///etc'];
    const hostile = [
      'https://0x7f.1',
      'https://2130706433',
      'ssh://-oProxyCommand=x',
      'https://a.example/../b',
      'ext::sh',
    ];
    expect([...wrong, ...hostile].filter(url => readHostUrl(url) !== null)).toEqual([]);
    expect(['acme/model', 'group/sub/model.v2'].every(isRepositoryName)).toBe(true);
    const badNames = ['model', '../model', 'a/../b', 'a/.git', 'a/b.git', '-a/b', 'a//b', 'a/b?x', 'a/b#c'];
    expect(badNames.filter(isRepositoryName)).toEqual([]);
    expect(() => readGitHostOptions({ privateHosts: ['https://x'] })).toThrow('PA_GIT_PRIVATE_HOSTS');
    expect(['.GIT/x', 'a/../b', 'a\\b', 'a~', 'a:b', 'a.', '/a', 'a\u0000'].filter(isSafePath)).toEqual([]);
  });
});

describe('the webhook of a repository', () => {
  const received = async (id: number, body: string, signature: string | null) => {
    const headers = { ...(signature !== null && { 'x-hub-signature-256': signature }) };
    const response = await platform.app.request(`/api/v1/repohost/webhooks/${id}`, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };
  const signed = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const pulls = () => platform.db.select().from(jobs).where(eq(jobs.kind, repositoryPullKind));

  it('starts one pull per branch, which updates the branch or records why it cannot', async () => {
    const own = await connected();
    const { url, secret } = await platform.ok('POST', own.at('repohost/webhook'));
    expect(url).toBe(`https://platform.example/api/v1/repohost/webhooks/${own.id}`);
    const send = (body: string) => received(own.id, body, signed(secret, body));
    host.commit(own.name, { ...first, 'model/b.yml': 'b: 1\n' });
    expect(await send('{"ref":"refs/heads/main"}')).toMatchObject({ status: 204 });
    for (const body of ['', 'payload=%7B%7D', '{"ref":"refs/tags/v1"}']) expect((await send(body)).status).toBe(204);
    const [job, ...others] = await pulls();
    expect(others).toEqual([]);
    expect(job?.payload).toEqual({ deploymentId: own.id, branchName: 'main' });
    const { db, sealedSecrets, gitHosts } = platform.deps;
    const repositories = new Repositories(platform.deps.deploymentsDirectory ?? '');
    const handler = repositoryPullHandler({ db, sealedSecrets, gitHosts, repositories, checkModel });
    const run = () => handler.run(job?.payload ?? {}, new AbortController().signal);
    await run();
    expect(await own.files()).toMatchObject({ 'model/b.yml': 'b: 1\n' });
    const last = async () => (await platform.ok('GET', own.at('repohost/connection'))).lastWebhookPull;
    expect(await last()).toMatchObject({ branchName: 'main', isChanged: true, problem: null });
    host.commit(own.name, first, { isRoot: true });
    await run();
    expect(await last()).toMatchObject({ isChanged: false, problem: expect.stringContaining('rewritten') });
    host.state.redirect = 'https://other.example';
    await expect(run()).rejects.toBeInstanceOf(PlatformError);
    await handler.failPermanently(job?.payload ?? {});
    expect(await last()).toMatchObject({ problem: expect.stringContaining('failed repeatedly') });
    expect(await platform.audited('receiveRepositoryWebhook')).toMatchObject(
      Array.from({ length: 3 }, () => ({ principal: 'none', target: { deploymentId: own.id, branchName: 'main' } })),
    );
    await platform.db.delete(jobs);
    await platform.db.delete(transformSyncs);
  });

  it('changes and records nothing if the deployment is connected again during the pull', async () => {
    const own = await connected();
    const { db, sealedSecrets, gitHosts } = platform.deps;
    const repositories = new Repositories(platform.deps.deploymentsDirectory ?? '');
    const handler = repositoryPullHandler({ db, sealedSecrets, gitHosts, repositories, checkModel });
    const run = (branchName: string) => handler.run({ deploymentId: own.id, branchName }, new AbortController().signal);
    const last = async () => (await platform.ok('GET', own.at('repohost/connection'))).lastWebhookPull;
    // The repository has a branch that the deployment does not have.
    await run('missing');
    expect(await last()).toBeUndefined();
    const head = await own.head();
    const pushed = host.commit(own.name, { ...first, 'model/b.yml': 'b: 1\n' });
    const isOwn = eq(repositoryConnections.deploymentId, own.id);
    const changes = [
      { connectedAt: new Date(Date.now() + 1) },
      { connection: { installationId, name: 'acme/other', deployBranchName: 'main' } },
    ];
    for (const change of changes) {
      checkModel.mockImplementationOnce(async () => {
        await db.update(repositoryConnections).set(change).where(isOwn);
        return compiles;
      });
      await run('main');
      expect(await own.head()).toBe(head);
      expect(own.has(pushed)).toBe(false);
      const { name } = own;
      await db
        .update(repositoryConnections)
        .set({ connection: { installationId, name, deployBranchName: 'main' } })
        .where(isOwn);
    }
    // A result of the second pull is recorded, because its connection is not newer than the pull.
    expect(await last()).toMatchObject({
      isChanged: false,
      problem: expect.stringContaining('changed the connection'),
    });
    await platform.db.delete(transformSyncs);
  });

  it('rejects all other events with the same response', async () => {
    const own = await connected();
    const { secret: previous } = await platform.ok('POST', own.at('repohost/webhook'));
    await platform.ok('POST', own.at('repohost/webhook'));
    const without = await connected();
    const body = '{"ref":"refs/heads/main"}';
    const errors = vi.fn<(error: unknown) => void>();
    const attempts = [
      [own.id, null],
      [own.id, 'sha256='],
      [own.id, signed(previous, body)],
      [own.id, signed(previous, body).slice(0, -1)],
      [without.id, signed('', body)],
      [1, signed(previous, body)],
      [12_345, signed(previous, body)],
    ] as const;
    for (const [id, signature] of attempts) {
      const { status, text } = await received(id, body, signature);
      errors({ status, message: JSON.parse(text).message });
    }
    expect(errors.mock.calls.flat()).toEqual(
      attempts.map(() => ({ status: 401, message: 'The signature is not valid.' })),
    );
    expect((await received(own.id, 'x'.repeat(2_000_001), null)).status).toBe(413);
    expect(await pulls()).toEqual([]);
  });
});

describe('the audit log after a crash', () => {
  it('keeps a secret that is set while secrets are encrypted with a new key', async () => {
    const ofId = await install(`resealed-${count++}`, 'https://git.example.com');
    const at = eq(repositoryInstallations.id, ofId);
    const { sealedSecrets } = platform.deps;
    const seal = vi.fn(sealedSecrets.seal);
    const rotating = { ...sealedSecrets, seal, isCurrent: () => false };
    let ended = Promise.resolve();
    await platform.db.transaction(async tx => {
      await tx.update(repositoryInstallations).set({ sealedSecret: 'set meanwhile' }).where(at);
      ended = resealInstallations(platform.db, rotating);
      await vi.waitFor(() => expect(seal).toHaveBeenCalled(), 10_000);
    });
    await ended;
    expect(await platform.db.select().from(repositoryInstallations).where(at)).toMatchObject([
      { sealedSecret: 'set meanwhile' },
    ]);
    await platform.db.delete(repositoryInstallations).where(at);
  });

  it('contains an interrupted write only if git has executed it', async () => {
    const own = await project();
    await platform.ok('POST', own.at('branches'), { name: 'work' });
    const repositories = new Repositories(platform.deps.deploymentsDirectory ?? '');
    expect(await own.folder()).toContain('journal');
    expect(await readdir(join(repositories.folderOf(own.id), 'journal'))).toEqual([]);
    const entry = { operation: 'updateModelFiles', principal: 'api-key', target: {} };
    const stored = await platform.db.insert(auditLog).values([entry, entry, entry]).returning();
    const [missing = 0, written = 0, running = 0] = stored.map(({ id }) => id);
    const journal = new WriteJournal(repositories, own.id, 'updateModelFiles');
    const repository = (await repositories.open(own.id)).withMarker(journal.markerOf(written));
    await repository.write('work', new Map([['model/b.yml', 'b: 1\n']]), 'user 1');
    await repository.write('work', new Map([['model/b.yml', 'b: 2\n']]), 'user 1');
    for (const id of [missing, written, running]) await journal.open(id);
    // No process has this id.
    const ended = JSON.stringify({ operation: 'updateModelFiles', host: hostname(), pid: 2_147_483_646 });
    const fileOf = (id: number) => join(repositories.folderOf(own.id), 'journal', String(id));
    for (const id of [missing, written]) await writeFile(fileOf(id), ended);
    const failures = vi.fn<(error: unknown) => void>();
    await repairWrites(platform.db, repositories, failures);
    expect(failures).not.toHaveBeenCalled();
    const left = await platform.db.select({ id: auditLog.id }).from(auditLog).where(gte(auditLog.id, missing));
    expect(left.map(({ id }) => id)).toEqual([written, running]);
    expect(await readdir(join(repositories.folderOf(own.id), 'journal'))).toEqual([String(running)]);
    expect(await readdir(join(repositories.repositoryOf(own.id), 'refs', 'audit'))).toEqual([]);
  });
});
