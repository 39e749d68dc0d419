import { randomBytes } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { EmbedSessionSettings } from '../../contract/embed.js';
import { EmbedTheme } from '../../contract/embed-grant.js';
import { JsonObject } from '../../contract/wire.js';
import type { SessionClaims } from '../db/schema.js';
import type { SecurityContext } from './principal.js';
import type { Secrets } from './secrets.js';

/** Lifetime of an embed token in seconds (spec facts 1.2). */
const embedTokenLife = 24 * 60 * 60;

const SecurityContextClaim: z.ZodMiniType<SecurityContext> = z.catchall(
  z.object({ platform: z.object({ groups: z.array(z.string()), userAttributes: JsonObject }) }),
  z.unknown(),
);

/** The claims of an embed token. */
export interface EmbedClaims extends SessionClaims {
  /** SHA-256 (hex) of the session id. Revocations are looked up by it. */
  readonly sessionKey: string;
}

const EmbedClaims: z.ZodMiniType<EmbedClaims> = z.object({
  userId: z.int(),
  role: z.enum(['admin', 'user']),
  deploymentId: z.int(),
  branchName: z.optional(z.string()),
  embedTenantId: z.int(),
  embedTenantName: z.string(),
  creatorMode: z.boolean(),
  mayDownload: z.optional(z.literal(true)),
  downloadRoles: z.optional(z.array(z.string())),
  sessionKey: z.string(),
  securityContext: SecurityContextClaim,
  settings: EmbedSessionSettings,
  embedTheme: z.nullable(EmbedTheme),
});

const DataClaims = z.object({
  securityContext: SecurityContextClaim,
  /** The deployment whose data the token can read; the folder deployment if not set. */
  deploymentId: z.optional(z.int()),
  /** The branch whose model answers queries; production if not set. */
  branchName: z.optional(z.string()),
  /** The staging environment that the token was created for. The token is valid while the environment exists. */
  environmentId: z.optional(z.int()),
  /** `null` if the token was created with an API key. */
  embedTenantId: z.nullable(z.int()),
  /** The embed session in which the token was created; `null` if it was created with an API key. */
  sessionKey: z.nullable(z.string()),
  /** Whether the caller may also see generated SQL. Never set in an embed session. */
  isDeveloper: z.optional(z.literal(true)),
  /**
   * Allowed operations: `data` for queries, `meta` for the model; all if not set. `isDeveloper` represents the scope
   * `sql`.
   */
  scopes: z.optional(z.array(z.string())),
  /** The user and the deployment that the token was created for, which determine the dashboards that it can list. */
  viewer: z.optional(z.object({ userId: z.int(), deploymentId: z.int(), allowAi: z.optional(z.literal(false)) })),
});
/** Claims of a data token: security context and session. */
export type DataClaims = z.infer<typeof DataClaims>;

const chatScope = 'chat';

const ChatClaims = z.object({
  userId: z.int(),
  deploymentId: z.int(),
  /** `null` if the token was created with an API key. */
  embedTenantId: z.nullable(z.int()),
  securityContext: SecurityContextClaim,
  settings: EmbedSessionSettings,
  /** The embed session in which the token was created; `null` if it was created with an API key. */
  sessionKey: z.nullable(z.string()),
});
/** Claims of a chat token: user, deployment and session. */
export type ChatClaims = z.infer<typeof ChatClaims>;

/** Claims as they are signed, with the scope of chat tokens (operations.md, Chat API). */
const ScopedChatClaims = z.extend(ChatClaims, {
  scope: z.array(z.string()).check(z.refine(scopes => scopes.includes(chatScope))),
});

const AccessClaims = z.object({ userId: z.int(), sessionKey: z.string() });
/** Claims of the token of a signed-in user: user and session. Rights are looked up at each request. */
export type AccessClaims = z.infer<typeof AccessClaims>;

/** Claims of a valid token, with its expiry. */
export type Verified<Claims> = Claims & { readonly expiresAt: Date };

/**
 * Signs and verifies the platform's tokens. Verification returns `null` for any token that is malformed, forged or
 * expired.
 */
export interface Tokens {
  /** Signs an embed token, valid for 24 h. */
  signEmbedToken(claims: EmbedClaims): Promise<string>;
  signAccessToken(claims: AccessClaims & { readonly expiresAt: Date }): Promise<string>;
  signDataToken(claims: DataClaims & { readonly expiresAt: Date }): Promise<string>;
  signChatToken(claims: ChatClaims & { readonly expiresAt: Date }): Promise<string>;
  verifyEmbedToken(token: string): Promise<Verified<EmbedClaims> | null>;
  verifyAccessToken(token: string): Promise<Verified<AccessClaims> | null>;
  verifyDataToken(token: string): Promise<Verified<DataClaims> | null>;
  verifyChatToken(token: string): Promise<Verified<ChatClaims> | null>;
}

/**
 * A kind of token. Each kind has its own key, `kid`, `typ` and `aud`, so that a token of one kind is never accepted as
 * another.
 */
interface Kind {
  /** `kid` of the signing key. */
  readonly kid: string;
  /** The signing key, and the previous keys, which are used only to verify. */
  readonly keys: ReadonlyMap<string, Uint8Array>;
  readonly typ: string;
  readonly audience: string;
}

const issuer = 'platform';
/** Header, payload and signature. */
const compactJws = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const algorithm = 'HS256';

/**
 * Creates tokens whose keys derive from the secret key.
 * @param previous - secrets of previous keys. Tokens that were signed with them stay valid until they expire, so that
 * open pages keep working after a key rotation.
 */
export function createTokens(secrets: Secrets, previous: readonly Secrets[] = []): Tokens {
  const all = [secrets, ...previous];
  const embed = kindOf(all, 'embed', 'platform');
  const access = kindOf(all, 'access', 'platform');
  const data = kindOf(all, 'data', 'data');
  const chat = kindOf(all, 'chat', 'chat');
  return {
    signEmbedToken({ userId, sessionKey, ...claims }) {
      const expiresAt = new Date(Date.now() + embedTokenLife * 1000);
      return sign(embed, { ...claims, sub: String(userId), sid: sessionKey }, expiresAt);
    },
    signAccessToken({ userId, sessionKey, expiresAt }) {
      return sign(access, { sub: String(userId), sid: sessionKey }, expiresAt);
    },
    signDataToken({ expiresAt, sessionKey, ...claims }) {
      return sign(data, { ...claims, ...inSession(sessionKey) }, expiresAt);
    },
    signChatToken({ expiresAt, userId, sessionKey, ...claims }) {
      const named = { sub: String(userId), scope: [chatScope], ...inSession(sessionKey) };
      return sign(chat, { ...claims, ...named }, expiresAt);
    },
    verifyEmbedToken(token) {
      return verify(embed, token, EmbedClaims, ({ sub, sid }) => ({ userId: Number(sub), sessionKey: sid }));
    },
    verifyAccessToken(token) {
      return verify(access, token, AccessClaims, ({ sub, sid }) => ({ userId: Number(sub), sessionKey: sid }));
    },
    verifyDataToken(token) {
      return verify(data, token, DataClaims, ({ sid }) => ({ sessionKey: sid ?? null }));
    },
    async verifyChatToken(token) {
      const read = ({ sub, sid }: JWTPayload) => ({ userId: Number(sub), sessionKey: sid ?? null });
      const claims = await verify(chat, token, ScopedChatClaims, read);
      if (!claims) return null;
      const { scope: _, ...unscoped } = claims;
      return unscoped;
    },
  };
}

/** Returns the claim `sid`, which a token without a session does not have. */
function inSession(sessionKey: string | null): { readonly sid?: string } {
  return sessionKey === null ? {} : { sid: sessionKey };
}

function kindOf(secrets: readonly Secrets[], name: string, audience: string): Kind {
  const keys = secrets.map(each => {
    const kid = Buffer.from(each.derive(`${name} token kid`))
      .toString('hex')
      .slice(0, 16);
    return [kid, each.derive(`${name} token`)] as const;
  });
  return { kid: keys[0]?.[0] ?? '', keys: new Map(keys), typ: `${name}+jwt`, audience };
}

function keyOf({ keys }: Kind, kid: string | undefined): Uint8Array {
  const key = keys.get(kid ?? '');
  if (!key) throw new errors.JWSInvalid('The token has an unknown key id.');
  return key;
}

function sign(kind: Kind, payload: Record<string, unknown>, expiresAt: Date): Promise<string> {
  return new SignJWT(payload)
    .setProtectedHeader({ alg: algorithm, typ: kind.typ, kid: kind.kid })
    .setIssuer(issuer)
    .setAudience(kind.audience)
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .setJti(randomBytes(12).toString('base64url'))
    .sign(keyOf(kind, kind.kid));
}

async function verify<S extends z.ZodMiniType<object>>(
  kind: Kind,
  token: string,
  schema: S,
  named: (payload: JWTPayload) => object,
): Promise<Verified<z.output<S>> | null> {
  // Reject API keys and other text here, because throwing in the parser is slower.
  if (!compactJws.test(token)) return null;
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => keyOf(kind, kid), {
      algorithms: [algorithm],
      issuer,
      audience: kind.audience,
      typ: kind.typ,
      requiredClaims: ['exp', 'iat', 'jti'],
    });
    // A token is invalid if another version of the platform created it with a different payload format.
    const read = z.safeParse(schema, { ...payload, ...named(payload) });
    if (!read.success) return null;
    return { ...read.data, expiresAt: new Date(Number(payload.exp) * 1000) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
