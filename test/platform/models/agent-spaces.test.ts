import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/contract/roles.js';
import { deployments } from '../../../src/platform/db/schema.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const deployment = '/api/v1/deployments/1';
const path = `${deployment}/agent-spaces`;
const agents = `${deployment}/agents`;
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

interface Row {
  readonly id: number;
}
const createSpace = (body: object = {}): Promise<Row> => platform.ok('POST', path, { name: 'Sales', ...body });
const createAgent = (spaceId: number | null): Promise<Row> => platform.ok('POST', agents, { name: 'Analyst', spaceId });
const idsOf = ({ items }: { readonly items: readonly Row[] }) => items.map(({ id }) => id);
const statusOf = async (key: string, method: string, to: string, body?: object) =>
  (await platform.call(method, to, body, key)).status;

let keys = 0;
/** Creates a key of a user with the role AI BI Viewer and these policies. */
async function keyWith(...policies: Policy[]): Promise<string> {
  const key = `space-key-${++keys}`;
  await platform.addUserKey(key, 'AIBIViewer', policies);
  return key;
}
const on = (space: Row | null, ...actions: Policy['actions']): Policy => ({
  resourceType: 'AgentSpace',
  actions,
  resources: [space ? String(space.id) : 'All'],
});

describe('agent spaces', () => {
  test('are created, listed, changed and deleted, and writes are audited', async () => {
    const space = await createSpace({ description: 'For sales' });
    expect(space).toEqual({ id: expect.any(Number), deploymentId: 1, name: 'Sales', description: 'For sales' });
    const list = await platform.ok('GET', path);
    expect([list.items.at(-1), list.count]).toEqual([space, list.items.length]);
    const changed = await platform.ok('PATCH', `${path}/${space.id}`, { name: 'Sales Europe', description: null });
    expect(changed).toEqual({ id: space.id, deploymentId: 1, name: 'Sales Europe' });
    expect(await platform.ok('PATCH', `${path}/${space.id}`, {})).toEqual(changed);
    expect(await platform.ok('GET', `${path}/${space.id}`)).toEqual(changed);
    const targets = (await platform.audited('createAgentSpace')).map(({ target }) => target);
    expect(targets.at(-1)).toEqual({ deploymentId: 1, spaceId: space.id });
    expect(await platform.call('DELETE', `${path}/${space.id}`)).toMatchObject({ status: 204 });
    for (const method of ['GET', 'DELETE']) {
      expect(await platform.call(method, `${path}/${space.id}`)).toMatchObject({ status: 404 });
    }
  });

  test('contain agents, which stay when their space is deleted', async () => {
    const space = await createSpace();
    const agent = await createAgent(space.id);
    const other = await createAgent(null);
    expect(agent).toMatchObject({ spaceId: space.id });
    expect(idsOf(await platform.ok('GET', `${agents}?spaceId=${space.id}`))).toEqual([agent.id]);
    await platform.ok('PATCH', `${agents}/${other.id}`, { spaceId: space.id });
    await platform.ok('PATCH', `${agents}/${agent.id}`, { spaceId: null });
    expect(idsOf(await platform.ok('GET', `${agents}?spaceId=${space.id}`))).toEqual([other.id]);
    await platform.call('DELETE', `${path}/${space.id}`);
    expect(await platform.ok('GET', `${agents}/${other.id}`)).not.toHaveProperty('spaceId');
  });

  test('belong to one deployment', async () => {
    const [elsewhere] = await platform.db
      .insert(deployments)
      .values({ name: 'Elsewhere', creationStep: 'ready' })
      .returning();
    const { id } = await platform.ok('POST', path.replace('/1/', `/${elsewhere?.id}/`), { name: 'There' });
    const agent = await createAgent(null);
    expect(await statusOf('the-admin-key', 'GET', `${path}/${id}`)).toBe(404);
    for (const [method, to] of [
      ['POST', agents],
      ['PATCH', `${agents}/${agent.id}`],
    ] as const) {
      for (const spaceId of [id, 99_999]) {
        expect(await platform.call(method, to, { name: 'x', spaceId })).toMatchObject({
          status: 404,
          body: { message: 'Agent space not found' },
        });
      }
    }
  });

  test.each([[{ name: ' ' }], [{ name: 'x'.repeat(256) }], [{ name: 'x', agents: [1] }], [{}]])(
    'reject invalid input: %j',
    async body => {
      expect(await platform.call('POST', path, body)).toMatchObject({ status: 400 });
    },
  );

  test('apply policies with AgentRead to their agents', async () => {
    const [mine, other] = [await createSpace(), await createSpace()];
    const [inMine, inOther] = [await createAgent(mine.id), await createAgent(other.id)];
    const key = await keyWith(on(mine, 'AgentRead'));
    expect(idsOf(await platform.ok('GET', agents, undefined, key))).toEqual([inMine.id]);
    expect(idsOf(await platform.ok('GET', path, undefined, key))).toEqual([mine.id]);
    expect(await statusOf(key, 'GET', `${agents}/${inMine.id}`)).toBe(200);
    expect(await statusOf(key, 'GET', `${agents}/${inOther.id}`)).toBe(403);
    expect(await statusOf(key, 'GET', `${agents}/99999`)).toBe(403);
    expect(await statusOf(key, 'PATCH', `${agents}/${inMine.id}`, { name: 'x' })).toBe(403);
    expect(await statusOf(key, 'GET', `${path}/${other.id}`)).toBe(403);
    expect(await statusOf(key, 'PATCH', `${path}/${mine.id}`, { name: 'x' })).toBe(403);
    const all = await platform.ok('GET', agents, undefined, await keyWith(on(null, 'AgentRead')));
    expect(idsOf(all)).toEqual(expect.arrayContaining([inMine.id, inOther.id]));
    expect(all.items.every(({ spaceId }: { spaceId?: number }) => spaceId !== undefined)).toBe(true);
    await platform.ok('PATCH', `${agents}/${inMine.id}`, { spaceId: other.id });
    expect(await statusOf(key, 'GET', `${agents}/${inMine.id}`)).toBe(403);
  });

  test('apply policies with AgentManage to their agents and to new ones', async () => {
    const [mine, other] = [await createSpace(), await createSpace()];
    const agent = await createAgent(mine.id);
    const key = await keyWith(on(mine, 'AgentManage'));
    const add = (spaceId: number | null) => statusOf(key, 'POST', agents, { name: 'New', spaceId });
    expect([await add(mine.id), await add(other.id), await add(null), await add(99_999)]).toEqual([200, 403, 403, 403]);
    const move = (spaceId: number | null) => statusOf(key, 'PATCH', `${agents}/${agent.id}`, { spaceId });
    expect([await move(mine.id), await move(other.id), await move(99_999)]).toEqual([200, 403, 403]);
    expect(await statusOf(key, 'GET', `${deployment}/agent-feedback`)).toBe(200);
    expect([await move(null), await move(mine.id)]).toEqual([200, 403]);
    const [created] = idsOf(await platform.ok('GET', agents, undefined, key));
    expect(await statusOf(key, 'DELETE', `${agents}/${created}`)).toBe(204);
    expect(await statusOf(key, 'DELETE', `${path}/${mine.id}`)).toBe(403);
  });

  test('are managed with AgentSpaceManage, which gives no access to their agents', async () => {
    const [mine, other] = [await createSpace(), await createSpace()];
    const agent = await createAgent(mine.id);
    const key = await keyWith(on(mine, 'AgentSpaceManage'));
    const all = await keyWith({ resourceType: 'Global', actions: ['AgentSpaceManage'], resources: ['All'] });
    for (const each of [key, all]) {
      expect(await statusOf(each, 'GET', `${agents}/${agent.id}`)).toBe(403);
      expect(await statusOf(each, 'GET', agents)).toBe(403);
      expect(await statusOf(each, 'PATCH', `${path}/${mine.id}`, { name: 'x' })).toBe(200);
    }
    expect(await statusOf(key, 'DELETE', `${path}/${other.id}`)).toBe(403);
    expect(await statusOf(key, 'POST', path, { name: 'x' })).toBe(403);
    expect(await statusOf(all, 'POST', path, { name: 'x' })).toBe(200);
    expect(await statusOf(all, 'DELETE', `${path}/${mine.id}`)).toBe(204);
  });
});
