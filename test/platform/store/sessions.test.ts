import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokedSessions } from '../../../src/platform/store/schema.js';
import * as sessions from '../../../src/platform/store/sessions.js';
import { openTestDatabase } from './test-database.js';

const claims = {
  userId: 1,
  role: 'user' as const,
  deploymentId: 1,
  embedTenantId: 1,
  embedTenantName: 'local',
  creatorMode: false,
  securityContext: { platform: { groups: [], userAttributes: {} } },
  settings: {},
  embedTheme: null,
};

let store: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  store = await openTestDatabase();
});
afterAll(() => store.stop());

const isRevoked = async (key: string) => (await sessions.revokedSessionsFinder(store.db)([key])).has(key);

test('a session is taken once', async () => {
  const key = sessions.sessionKeyOf(await sessions.createSession(store.db, claims));
  expect(await sessions.takeSession(store.db, key)).toEqual(claims);
  expect(await sessions.takeSession(store.db, key)).toBeNull();
});

test('a revoked session is marked and gone', async () => {
  const key = sessions.sessionKeyOf(await sessions.createSession(store.db, claims));
  expect(await isRevoked(key)).toBe(false);
  await sessions.revokeSession(store.db, key);
  expect(await isRevoked(key)).toBe(true);
  expect(await sessions.takeSession(store.db, key)).toBeNull();
});

test('a revocation outlives every token of its session, and is then forgotten with the sessions that are over', async () => {
  const key = sessions.sessionKeyOf('any');
  await sessions.revokeSession(store.db, key);
  const { rows } = await store.db.execute(
    sql`select extract(epoch from max(expires_at) - now()) / 3600 as hours from revoked_sessions`,
  );
  expect(Number(rows[0]?.hours)).toBeGreaterThan(24.1);
  await store.db.update(revokedSessions).set({ expiresAt: sql`now() - interval '1 second'` });
  const live = sessions.sessionKeyOf(await sessions.createSession(store.db, claims));
  await sessions.forgetExpiredSessions(store.db);
  expect(await isRevoked(key)).toBe(false);
  expect(await sessions.takeSession(store.db, live)).toEqual(claims);
});

test('revoked sessions are found among many, in one statement', async () => {
  const [one, other] = [sessions.sessionKeyOf('one'), sessions.sessionKeyOf('other')];
  await sessions.revokeSession(store.db, one);
  await sessions.revokeSession(store.db, other);
  const odd = '{"a,b"} \\ \' NULL';
  const asked = [one, sessions.sessionKeyOf('live'), odd, 'null', '', other];
  expect(await sessions.revokedSessionsFinder(store.db)(asked)).toEqual(new Set([one, other]));
  expect(await sessions.revokedSessionsFinder(store.db)([])).toEqual(new Set());
});
