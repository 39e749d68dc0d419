import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAuthenticate, createAuthenticateData } from '../../../src/platform/auth/authenticate.js';
import { adminRights, creatorRights } from '../../../src/platform/auth/rights.js';
import { hashApiKey } from '../../../src/platform/auth/secrets.js';
import { revokeSession, revokeTenantSessions } from '../../../src/platform/auth/sessions.js';
import type { EmbedClaims } from '../../../src/platform/auth/tokens.js';
import { openDatabase } from '../../../src/platform/db/database.js';
import { seed } from '../../../src/platform/seed.js';
import { openTestDatabase } from '../db/test-database.js';
import { testTokens as tokens } from './test-tokens.js';

const adminKey = 'pa_admin-key.of.tests';
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let authenticate: ReturnType<typeof createAuthenticate>;
let authenticateData: ReturnType<typeof createAuthenticateData>;
let claims: EmbedClaims;
let session = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  await seed(database.db, { adminKeyHash: hashApiKey(adminKey), groups: [] });
  authenticate = createAuthenticate({ db: database.db, tokens });
  authenticateData = createAuthenticateData({ db: database.db, tokens });
});

afterAll(() => database.stop());

beforeEach(() => {
  session += 1;
  claims = {
    userId: 1,
    role: 'user',
    deploymentId: 1,
    embedTenantId: 3,
    embedTenantName: 'acme',
    creatorMode: true,
    sessionKey: session.toString(16).padStart(64, '0'),
    securityContext: { airport: 'ATL', platform: { groups: [], userAttributes: {} } },
    settings: {},
    embedTheme: null,
  };
});

const request = (authorization?: string) =>
  new Request('http://localhost/', { headers: authorization === undefined ? {} : { authorization } });
const refused = { name: 'PlatformError', status: 401 };

describe('the Platform API', () => {
  test.each(['Bearer', 'Embed-Token', 'Api-Key', 'bearer', 'API-KEY'])(
    'accepts a key and a token with the scheme %s',
    async scheme => {
      expect(await authenticate(request(`${scheme} ${adminKey}`))).toEqual({
        kind: 'api-key',
        keyId: 1,
        userId: 1,
        rights: adminRights,
      });
      const token = await tokens.signEmbedToken(claims);
      const { embedTheme: _, role: __, ...identity } = claims;
      expect(await authenticate(request(`${scheme} ${token}`))).toEqual({
        kind: 'embed',
        ...identity,
        rights: creatorRights,
        expiresAt: expect.any(Date),
      });
    },
  );

  test.each([
    undefined,
    '',
    'Bearer',
    adminKey,
    `Basic ${adminKey}`,
    `Bearer ${adminKey}x`,
    `Bearer  a b`,
    'Bearer a.b.c',
  ])('rejects %j', async header => {
    await expect(authenticate(request(header))).rejects.toMatchObject(refused);
  });

  test('does not echo the credential', async () => {
    const error: unknown = await authenticate(request('Bearer secret-of-mine')).catch(thrown => thrown);
    expect(String(error)).not.toContain('secret-of-mine');
  });

  test('never reads cookies', async () => {
    const cookie = new Request('http://localhost/', {
      headers: { cookie: `token=${adminKey}; authorization=${adminKey}` },
    });
    await expect(authenticate(cookie)).rejects.toMatchObject(refused);
  });

  test('rejects a data token', async () => {
    const token = await tokens.signDataToken({ ...claims, expiresAt: new Date(Date.now() + 60_000) });
    await expect(authenticate(request(`Bearer ${token}`))).rejects.toMatchObject(refused);
  });

  test('rejects the token of a revoked session', async () => {
    const token = await tokens.signEmbedToken(claims);
    await authenticate(request(`Bearer ${token}`));
    await revokeSession(database.db, claims.sessionKey);
    await expect(authenticate(request(`Bearer ${token}`))).rejects.toMatchObject(refused);
  });

  test('rejects all tokens of a deleted tenant, and no others', async () => {
    const gone = await tokens.signEmbedToken({ ...claims, embedTenantId: 33 });
    const other = await tokens.signEmbedToken({ ...claims, embedTenantId: 3 });
    await authenticate(request(`Bearer ${gone}`));
    await revokeTenantSessions(database.db, 33);
    await expect(authenticate(request(`Bearer ${gone}`))).rejects.toMatchObject(refused);
    await authenticate(request(`Bearer ${other}`));
    const expiresAt = new Date(Date.now() + 60_000);
    const sign = (embedTenantId: number) => tokens.signDataToken({ ...claims, embedTenantId, expiresAt });
    await expect(authenticateData(request(await sign(33)))).rejects.toMatchObject({ status: 403 });
    await authenticateData(request(await sign(3)));
  });

  test('rejects the token of a deleted user and grants no role that the user lost', async () => {
    const { rows } = await database.db.execute<{ id: string }>(
      sql`insert into users (username, role) values ('leaver', 'user') returning id`,
    );
    const userId = Number(rows[0]?.id);
    const token = await tokens.signEmbedToken({ ...claims, userId, role: 'admin' });
    expect(await authenticate(request(`Bearer ${token}`))).toMatchObject({ userId, rights: creatorRights });
    await database.db.execute(sql`delete from users where id = ${userId}`);
    await expect(authenticate(request(`Bearer ${token}`))).rejects.toMatchObject(refused);
  });
});

describe('the Data API', () => {
  const sign = (sessionKey: string | null = null) =>
    tokens.signDataToken({
      securityContext: claims.securityContext,
      embedTenantId: sessionKey === null ? null : claims.embedTenantId,
      sessionKey,
      expiresAt: new Date(Date.now() + 60_000),
    });

  test('accepts a token without a scheme', async () => {
    const { securityContext } = claims;
    expect(await authenticateData(request(await sign()))).toMatchObject({ securityContext });
    expect(await authenticateData(request(await sign(claims.sessionKey)))).toMatchObject({ securityContext });
  });

  test.each(['Bearer ', 'bearer  '])('treats a token after %j like the token without a scheme', async scheme => {
    const token = await sign();
    expect(await authenticateData(request(scheme + token))).toBe(await authenticateData(request(token)));
  });

  test('recognizes a developer only by the claim in the token', async () => {
    const { securityContext } = claims;
    const expiresAt = new Date(Date.now() + 60_000);
    const token = await tokens.signDataToken({
      securityContext,
      isDeveloper: true,
      embedTenantId: null,
      sessionKey: null,
      expiresAt,
    });
    expect(await authenticateData(request(token))).toMatchObject({ isDeveloper: true });
    expect(await authenticateData(request(await sign(claims.sessionKey)))).not.toHaveProperty('isDeveloper');
  });

  test('reports the caller of a valid token before checking its session, and no other caller', async () => {
    const token = await sign(claims.sessionKey);
    await revokeSession(database.db, claims.sessionKey);
    const begin = vi.fn();
    await expect(authenticateData(request(token), begin)).rejects.toMatchObject({ status: 403 });
    const { securityContext } = claims;
    expect(begin).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ securityContext }));
    await expect(authenticateData(request('bad'), begin)).rejects.toMatchObject({ status: 403 });
    expect(begin).toHaveBeenCalledTimes(1);
  });

  test('rejects requests with the messages of the protocol', async () => {
    await expect(authenticateData(request())).rejects.toMatchObject({
      status: 403,
      message: "Authorization header isn't set",
    });
    const embed = await tokens.signEmbedToken(claims);
    const schemes = ['Bearer', `Bearer Bearer ${await sign()}`, `Api-Key ${await sign()}`, `Bearer ${embed}`];
    for (const bad of ['x', adminKey, embed, ...schemes]) {
      await expect(authenticateData(request(bad))).rejects.toMatchObject({ status: 403, message: 'Invalid token' });
    }
  });

  test('rejects a token after its session is revoked', async () => {
    const token = await sign(claims.sessionKey);
    await authenticateData(request(token));
    await revokeSession(database.db, claims.sessionKey);
    await expect(authenticateData(request(token))).rejects.toMatchObject({ status: 403, message: 'Invalid token' });
  });

  test('returns the same frozen object for the same token', async () => {
    const token = await sign(claims.sessionKey);
    const [first, second] = [await authenticateData(request(token)), await authenticateData(request(token))];
    expect(second).toBe(first);
    expect(Object.isFrozen(first)).toBe(true);
  });

  test('rejects a revoked session immediately under concurrent and repeated requests', async () => {
    const [revoked, live] = [await sign(claims.sessionKey), await sign('f'.repeat(64))];
    const ask = () =>
      Promise.allSettled(Array.from({ length: 50 }, (_, i) => authenticateData(request(i % 2 ? revoked : live))));
    const statuses = (answers: PromiseSettledResult<unknown>[]) => answers.map(({ status }) => status);
    expect(new Set(statuses(await ask()))).toEqual(new Set(['fulfilled']));
    await revokeSession(database.db, claims.sessionKey);
    for (let round = 0; round < 5; round++) {
      const expected = Array.from({ length: 50 }, (_, i) => (i % 2 ? 'rejected' : 'fulfilled'));
      expect(statuses(await ask())).toEqual(expected);
    }
  });

  test('rejects a session revoked by another replica under load', async () => {
    const other = await openDatabase(database.connection);
    try {
      const token = await sign(claims.sessionKey);
      let revokedAt = Number.POSITIVE_INFINITY;
      const begun: { at: number; done: Promise<boolean> }[] = [];
      let at = 0;
      const revoking = revokeSession(other.db, claims.sessionKey).then(() => {
        revokedAt = at;
      });
      while (at < revokedAt + 20 && at < 100_000) {
        at += 1;
        const accepted = authenticateData(request(token)).then(
          () => true,
          () => false,
        );
        begun.push({ at, done: accepted });
        await (at % 4 === 0 ? accepted : undefined);
      }
      await revoking;
      const after = begun.filter(one => one.at > revokedAt);
      expect(after.length).toBeGreaterThan(10);
      expect(await Promise.all(after.map(({ done }) => done))).not.toContain(true);
    } finally {
      await other.close();
    }
  });

  test('batches database statements for concurrent requests', async () => {
    const token = await sign(claims.sessionKey);
    await authenticateData(request(token));
    const select = vi.spyOn(database.db, 'select');
    try {
      await Promise.all(Array.from({ length: 100 }, () => authenticateData(request(token))));
      expect(select.mock.calls.length).toBeLessThanOrEqual(2);
    } finally {
      select.mockRestore();
    }
  });

  test('fails without a 403 if the database is unavailable', async () => {
    const own = await openDatabase(database.connection);
    const away = createAuthenticateData({ db: own.db, tokens });
    const token = await sign(claims.sessionKey);
    await away(request(token));
    await own.close();
    const error: unknown = await away(request(token)).catch(thrown => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toMatchObject({ status: 403 });
  });
});

describe('a data token of a deployment', () => {
  const at = (path: string, token: string) =>
    authenticateData(new Request(`http://localhost${path}`, { headers: { authorization: token } }));
  const tokenOn = (deploymentId?: number) =>
    tokens.signDataToken({
      securityContext: claims.securityContext,
      embedTenantId: null,
      sessionKey: null,
      expiresAt: new Date(Date.now() + 60_000),
      ...(deploymentId !== undefined && { deploymentId }),
    });

  test('is accepted only at the address of its deployment', async () => {
    const [first, second, old] = await Promise.all([tokenOn(1), tokenOn(2), tokenOn()]);
    expect(await at('/deployments/2/data-api/v1/load', second)).toMatchObject({ deploymentId: 2 });
    for (const token of [first, old]) await at('/data-api/v1/load', token);
    const refused = { status: 403, message: 'Invalid token' };
    await expect(at('/data-api/v1/load', second)).rejects.toMatchObject(refused);
    await expect(at('/deployments/3/data-api/v1/load', second)).rejects.toMatchObject(refused);
    for (const token of [first, old])
      await expect(at('/deployments/2/data-api/v1/load', token)).rejects.toMatchObject(refused);
  });
});
