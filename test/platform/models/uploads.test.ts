import { createHash, randomUUID } from 'node:crypto';
import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PlatformError } from '../../../src/platform/errors.js';
import { Repositories } from '../../../src/platform/models/git/repositories.js';
import { DeploymentUploads, repairUploads } from '../../../src/platform/models/uploads/deployment-uploads.js';
import { type Answer, startTestPlatform, type TestPlatform } from '../test-platform.js';

let platform: TestPlatform;
let id: number;
let branches = 0;

beforeAll(async () => {
  platform = await startTestPlatform();
  id = (await platform.ok('POST', '/build/api/v1/deployments', { name: 'Logistics' })).id;
});
afterAll(() => platform.stop());

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
const at = (path: string, deploymentId = id) => `/build/api/v1/deployments/${deploymentId}/${path}`;
const folderOf = (...names: string[]) => join(platform.deps.deploymentsDirectory ?? '', String(id), ...names);
const starter = { 'model/model.yml': 'cubes: []\n' };

async function sendForm(path: string, fields: Record<string, string | File>): Promise<Answer> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const headers = { authorization: 'Bearer the-admin-key' };
  const response = await platform.app.request(path, { method: 'POST', headers, body });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function newBranch(): Promise<string> {
  branches += 1;
  await platform.ok('POST', at('branches'), { name: `work-${branches}` });
  return `work-${branches}`;
}

async function start(branchName: string) {
  return (await platform.ok('POST', at(`data-model/upload/start?branchName=${branchName}`))).transaction;
}

const add = (transaction: object, fileName: string, content: string) =>
  sendForm(at('data-model/upload/file'), {
    transaction: JSON.stringify(transaction),
    fileName,
    file: new File([content], 'any'),
  });

const hashesOf = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [path, { hash: sha1(content) }]));

/** Uploads a project: only the files in `sent`, of all `files`. */
async function upload(branchName: string, files: Record<string, string>, sent = files, options: object = {}) {
  const transaction = await start(branchName);
  for (const [path, content] of Object.entries(sent)) {
    expect(await add(transaction, path, content)).toMatchObject({ status: 204 });
  }
  return platform.call('POST', at('data-model/upload/finish'), { transaction, files: hashesOf(files), ...options });
}

const fileHashes = (branchName: string) => platform.ok('GET', at(`data-model/file-hashes?branchName=${branchName}`));

describe('uploads of model files (operations.md, Data Model Uploads)', () => {
  it('change a branch with one commit, and delete files that the project does not have', async () => {
    const branch = await newBranch();
    expect(await fileHashes(branch)).toEqual(hashesOf(starter));
    const files = { 'model/a.yml': 'cubes: []\n# ü\n', 'README.md': 'Hello' };
    const before = await lastHash(branch);
    const done = await upload(branch, files, files, { commitMessage: 'From the pipeline' });
    expect(done).toMatchObject({ status: 200, body: { lastHash: await lastHash(branch) } });
    expect(done.body.lastHash).not.toBe(before);
    expect(await fileHashes(branch)).toEqual(hashesOf(files));
    expect(await fileHashes('main')).toEqual(hashesOf(starter));

    const changed = { ...files, 'model/a.yml': 'cubes: []\n' };
    const sent = { 'model/a.yml': changed['model/a.yml'] };
    expect(await upload(branch, changed, sent)).toMatchObject({ status: 200 });
    expect(await fileHashes(branch)).toEqual(hashesOf(changed));
    expect(await upload(branch, sent, {}, { autoRemoveFiles: false })).toMatchObject({ status: 200 });
    expect(await fileHashes(branch)).toEqual(hashesOf(changed));
    expect((await platform.audited('finishUpload')).length).toBeGreaterThan(2);
  });

  async function lastHash(branch: string): Promise<string> {
    const { items } = await platform.ok('GET', at('branches?first=100'));
    return items.find(({ name }: { name: string }) => name === branch).lastHash;
  }

  it.each([
    ['../../other/model.yml', 'body.fileName'],
    ['/etc/passwd', 'body.fileName'],
    ['model/../../x', 'body.fileName'],
    ['.git/config', 'body.fileName'],
    ['model/.hidden.yml', 'body.fileName'],
    ['C:\\x.yml', 'body.fileName'],
    ['sources/Orders.csv', 'must be lowercase'],
    ['Sources/orders.csv', 'must be lowercase'],
    ['sources/order items.csv', 'name of a table'],
    ['sources/deep/orders.csv', 'name of a table'],
    ['sources/orders.exe', 'must be a CSV'],
    ['sources/orders.csv.gz', 'name of a table'],
  ])('reject the path %s', async (path, message) => {
    const answer = await add(await start(await newBranch()), path, 'x');
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  it('reject files whose paths or content do not fit, and change nothing', async () => {
    const branch = await newBranch();
    expect(await add(await start(branch), 'model/a.yml', 'a\0b')).toMatchObject({ status: 400 });
    for (const [files, message] of [
      [{ 'model/a.yml': '1', 'model/A.yml': '2' }, 'differs only in case'],
      [{ model: '1', 'model/a.yml': '2' }, 'is a file, not a folder'],
      [{ 'sources/a.csv': 'x\n1\n', 'sources/a.json': '[{"x":1}]' }, 'another file defines the same table'],
      [{ 'sources/a.csv': 'x,y\n1\n2,3,4\n' }, 'a.csv has 2 columns'],
      [{ 'model/large.yml': 'x'.repeat(1_000_000), 'model/b.yml': 'x'.repeat(1_000_000), 'model/c.yml': 'x' }, '2 MB'],
    ] as const) {
      const answer = await upload(branch, { ...starter, ...files }, files);
      expect(answer, message).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
    }
    const missing = await upload(branch, { ...starter, 'model/b.yml': 'b' }, {});
    expect(missing).toMatchObject({ status: 400, body: { message: 'body.files.model/b.yml: was not uploaded' } });
    expect(await upload(branch, starter, { 'model/b.yml': 'b' })).toMatchObject({ status: 400 });
    expect(await fileHashes(branch)).toEqual(hashesOf(starter));
    expect((await platform.ok('GET', at('tables'))).items).toEqual([]);
  });

  it('never overwrite changes that were made since they started', async () => {
    const branch = await newBranch();
    const transaction = await start(branch);
    const finish = () => platform.call('POST', at('data-model/upload/finish'), { transaction, files: {} });
    await platform.ok('PUT', at('data-model/files'), { branchName: branch, files: [{ path: 'b.md', content: 'b' }] });
    expect(await finish()).toMatchObject({ status: 409, body: { message: expect.stringContaining('not committed') } });
    await platform.ok('POST', at('commit'), { branchName: branch });
    expect(await finish()).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('since the upload') },
    });
    expect(await platform.call('POST', at('data-model/upload/start'))).toMatchObject({ status: 400 });
    const active = await newBranch();
    await platform.ok('POST', at('dev-mode'), { branchName: active });
    const { transaction: ofActive } = await platform.ok('POST', at('data-model/upload/start'));
    const own = { transaction: ofActive, files: {} };
    expect(await platform.call('POST', at('data-model/upload/finish?branchName=main'), own)).toMatchObject({
      status: 400,
    });
    expect(await platform.call('POST', at('data-model/upload/finish'), own)).toMatchObject({ status: 200 });
    expect(await platform.ok('GET', at('data-model/file-hashes'))).toEqual({});
    await platform.ok('DELETE', at('dev-mode'));
    const started = await platform.call('POST', at('data-model/upload/start?branchName=main'));
    expect(started).toMatchObject({ status: 409 });
    expect(await platform.call('POST', at('data-model/upload/start'))).toMatchObject({ status: 400 });
  });

  it('belong to one deployment and branch, and expire after an hour', async () => {
    const transaction = await start(await newBranch());
    const finish = (path: string) => platform.call('POST', path, { transaction, files: {} });
    const other = (await platform.ok('POST', '/build/api/v1/deployments', { name: 'Other' })).id;
    expect(await finish(at('data-model/upload/finish', other))).toMatchObject({ status: 404 });
    expect(await finish(at('data-model/upload/finish?branchName=main'))).toMatchObject({ status: 400 });
    const traversal = { transaction: { id: '../../../1' }, files: {} };
    expect(await platform.call('POST', at('data-model/upload/finish'), traversal)).toMatchObject({ status: 404 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_700_000 });
    try {
      expect(await finish(at('data-model/upload/finish'))).toMatchObject({ status: 404 });
      await start(await newBranch());
    } finally {
      vi.useRealTimers();
    }
    expect(await readdir(folderOf('uploads'))).not.toContain(transaction.id);
  });
});

describe('tables', () => {
  const preview = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
    sendForm(at('tables/preview'), { file: new File([content], name) });

  /** Ids of uploads by content. They are copied, because each file is read in a new process. */
  const read = new Map<string, Promise<string>>();

  async function importAs(table: string, mode: string, content: string) {
    const previewed = read.get(content) ?? preview(`${table}.csv`, content).then(({ body }) => body.uploadId);
    read.set(content, previewed);
    const uploadId = randomUUID();
    await cp(folderOf('uploads', await previewed), folderOf('uploads', uploadId), { recursive: true });
    return platform.call('POST', at('tables'), { uploadId, table, mode });
  }

  const tableNamed = async (name: string) =>
    (await platform.ok('GET', at('tables'))).items.find((table: { name: string }) => table.name === name);

  it('are created from a file after a preview, replaced, appended to and deleted', async () => {
    const previewed = await preview('Orders 2024.csv', 'shop,amount\nA,1\n');
    expect(previewed).toMatchObject({
      status: 200,
      body: { table: 'orders_2024', rows: 1, preview: [['A', '1']], columns: [{ name: 'shop' }, { type: 'BIGINT' }] },
    });
    expect(await tableNamed('orders')).toBeUndefined();
    expect(await importAs('orders', 'append', 'shop,amount\nA,1\n')).toMatchObject({ status: 404 });
    expect(await importAs('orders', 'create', 'shop,amount\nA,1\n')).toMatchObject({ status: 200, body: { rows: 1 } });
    expect(await importAs('orders', 'create', 'shop,amount\nA,1\n')).toMatchObject({ status: 409 });
    expect(await importAs('orders', 'append', 'shop,amount\nB,2\n')).toMatchObject({ status: 200, body: { rows: 2 } });
    expect(await importAs('orders', 'append', 'shop,amount\nB,many\n')).toMatchObject({ status: 400 });
    expect(await tableNamed('orders')).toMatchObject({ rows: 2, fileName: 'orders.csv' });
    expect(await importAs('orders', 'replace', 'day\n2024-01-02\n')).toMatchObject({
      body: { rows: 1, columns: [{ name: 'day', type: 'DATE' }] },
    });
    expect(await readdir(folderOf('sources'))).toEqual(['orders.parquet']);
    expect(await readdir(folderOf('tables'))).toHaveLength(1);
    expect(await platform.call('DELETE', at('tables?table=orders'))).toMatchObject({ status: 204 });
    expect(await platform.call('DELETE', at('tables?table=orders'))).toMatchObject({ status: 404 });
    expect(await readdir(folderOf('tables'))).toEqual([]);
  });

  it('keep all rows that are appended at the same time', async () => {
    await importAs('log', 'create', 'n\n0\n');
    const answers = await Promise.all([1, 2].map(() => importAs('log', 'append', 'n\n0\n')));
    const done = answers.filter(({ status }) => status === 200);
    for (const answer of answers) expect([200, 409]).toContain(answer.status);
    expect(await tableNamed('log')).toMatchObject({ rows: 1 + done.length });
  });

  it('of the folder of the sources are listed, and can only be deleted', async () => {
    await writeFile(folderOf('sources', 'copied.csv'), 'a\n1\n');
    expect(await tableNamed('copied')).toMatchObject({ name: 'copied', bytes: 4 });
    for (const mode of ['replace', 'append'])
      expect(await importAs('copied', mode, 'n\n0\n')).toMatchObject({ status: 409 });
    await platform.call('DELETE', at('tables?table=copied'));
    expect(await importAs('copied', 'create', 'n\n0\n')).toMatchObject({ status: 200 });
  });

  it('reject other files and names, and discard their upload', async () => {
    const open = await readdir(folderOf('uploads'));
    for (const [name, content] of [
      ['orders.exe', 'x'],
      ['orders', 'x'],
      ['orders.xlsx', 'a,b\n1,2\n'],
      ['orders.csv', ''],
    ] as const)
      expect(await preview(name, content), name).toMatchObject({ status: 400 });
    expect(await sendForm(at('tables/preview'), { file: 'text' })).toMatchObject({ status: 400 });
    expect(await platform.call('POST', at('tables/preview'), {})).toMatchObject({ status: 415 });
    expect(await readdir(folderOf('uploads'))).toEqual(open);
    const { uploadId } = (await preview('a.csv', 'a\n1\n')).body;
    for (const table of ['Orders', '../x', 'a b', '1a', 'x'.repeat(64)]) {
      const answer = await platform.call('POST', at('tables'), { uploadId, table, mode: 'create' });
      expect(answer, table).toMatchObject({ status: 400 });
    }
  });

  it('are created by an upload of model files too, and survive later uploads', async () => {
    const branch = await newBranch();
    const files = { ...starter, 'sources/sales.csv': 'a,b\n1,2\n' };
    const answer = await upload(branch, files, { 'sources/sales.csv': files['sources/sales.csv'] });
    expect(answer).toMatchObject({ status: 200 });
    expect(await tableNamed('sales')).toMatchObject({ rows: 1, fileName: 'sales.csv' });
    expect(await fileHashes(branch)).toMatchObject(hashesOf(files));
    expect(await upload(branch, files, {})).toMatchObject({ status: 200 });
    expect(await upload(branch, starter, {})).toMatchObject({ status: 200 });
    expect(await tableNamed('sales')).toMatchObject({ rows: 1 });
  });
});

describe('an upload that a crash interrupts', () => {
  const content = '{"hello": 1}';

  /** Prepares an upload of a table and a file, and applies it until `step` throws. */
  async function interrupt(table: string, step: 'before the commit' | 'after the commit') {
    const repositories = new Repositories(platform.deps.deploymentsDirectory ?? '');
    const repository = await repositories.open(id);
    const branch = await newBranch();
    const uploads = new DeploymentUploads(platform.db, id, { folder: repositories.folderOf(id), repository });
    const head = await repository.committedHead(branch);
    const folder = await uploads.folders.create({ kind: 'model', userId: 1, branch, head });
    await writeFile(folder.pathOf('t.parquet'), content);
    const description = { fileName: 't.parquet', hash: null, rows: 1, columns: [] };
    const crash = new PlatformError(500, 'The test crashes here.');
    const applied = uploads.apply(folder, [{ name: table, file: 't.parquet', description }], {
      marker: null,
      commit: async prepare => {
        const text = { author: 'user 1', message: 'm' };
        const changes = new Map([['crash.md', 'x']]);
        await repository.commitFiles({ branch, head, changes, text }, async commit => {
          await prepare(commit);
          if (step === 'before the commit') throw crash;
        });
        throw crash;
      },
    });
    await expect(applied).rejects.toBe(crash);
    await repairUploads(platform.db, repositories, error => {
      throw error;
    });
    const paths = Object.keys(await fileHashes(branch));
    const names = (await uploads.tables.list()).map(({ name }) => name);
    expect(await uploads.folders.interrupted()).toEqual([]);
    return { hasFile: paths.includes('crash.md'), hasTable: names.includes(table) };
  }

  it('has changed nothing if the crash precedes the commit, and is completed otherwise', async () => {
    expect(await interrupt('first', 'before the commit')).toEqual({ hasFile: false, hasTable: false });
    expect(await interrupt('second', 'after the commit')).toEqual({ hasFile: true, hasTable: true });
  });

  it('completes an import of a table, and marks its entry of the audit log', async () => {
    const repositories = new Repositories(platform.deps.deploymentsDirectory ?? '');
    const repository = await repositories.open(id);
    const uploads = new DeploymentUploads(platform.db, id, { folder: repositories.folderOf(id), repository });
    const folder = await uploads.folders.create({ kind: 'table', userId: 1, fileName: 't.parquet' });
    await writeFile(folder.pathOf('t.parquet'), content);
    const description = { fileName: 't.parquet', hash: null, rows: 1, columns: [] };
    const marker = 'refs/audit/1000000';
    // The upload crashes after it has stored what it changes.
    await folder.writeJournal(
      JSON.stringify({ commit: null, marker, tables: [{ name: 'third', file: 't.parquet', description }] }),
    );
    await repairUploads(platform.db, repositories, error => {
      throw error;
    });
    expect((await uploads.tables.list()).map(({ name }) => name)).toContain('third');
    expect(await readdir(folderOf('model.git', 'refs', 'audit'))).toEqual(['1000000']);
  });
});
