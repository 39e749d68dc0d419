import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ChatTokenPrincipal, SecurityContext } from '../../src/platform/auth/principal.js';
import { noRights } from '../../src/platform/auth/rights.js';
import type { CallerData } from '../../src/platform/data/caller-data.js';
import { checkLlm, openChatApi } from '../../src/platform/open-chat.js';
import { openChatDatabase } from './chat/chat-database.js';

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

test('shares cached data only between callers with the same security context', async () => {
  const dataOf = vi.fn(
    (_context: SecurityContext): CallerData => ({
      meta: () => ({ cubes: [] }),
      load: () => Promise.reject(new Error('There is no data in this test.')),
    }),
  );
  const versionOf = async () => '';
  const chat = await openChatApi({ db: store.db, data: { dataOf, versionOf }, llm: null, onFailure: () => {} });
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

const refusalOf = (given: object): string => {
  try {
    checkLlm({ baseUrl: 'https://llm.example/v1', model: 'm', apiKey: 'the-secret-key', ...given });
    return '';
  } catch (error) {
    return String(error);
  }
};

test.each(['https://llm.example', 'https://llm.example:8443/v1/', 'http://localhost:11434/v1', 'http://[::1]:1/v1'])(
  'accepts the base URL %s',
  baseUrl => expect(refusalOf({ baseUrl })).toBe(''),
);

test.each([
  'http://llm.example/v1',
  'http://127.0.0.1.example/v1',
  'ftp://localhost/v1',
  'llm.example/v1',
  '',
  'https://user:password@llm.example/v1',
  'https://llm.example/v1?key=x',
  'https://llm.example/v1#x',
])('rejects the base URL %s', baseUrl => {
  const refusal = refusalOf({ baseUrl });
  expect(refusal).toContain('The base URL of the language model (PA_LLM_BASE_URL) must');
  expect(refusal).not.toContain('the-secret-key');
});

test('requires a model name and a key that is a valid header value', () => {
  expect(refusalOf({ model: ' ' })).toContain('requires a name');
  for (const apiKey of ['', 'a b', 'a\nb', 'ä'])
    expect(refusalOf({ apiKey })).toContain('The key of the language model');
});
