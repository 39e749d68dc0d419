import { randomBytes } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { EmbedSessionSettings } from '../../contract/embed.js';
import { EmbedTheme } from '../../contract/embed-grant.js';
import { JsonObject } from '../../contract/wire.js';
import type { SessionClaims } from '../db/schema.js';
import type { SecurityContext } from './principal.js';
import type { Secrets } from './secrets.js';

/** Life of an embed token in seconds (spec facts 1.2). */
const embedTokenLife = 24 * 60 * 60;

const SecurityContextClaim: z.ZodMiniType<SecurityContext> = z.catchall(
  z.object({ platform: z.object({ groups: z.array(z.string()), userAttributes: JsonObject }) }),
  z.unknown(),
);

/** The claims of an embed token. */
export interface EmbedClaims extends SessionClaims {
  /** SHA-256 (hex) of the session id, by which a revocation is looked up. */
  readonly sessionKey: string;
}

const EmbedClaims: z.ZodMiniType<EmbedClaims> = z.object({
  userId: z.int(),
  role: z.enum(['admin', 'user']),
  deploymentId: z.int(),
  embedTenantId: z.int(),
  embedTenantName: z.string(),
  creatorMode: z.boolean(),
  mayDownload: z.optional(z.literal(true)),
  sessionKey: z.string(),
  securityContext: SecurityContextClaim,
  settings: EmbedSessionSettings,
  embedTheme: z.nullable(EmbedTheme),
});

const DataClaims = z.object({
  securityContext: SecurityContextClaim,
  /** `null` where the token was made with an API key. */
  embedTenantId: z.nullable(z.int()),
  /** The embed session that the token was made in; `null` for one made with an API key. */
  sessionKey: z.nullable(z.string()),
  /** Whether more than rows may be seen: the SQL that the model makes. Never in an embed session. */
  isDeveloper: z.optional(z.literal(true)),
  /** What it opens: `data` is queries, `meta` what is told of the model. All, where nothing is said. */
  scopes: z.optional(z.array(z.string())),
});
/** What a data token says: whose rows, and in which session. */
export type DataClaims = z.infer<typeof DataClaims>;

const chatScope = 'chat';

const ChatClaims = z.object({
  userId: z.int(),
  deploymentId: z.int(),
  /** `null` where the token was made with an API key. */
  embedTenantId: z.nullable(z.int()),
  securityContext: SecurityContextClaim,
  settings: EmbedSessionSettings,
  /** The embed session that the token was made in; `null` for one made with an API key. */
  sessionKey: z.nullable(z.string()),
});
/** What a chat token says: who chats on which deployment, and in which session. */
export type ChatClaims = z.infer<typeof ChatClaims>;

/** As it is signed: with the scope that makes it one (operations.md, Chat API). */
const ScopedChatClaims = z.extend(ChatClaims, {
  scope: z.array(z.string()).check(z.refine(scopes => scopes.includes(chatScope))),
});

/** Claims of a token that was found valid, and its end. */
export type Verified<Claims> = Claims & { readonly expiresAt: Date };

/** Signs and verifies the platform's tokens. Verification answers null to everything that isn't one of ours, whole and in time. */
export interface Tokens {
  /** An embed token: 24 h. */
  signEmbedToken(claims: EmbedClaims): Promise<string>;
  signDataToken(claims: DataClaims & { readonly expiresAt: Date }): Promise<string>;
  signChatToken(claims: ChatClaims & { readonly expiresAt: Date }): Promise<string>;
  verifyEmbedToken(token: string): Promise<Verified<EmbedClaims> | null>;
  verifyDataToken(token: string): Promise<Verified<DataClaims> | null>;
  verifyChatToken(token: string): Promise<Verified<ChatClaims> | null>;
}

/** One kind of token: key, `kid`, `typ` and `aud` are its own, so that none passes for another. */
interface Kind {
  /** The `kid` of the key that signs. */
  readonly kid: string;
  /** That key, and those before it, which verify alone. */
  readonly keys: ReadonlyMap<string, Uint8Array>;
  readonly typ: string;
  readonly audience: string;
}

const issuer = 'platform';
const algorithm = 'HS256';

/**
 * The platform's tokens, with keys derived from its secret.
 * @param previous - secrets of the keys before it: what they signed is good to its end, so that no page is shut out by a new key.
 */
export function createTokens(secrets: Secrets, previous: readonly Secrets[] = []): Tokens {
  const all = [secrets, ...previous];
  const embed = kindOf(all, 'embed', 'platform');
  const data = kindOf(all, 'data', 'data');
  const chat = kindOf(all, 'chat', 'chat');
  return {
    signEmbedToken({ userId, sessionKey, ...claims }) {
      const expiresAt = new Date(Date.now() + embedTokenLife * 1000);
      return sign(embed, { ...claims, sub: String(userId), sid: sessionKey }, expiresAt);
    },
    signDataToken({ expiresAt, securityContext, embedTenantId, isDeveloper, scopes, sessionKey }) {
      const more = { ...(isDeveloper && { isDeveloper }), ...(scopes && { scopes }) };
      const claims = { securityContext, embedTenantId, ...more, ...inSession(sessionKey) };
      return sign(data, claims, expiresAt);
    },
    signChatToken({ expiresAt, userId, sessionKey, ...claims }) {
      const named = { sub: String(userId), scope: [chatScope], ...inSession(sessionKey) };
      return sign(chat, { ...claims, ...named }, expiresAt);
    },
    verifyEmbedToken(token) {
      return verify(embed, token, EmbedClaims, ({ sub, sid }) => ({ userId: Number(sub), sessionKey: sid }));
    },
    verifyDataToken(token) {
      return verify(data, token, DataClaims, ({ sid }) => ({ sessionKey: sid ?? null }));
    },
    async verifyChatToken(token) {
      const read = ({ sub, sid }: JWTPayload) => ({ userId: Number(sub), sessionKey: sid ?? null });
      const claims = await verify(chat, token, ScopedChatClaims, read);
      if (!claims) return null;
      const { scope: _, ...told } = claims;
      return told;
    },
  };
}

/** A token without a session has no `sid`. */
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
  if (!key) throw new errors.JWSInvalid('The token names no key of ours.');
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
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => keyOf(kind, kid), {
      algorithms: [algorithm],
      issuer,
      audience: kind.audience,
      typ: kind.typ,
      requiredClaims: ['exp', 'iat', 'jti'],
    });
    // A payload of ours that another version has written differently is as good as none.
    const read = z.safeParse(schema, { ...payload, ...named(payload) });
    if (!read.success) return null;
    return { ...read.data, expiresAt: new Date(Number(payload.exp) * 1000) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
