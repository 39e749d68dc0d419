import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/contract/roles.js';
import { createAuthenticateData } from '../../../src/platform/auth/authenticate.js';
import { createSealedSecrets } from '../../../src/platform/auth/sealed-secrets.js';
import { secretsOf } from '../../../src/platform/auth/secrets.js';
import { environmentTokens } from '../../../src/platform/db/schema.js';
import {
  deleteExpiredEnvironmentTokens,
  listEnvironmentTokens,
  resealEnvironmentTokens,
} from '../../../src/platform/models/environment-store.js';
import { testSecrets } from '../auth/test-tokens.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const environments = '/api/v1/deployments/1/environments';
let platform: TestPlatform;
let path: string;
let metaPath: string;
let environmentId: number;
beforeAll(async () => {
  platform = await startTestPlatform();
  environmentId = Number((await platform.ok('GET', environments)).items[0].id);
  path = `${environments}/${environmentId}/tokens`;
  metaPath = `${path}-for-meta-sync`;
});
afterAll(() => platform.stop());

const long = 'x'.repeat(8_000);
const make = async (body: object, at = path, key?: string) => (await platform.ok('POST', at, body, key)).data;

describe('environments (operations.md, Environments part 1)', () => {
  test('a deployment has a production environment with the URL of its Data API', async () => {
    const { items, count, pagination } = await platform.ok('GET', environments);
    const api = { type: 'rest', version: 1, url: 'https://platform.example/data-api/v1' };
    expect(items).toEqual([{ id: String(environmentId), type: 'production', branch: null, api_credentials: [api] }]);
    expect({ count, pagination }).toEqual({ count: 1, pagination: { limit: 1000, offset: 0, total: 1 } });
    expect((await platform.ok('GET', `${environments}?type=production&limit=1`)).items).toHaveLength(1);
    expect((await platform.ok('GET', `${environments}?type=staging`)).items).toEqual([]);
    expect(await platform.call('GET', `${environments}?type=other`)).toMatchObject({ status: 400 });
  });

  test('returns 404 for a deployment that does not exist or is not readable', async () => {
    await platform.addUserKey('elsewhere', null, [
      { resourceType: 'Global', actions: ['AIBIView'], resources: ['All'] },
    ]);
    expect(await platform.call('GET', '/api/v1/deployments/99/environments')).toMatchObject({ status: 404 });
    expect(await platform.call('GET', environments, undefined, 'elsewhere')).toMatchObject({ status: 404 });
    expect(await platform.call('GET', environments, undefined, await platform.tokenOf())).toMatchObject({
      status: 403,
    });
  });
});

describe('tokens of an environment (operations.md, Environments part 2)', () => {
  test('have the requested security context, no groups and no attributes', async () => {
    const data = await make({ security_context: { airport: 'JFK' }, expires_in: 60 });
    expect(data.security_context).toEqual({ airport: 'JFK' });
    const claims = await platform.tokens.verifyDataToken(data.token);
    expect(claims).toMatchObject({
      securityContext: { airport: 'JFK', platform: { groups: [], userAttributes: {} } },
    });
    expect(claims?.isDeveloper).toBeUndefined();
    // It ends with the credential that created it, like the caller's own data token.
    const own = (await platform.ok('POST', '/api/v1/deployments/1/token', {})).platformApiToken;
    expect(claims?.sessionKey).toEqual(expect.any(String));
    expect(claims?.sessionKey).toBe((await platform.tokens.verifyDataToken(own))?.sessionKey);
    const { exp, iat } = decodeJwt(data.token);
    expect(Number(exp) - Number(iat)).toBeLessThanOrEqual(60);
    expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBeGreaterThan(55_000);
  });

  test('expire after an hour unless a shorter lifetime is requested', async () => {
    const { exp, iat } = decodeJwt((await make({ security_context: {} })).token);
    expect(Math.abs(Number(exp) - Number(iat) - 3600)).toBeLessThanOrEqual(1);
  });

  test.each([
    [{}, 'body.security_context'],
    [{ security_context: { platform: { groups: ['admin'] } } }, 'body.security_context.platform'],
    [{ security_context: { a: long } }, 'body.security_context: has'],
    [{ security_context: {}, expires_in: 0 }, 'body.expires_in'],
    [{ security_context: {}, expires_in: 3601 }, 'body.expires_in'],
    [{ security_context: {}, scopes: [] }, 'body.scopes'],
    [{ security_context: {}, scopes: ['graphql'] }, 'body.scopes'],
    [{ security_context: {}, expiresIn: 60 }, 'body'],
  ])('are rejected and not stored: case %#', async (body, message) => {
    const before = await platform.db.$count(environmentTokens);
    for (const at of [path, metaPath]) {
      const answer = await platform.call('POST', at, body);
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
    }
    expect(await platform.db.$count(environmentTokens)).toBe(before);
  });

  test('allow reading SQL only with the scope sql, which requires the admin role', async () => {
    const body = { security_context: { airport: 'JFK' }, scopes: ['data', 'sql'] };
    expect(await platform.tokens.verifyDataToken((await make(body)).token)).toMatchObject({
      isDeveloper: true,
      securityContext: { airport: 'JFK' },
    });
    await platform.addUserKey('secrets-manager', 'AIBIUser', [
      { resourceType: 'Deployment', actions: ['SecretsManage'], resources: ['1'] },
    ]);
    const call = (scopes: string[]) => platform.call('POST', path, { ...body, scopes }, 'secrets-manager');
    expect(await call(['data'])).toMatchObject({ status: 200 });
    expect(await call(['data', 'sql'])).toMatchObject({ status: 403 });
    expect(await platform.call('POST', metaPath, body)).toMatchObject({ status: 400 });
  });

  test('are limited to their scopes, and those for metadata sync to metadata', async () => {
    const signIn = createAuthenticateData({ db: platform.db, tokens: platform.tokens });
    const opens = async (token: string) => {
      const at = (place: string) =>
        signIn(
          new Request(`https://platform.example/data-api/v1/${place}`, { headers: { authorization: token } }),
        ).then(
          () => 200,
          (error: { status: number }) => error.status,
        );
      return [await at('load'), await at('sql'), await at('meta')];
    };
    const security_context = {};
    expect(await opens((await make({ security_context })).token)).toEqual([200, 200, 200]);
    expect(await opens((await make({ security_context, scopes: ['data'] })).token)).toEqual([200, 200, 403]);
    expect(await opens((await make({ security_context, scopes: ['meta'] })).token)).toEqual([403, 403, 200]);
    expect(await opens((await make({ security_context }, metaPath)).token)).toEqual([403, 403, 200]);
    expect(await platform.call('POST', metaPath, { security_context, scopes: ['data'] })).toMatchObject({
      status: 400,
    });
  });

  test('require an API key, and the admin role or SecretsManage on the deployment (spec 5)', async () => {
    const on = (...actions: Policy['actions']): Policy => ({ resourceType: 'Deployment', actions, resources: ['1'] });
    await platform.addUserKey('develops', 'AIBIDeveloper');
    await platform.addUserKey('secrets', 'AIBIUser', [on('SecretsManage')]);
    const internal = await platform.tokenOf({ externalId: undefined, internalId: 'admin' });
    const statuses: Record<string, number[]> = {};
    for (const key of ['develops', 'secrets', internal, await platform.tokenOf({ creatorMode: true })]) {
      const name = key.includes('.') ? 'session' : key;
      for (const [method, at] of [
        ['GET', path],
        ['POST', path],
        ['POST', metaPath],
      ] as const) {
        const body = method === 'GET' ? undefined : { security_context: {} };
        const { status } = await platform.call(method, at, body, key);
        statuses[name] = [...(statuses[name] ?? []), status];
      }
    }
    expect(statuses).toEqual({
      develops: [403, 403, 403],
      secrets: [200, 200, 200],
      session: [403, 403, 403, 403, 403, 403],
    });
  });

  test('return 404 for an environment of another deployment', async () => {
    await platform.withConnection(async client => {
      await client.query(`insert into deployments (id, name, creation_step) values (7, 'other', 'ready')`);
    });
    const foreign = `/api/v1/deployments/7/environments/${environmentId}/tokens`;
    expect(await platform.call('GET', foreign)).toMatchObject({ status: 404 });
    expect(await platform.call('POST', foreign, { security_context: {} })).toMatchObject({ status: 404 });
  });

  test('are listed until they expire, then deleted', async () => {
    const made = await make({ security_context: { a: 1 } });
    const list = await platform.ok('GET', path);
    expect(list.items.at(-1)).toEqual(made);
    expect(list.totalCount).toBe(list.items.length);
    const part = await platform.ok('GET', `${path}?limit=1&offset=1`);
    expect(part.items).toEqual([list.items[1]]);
    await platform.db.update(environmentTokens).set({ expiresAt: new Date(Date.now() - 1000) });
    expect((await platform.ok('GET', path)).items).toEqual([]);
    await deleteExpiredEnvironmentTokens(platform.db);
    expect(await platform.db.$count(environmentTokens)).toBe(0);
  });

  test('are recorded in the audit log by id only', async () => {
    const { token } = await make({ security_context: {} });
    const entries = await platform.audited('createDeploymentEnvironmentToken');
    expect(entries.at(-1)?.target).toEqual({ deploymentId: 1, environmentId, tokenId: expect.any(Number) });
    expect(JSON.stringify(entries)).not.toContain(token);
  });
});

describe('tokens at rest (GOVERNANCE, Tokens)', () => {
  const old = testSecrets;
  const next = secretsOf('the secret key after it');
  const page = { page: {}, offset: 0 };
  const tokensWith = async (secrets: ReturnType<typeof createSealedSecrets>) =>
    (await listEnvironmentTokens(platform.db, secrets, environmentId, page)).items.map(({ token }) => token);

  beforeAll(async () => {
    await platform.db.delete(environmentTokens);
  });

  test('are encrypted and cannot be decrypted in another row', async () => {
    const [first, second] = [await make({ security_context: { n: 1 } }), await make({ security_context: { n: 2 } })];
    const rows = await platform.db.select().from(environmentTokens).orderBy(environmentTokens.id);
    expect(JSON.stringify(rows)).not.toContain(first.token);
    expect(rows.map(({ sealedToken }) => sealedToken)).toEqual([
      expect.stringMatching(/^v1\.[0-9a-f]{16}\.[\w-]+$/),
      expect.stringMatching(/^v1\.[0-9a-f]{16}\.[\w-]+$/),
    ]);
    const swap = async () => {
      const [a, b] = await platform.db.select().from(environmentTokens).orderBy(environmentTokens.id);
      for (const [row, from] of [
        [a, b],
        [b, a],
      ]) {
        await platform.db
          .update(environmentTokens)
          .set({ sealedToken: from?.sealedToken ?? '' })
          .where(eq(environmentTokens.id, row?.id ?? 0));
      }
    };
    await swap();
    expect((await platform.ok('GET', path)).items).toEqual([]);
    await swap();
    expect((await platform.ok('GET', path)).items).toEqual([first, second]);
  });

  test('are encrypted with the new key at startup after a key rotation', async () => {
    const opened = await tokensWith(createSealedSecrets(old));
    expect(opened).toHaveLength(2);
    expect(await resealEnvironmentTokens(platform.db, createSealedSecrets(next))).toBe(0);
    expect(await tokensWith(createSealedSecrets(next))).toEqual([null, null]);
    const rotating = createSealedSecrets(next, [old]);
    expect(await resealEnvironmentTokens(platform.db, rotating)).toBe(2);
    expect(await resealEnvironmentTokens(platform.db, rotating)).toBe(0);
    expect(await tokensWith(createSealedSecrets(next))).toEqual(opened);
    expect(await tokensWith(createSealedSecrets(old))).toEqual([null, null]);
  });
});
