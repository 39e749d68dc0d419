import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getDashboard, listDeployments } from '../../src/client/index.js';
import { embedSessionHandler } from '../../src/node/index.js';
import { startTestingPlatform, type TestingPlatform } from '../../src/testing/index.js';

let platform: TestingPlatform;
let other: TestingPlatform;
let contentDirectory: string;
const workbook = 'name: Orders\ndashboard: { widgets: [] }\npublish: true\n';
beforeAll(async () => {
  contentDirectory = await mkdtemp(join(tmpdir(), 'pa-testing-'));
  await mkdir(join(contentDirectory, 'workbooks'));
  await writeFile(
    join(contentDirectory, 'workbooks/orders.yml'),
    `${workbook}embedAccess: { allowEmbed: true, allEmbedUsers: true }\n`,
  );
  platform = await startTestingPlatform({ groups: ['sales'], contentDirectory });
  other = await startTestingPlatform();
});
afterAll(() => platform?.close());
afterAll(() => other?.close());
afterAll(() => rm(contentDirectory, { recursive: true }));

describe('a platform for tests', () => {
  it('creates sessions for a handler of a host', async () => {
    const { baseUrl, apiKey, fetch } = platform;
    const handler = embedSessionHandler({
      baseUrl,
      apiKey,
      fetch,
      grantFor: async () => ({ deploymentId: 1, externalId: 'ann' }),
    });
    const response = await handler(new Request('http://host.example/session', { method: 'POST' }));
    expect([response.status, await response.json()]).toEqual([
      200,
      { sessionId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
  });

  it('accepts the token of a session and applies its access rules', async () => {
    const token = await platform.embedToken({ externalId: 'ann', groups: ['sales'] });
    const connection = { baseUrl: platform.baseUrl, token, fetch: platform.fetch };
    const { items } = await listDeployments(connection);
    expect(items.map(({ id }) => id)).toEqual([1]);
  });

  it('is isolated from other platforms', async () => {
    expect(other.apiKey).not.toBe(platform.apiKey);
    const headers = { authorization: `Bearer ${platform.apiKey}` };
    expect((await other.fetch(`${other.baseUrl}/api/v1/deployments`, { headers })).status).toBe(401);
  });

  it('serves the dashboards of its content folder by slug', async () => {
    const token = await platform.embedToken({ externalId: 'ann' });
    const connection = { baseUrl: platform.baseUrl, token, fetch: platform.fetch };
    expect(await getDashboard(connection, platform.dashboards.orders ?? '')).toMatchObject({ title: 'Orders' });
    expect(await platform.applyContent(contentDirectory)).toEqual(platform.dashboards);
    expect(other.dashboards).toEqual({});
  });

  it('lists each problem of its content with file and line', async () => {
    await writeFile(
      join(contentDirectory, 'workbooks/orders.yml'),
      `${workbook}embedAccess: { tenants: [acme] }\nmeat: {}\n`,
    );
    const apply = () => platform.applyContent(contentDirectory);
    await expect(apply()).rejects.toThrow(/^The content is invalid:\nworkbooks\/orders\.yml:5: .*meat/);
    await writeFile(join(contentDirectory, 'workbooks/orders.yml'), `${workbook}embedAccess: { tenants: [acme] }\n`);
    await expect(apply()).rejects.toThrow('workbooks/orders.yml:4: embedAccess.tenants: no embed tenant named acme');
    await platform.createSession({ externalId: 'ann', embedTenantName: 'acme' });
    await expect(apply()).resolves.toEqual(platform.dashboards);
  });
});
