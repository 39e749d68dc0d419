import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deployments, jobs, repositoryConnections, transformSyncs } from '../../../src/platform/db/schema.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const connect = '/build/api/v1/deployments/1/repohost/connect';
const repository = { installationId: 7, name: 'acme/model' };

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
  await platform.addUserKey('user-key', 'AIBIUser');
  await platform.addUserKey('developer-key', 'AIBIDeveloper');
  await platform.addUserKey('narrow-key', null, [
    { resourceType: 'Global', actions: ['AIBIDevelop'], resources: ['All'] },
    { resourceType: 'Deployment', actions: ['DeploymentRead', 'SchemaUpdate'], resources: ['1'] },
  ]);
  await platform.db.insert(deployments).values({ id: 2, name: 'another', creationStep: 'ready' });
});

afterEach(async () => {
  for (const table of [jobs, transformSyncs, repositoryConnections]) await platform.db.delete(table);
});

afterAll(() => platform.stop());

const stored = () => platform.db.select().from(repositoryConnections);

describe('connecting a repository (spec 4.4)', () => {
  it('returns the connection result (spec 2.7), stores the connection and triggers a build', async () => {
    const body = {
      ...repository,
      deployBranchName: 'release',
      deployProjectRoot: '/model',
      isNewRepo: false,
      private: true,
    };
    const answer = await platform.ok('POST', connect, body);
    expect(answer).toEqual({
      id: 1,
      name: expect.any(String),
      creationStep: expect.any(String),
      deploymentUrl: 'https://platform.example',
      syncJobId: expect.any(String),
    });
    expect(await stored()).toMatchObject([{ deploymentId: 1, connection: body }]);
    const { items } = await platform.ok('GET', '/api/v1/deployments/1/xform-sync');
    expect(items).toMatchObject([{ syncJobId: answer.syncJobId, branchName: 'release', status: 'RUNNING' }]);
  });

  it('replaces the previous repository and does not rewrite an unchanged one', async () => {
    await platform.ok('POST', connect, repository);
    const [first] = await stored();
    await platform.ok('POST', connect, repository);
    expect(await stored()).toEqual([first]);
    await platform.ok('POST', connect, { ...repository, name: 'acme/other' });
    expect(await stored()).toMatchObject([{ connection: { name: 'acme/other' } }]);
  });

  it('returns a build that is in progress on the branch', async () => {
    const first = await platform.ok('POST', connect, repository);
    expect(await platform.ok('POST', connect, repository)).toEqual(first);
    expect(await platform.db.select().from(jobs)).toHaveLength(1);
  });

  it.each([
    ['no installation', { name: 'acme/model' }, 'body.installationId'],
    ['no name', { installationId: 7 }, 'body.name'],
    ['an installation out of range', { ...repository, installationId: 2 ** 60 }, 'body.installationId'],
    ['an unknown field', { ...repository, token: 'x' }, 'token'],
    ['no body', undefined, 'body'],
  ])('rejects %s', async (_what, body, field) => {
    const answer = await platform.call('POST', connect, body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
    expect(await stored()).toEqual([]);
  });

  it('requires an existing deployment and DeploymentUpdate on it', async () => {
    const as = async (key: string, path = connect) => (await platform.call('POST', path, repository, key)).status;
    expect(await as('')).toBe(401);
    expect(await as('user-key')).toBe(403);
    expect(await as('narrow-key')).toBe(403);
    expect(await as('narrow-key', connect.replace('1/repohost', '2/repohost'))).toBe(404);
    expect(await as(await platform.tokenOf({ embedTenantName: 'acme', creatorMode: true }))).toBe(403);
    expect(await platform.call('POST', connect.replace('1/repohost', '9/repohost'), repository)).toMatchObject({
      status: 404,
    });
    expect(await stored()).toEqual([]);
    expect(await as('developer-key')).toBe(200);
  });
});
