import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { secretsOf } from '../../../src/platform/auth/secrets.js';
import { createTokens, type EmbedClaims } from '../../../src/platform/auth/tokens.js';
import { testSecrets as secrets, testTokens as tokens } from './test-tokens.js';

const claims: EmbedClaims = {
  userId: 7,
  role: 'user',
  deploymentId: 1,
  embedTenantId: 3,
  embedTenantName: 'acme',
  creatorMode: false,
  sessionKey: 'ab'.repeat(32),
  securityContext: { airport: 'ATL', exp: 1, platform: { groups: ['viewers'], userAttributes: { level: 3 } } },
  settings: { locale: 'de' },
  embedTheme: null,
};
const data = () => ({
  securityContext: claims.securityContext,
  embedTenantId: null,
  sessionKey: null,
  expiresAt: new Date(Date.now() + 3_600_000),
});

afterEach(() => {
  vi.useRealTimers();
});

describe('embed tokens', () => {
  test('contain their claims for 24 hours', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00.400Z') });
    const token = await tokens.signEmbedToken(claims);
    expect(decodeProtectedHeader(token)).toMatchObject({
      alg: 'HS256',
      typ: 'embed+jwt',
      kid: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(decodeJwt(token)).toMatchObject({
      iss: 'platform',
      aud: 'platform',
      sub: '7',
      sid: claims.sessionKey,
      deploymentId: 1,
    });
    expect(await tokens.verifyEmbedToken(token)).toEqual({ ...claims, expiresAt: new Date('2026-01-02T00:00:00Z') });
    vi.setSystemTime('2026-01-01T23:59:59Z');
    expect(await tokens.verifyEmbedToken(token)).not.toBeNull();
    vi.setSystemTime('2026-01-02T00:00:01Z');
    expect(await tokens.verifyEmbedToken(token)).toBeNull();
  });

  test('of two sessions of one grant differ only in iat, exp, jti and sid', async () => {
    const [one, other] = await Promise.all([
      tokens.signEmbedToken(claims),
      tokens.signEmbedToken({ ...claims, sessionKey: 'cd'.repeat(32) }),
    ]);
    const identity = (token: string) => ({ ...decodeJwt(token), iat: 0, exp: 0, jti: '', sid: '' });
    expect(identity(one)).toEqual(identity(other));
    expect(decodeJwt(one).jti).not.toBe(decodeJwt(other).jti);
  });
});

describe('data tokens', () => {
  test('contain the security context and the session', async () => {
    const expiresAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 60_000);
    const token = await tokens.signDataToken({ ...data(), sessionKey: 'k', expiresAt });
    expect(decodeJwt(token)).toMatchObject({ iss: 'platform', aud: 'data', sid: 'k' });
    expect(await tokens.verifyDataToken(token)).toEqual({ ...data(), sessionKey: 'k', expiresAt });
  });

  test('without a session contain none', async () => {
    const token = await tokens.signDataToken(data());
    expect(decodeJwt(token)).not.toHaveProperty('sid');
    expect(await tokens.verifyDataToken(token)).toMatchObject({ sessionKey: null });
  });
});

const chat = () => ({
  userId: 7,
  deploymentId: 1,
  embedTenantId: 3,
  securityContext: claims.securityContext,
  settings: { locale: 'de' },
  sessionKey: null,
  expiresAt: new Date(Math.floor(Date.now() / 1000) * 1000 + 60_000),
});

describe('chat tokens', () => {
  test('contain the user, the deployment, the scope and the session', async () => {
    const stored = { ...chat(), sessionKey: 'k' };
    const token = await tokens.signChatToken(stored);
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'chat+jwt' });
    expect(decodeJwt(token)).toMatchObject({ iss: 'platform', aud: 'chat', sub: '7', scope: ['chat'], sid: 'k' });
    expect(await tokens.verifyChatToken(token)).toEqual(stored);
  });

  test('omit the session and the tenant if there are none', async () => {
    const stored = { ...chat(), embedTenantId: null };
    const token = await tokens.signChatToken(stored);
    expect(decodeJwt(token)).not.toHaveProperty('sid');
    expect(await tokens.verifyChatToken(token)).toEqual(stored);
  });

  test.each([[undefined], [[]], ['chat'], [['data']]])('with the scope %j are invalid', async scope => {
    const kid = Buffer.from(secrets.derive('chat token kid')).toString('hex').slice(0, 16);
    const { userId: _, sessionKey: __, expiresAt, ...stored } = chat();
    const sign = (given: unknown) =>
      new SignJWT({ ...stored, sub: '7', jti: 'j', iss: 'platform', aud: 'chat', scope: given })
        .setProtectedHeader({ alg: 'HS256', typ: 'chat+jwt', kid })
        .setIssuedAt()
        .setExpirationTime(expiresAt)
        .sign(secrets.derive('chat token'));
    expect(await tokens.verifyChatToken(await sign(['chat', 'more']))).not.toBeNull();
    expect(await tokens.verifyChatToken(await sign(scope))).toBeNull();
  });
});

describe('a token is rejected', () => {
  const kid = (name: string) =>
    Buffer.from(secrets.derive(`${name} token kid`))
      .toString('hex')
      .slice(0, 16);
  const forge = (
    header: Record<string, string>,
    payload: Record<string, unknown>,
    key = secrets.derive('data token'),
  ) =>
    new SignJWT({ securityContext: claims.securityContext, embedTenantId: null, jti: 'j', ...payload })
      .setProtectedHeader({ alg: 'HS256', typ: 'data+jwt', kid: kid('data'), ...header })
      .setIssuedAt()
      .sign(key);
  const good = () => ({ iss: 'platform', aud: 'data', exp: Math.floor(Date.now() / 1000) + 60 });

  test('if it is of another kind', async () => {
    const signed = [
      await tokens.signEmbedToken(claims),
      await tokens.signDataToken(data()),
      await tokens.signChatToken(chat()),
    ];
    const verify = [tokens.verifyEmbedToken, tokens.verifyDataToken, tokens.verifyChatToken];
    for (const [kind, token] of signed.entries()) {
      const read = await Promise.all(verify.map(each => each(token)));
      expect(read.map(found => found !== null)).toEqual(verify.map((_, index) => index === kind));
    }
  });

  test('if another secret signed it', async () => {
    const others = createTokens(secretsOf('the secret key of someone else'));
    expect(await tokens.verifyEmbedToken(await others.signEmbedToken(claims))).toBeNull();
  });

  test.each([
    ['kid', { kid: 'other' }, {}],
    ['typ', { typ: 'JWT' }, {}],
    ['alg', { alg: 'HS512' }, {}],
    ['iss', {}, { iss: 'elsewhere' }],
    ['aud', {}, { aud: 'platform' }],
    ['end', {}, { exp: undefined }],
    ['jti', {}, { jti: undefined }],
    ['platform context', {}, { securityContext: {} }],
    ['embed tenant', {}, { embedTenantId: undefined }],
  ])('for an invalid %s', async (_, header, payload) => {
    expect(await tokens.verifyDataToken(await forge({}, good()))).not.toBeNull();
    expect(await tokens.verifyDataToken(await forge(header, { ...good(), ...payload }))).toBeNull();
  });

  test.each(['', 'x', 'a.b.c', 'null', '{}', new UnsecuredJWT({ securityContext: {} }).encode()])(
    'if it is malformed: %j',
    async token => {
      expect(await tokens.verifyDataToken(token)).toBeNull();
      expect(await tokens.verifyEmbedToken(token)).toBeNull();
      expect(await tokens.verifyChatToken(token)).toBeNull();
    },
  );
});

describe('after rotation of the secret key', () => {
  const next = secretsOf('the secret key after it');

  test('tokens of every kind signed by the previous key are valid only while that key is configured', async () => {
    const [embedToken, dataToken, chatToken] = [
      await tokens.signEmbedToken(claims),
      await tokens.signDataToken(data()),
      await tokens.signChatToken(chat()),
    ];
    const read = async (by: typeof tokens) => [
      (await by.verifyEmbedToken(embedToken)) !== null,
      (await by.verifyDataToken(dataToken)) !== null,
      (await by.verifyChatToken(chatToken)) !== null,
    ];
    expect(await read(createTokens(next, [secretsOf('one from long ago'), secrets]))).toEqual([true, true, true]);
    expect(await read(createTokens(next))).toEqual([false, false, false]);
  });

  test('new tokens are signed by the new key only', async () => {
    const token = await createTokens(next, [secrets]).signDataToken(data());
    expect(await createTokens(next).verifyDataToken(token)).not.toBeNull();
    expect(await tokens.verifyDataToken(token)).toBeNull();
  });

  test('a token of the previous key is not accepted as another kind either', async () => {
    const rotated = createTokens(next, [secrets]);
    expect(await rotated.verifyEmbedToken(await tokens.signDataToken(data()))).toBeNull();
    expect(await rotated.verifyDataToken(await tokens.signEmbedToken(claims))).toBeNull();
  });
});

test('a data token contains its scopes', async () => {
  const token = await tokens.signDataToken({ ...data(), scopes: ['meta'] });
  expect(await tokens.verifyDataToken(token)).toMatchObject({ scopes: ['meta'] });
});
