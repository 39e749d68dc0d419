import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatFeedback } from '../../../src/contract/chat.js';
import type { Policy } from '../../../src/contract/roles.js';
import { chatFeedback, embedTenants, users } from '../../../src/platform/db/schema.js';
import { callerOf, chatIdOf, read, startService } from '../chat/chat-database.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const path = '/api/v1/deployments/1/agent-feedback';
let platform: TestPlatform;
let agentId: number;
/** Messages that users of two tenants have rated, in the order of their ratings. */
let rated: { messageId: string; chatId: string; userId: number }[];

beforeAll(async () => {
  platform = await startTestPlatform();
  agentId = (await platform.ok('POST', '/api/v1/deployments/1/agents', { name: 'Sales' })).id;
  const { service } = startService(platform.db);
  rated = [];
  const rate = async (tenant: string, agent: number, feedback: ChatFeedback) => {
    await platform.tokenOf({ externalId: `ann of ${tenant}`, embedTenantName: tenant });
    const [user] = await platform.db
      .select({ userId: users.id, embedTenantId: embedTenants.id })
      .from(users)
      .innerJoin(embedTenants, eq(embedTenants.id, users.embedTenantId))
      .where(eq(embedTenants.name, tenant));
    if (!user) throw new Error('The user was not created.');
    const caller = { ...callerOf(tenant), ...user, agentId: agent };
    const messageId = `${1_700_000_000_000 + rated.length}-message`;
    const frames = await read(service, caller, { input: `Question of ${tenant}`, messageId });
    const message = { messageId, chatId: chatIdOf(frames) };
    await service.rate(caller, message, feedback);
    rated.push({ ...message, userId: user.userId });
    const at = new Date(Date.UTC(2026, 0, rated.length));
    const turns = await platform.db.select().from(chatFeedback).orderBy(chatFeedback.turnId);
    const { turnId = 0 } = turns.at(-1) ?? {};
    await platform.db.update(chatFeedback).set({ updatedAt: at }).where(eq(chatFeedback.turnId, turnId));
  };
  await rate('acme', 1, { rating: 'up' });
  await rate('acme', agentId, { rating: 'down', comment: 'Too slow.' });
  await rate('globex', agentId, { rating: 'up' });
});
afterAll(() => platform.stop());

/** Returns the positions in `rated` of the feedback that a request lists. */
async function listed(query: string, key?: string): Promise<number[]> {
  const { items } = await platform.ok('GET', `${path}?${query}`, undefined, key);
  return items.map(({ messageId }: { messageId: string }) => rated.findIndex(each => each.messageId === messageId));
}

describe('feedback on answers', () => {
  test('is listed with user, tenant, question and comment, latest change first', async () => {
    expect(await listed('')).toEqual([2, 1, 0]);
    const { items } = await platform.ok('GET', path);
    expect(items[1]).toEqual({
      ...rated[1],
      agentId,
      rating: 'down',
      comment: 'Too slow.',
      question: 'Question of acme',
      embedTenantName: 'acme',
      createdAt: expect.any(String),
      updatedAt: '2026-01-02T00:00:00.000Z',
    });
  });

  test.each([
    ['agentId=1', [0]],
    ['rating=up', [2, 0]],
    ['rating=up&agentId=1', [0]],
    ['from=2026-01-02T00:00:00Z', [2, 1]],
    ['to=2026-01-02T00:00:00Z', [0]],
    ['from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00.001Z', [1]],
    ['agentId=99', []],
  ])('is filtered by %s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  test('is listed in pages', async () => {
    const first = await platform.ok('GET', `${path}?first=2`);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true });
    expect(await listed(`first=2&after=${first.pageInfo.endCursor}`)).toEqual([0]);
  });

  test.each(['rating=sideways', 'from=yesterday', 'agentId=x', 'after=x', 'userId=1'])('rejects %s', async query => {
    expect(await platform.call('GET', `${path}?${query}`)).toMatchObject({ status: 400 });
  });

  test('is listed only for callers who manage the agent; questions require ChatHistoryRead', async () => {
    const of = (actions: Policy['actions'], resources: string[]): Policy[] => [
      { resourceType: 'Agent', actions, resources },
    ];
    await platform.addUserKey('manages-one', 'AIBIUser', of(['AgentManage'], [String(agentId)]));
    await platform.addUserKey('manages-all', 'AIBIViewer', of(['AgentManage'], ['All']));
    await platform.addUserKey('reads', 'AIBIDeveloper', of(['AgentRead'], ['All']));
    await platform.addUserKey('without-role', null, of(['AgentManage'], ['All']));
    expect(await listed('', 'manages-one')).toEqual([2, 1]);
    expect(await listed('agentId=1', 'manages-one')).toEqual([]);
    expect(await listed('', 'manages-all')).toEqual([2, 1, 0]);
    const fieldsFor = async (key: string) => Object.keys((await platform.ok('GET', path, undefined, key)).items[0]);
    expect(await fieldsFor('manages-one')).toContain('question');
    expect(await fieldsFor('manages-all')).not.toContain('question');
    const creator = await platform.tokenOf({ externalId: 'cat', embedTenantName: 'acme', creatorMode: true });
    for (const credential of ['reads', 'without-role', creator]) {
      expect(await platform.call('GET', path, undefined, credential), credential).toMatchObject({ status: 403 });
    }
    expect(await platform.call('GET', path.replace('deployments/1', 'deployments/99'))).toMatchObject({ status: 404 });
  });

  test('is deleted with its tenant and with its agent', async () => {
    await platform.call('DELETE', '/api/v1/embed-tenants/globex');
    expect(await listed('')).toEqual([1, 0]);
    await platform.call('DELETE', `/api/v1/deployments/1/agents/${agentId}`);
    expect(await listed('')).toEqual([0]);
  });
});
