import {
  type EmbedSessionSettings,
  EmbedTokenPayload,
  type EmbedTokenTheme,
  exchangeSession,
} from '../../contract/embed.js';
import type { Dialect } from '../dialect.js';
import { PaError, PaErrorCode } from '../errors.js';
import { isRecord } from '../http/fetch.js';

/** A decoded embed token. Clients decode it without verifying it; only the platform can verify it. */
export interface EmbedToken {
  /** The JWT itself. */
  readonly jwt: string;
  readonly deploymentId: number;
  readonly settings: EmbedSessionSettings;
  readonly embedTheme: EmbedTokenTheme | null;
  readonly identity: string;
  /** Lifetime in ms. A duration instead of an expiry time, because the page's clock may be wrong. */
  readonly lifetimeMs: number;
}

/**
 * Decodes an embed token, translating its payload with the dialect.
 * @throws {PaError} `invalid_response` if the text is not an embed token.
 */
export function readEmbedToken(jwt: string, dialect?: Dialect): EmbedToken {
  const decoded = decodePayload(jwt);
  const payload = EmbedTokenPayload.safeParse(dialect ? dialect.read(exchangeSession.path, decoded) : decoded);
  if (!payload.success) {
    throw new PaError(PaErrorCode.invalidResponse, 'The platform returned a token that is not an embed token.');
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

/**
 * Returns canonical JSON of a token's payload without the claims that differ between two tokens of the same identity.
 */
export function identityOf(payload: Readonly<Record<string, unknown>>): string {
  const { iat: _iat, nbf: _nbf, exp: _exp, jti: _jti, sid: _sid, ...identity } = payload;
  return canonicalJson(identity);
}

/** Serializes to JSON with sorted object keys, so that equal values give equal text. */
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
    // If the token is not a JWT, the schema check reports it to the caller.
    return null;
  }
}
