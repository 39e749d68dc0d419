import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as sessions from '../../../src/platform/auth/sessions.js';
import { Role, revokedSessions, users } from '../../../src/platform/db/schema.js';
import { openTestDatabase } from '../db/test-database.js';

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
  const people = ['ann', 'bob', 'eve'].map(username => ({ username, role: Role.user }));
  await store.db.insert(users).values(people);
});
afterAll(() => store.stop());

const create = async () => {
  const [sessionId = ''] = await sessions.createSessions(store.db, [claims]);
  return sessions.sessionKeyOf(sessionId);
};
const take = async (key: string) => (await sessions.consumeSessions(store.db, [key])).get(key) ?? null;
const isRevoked = async (key: string) => (await sessions.createRevokedSessionsFinder(store.db)([key])).has(key);

test('a session can be consumed once', async () => {
  const key = await create();
  expect(await take(key)).toEqual(claims);
  expect(await take(key)).toBeNull();
});

test('all sessions of a user are revoked, exchanged or not, and none of another user', async () => {
  const ofEve = { ...claims, userId: 3 };
  const keysOf = async (list: (typeof claims)[]) =>
    (await sessions.createSessions(store.db, list)).map(sessions.sessionKeyOf);
  const [exchanged = '', waiting = ''] = await keysOf([ofEve, ofEve]);
  const [other = ''] = await keysOf([claims]);
  await take(exchanged);
  await take(other);
  await sessions.revokeUserSessions(store.db, [3]);
  expect(await Promise.all([exchanged, other].map(isRevoked))).toEqual([true, false]);
  expect(await take(waiting)).toBeNull();
});

test('sessions are consumed in a batch with their own claims, and unknown ones are omitted', async () => {
  const [one = '', other = ''] = (await sessions.createSessions(store.db, [claims, { ...claims, userId: 2 }])).map(
    sessions.sessionKeyOf,
  );
  const taken = await sessions.consumeSessions(store.db, [one, 'unknown', other]);
  expect(Object.fromEntries(taken)).toEqual({ [one]: claims, [other]: { ...claims, userId: 2 } });
});

test('a revoked session is marked and removed', async () => {
  const key = await create();
  expect(await isRevoked(key)).toBe(false);
  await sessions.revokeSession(store.db, key);
  expect(await isRevoked(key)).toBe(true);
  expect(await take(key)).toBeNull();
});

test('a revocation outlives every token of its session and is then deleted with the expired sessions', async () => {
  const key = sessions.sessionKeyOf('any');
  await sessions.revokeSession(store.db, key);
  const { rows } = await store.db.execute(
    sql`select extract(epoch from max(expires_at) - now()) / 3600 as hours from revoked_sessions`,
  );
  expect(Number(rows[0]?.hours)).toBeGreaterThan(24.1);
  await store.db.update(revokedSessions).set({ expiresAt: sql`now() - interval '1 second'` });
  const live = await create();
  await sessions.deleteExpiredSessions(store.db);
  expect(await isRevoked(key)).toBe(false);
  expect(await take(live)).toEqual(claims);
});

test('finds revoked sessions among many in one statement', async () => {
  const [one, other] = [sessions.sessionKeyOf('one'), sessions.sessionKeyOf('other')];
  await sessions.revokeSession(store.db, one);
  await sessions.revokeSession(store.db, other);
  const odd = '{"a,b"} \\ \' NULL';
  const asked = [one, sessions.sessionKeyOf('live'), odd, 'null', '', other];
  expect(await sessions.createRevokedSessionsFinder(store.db)(asked)).toEqual(new Set([one, other]));
  expect(await sessions.createRevokedSessionsFinder(store.db)([])).toEqual(new Set());
});
