import { randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { EmbedSessionSettings } from '../../contract/embed.js';
import { EmbedTheme } from '../../contract/embed-grant.js';
import { JsonObject } from '../../contract/wire.js';
import type { Secrets } from './secrets.js';

/** Life of an embed token in seconds (spec facts 1.2). */
export const embedTokenLife = 24 * 60 * 60;

const SecurityContext = z.catchall(
  z.object({ platform: z.object({ groups: z.array(z.string()), userAttributes: JsonObject }) }),
  z.unknown(),
);

const EmbedClaims = z.object({
  userId: z.int(),
  role: z.enum(['admin', 'user']),
  deploymentId: z.int(),
  embedTenantId: z.int(),
  embedTenantName: z.string(),
  creatorMode: z.boolean(),
  /** SHA-256 (hex) of the session id: what a revocation is looked up by. */
  sessionKey: z.string(),
  /** The grant's own keys, and `platform` with groups and attributes. */
  securityContext: SecurityContext,
  settings: EmbedSessionSettings,
  embedTheme: z.nullable(EmbedTheme),
});
/** What an embed token says of its session. */
export type EmbedClaims = z.infer<typeof EmbedClaims>;

const DataClaims = z.object({
  securityContext: SecurityContext,
  /** The embed session that the token was made in; `null` for one made with an API key. */
  sessionKey: z.nullable(z.string()),
});
/** What a data token says: whose rows, and in which session. */
export type DataClaims = z.infer<typeof DataClaims>;

/** Claims of a token that was found valid, and its end. */
export type Verified<Claims> = Claims & { readonly expiresAt: Date };

/** Signs and verifies the platform's tokens. Verification answers null to everything that isn't one of ours, whole and in time. */
export interface Tokens {
  /** An embed token: 24 h. */
  signEmbedToken(claims: EmbedClaims): Promise<string>;
  signDataToken(claims: DataClaims & { readonly expiresAt: Date }): Promise<string>;
  verifyEmbedToken(token: string): Promise<Verified<EmbedClaims> | null>;
  verifyDataToken(token: string): Promise<Verified<DataClaims> | null>;
}

/** One kind of token: key, `kid`, `typ` and `aud` are its own, so that none passes for another. */
interface Kind {
  readonly key: Uint8Array;
  readonly kid: string;
  readonly typ: string;
  readonly audience: string;
}

const issuer = 'platform';
const algorithm = 'HS256';

/** The platform's tokens, with keys derived from its secret. */
export function createTokens(secrets: Secrets): Tokens {
  const embed = kindOf(secrets, 'embed', 'platform');
  const data = kindOf(secrets, 'data', 'data');
  return {
    signEmbedToken({ userId, sessionKey, ...claims }) {
      const expiresAt = new Date((Math.floor(Date.now() / 1000) + embedTokenLife) * 1000);
      return sign(embed, { ...claims, sub: String(userId), sid: sessionKey }, expiresAt);
    },
    signDataToken({ expiresAt, securityContext, sessionKey }) {
      return sign(data, sessionKey === null ? { securityContext } : { securityContext, sid: sessionKey }, expiresAt);
    },
    async verifyEmbedToken(token) {
      return verify(embed, token, payload =>
        EmbedClaims.parse({ ...payload, userId: Number(payload.sub), sessionKey: payload.sid }),
      );
    },
    async verifyDataToken(token) {
      return verify(data, token, payload => DataClaims.parse({ ...payload, sessionKey: payload.sid ?? null }));
    },
  };
}

function kindOf(secrets: Secrets, name: string, audience: string): Kind {
  const kid = Buffer.from(secrets.derive(`${name} token kid`))
    .toString('hex')
    .slice(0, 16);
  return { key: secrets.derive(`${name} token`), kid, typ: `${name}+jwt`, audience };
}

function sign(kind: Kind, payload: Record<string, unknown>, expiresAt: Date): Promise<string> {
  return new SignJWT(payload)
    .setProtectedHeader({ alg: algorithm, typ: kind.typ, kid: kind.kid })
    .setIssuer(issuer)
    .setAudience(kind.audience)
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .setJti(randomBytes(12).toString('base64url'))
    .sign(kind.key);
}

type Payload = Readonly<Record<string, unknown>>;

async function verify<Claims extends object>(
  kind: Kind,
  token: string,
  read: (payload: Payload) => Claims,
): Promise<Verified<Claims> | null> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, kind.key, {
      algorithms: [algorithm],
      issuer,
      audience: kind.audience,
      typ: kind.typ,
      requiredClaims: ['exp', 'iat', 'jti'],
    });
    if (protectedHeader.kid !== kind.kid) return null;
    return { ...read(payload), expiresAt: new Date(Number(payload.exp) * 1000) };
  } catch (error) {
    // A payload of ours that an older platform has written differently is as good as none.
    if (error instanceof errors.JOSEError || error instanceof z.core.$ZodError) return null;
    throw error;
  }
}
