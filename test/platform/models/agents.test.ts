import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/contract/roles.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const path = '/api/v1/deployments/1/agents';
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const create = async (body: object = {}) => platform.ok('POST', path, { name: 'Sales', ...body });

describe('agents', () => {
  test('are created, listed, changed and deleted, and writes are audited', async () => {
    const settings = { instructions: 'Be brief.', views: ['orders'], tools: ['dataQuery'], groups: ['sales'] };
    const agent = await create({ ...settings, description: null });
    expect(agent).toEqual({ id: expect.any(Number), deploymentId: 1, name: 'Sales', ...settings });
    const { items, count } = await platform.ok('GET', path);
    expect(items[0]).toEqual({ id: 1, deploymentId: 1, name: 'Analyst' });
    expect(items.at(-1)).toEqual(agent);
    expect(count).toBe(items.length);
    const changed = await platform.ok('PATCH', `${path}/${agent.id}`, { name: 'Sales Europe', views: null });
    const { views: _, ...rest } = agent;
    expect(changed).toEqual({ ...rest, name: 'Sales Europe' });
    expect(await platform.ok('PATCH', `${path}/${agent.id}`, {})).toEqual(changed);
    expect(await platform.call('DELETE', `${path}/${agent.id}`)).toMatchObject({ status: 204 });
    expect(await platform.call('GET', `${path}/${agent.id}`)).toMatchObject({ status: 404 });
    const targets = (await platform.audited('createAgent')).map(({ target }) => target);
    expect(targets.at(-1)).toEqual({ deploymentId: 1, agentId: agent.id });
  });

  test('have at least one per deployment', async () => {
    const { items } = await platform.ok('GET', path);
    for (const { id } of items.slice(1)) await platform.call('DELETE', `${path}/${id}`);
    expect(await platform.call('DELETE', `${path}/1`)).toMatchObject({ status: 409 });
    expect(await platform.call('DELETE', `${path}/99`)).toMatchObject({ status: 404 });
  });

  test.each([
    [{ name: ' ' }],
    [{ name: 'x', views: [] }],
    [{ name: 'x', tools: ['deleteEverything'] }],
    [{ name: 'x', model: 'a b' }],
    [{ name: 'x', suggestions: ['1', '2', '3', '4', '5', '6', '7'] }],
    [{ name: 'x', instructions: 'x'.repeat(8001) }],
    [{ name: 'x', apiKey: 'secret' }],
  ])('reject invalid settings: %j', async body => {
    expect(await platform.call('POST', path, body)).toMatchObject({ status: 400 });
  });

  test('get tools of other services from administrators only, at listed hosts', async () => {
    const server = { name: 'crm', url: 'https://tools.example.com/mcp', tools: ['lookup'] };
    const agent = await create({ toolServers: [server] });
    expect(agent.toolServers).toEqual([server]);
    const one = `${path}/${agent.id}`;
    const manage: Policy = { resourceType: 'Global', actions: ['AgentManage'], resources: ['All'] };
    await platform.addUserKey('tools-key', 'AIBIViewer', [manage]);
    for (const toolServers of [[server], null]) {
      expect(await platform.call('PATCH', one, { toolServers }, 'tools-key')).toMatchObject({ status: 403 });
    }
    // Instructions decide what the agent sends to the service.
    expect(await platform.call('PATCH', one, { instructions: 'x' }, 'tools-key')).toMatchObject({ status: 403 });
    const wrong = [
      [{ ...server, url: 'http://tools.example.com/mcp' }],
      [{ ...server, url: 'https://other.example.com/mcp' }],
      [{ ...server, oauthIntegrationId: 99 }],
      [{ ...server, oidcTokenConfigId: 99 }],
      [server, server],
      [{ ...server, tools: [] }],
      [{ ...server, name: 'a_b' }],
    ];
    for (const toolServers of wrong) {
      expect(await platform.call('PATCH', one, { toolServers })).toMatchObject({ status: 400 });
    }
    expect(await platform.ok('PATCH', one, { toolServers: null })).not.toHaveProperty('toolServers');
    expect(await platform.call('PATCH', one, { name: 'x' }, 'tools-key')).toMatchObject({ status: 200 });
    await platform.call('DELETE', one);
  });

  test('are read and managed by policies that name them', async () => {
    const [mine, other] = [await create(), await create()];
    const of = (actions: Policy['actions']): Policy[] => [
      { resourceType: 'Agent', actions, resources: [String(mine.id)] },
    ];
    await platform.addUserKey('reader-key', 'AIBIViewer', of(['AgentRead']));
    await platform.addUserKey('manager-key', 'AIBIViewer', of(['AgentManage']));
    const everything: Policy = { resourceType: 'Global', actions: ['AgentManage'], resources: ['All'] };
    await platform.addUserKey('all-key', 'AIBIViewer', [everything]);
    const statusOf = async (key: string, method: string, agent: { id: number } | null, body?: object) =>
      (await platform.call(method, agent ? `${path}/${agent.id}` : path, body, key)).status;
    for (const key of ['reader-key', 'manager-key']) {
      const { items } = await platform.ok('GET', path, undefined, key);
      expect(items.map(({ id }: { id: number }) => id)).toEqual([mine.id]);
      expect(await statusOf(key, 'GET', mine)).toBe(200);
      expect(await statusOf(key, 'GET', other)).toBe(403);
      expect(await statusOf(key, 'GET', { id: 99_999 })).toBe(403);
      expect(await statusOf(key, 'PATCH', other, { name: 'x' })).toBe(403);
      expect(await statusOf(key, 'POST', null, { name: 'x' })).toBe(403);
    }
    expect(await statusOf('reader-key', 'PATCH', mine, { name: 'x' })).toBe(403);
    expect(await statusOf('manager-key', 'PATCH', mine, { name: 'x' })).toBe(200);
    expect(await statusOf('all-key', 'POST', null, { name: 'y' })).toBe(200);
    expect(await statusOf('all-key', 'DELETE', other)).toBe(204);
  });
});
