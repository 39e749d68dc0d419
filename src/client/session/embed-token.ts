import {
  type EmbedSessionSettings,
  EmbedTokenPayload,
  type EmbedTokenTheme,
  exchangeSession,
} from '../../contract/embed.js';
import type { Dialect } from '../dialect.js';
import { PaError, PaErrorCode } from '../errors.js';
import { isRecord } from '../http/fetch.js';

/** An embed token with what a client reads off it. It is read, never verified: only the platform can. */
export interface EmbedToken {
  /** The JWT itself. */
  readonly jwt: string;
  readonly deploymentId: number;
  readonly settings: EmbedSessionSettings;
  readonly embedTheme: EmbedTokenTheme | null;
  readonly identity: string;
  /** How long it lives from its issue, in ms: the page's clock may be wrong, its pace is not. */
  readonly lifetimeMs: number;
}

/** Reads an embed token; what it says stands in the words of its service. */
export function readEmbedToken(jwt: string, dialect?: Dialect): EmbedToken {
  const said = decodePayload(jwt);
  const payload = EmbedTokenPayload.safeParse(dialect ? dialect.read(exchangeSession.path, said) : said);
  if (!payload.success) {
    throw new PaError(PaErrorCode.invalidResponse, 'The platform answered with a token that is not an embed token.');
  }
  const { exp, deploymentId, settings, embedTheme, iat } = payload.data;
  const issuedAt = typeof iat === 'number' ? iat * 1000 : Date.now();
  return {
    jwt,
    deploymentId,
    settings: settings ?? {},
    embedTheme: embedTheme ?? null,
    identity: identityOf(payload.data),
    lifetimeMs: Math.max(0, exp * 1000 - issuedAt),
  };
}

/** Canonical JSON of a token's payload without what differs between two tokens of the same identity. */
export function identityOf(payload: Readonly<Record<string, unknown>>): string {
  const { iat: _iat, nbf: _nbf, exp: _exp, jti: _jti, sid: _sid, ...identity } = payload;
  return canonicalJson(identity);
}

/** JSON with the keys of every object in order, so that equal values are equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isRecord(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}

function decodePayload(jwt: string): unknown {
  const encoded = jwt.split('.')[1] ?? '';
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, char => char.charCodeAt(0))));
  } catch {
    // Not a JWT; the schema says so to the caller.
    return null;
  }
}
