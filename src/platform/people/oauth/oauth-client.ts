import { createHash, randomBytes } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { guardedLookup, isPublicAddress } from '../../runtime/public-address.js';
import { type OAuthOptions, oauthUrlProblem } from './oauth-options.js';

const timeoutMs = 10_000;
const maxBytes = 64 * 1024;
const maxTokenLength = 16_384;
/** Lifetime in seconds above which the expiry of a token is not stored. */
const maxSeconds = 10 * 365 * 24 * 60 * 60;

/** A service, with the client secret of the platform. */
export interface OAuthService {
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly redirectUri: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly revocationUrl: string | null;
}

/** Tokens of a service. */
export interface OAuthTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly accessTokenExpiresAt: Date | null;
  readonly refreshTokenExpiresAt: Date | null;
}

/** Thrown if a service rejects a request or cannot be reached. Contains only a short code of the response. */
export class OAuthError extends Error {
  /** The error code of the service, such as `invalid_grant`, or of the platform, such as `unreachable`. */
  readonly code: string;

  constructor(code: string) {
    super(`The service rejected the request: ${code}`);
    this.name = 'OAuthError';
    this.code = code;
  }
}

/** Creates the secret of an authorization (PKCE, RFC 7636). */
export function createVerifier(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the address at which a user authorizes the platform. */
export function authorizationUrl(
  service: OAuthService,
  { state, verifier }: { readonly state: string; readonly verifier: string },
): string {
  const url = new URL(service.authUrl);
  const parameters = {
    response_type: 'code',
    client_id: service.clientId,
    redirect_uri: service.redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(service.scopes.length > 0 && { scope: service.scopes.join(' ') }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Exchanges the code of an authorization. @throws OAuthError */
export async function exchangeCode(
  service: OAuthService,
  { code, verifier }: { readonly code: string; readonly verifier: string },
  options: OAuthOptions,
): Promise<OAuthTokens> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: service.redirectUri, code_verifier: verifier };
  return readTokens(await post(service.tokenUrl, service, form, options));
}

/** Gets a new access token. Keeps the refresh token if the service sends no other. @throws OAuthError */
export async function refreshTokens(
  service: OAuthService,
  refreshToken: string,
  options: OAuthOptions,
): Promise<OAuthTokens> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const tokens = readTokens(await post(service.tokenUrl, service, form, options));
  return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
}

/** Revokes a token at the service (RFC 7009), if it has an address for this. @throws OAuthError */
export async function revokeToken(service: OAuthService, token: string, options: OAuthOptions): Promise<void> {
  if (service.revocationUrl !== null) await post(service.revocationUrl, service, { token }, options);
}

function readTokens(body: Readonly<Record<string, unknown>>): OAuthTokens {
  const { access_token: accessToken, refresh_token: refreshToken, token_type: type } = body;
  if (!isToken(accessToken) || String(type).toLowerCase() !== 'bearer') throw new OAuthError('invalid_response');
  return {
    accessToken,
    refreshToken: isToken(refreshToken) ? refreshToken : null,
    accessTokenExpiresAt: timeAfter(body.expires_in),
    refreshTokenExpiresAt: timeAfter(body.refresh_expires_in ?? body.refresh_token_expires_in),
  };
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(value);
}

function timeAfter(seconds: unknown): Date | null {
  const number = Number(seconds ?? Number.NaN);
  return number > 0 && number <= maxSeconds ? new Date(Date.now() + number * 1000) : null;
}

/**
 * Sends a form to a service and returns its JSON. Follows no redirects, connects to public addresses only, and limits
 * time and size of the response.
 */
async function post(
  text: string,
  { clientId, clientSecret }: OAuthService,
  form: Readonly<Record<string, string>>,
  options: OAuthOptions,
): Promise<Record<string, unknown>> {
  // Checked again, because the list of hosts may have changed since the integration was stored.
  if (oauthUrlProblem(text, options) !== null) throw new OAuthError('url_not_allowed');
  const url = new URL(text);
  const isAllowed = options.testing?.isAllowedAddress ?? isPublicAddress;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // The lookup function is not called for IP addresses, so they are checked here.
  if (isIP(host) !== 0 && !isAllowed(host)) throw new OAuthError('address_not_public');
  const body = new URLSearchParams(form).toString();
  const credentials = [clientId, clientSecret].map(each => encodeURIComponent(each)).join(':');
  const headers = {
    accept: 'application/json',
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'pa-platform',
  };
  const send = url.protocol === 'http:' ? requestHttp : requestHttps;
  const { status, answer } = await new Promise<{ status: number; answer: string }>((resolve, reject) => {
    const fail = () => reject(new OAuthError('unreachable'));
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = send(
      url,
      { method: 'POST', headers, agent: false, lookup: guardedLookup(isAllowed), signal },
      response => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.byteLength;
          if (size > maxBytes) response.destroy(new Error('too large'));
          else chunks.push(chunk);
        });
        response.on('error', fail);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, answer: Buffer.concat(chunks).toString() }),
        );
      },
    );
    sent.on('error', fail);
    // Some responses, such as an upgrade, end without a separate event.
    sent.on('close', fail);
    sent.end(body);
  });
  const content = parse(answer);
  if (status >= 200 && status < 300) return content;
  const { error } = content;
  throw new OAuthError(typeof error === 'string' && /^[\w-]{1,50}$/.test(error) ? error : `status_${status}`);
}

/** Parses a JSON object. Responses of revocations can be empty. */
function parse(text: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' && content !== null ? { ...content } : {};
  } catch {
    return {};
  }
}
