import type { Configuration } from 'openid-client';
import type { Claims } from './claim-rules.js';
import type { OidcSettings } from './oidc-options.js';

/** State of a sign-in that is needed when the provider redirects the browser back. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Starts and finishes sign-ins with an OpenID provider: authorization code flow with PKCE, `state` and `nonce`. */
export interface OidcClient {
  /** Returns the address of the provider that starts a sign-in. */
  start(): Promise<{ readonly url: URL; readonly pending: PendingSignIn }>;
  /**
   * Exchanges the code of a callback and verifies the ID token.
   * @throws if the provider rejected the sign-in, or if anything does not match.
   */
  finish(callback: URL, pending: PendingSignIn): Promise<Claims>;
}

const timeoutSeconds = 10;

/** Creates the client of a provider. The package and the metadata of the provider are loaded at the first sign-in. */
export function createOidcClient(settings: OidcSettings, redirectUri: string): OidcClient {
  let opening: Promise<Configuration> | null = null;

  /** Discovers the provider once. Does not cache a failure, because the provider may respond later. */
  const open = (): Promise<Configuration> => {
    opening ??= discover(settings).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };

  return {
    async start() {
      const [config, library] = [await open(), await import('openid-client')];
      const pending = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      };
      const url = library.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scope,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      });
      return { url, pending };
    },
    async finish(callback, { state, nonce, verifier }) {
      const [config, library] = [await open(), await import('openid-client')];
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await library.authorizationCodeGrant(config, callback, checks);
      const claims = tokens.claims();
      if (!claims) throw new Error('The provider sent no ID token.');
      const needed = ['email', ...settings.rules.map(({ claim }) => claim)];
      const isComplete = needed.every(name => claims[name] !== undefined);
      if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return claims;
      // Many providers send most claims only in this response. The library checks that the subject is the same.
      return { ...(await library.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const library = await import('openid-client');
  const authentication = clientSecret === undefined ? library.None() : library.ClientSecretBasic(clientSecret);
  const execute = issuer.protocol === 'http:' ? [library.allowInsecureRequests] : [];
  return library.discovery(issuer, clientId, undefined, authentication, { execute, timeout: timeoutSeconds });
}
