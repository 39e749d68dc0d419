import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAuthenticate, createAuthenticateMcp } from '../../../src/platform/auth/authenticate.js';
import { createIssuerTokens } from '../../../src/platform/auth/issuer-tokens.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const audience = 'https://platform.example';

let platform: TestPlatform;
let server: Server;
let issuer: string;
/** Keys that the issuer publishes, and how often they were read. */
const published = { keys: [] as JWK[], reads: 0, isDown: false };
let key: CryptoKey;

async function newKey(kid: string, alg = 'RS256'): Promise<CryptoKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  published.keys = [{ ...(await exportJWK(publicKey)), kid, alg }];
  return privateKey;
}

beforeAll(async () => {
  platform = await startTestPlatform();
  server = createServer((request, response) => {
    if (published.isDown) return void response.writeHead(503).end();
    response.setHeader('content-type', 'application/json');
    if (request.url === '/keys') {
      published.reads += 1;
      return void response.end(JSON.stringify({ keys: published.keys }));
    }
    response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
beforeEach(async () => {
  Object.assign(published, { reads: 0, isDown: false });
  key = await newKey('first');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await platform.stop();
});

const now = () => Math.floor(Date.now() / 1000);
/** Creates a token of the issuer; the claims overwrite those of a valid token. */
function sign(claims: object, { signer = key, kid = 'first', alg = 'RS256' } = {}): Promise<string> {
  const valid = { iss: issuer, aud: audience, iat: now(), exp: now() + 600 };
  return new SignJWT({ ...valid, ...claims }).setProtectedHeader({ alg, kid }).sign(signer);
}

const open = () => {
  const deps = { db: platform.db, tokens: platform.tokens, issuerTokens: createIssuerTokens({ issuer, audience }) };
  const authenticate = createAuthenticate(deps);
  const requestWith = (token: string) => new Request(audience, { headers: { authorization: `Bearer ${token}` } });
  const mcp = createAuthenticateMcp(deps, authenticate);
  return { as: (token: string) => authenticate(requestWith(token)), mcpAs: (token: string) => mcp(requestWith(token)) };
};

async function member(role: 'Admin' | 'AIBIUser' | null = 'AIBIUser') {
  const { email, userId } = await platform.signedIn(role);
  return { userId, claims: { sub: `subject of ${email}`, email, email_verified: true } };
}

describe('Tokens of the configured issuer', () => {
  test('authenticate the user of the verified email, later by the subject alone, with the rights of its roles', async () => {
    const { userId, claims } = await member();
    const { as } = open();
    expect(await as(await sign(claims))).toMatchObject({
      kind: 'person',
      method: 'issuer',
      userId,
      rights: { tier: 2 },
    });
    expect(await as(await sign({ sub: claims.sub }))).toMatchObject({ userId });
    for (const sub of ['another', claims.sub.toUpperCase(), `${claims.sub} `])
      await expect(as(await sign({ ...claims, sub }))).rejects.toMatchObject({ status: 401 });
    await expect(as(await sign({ sub: 'unknown' }))).rejects.toMatchObject({ status: 401 });
  });

  test.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'https://other.example' }],
    ['no audience', { aud: undefined }],
    ['an expiry in the past', { exp: now() - 60 }],
    ['no expiry', { exp: undefined }],
    ['no time of issue', { iat: undefined }],
    ['an age of more than a day', { iat: now() - 25 * 3600 }],
    ['a start in the future', { nbf: now() + 600 }],
    ['no subject', { sub: undefined }],
    ['an unverified email', { email_verified: false }],
    ['a verified email that is text', { email_verified: 'true' }],
    ['the issuer in a claim of another case', { iss: undefined, ISS: 'https://evil.example' }],
    ['an email with a letter that looks the same', { email: 'аdmin@localhost' }],
  ])('with %s are rejected', async (_, wrong) => {
    const { claims } = await member();
    await expect(open().as(await sign({ ...claims, ...wrong }))).rejects.toMatchObject({ status: 401 });
  });

  test('with a forged, unsigned or symmetric signature are rejected', async () => {
    const { claims } = await member();
    const { as } = open();
    const { privateKey } = await generateKeyPair('RS256');
    await expect(as(await sign(claims, { signer: privateKey }))).rejects.toMatchObject({ status: 401 });
    await expect(as(await sign(claims, { kid: '../first' }))).rejects.toMatchObject({ status: 401 });
    const valid = { iss: issuer, aud: audience, iat: now(), exp: now() + 600, ...claims };
    await expect(as(new UnsecuredJWT(valid).encode())).rejects.toMatchObject({ status: 401 });
    // The public key as the secret of an HMAC.
    const secret = new TextEncoder().encode(JSON.stringify(published.keys[0]));
    const symmetric = await new SignJWT(valid).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(secret);
    await expect(as(symmetric)).rejects.toMatchObject({ status: 401 });
  });

  test('end with the sessions of the user, and when it is deactivated', async () => {
    const { userId, claims } = await member();
    const { as } = open();
    const [first, second] = [await sign(claims), await sign({ ...claims, jti: 'second' })];
    expect(await as(first)).toMatchObject({ userId });
    expect(await platform.call('DELETE', `/api/v1/users/${userId}/sessions`)).toMatchObject({ status: 204 });
    await expect(as(first)).rejects.toMatchObject({ status: 401 });
    await expect(open().as(first)).rejects.toMatchObject({ status: 401 });
    // Strings that decode to the same signature, because decoders ignore the last bits and the padding.
    for (const other of ['A', 'B', 'Q', 'g', 'w']) {
      await expect(as(first.slice(0, -1) + other)).rejects.toMatchObject({ status: 401 });
    }
    expect(await as(second)).toMatchObject({ userId });
    await platform.ok('PUT', `/api/v1/users/${userId}`, { isDeactivated: true });
    await expect(as(second)).rejects.toMatchObject({ status: 401 });
    await platform.ok('PUT', `/api/v1/users/${userId}`, { isDeactivated: false });
    await expect(as(second)).rejects.toMatchObject({ status: 401 });
  });

  test('are accepted by MCP with the rights of a data token', async () => {
    const [admin, user, nothing] = [await member('Admin'), await member(), await member(null)];
    const { mcpAs } = open();
    const viewer = (userId: number) => ({ userId, deploymentId: 1 });
    expect(await mcpAs(await sign(admin.claims))).toMatchObject({ isDeveloper: true, viewer: viewer(admin.userId) });
    expect(await mcpAs(await sign(user.claims))).toMatchObject({ embedTenantId: null, viewer: viewer(user.userId) });
    expect(await mcpAs(await sign(user.claims))).not.toHaveProperty('isDeveloper');
    await expect(mcpAs(await sign(nothing.claims))).rejects.toMatchObject({ status: 401 });
    await expect(mcpAs('the-admin-key')).rejects.toMatchObject({ status: 401 });
  });
});

describe('The keys of the issuer', () => {
  test('are read once, and only for tokens that name the issuer', async () => {
    const { claims } = await member();
    const { as } = open();
    await expect(as('unknown-key')).rejects.toMatchObject({ status: 401 });
    await expect(as(await sign({ ...claims, iss: 'https://evil.example' }))).rejects.toMatchObject({ status: 401 });
    expect(published.reads).toBe(0);
    for (const jti of ['1', '2', '3']) await as(await sign({ ...claims, jti }));
    expect(published.reads).toBe(1);
  });

  test('are read again after a rotation', async () => {
    const { claims } = await member();
    const tokens = createIssuerTokens({ issuer, audience, cooldownMs: 0 });
    expect(await tokens.verify(await sign(claims))).toMatchObject({ sub: claims.sub });
    const next = await newKey('second', 'ES256');
    expect(await tokens.verify(await sign(claims, { signer: next, kid: 'second', alg: 'ES256' }))).toMatchObject({
      sub: claims.sub,
    });
    expect(await tokens.verify(await sign(claims))).toBeNull();
  });

  test('that are not available cause 503, not a rejection, and are read again by the next request', async () => {
    const { userId, claims } = await member();
    const { as } = open();
    published.isDown = true;
    await expect(as(await sign(claims))).rejects.toMatchObject({ status: 503 });
    published.isDown = false;
    expect(await as(await sign(claims))).toMatchObject({ userId });
  });
});
