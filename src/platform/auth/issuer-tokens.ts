import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { PlatformError } from '../errors.js';

/** The issuer whose tokens users may send instead of a token of the platform. */
export interface IssuerSettings {
  /** Value of `iss`, exactly as the issuer writes it. */
  readonly issuer: string;
  /** Required value of `aud`. */
  readonly audience: string;
  /** Address of the issuer's keys; by default, the one in its OpenID configuration. */
  readonly jwksUrl?: string | undefined;
  /** Minimum time between two reads of the keys for an unknown `kid`; 30 s by default. */
  readonly cooldownMs?: number;
}

/** Verifies tokens of the configured issuer. */
export interface IssuerTokens {
  /**
   * Returns the claims of a token; `null` if it is malformed, forged, expired, or for another audience.
   * @throws PlatformError 503 if the keys of the issuer are not available.
   */
  verify(token: string): Promise<IssuerClaims | null>;
}

/** Claims of a verified token. */
export interface IssuerClaims extends JWTPayload {
  readonly iss: string;
  readonly exp: number;
}

/** Algorithms with a public key only, because with a shared secret every platform could forge tokens of the issuer. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Maximum age of a token. Older tokens are rejected even if they have not expired, because revocations are deleted. */
const maxTokenAge = '24h';
/** The last second that a `Date` can represent. */
const maxExp = 8.64e12;
const cacheMs = 10 * 60_000;
const timeoutMs = 5_000;

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/** Creates the verification of an issuer's tokens. Its keys are read with the first token, and when they rotate. */
export function createIssuerTokens(settings: IssuerSettings): IssuerTokens {
  const { issuer, audience } = settings;
  let opening: Promise<KeySet> | null = null;
  const keySet = (): Promise<KeySet> => {
    opening ??= openKeySet(settings).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };

  return {
    async verify(token) {
      if (issuerOf(token) !== issuer) return null;
      try {
        const options = { issuer, audience, algorithms, maxTokenAge, requiredClaims: ['exp', 'iat', 'sub'] };
        const { payload } = await jwtVerify(token, await keySet(), options);
        const exp = Number(payload.exp);
        const isStorable = exp < maxExp && !payload.sub?.includes('\0') && !String(payload.email).includes('\0');
        return isStorable ? { ...payload, iss: issuer, exp } : null;
      } catch (error) {
        if (isRejection(error)) return null;
        throw new PlatformError(503, 'The keys of the token’s issuer are not available.', { cause: error });
      }
    },
  };
}

/** Reads `iss` without verification, so that other credentials never cause a request to the issuer. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    // The credential is an API key or a malformed token.
    return undefined;
  }
}

/** True if the token is at fault, and not the keys of the issuer. */
function isRejection(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false;
  return !['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(error.code);
}

async function openKeySet({ issuer, jwksUrl, cooldownMs = 30_000 }: IssuerSettings): Promise<KeySet> {
  const url = new URL(jwksUrl ?? (await discoverKeys(issuer)));
  return createRemoteJWKSet(url, { cooldownDuration: cooldownMs, cacheMaxAge: cacheMs, timeoutDuration: timeoutMs });
}

async function discoverKeys(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  const { issuer: named, jwks_uri: keys }: Record<string, unknown> = Object(await response.json());
  if (named !== issuer || typeof keys !== 'string') throw new Error('The OpenID configuration names another issuer.');
  return keys;
}
