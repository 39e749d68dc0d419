import { describe, expect, it } from 'vitest';
import { canonicalJson, identityOf, readEmbedToken } from '../../../src/client/session/embed-token.js';
import { jwt } from '../fake-service.js';

describe('identity', () => {
  const payload = { sub: 'rosa', deploymentId: 1, securityContext: { airport: 'ORD', b: [{ y: 1, x: 2 }] } };

  it.each(['iat', 'nbf', 'exp', 'jti', 'sid'])('does not depend on %s', claim => {
    expect(identityOf({ ...payload, [claim]: 1 })).toBe(identityOf({ ...payload, [claim]: 2 }));
  });

  it('does not depend on the order of keys, at any depth', () => {
    const turned = { securityContext: { b: [{ x: 2, y: 1 }], airport: 'ORD' }, deploymentId: 1, sub: 'rosa' };
    expect(identityOf(turned)).toBe(identityOf(payload));
  });

  it.each([
    { ...payload, sub: 'sam' },
    { ...payload, deploymentId: 2 },
    { ...payload, securityContext: { airport: 'DFW', b: [{ y: 1, x: 2 }] } },
    { ...payload, securityContext: { airport: 'ORD', b: [{ y: 1, x: 2 }], exp: 1 } },
    { ...payload, groups: [] },
  ])('differs for another payload', other => {
    expect(identityOf(other)).not.toBe(identityOf(payload));
  });

  it('depends on the order of lists', () => {
    expect(canonicalJson([2, 1])).toBe('[2,1]');
  });
});

describe('decoding a token', () => {
  it('returns what a client needs, in UTF-8', () => {
    const token = readEmbedToken(
      jwt({ deploymentId: 7, iat: 100, exp: 160, sub: 'Žofia', settings: { locale: 'cs' } }),
    );
    expect(token).toMatchObject({ deploymentId: 7, lifetimeMs: 60_000, settings: { locale: 'cs' } });
    expect(token.identity).toContain('Žofia');
  });

  it.each(['', 'x', 'a.b.c', jwt({ exp: 1 }), jwt({ deploymentId: 1 })])(
    'rejects an invalid token without quoting it',
    text => {
      expect(() => readEmbedToken(text)).toThrow('not an embed token');
    },
  );
});
