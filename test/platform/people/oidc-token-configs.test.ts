import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSealedSecrets } from '../../../src/platform/auth/sealed-secrets.js';
import { secretsOf } from '../../../src/platform/auth/secrets.js';
import { maintainSigningKeys, resealSigningKeys } from '../../../src/platform/auth/signing-key-store.js';
import { VariableTokens } from '../../../src/platform/data/model/variables.js';
import { signingKeys } from '../../../src/platform/db/schema.js';
import { createTokenReader } from '../../../src/platform/people/oidc-tokens/token-variables.js';
import { testSecrets } from '../auth/test-tokens.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const path = '/api/v1/oidc-token-configs';
const custom = { audienceType: 'custom', customAudience: 'https://warehouse.example' } as const;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

let count = 0;
async function create(body: object = {}) {
  count += 1;
  return platform.ok('POST', path, { ...custom, name: `config-${count}`, ...body });
}
const issue = async (id: number): Promise<string> => (await platform.ok('POST', `${path}/${id}/token`)).token;
const jwks = (): Promise<JSONWebKeySet> => platform.ok('GET', '/.well-known/jwks.json', undefined, '');
const verify = async (token: string) =>
  (
    await jwtVerify(token, createLocalJWKSet(await jwks()), {
      issuer: 'https://platform.example',
      audience: 'https://warehouse.example',
    })
  ).payload;
const kidOf = (token: string) => decodeProtectedHeader(token).kid;
const age = (sql: string) => platform.withConnection(client => client.query(`update signing_keys set ${sql}`));

describe('Tokens that the platform signs', () => {
  test('share one first key, and are verified with the published keys', async () => {
    const { id } = await create({
      customClaims: { team: 'analytics' },
      subFormat: 'pa:{region}:{deployment_id}:{component}',
    });
    const tokens = await Promise.all([issue(id), issue(id), issue(id)]);
    expect(new Set(tokens.map(kidOf)).size).toBe(1);
    const payload = await verify(tokens[0] ?? '');
    expect(payload).toMatchObject({ sub: 'pa:local:1:api', team: 'analytics', jti: expect.any(String) });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(3600);
    const metadata = await platform.ok('GET', '/.well-known/openid-configuration', undefined, '');
    expect(metadata).toMatchObject({
      issuer: 'https://platform.example',
      jwks_uri: 'https://platform.example/.well-known/jwks.json',
    });
  });

  test('are rejected immediately after their key is retired, and the next key signs immediately', async () => {
    const { id } = await create();
    const ofDataSource = await create({ targetEnvVar: 'RETIRED_TOKEN' });
    const read = createTokenReader(platform.db, platform.deps.sealedSecrets, 'https://platform.example');
    await read();
    const disclosed = await issue(id);
    const { kid } = await platform.ok('POST', '/api/v1/oidc-signing-keys/rotate', { retirePrevious: true });
    expect((await jwks()).keys).toMatchObject([{ kid }]);
    await expect(verify(disclosed)).rejects.toThrow('no applicable key');
    expect(await verify(await issue(id))).toMatchObject({ sub: expect.any(String) });
    expect((await read()).map(({ value }) => kidOf(value))).toEqual([kid]);
    await platform.ok('PUT', `${path}/${ofDataSource.id}`, { isEnabled: false });
  });

  test('are never stored or recorded, and private keys are encrypted', async () => {
    const { id } = await create();
    const token = await issue(id);
    expect(JSON.stringify(await platform.audited())).not.toContain(token.slice(-40));
    const keys = await platform.db.select().from(signingKeys);
    expect(JSON.stringify([keys, await jwks()])).not.toMatch(/"(?:d|p|q|dp|dq|qi)":/);
  });

  test('stay verifiable while the key is replaced', async () => {
    const { id } = await create();
    const before = await issue(id);
    const next = await platform.ok('POST', '/api/v1/oidc-signing-keys/rotate');
    expect(await platform.ok('POST', '/api/v1/oidc-signing-keys/rotate')).toEqual(next);
    expect((await jwks()).keys.map(({ kid }) => kid)).toEqual([next.kid, kidOf(before)]);
    // Services that cached the key set do not know the new key yet.
    expect(kidOf(await issue(id))).toBe(kidOf(before));
    await age(`signs_from = now() - interval '1 hour' where kid = '${next.kid}'`);
    await age(`signs_from = now() - interval '2 hours' where kid = '${kidOf(before)}'`);
    const after = await issue(id);
    expect(kidOf(after)).toBe(next.kid);
    await expect(verify(before)).resolves.toBeTruthy();
    await expect(verify(after)).resolves.toBeTruthy();
    await age(`signs_from = signs_from - interval '91 days'`);
    await maintainSigningKeys(platform.db, platform.deps.sealedSecrets);
    const { keys } = await jwks();
    expect(keys).toHaveLength(2);
    expect(keys.at(-1)?.kid).toBe(next.kid);
  });

  test('are signed with the same key after the secret key was replaced', async () => {
    const { id } = await create();
    const before = kidOf(await issue(id));
    const next = createSealedSecrets(secretsOf('the next secret key'), [testSecrets]);
    await resealSigningKeys(platform.db, next);
    await resealSigningKeys(platform.db, createSealedSecrets(testSecrets, [secretsOf('the next secret key')]));
    expect(kidOf(await issue(id))).toBe(before);
  });

  test('require an enabled configuration', async () => {
    const { id } = await create({ isEnabled: false });
    expect(await platform.call('POST', `${path}/${id}/token`)).toMatchObject({ status: 409 });
    expect(await platform.ok('PUT', `${path}/${id}`, { isEnabled: null })).toMatchObject({ isEnabled: true });
    expect(await platform.call('POST', `${path}/${id}/token`)).toMatchObject({ status: 200 });
  });
});

describe('Configurations of tokens', () => {
  test('have the audience of their type', async () => {
    const body = { audienceType: 'aws', name: 'for-aws' };
    expect(await platform.ok('POST', path, body)).toMatchObject({ audience: 'sts.amazonaws.com', isEnabled: true });
    expect(await platform.ok('POST', path, { audienceType: 'azure' })).toMatchObject({ name: 'azure' });
    const { id } = await create();
    expect(await platform.ok('PUT', `${path}/${id}`, { customAudience: 'other' })).toMatchObject({ audience: 'other' });
    expect(await platform.ok('GET', `${path}/${id}`)).toMatchObject({ audienceType: 'custom', audience: 'other' });
    expect(await platform.call('DELETE', `${path}/${id}`)).toMatchObject({ status: 204 });
    expect(await platform.call('GET', `${path}/${id}`)).toMatchObject({ status: 404 });
  });

  test.each([
    [{ audienceType: 'custom', customAudience: null }, 'body.customAudience: is required'],
    [{ audienceType: 'aws' }, 'body.customAudience: is allowed only'],
    [{ customAudience: 'https://platform.example/' }, 'body.customAudience: must identify another service'],
    [{ audienceType: 'other' }, 'body.audienceType'],
    [{ customClaims: { sub: 'admin' } }, 'body.customClaims.sub: is set by the platform'],
    [{ customClaims: { exp: 1 } }, 'body.customClaims.exp: is set by the platform'],
    [{ customClaims: { ISS: 'https://evil.example' } }, 'body.customClaims.ISS: is set by the platform'],
    [{ customClaims: { 'i\u017fs': 'https://evil.example' } }, 'body.customClaims.i\u017fs: is set by the platform'],
    [{ customClaims: { text: 'x'.repeat(5000) } }, 'body.customClaims: has'],
    [{ subFormat: '{user}' }, 'body.subFormat'],
    [{ name: 'Upper' }, 'body.name'],
    [{ targetEnvVar: 'lower' }, 'body.targetEnvVar'],
  ])('reject %j', async (body, message) => {
    const answer = await platform.call('POST', path, { ...custom, name: 'rejected', ...body });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  test('have unique names and variables', async () => {
    const { id, name } = await create({ targetEnvVar: 'TAKEN' });
    const other = await create();
    const change = (body: object) => platform.call('PUT', `${path}/${other.id}`, body);
    expect(await platform.call('POST', path, { ...custom, name })).toMatchObject({ status: 409 });
    expect(await change({ name })).toMatchObject({ status: 409 });
    expect(await change({ targetEnvVar: 'TAKEN' })).toMatchObject({ status: 409 });
    await platform.call('DELETE', `${path}/${id}`);
  });

  test('provide a token for the URL of the data source, which a model cannot contain', async () => {
    const { id } = await create({ targetEnvVar: 'WAREHOUSE' });
    const read = createTokenReader(platform.db, platform.deps.sealedSecrets, 'https://platform.example');
    const [variable] = await read();
    expect(variable?.name).toBe('WAREHOUSE');
    expect(await verify(variable?.value ?? '')).toMatchObject({ sub: 'deployment:1:data-source' });
    // The same token until it must be renewed.
    expect(await read()).toEqual([variable]);
    const values = new Map([['WAREHOUSE', { value: 'x', revision: '1', isToken: true as const }]]);
    expect(new VariableTokens().bind(`{{ env_var('WAREHOUSE') }}`, values, new Map())).toMatchObject({
      problem: expect.stringContaining('only in the URL of the data source'),
    });
    await platform.ok('PUT', `${path}/${id}`, { isEnabled: false });
    expect(await read()).toEqual([]);
  });
});
