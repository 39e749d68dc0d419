import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { MetaResponse } from '../../../src/contract/meta.js';
import { deployments, jobs, repositoryConnections, transformSyncs } from '../../../src/platform/db/schema.js';
import { transformSyncHandler } from '../../../src/platform/models/transform-sync-runs.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const syncs = '/api/v1/deployments/1/xform-sync';
const nobody = '00000000-0000-4000-8000-000000000000';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
  await platform.addUserKey('viewer-key', 'AIBIViewer');
  await platform.addUserKey('user-key', 'AIBIUser');
  await platform.addUserKey('developer-key', 'AIBIDeveloper');
  await platform.addUserKey('narrow-key', null, [
    { resourceType: 'Global', actions: ['AIBIDevelop'], resources: ['All'] },
    { resourceType: 'Deployment', actions: ['DeploymentRead', 'SchemaRead'], resources: ['1'] },
  ]);
  await platform.db.insert(deployments).values({ id: 2, name: 'another', creationStep: 'ready' });
});

afterEach(async () => {
  for (const table of [jobs, transformSyncs, repositoryConnections]) await platform.db.delete(table);
  platform.publicModel.mockReturnValue(null);
});

afterAll(() => platform.stop());

/** Runs every queued job the given number of times. */
async function work(): Promise<void> {
  const handler = transformSyncHandler(platform.db, platform.publicModel);
  for (const { payload } of await platform.db.select().from(jobs)) {
    await handler.run(payload, new AbortController().signal);
  }
}

const start = (body?: object) => platform.ok('POST', syncs, body);
const cube = (name: string, type: string) => ({ name, title: name, type, measures: [], dimensions: [], segments: [] });
const model: MetaResponse = { cubes: [cube('orders', 'cube'), cube('users', 'cube'), cube('sales', 'view')] };

describe('starting a sync (spec 4.5)', () => {
  it('returns branch, job and workflow, and stores a run and a job', async () => {
    const started = await start({ branchName: 'feature/orders' });
    expect(started).toEqual({
      branchName: 'feature/orders',
      syncJobId: expect.any(String),
      workflowId: expect.any(String),
    });
    expect(await platform.db.select().from(jobs)).toMatchObject([
      { id: started.workflowId, payload: { syncJobId: started.syncJobId } },
    ]);
    const { items } = await platform.ok('GET', syncs);
    expect(items).toMatchObject([
      { syncJobId: started.syncJobId, deploymentId: 1, status: 'RUNNING', source: 'git', trigger: 'api' },
    ]);
    const [entry] = await platform.audited('startXformSync');
    expect(entry?.target).toEqual({ deploymentId: 1, syncJobId: started.syncJobId });
  });

  it('works without a body; the branch defaults to that of the repository, otherwise to main', async () => {
    expect(await start()).toMatchObject({ branchName: 'main' });
    await platform.db
      .insert(repositoryConnections)
      .values({ deploymentId: 1, connection: { deployBranchName: 'release' } });
    expect(await start({})).toMatchObject({ branchName: 'release' });
  });

  it('rejects a second sync on the branch and names the running one until that has ended', async () => {
    const { syncJobId } = await start({ branchName: 'main' });
    const second = await platform.call('POST', syncs, { branchName: 'main' });
    expect(second).toMatchObject({ status: 409, body: { message: expect.stringContaining(syncJobId) } });
    await start({ branchName: 'other' });
    await work();
    await start({ branchName: 'main' });
  });

  it('starts one of several concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => platform.call('POST', syncs, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    expect(await platform.db.select().from(jobs)).toHaveLength(1);
  });

  it('counts the content of a manifest', async () => {
    platform.publicModel.mockReturnValue(model);
    const manifest = {
      nodes: { a: { resource_type: 'model' }, b: { resource_type: 'test' }, c: null },
      macros: { x: {}, y: {} },
      sources: { s: {} },
    };
    const { syncJobId } = await start({ source: 'manifest', manifest, output: 'files' });
    await work();
    expect(await platform.ok('GET', `${syncs}/${syncJobId}/result`)).toMatchObject({
      manifestStats: { macros: 2, models: 1, sources: 1 },
      modelCount: 3,
    });
  });

  it.each([
    ['an unknown field', { branch: 'main' }, 'branch'],
    ['an empty branch', { branchName: ' ' }, 'body.branchName'],
    ['a manifest without its source', { manifest: {} }, 'body.manifest'],
    ['a manifest that is missing', { source: 'manifest' }, 'body.manifest'],
    ['an unknown source', { source: 'svn' }, 'body.source'],
  ])('rejects %s', async (_what, body, field) => {
    const answer = await platform.call('POST', syncs, body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
    expect(await platform.db.select().from(transformSyncs)).toEqual([]);
  });
});

describe('a run', () => {
  it('counts the content of the served model and is idempotent', async () => {
    platform.publicModel.mockReturnValue(model);
    const { syncJobId } = await start();
    const path = `${syncs}/${syncJobId}`;
    expect(await platform.ok('GET', path)).toMatchObject({ status: 'INITIALIZING', progress: { percentComplete: 0 } });
    expect(await platform.call('GET', `${path}/result`)).toMatchObject({ status: 409 });
    await work();
    const once = await platform.ok('GET', syncs);
    await work();
    expect(await platform.ok('GET', syncs)).toEqual(once);
    expect(once.items).toMatchObject([
      { status: 'COMPLETED', stats: { modelCount: 3, cubes: 2, views: 1 }, durationMs: expect.any(Number) },
    ]);
    expect(await platform.ok('GET', path)).toMatchObject({ status: 'COMPLETED', progress: { percentComplete: 100 } });
    expect(await platform.ok('GET', `${path}/result`)).toMatchObject({ modelCount: 3, generatedFiles: [] });
    const { items } = await platform.ok('GET', `${path}/logs`);
    expect(items.at(-1)).toMatchObject({ level: 'info', message: 'The model has 2 cubes and 1 views.' });
    expect(await platform.ok('GET', `${path}/generated-files`)).toMatchObject({ items: [] });
  });

  it('fails with a message if no model is served', async () => {
    const { syncJobId } = await start();
    await work();
    const path = `${syncs}/${syncJobId}`;
    const error = expect.stringContaining('This platform serves no semantic model');
    expect(await platform.ok('GET', path)).toMatchObject({ status: 'FAILED', error });
    expect((await platform.ok('GET', `${path}/logs`)).items.at(-1)).toMatchObject({ level: 'error', message: error });
    expect(await platform.call('GET', `${path}/result`)).toMatchObject({ status: 409 });
  });

  it('that failed on every attempt has an error message', async () => {
    const { syncJobId } = await start();
    await transformSyncHandler(platform.db, platform.publicModel).failPermanently({ syncJobId });
    expect(await platform.ok('GET', `${syncs}/${syncJobId}`)).toMatchObject({ status: 'FAILED' });
  });

  it('stays canceled even if its job runs, and unblocks the branch', async () => {
    platform.publicModel.mockReturnValue(model);
    const { syncJobId } = await start();
    const path = `${syncs}/${syncJobId}`;
    expect(await platform.ok('DELETE', path)).toEqual({ message: expect.any(String) });
    await work();
    expect(await platform.ok('GET', path)).toMatchObject({ status: 'CANCELLED' });
    await platform.ok('DELETE', path);
    await start();
  });

  it('that has ended cannot be canceled', async () => {
    const { syncJobId } = await start();
    await work();
    expect(await platform.call('DELETE', `${syncs}/${syncJobId}`)).toMatchObject({ status: 409 });
  });
});

describe('the list of runs', () => {
  it('is sorted newest first, paged and filtered by status', async () => {
    for (const branchName of ['one', 'two', 'three']) await start({ branchName });
    const first = await platform.ok('GET', `${syncs}?first=2`);
    expect(first.items.map((run: { branchName: string }) => run.branchName)).toEqual(['three', 'two']);
    await start({ branchName: 'four' });
    const rest = await platform.ok('GET', `${syncs}?first=2&after=${first.pageInfo.endCursor}`);
    expect(rest).toMatchObject({ items: [{ branchName: 'one' }], pageInfo: { hasNextPage: false } });
    await work();
    expect((await platform.ok('GET', `${syncs}?status=RUNNING`)).items).toEqual([]);
    expect((await platform.ok('GET', `${syncs}?status=FAILED&trigger=api`)).items).toHaveLength(4);
    expect((await platform.ok('GET', `${syncs}?trigger=webhook`)).items).toEqual([]);
  });

  it('rejects an invalid cursor', async () => {
    const forged = Buffer.from(JSON.stringify(['transform-syncs', new Date().toISOString(), 'x'])).toString(
      'base64url',
    );
    expect(await platform.call('GET', `${syncs}?after=${forged}`)).toMatchObject({ status: 400 });
  });
});

describe('access to syncs', () => {
  it('requires a developer with SchemaUpdate on the deployment', async () => {
    const as = async (key: string, method: string, path: string) =>
      (await platform.call(method, path, undefined, key)).status;
    expect(await as('', 'POST', syncs)).toBe(401);
    expect(await as('viewer-key', 'POST', syncs)).toBe(403);
    expect(await as('user-key', 'POST', syncs)).toBe(403);
    expect(await as('user-key', 'GET', syncs)).toBe(403);
    expect(await as('narrow-key', 'POST', syncs)).toBe(403);
    expect(await as('narrow-key', 'GET', syncs)).toBe(200);
    expect(await as('narrow-key', 'GET', '/api/v1/deployments/2/xform-sync')).toBe(404);
    expect(await as('developer-key', 'POST', syncs)).toBe(200);
    expect(await as(await platform.tokenOf({ embedTenantName: 'acme', creatorMode: true }), 'GET', syncs)).toBe(403);
  });

  it('returns 404 for a run of another deployment and an unknown run', async () => {
    const { syncJobId } = await start();
    for (const path of [`/api/v1/deployments/2/xform-sync/${syncJobId}`, `${syncs}/${nobody}`, `${syncs}/nobody`]) {
      for (const end of ['', '/result', '/logs', '/generated-files']) {
        expect(await platform.call('GET', path + end), path + end).toMatchObject({ status: 404 });
      }
      expect(await platform.call('DELETE', path)).toMatchObject({ status: 404 });
    }
    expect(await platform.call('POST', '/api/v1/deployments/9/xform-sync')).toMatchObject({ status: 404 });
  });
});
