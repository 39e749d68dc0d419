import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';

/** The claims of each user of the provider, by `sub`. */
export type ProviderUsers = Map<string, Record<string, unknown>>;

/** Starts an OpenID provider on loopback, whose sign-in page accepts every user without a password. */
export async function startTestProvider(redirectUri: string, users: ProviderUsers) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' };
  let handle: ReturnType<Provider['callback']> | undefined;
  let hold: Promise<void> | undefined;
  let onHold: (() => void) | undefined;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/token') {
      onHold?.();
      await hold;
    }
    await handle?.(request, response);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const client = { client_id: 'platform', client_secret: 'a-secret-of-the-client', redirect_uris: [redirectUri] };
  const grantTypes = ['authorization_code', 'refresh_token'];
  const provider = new Provider(issuer, {
    clients: [{ ...client, grant_types: grantTypes }],
    features: { revocation: { enabled: true } },
    issueRefreshToken: () => true,
    jwks: { keys: [jwk] },
    cookies: { keys: ['a key for the cookies of the test'] },
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...users.get(id) }) }),
    // Skips the page that requests consent.
    async loadExistingGrant({ oidc }: { oidc: { session: { accountId: string }; client: { clientId: string } } }) {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  handle = provider.callback();

  /** Follows the redirects of the provider as a browser, signs in, and returns the address of the callback. */
  async function signIn(start: string, user: string): Promise<URL> {
    const jar = new Map<string, string>();
    let url = start;
    let init: RequestInit = {};
    for (let hop = 0; hop < 10; hop++) {
      const cookie = [...jar].map(pair => pair.join('=')).join('; ');
      const response = await fetch(url, { redirect: 'manual', ...init, headers: { ...Object(init.headers), cookie } });
      for (const each of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (each.split(';')[0] ?? '').split('=', 2);
        jar.set(name, value);
      }
      const location = response.headers.get('location');
      if (location?.startsWith(redirectUri)) return new URL(location);
      if (location !== null) {
        url = new URL(location, url).href;
        init = {};
        continue;
      }
      const action = /action="([^"]+)"/.exec(await response.text())?.[1];
      if (action === undefined) throw new Error(`The provider returned ${response.status} without a form.`);
      url = new URL(action, url).href;
      const body = new URLSearchParams({ prompt: 'login', login: user, password: 'any' });
      init = { method: 'POST', body };
    }
    throw new Error('The provider redirects without end.');
  }

  return {
    issuer,
    client,
    signIn,
    /** Delays token requests until the promise is settled. Resolves when the first request has arrived. */
    holdTokenRequests(until: Promise<void>): Promise<void> {
      hold = until;
      return new Promise(resolve => {
        onHold = resolve;
      });
    },
    /** Signs a token as the provider would. */
    sign: (claims: object, header: object = {}) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'first', ...header }).sign(privateKey),
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
