import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { noRights } from '../../src/platform/access/rights.js';
import { openChatApi } from '../../src/platform/open-chat.js';
import type { DataApi } from '../../src/platform/open-data.js';
import type { ChatTokenPrincipal } from '../../src/platform/principal.js';
import { openChatDatabase } from './chat/chat-bed.js';

let store: Awaited<ReturnType<typeof openChatDatabase>>;
beforeAll(async () => {
  store = await openChatDatabase();
});
afterAll(() => store.stop());

const principalOf = (userId: number, airport: string): ChatTokenPrincipal => ({
  kind: 'chat-token',
  rights: noRights,
  userId,
  deploymentId: 1,
  embedTenantId: null,
  securityContext: { airport, platform: { groups: [], userAttributes: {} } },
  settings: {},
});

test('what is known of the data is shared by those who have the same security context, and by nobody else', async () => {
  const dataOf = vi.fn<DataApi['dataOf']>(() => ({
    meta: () => ({ cubes: [] }),
    load: () => Promise.reject(new Error('There is no data in this test.')),
  }));
  const chat = await openChatApi({ db: store.db, data: { dataOf }, llm: null, onFailure: () => {} });
  let principal = principalOf(1, 'ATL');
  const app = chat.routes({ authenticate: async () => principal, onFailure: () => {} });
  const asked = [
    [1, 'ATL'],
    [2, 'ATL'],
    [1, 'ORD'],
    [2, 'ATL'],
  ] as const;
  for (const [userId, airport] of asked) {
    principal = principalOf(userId, airport);
    expect((await app.request('/api/v1/public/local/agents/1/chat/suggestions')).status).toBe(200);
  }
  expect(dataOf.mock.calls.map(([context]) => context.airport)).toEqual(['ATL', 'ORD']);
  await chat.close();
});
