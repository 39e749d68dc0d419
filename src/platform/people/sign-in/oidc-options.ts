import { isLoopback } from '../../../contract/loopback.js';
import type { IssuerSettings } from '../../auth/issuer-tokens.js';
import { type ClaimRule, readClaimRule } from './claim-rules.js';

/** The OpenID provider with which users sign in. */
export interface OidcOptions {
  /** Issuer, like `https://id.example.com`: HTTPS, or HTTP on loopback. */
  readonly issuer: string;
  readonly clientId: string;
  /** Secret of the client. Without it, the client is public and identified by PKCE only. */
  readonly clientSecret?: string;
  /** Name of the provider on the page; by default the host of the issuer. */
  readonly name?: string;
  /** Scopes in addition to `openid email profile`. */
  readonly scopes?: readonly string[];
  /** Whether to create users at their first sign-in; `false` by default. */
  readonly createUsers?: boolean;
  /**
   * Treats emails as verified if the provider does not send `email_verified`; off by default. Only for providers in
   * which users cannot choose their email themselves.
   */
  readonly trustEmail?: boolean;
  /** Rules such as `groups=analysts:role=AIBIUser`. */
  readonly rules?: readonly string[];
}

/** Options of the sign-in of users, in addition to email and password. */
export interface SignInOptions {
  /** The OpenID provider with which users of the account can sign in. Requires the package `openid-client`. */
  readonly oidc?: OidcOptions;
  /** The issuer whose tokens are accepted as bearer tokens of its users, by the Platform API, the Chat API and MCP. */
  readonly tokenIssuer?: IssuerSettings;
}

/** Checked options of the OpenID provider. */
export interface OidcSettings {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly name: string;
  readonly scope: string;
  readonly createsUsers: boolean;
  readonly trustsEmail: boolean;
  readonly rules: readonly ClaimRule[];
}

/**
 * Checks the options of the sign-in.
 * @throws Error
 */
export function readSignInOptions({ oidc, tokenIssuer }: SignInOptions) {
  return { oidc: oidc && readOidcOptions(oidc), tokenIssuer: tokenIssuer && readIssuerOptions(tokenIssuer) };
}

/**
 * Checks the options of the OpenID provider.
 * @throws Error
 */
export function readOidcOptions(options: OidcOptions): OidcSettings {
  const issuer = readIssuer('--oidc-issuer', options.issuer);
  if (!options.clientId) throw new Error('--oidc-issuer requires --oidc-client-id.');
  return {
    issuer,
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    name: options.name ?? issuer.hostname,
    scope: ['openid', 'email', 'profile', ...(options.scopes ?? [])].join(' '),
    createsUsers: options.createUsers ?? false,
    trustsEmail: options.trustEmail ?? false,
    rules: (options.rules ?? []).map(readClaimRule),
  };
}

/**
 * Checks the options of the issuer of bearer tokens.
 * @throws Error
 */
function readIssuerOptions(options: IssuerSettings): IssuerSettings {
  readIssuer('--token-issuer', options.issuer);
  if (!options.audience) throw new Error('--token-issuer requires --token-audience.');
  if (options.jwksUrl !== undefined) readIssuer('--token-jwks-url', options.jwksUrl);
  return options;
}

/**
 * Reads the URL of an issuer.
 * @throws Error unless it is HTTPS, or HTTP on loopback.
 */
function readIssuer(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe || url.username || url.password || url.search || url.hash) {
    throw new Error(`${option} must be a URL such as https://id.example.com: HTTPS, or HTTP on loopback.`);
  }
  return url;
}
