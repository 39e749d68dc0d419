import { eq, sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRemoteTools } from '../../../src/platform/agent/remote-tools/remote-tools.js';
import { createAuthenticateChat } from '../../../src/platform/auth/authenticate.js';
import { createSealedSecrets, type SealedSecrets } from '../../../src/platform/auth/sealed-secrets.js';
import { secretsOf } from '../../../src/platform/auth/secrets.js';
import type { CallerData } from '../../../src/platform/data/caller-data.js';
import { userOauthTokens } from '../../../src/platform/db/schema.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { type ChatApi, openChatApi } from '../../../src/platform/open-chat.js';
import { remoteToolHooks } from '../../../src/platform/open-remote-tools.js';
import {
  accessTokenOf,
  createUserTokenReader,
  resealUserTokens,
} from '../../../src/platform/people/oauth/user-token-store.js';
import { oauthCallback } from '../../../src/platform/people/oauth/user-tokens.js';
import { calling, saying, startLlm } from '../agent/language-model/fake-llm.js';
import { integrationBody } from '../api/things.js';
import { testSecrets, testTokens } from '../auth/test-tokens.js';
import { someoneWaits, startTestPlatform, type TestPlatform } from '../test-platform.js';
import { startTestProvider } from './test-provider.js';
import { startToolService } from './tool-service.js';

const origin = 'https://platform.example';
const callback = `${origin}/api/v1/user-oauth-tokens/callback`;
const path = '/api/v1/oauth-integrations';
const own = '/api/v1/user-oauth-tokens';
const noData: CallerData = {
  meta: () => ({ cubes: [] }),
  load: () => Promise.reject(new Error('There is no data in these tests.')),
};
const onFailure = vi.fn<(error: unknown) => void>();

let platform: TestPlatform;
let provider: Awaited<ReturnType<typeof startTestProvider>>;
let tools: Awaited<ReturnType<typeof startToolService>>;
let llm: Awaited<ReturnType<typeof startLlm>>;
let chat: ChatApi;
let chatApp: Hono;
/** Whether the service with tools accepts a token. It accepts those of the provider. */
let accepts = async (token: string) => (await statusAt(token)) === 200;
beforeAll(async () => {
  provider = await startTestProvider(callback, new Map());
  tools = await startToolService(token => accepts(token));
  const testing = { isAllowedAddress: (address: string) => address === '127.0.0.1' };
  const oauth = { hosts: ['id.example.com', new URL(provider.issuer).host], testing };
  const agentTools = { hosts: [new URL(tools.url).host], testing };
  platform = await startTestPlatform({ oauth, agentTools });
  llm = await startLlm(({ body }) => ({
    pieces: [body.messages.at(-1)?.role === 'tool' ? saying(['Done.']) : calling([['crm_lookup', '{"id":"42"}']])],
  }));
  const { db, sealedSecrets: secrets } = platform.deps;
  const hooks = remoteToolHooks({ db, secrets, oauth, origin });
  chat = await openChatApi({
    db,
    data: { dataOf: () => noData, versionOf: async () => '' },
    llm: { baseUrl: llm.baseUrl, model: 'm' },
    openRemoteTools: createRemoteTools({ options: agentTools, ...hooks, onFailure }),
    onFailure,
  });
  chatApp = chat.routes({ authenticate: createAuthenticateChat({ db, tokens: testTokens }), onFailure });
  chatApp.onError(error => new Response(null, { status: error instanceof PlatformError ? error.status : 500 }));
});
afterAll(async () => {
  await chat.close();
  await llm.close();
  await tools.stop();
  await provider.stop();
  await platform.stop();
});

/** Creates an integration with the provider that the test starts. */
async function integrate(config: object = {}): Promise<number> {
  const { issuer, client } = provider;
  const body = {
    ...integrationBody(),
    authUrl: `${issuer}/auth`,
    tokenUrl: `${issuer}/token`,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    scopes: ['openid'],
    config: { issuer, revocationUrl: `${issuer}/token/revocation`, ...config },
  };
  return (await platform.ok('POST', path, body)).id;
}

type Person = Awaited<ReturnType<TestPlatform['signedIn']>>;

/** Gives a person a new role with a global action. Returns the id of the role. */
async function grant({ userId }: Person, action: string): Promise<number> {
  const policies = [{ resourceType: 'Global', actions: [action], resources: ['All'] }];
  const { id } = await platform.ok('POST', '/api/v1/roles', { name: `${action} of ${userId}`, policies });
  await platform.call('PUT', `/api/v1/roles/${id}/users/${userId}`);
  return id;
}

/** Starts an authorization, and authorizes it at the provider. Returns the address of the callback. */
async function authorize(id: number, { token }: Person): Promise<URL> {
  const { authorizationUrl } = await platform.ok('POST', `${own}/${id}/initiate`, undefined, token);
  return provider.signIn(authorizationUrl, 'ann');
}

/** Returns the address at which the browser of a person ends. */
async function finish(url: URL, cookie: string | null): Promise<string | null> {
  const { db, sealedSecrets, oauth } = platform.deps;
  const app = new Hono().route(
    '/',
    oauthCallback({ db, sealedSecrets, oauth, countRequest: async () => {}, onFailure }),
  );
  const headers = { 'sec-fetch-site': 'cross-site', ...(cookie !== null && { cookie }) };
  return (await app.request(url.href, { headers })).headers.get('location');
}

async function connect(id: number, person: Person) {
  expect(await finish(await authorize(id, person), person.headers.cookie)).toBe('/console?oauth=connected');
}
const stored = (userId: number) => platform.db.select().from(userOauthTokens).where(eq(userOauthTokens.userId, userId));
const accessToken = (user: number, integration: number) =>
  accessTokenOf(
    platform.db,
    { secrets: platform.deps.sealedSecrets, options: platform.deps.oauth },
    { user, integration },
  );
/** Status of a token at the provider. */
const statusAt = async (token: string | null) =>
  (await fetch(`${provider.issuer}/me`, { headers: { authorization: `Bearer ${token}` } })).status;

/** Lets the agent use the tool of the service. */
const giveTools = (authentication: object) =>
  platform.ok('PATCH', '/api/v1/deployments/1/agents/1', {
    toolServers: [{ name: 'crm', url: tools.url, tools: ['lookup'], ...authentication }],
  });

/** Sends a message whose answer calls the tool. Returns the result of the tool, or the status of a refusal. */
async function ask(credential: string, sessionSettings?: object): Promise<unknown> {
  const response = await chatApp.request('/api/v1/public/local/agents/1/chat/stream-chat-state', {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Who owns 42?', ...(sessionSettings && { sessionSettings }) }),
  });
  if (response.status !== 200) return response.status;
  const frames = (await response.text()).split('\n').flatMap(line => (line === '' ? [] : JSON.parse(line)));
  const results = frames.flatMap(({ toolCall }) => toolCall?.result ?? []);
  expect(results).toHaveLength(1);
  return JSON.parse(results[0]);
}

describe('A token of a service', () => {
  test('is obtained with PKCE, encrypted, and never returned', async () => {
    const [id, person] = [await integrate(), await platform.signedIn('Admin')];
    const { authorizationUrl } = await platform.ok('POST', `${own}/${id}/initiate`, undefined, person.token);
    const { searchParams } = new URL(authorizationUrl);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(searchParams.get('redirect_uri')).toBe(callback);
    await connect(id, person);
    const token = (await accessToken(person.userId, id)) ?? '';
    expect(await statusAt(token)).toBe(200);
    const shown = await platform.ok('GET', `${own}/${id}`, undefined, person.token);
    expect(shown).toMatchObject({ integrationId: id, userId: person.userId, status: 'connected' });
    const everything = [shown, await platform.ok('GET', path), await stored(person.userId), await platform.audited()];
    expect(JSON.stringify(everything)).not.toContain(token);
    expect(JSON.stringify(everything)).not.toContain(provider.client.client_secret);
    expect(await platform.audited('connectOAuthToken')).toMatchObject([{ target: { userId: person.userId } }]);
  });

  test('authenticates the tools of an agent in a chat, and only for its user', async () => {
    const [id, person, other] = [await integrate(), await platform.signedIn('Admin'), await platform.signedIn('Admin')];
    await connect(id, person);
    await giveTools({ oauthIntegrationId: id });
    const who = { internalId: person.email };
    const found = { text: 'Owner: Bea' };
    const token = await platform.tokenOf({ externalId: null, ...who });
    expect(await ask(person.token, who)).toEqual(found);
    expect(await ask('the-admin-key', who)).toEqual(found);
    expect(await ask(token)).toEqual(found);
    expect(JSON.stringify(llm.requests)).not.toContain(await accessToken(person.userId, id));
    const target = { agentId: 1, server: 'crm', tool: 'lookup', deploymentId: 1 };
    const by = (principal: string) => ({ principal, userId: person.userId, target });
    expect(await platform.audited('callAgentTool')).toMatchObject([by('person'), by('api-key'), by('embed')]);
    const message = expect.stringContaining(`${origin}/console?authorize=${id}`);
    expect(await ask(await platform.tokenOf({ externalId: null, internalId: other.email }))).toEqual({
      error: message,
    });
    const refused = { error: expect.stringContaining('only users of the account') };
    const embedUser = await platform.tokenOf({ externalId: 'eve', embedTenantName: 'acme' });
    expect(await ask(embedUser)).toEqual(refused);
    await platform.ok('PUT', `/api/v1/users/${person.userId}`, { isDeactivated: true });
    expect(await ask(token)).toBe(401);
  });

  test('of the platform authenticates the tools of an agent for users of the account', async () => {
    const { url } = tools;
    const body = { audienceType: 'custom', customAudience: url };
    const { id } = await platform.ok('POST', '/api/v1/oidc-token-configs', body);
    await giveTools({ oidcTokenConfigId: id });
    const person = await platform.signedIn('AIBIUser');
    const received: unknown[] = [];
    accepts = async token => received.push(decodeJwt(token)) > 0;
    expect(await ask(await platform.tokenOf({ externalId: null, internalId: person.email }))).toEqual({
      text: 'Owner: Bea',
    });
    expect(received[0]).toMatchObject({ aud: url, sub: 'deployment:1:agent' });
    const embedUser = await platform.tokenOf({ externalId: 'eve', embedTenantName: 'acme' });
    const refused = { error: 'crm is available to users of the account only.' };
    expect(await ask(embedUser)).toEqual(refused);
  });

  test('is refreshed once by concurrent users of it, with a new refresh token', async () => {
    const [id, person] = [await integrate(), await platform.signedIn('Admin')];
    await connect(id, person);
    const before = await accessToken(person.userId, id);
    await platform.db.update(userOauthTokens).set({ accessTokenExpiresAt: new Date() });
    const refreshed = await Promise.all([1, 2, 3].map(() => accessToken(person.userId, id)));
    expect(new Set(refreshed).size).toBe(1);
    expect(refreshed[0]).not.toBe(before);
    expect(await statusAt(refreshed[0] ?? null)).toBe(200);
  });

  test('that is being refreshed does not delay the deactivation of its user', async () => {
    const [id, person] = [await integrate(), await platform.signedIn('Admin')];
    await connect(id, person);
    await platform.db.update(userOauthTokens).set({ accessTokenExpiresAt: new Date() });
    let respond = () => {};
    const held = new Promise<void>(resolve => {
      respond = resolve;
    });
    const arrived = provider.holdTokenRequests(held);
    const refreshing = accessToken(person.userId, id);
    await arrived;
    await platform.ok('PUT', `/api/v1/users/${person.userId}`, { isDeactivated: true });
    respond();
    expect(await refreshing).toBeNull();
    expect(await stored(person.userId)).toEqual([]);
  });

  test('is revoked at the service', async () => {
    const [id, person] = [await integrate(), await platform.signedIn('Admin')];
    await connect(id, person);
    const token = await accessToken(person.userId, id);
    expect(await platform.call('DELETE', `${own}/${id}`, undefined, person.token)).toMatchObject({ status: 204 });
    expect(await statusAt(token)).toBe(401);
    expect(await stored(person.userId)).toEqual([]);
    expect(await platform.call('DELETE', `${own}/${id}`, undefined, person.token)).toMatchObject({ status: 404 });
  });

  test('has the status of the last error, and is deleted with the access of its user', async () => {
    const [id, person] = [await integrate(), await platform.signedIn('AIBIUser')];
    await platform.ok('PUT', `/api/v1/users/${person.userId}`, { isAdmin: true });
    await connect(id, person);
    const sealed = platform.deps.sealedSecrets.seal('unknown', `user_oauth_tokens:${person.userId}:${id}:refresh`);
    await platform.db.update(userOauthTokens).set({ accessTokenExpiresAt: new Date(), sealedRefreshToken: sealed });
    expect(await accessToken(person.userId, id)).toBeNull();
    const shown = await platform.ok('GET', `${own}/${id}`, undefined, person.token);
    expect(shown).toMatchObject({ status: 'error', lastError: { code: 'invalid_grant' } });
    await platform.ok('PUT', `/api/v1/users/${person.userId}`, { isDeactivated: true });
    expect(await stored(person.userId)).toEqual([]);
  });

  test('authenticates the data source as the user who set the variable', async () => {
    const person = await platform.signedIn('Admin');
    const body = { ...integrationBody(), config: { targetEnvVar: 'FOREIGN_TOKEN' } };
    await platform.ok('POST', path, body);
    const id = await integrate();
    const config = { issuer: provider.issuer, targetEnvVar: 'PG_TOKEN' };
    const current = await platform.ok('GET', `${path}/${id}`);
    const { createdAt: _, updatedAt: __, id: ___, ...fields } = current;
    const change = { ...fields, config, clientSecret: provider.client.client_secret };
    await platform.ok('PUT', `${path}/${id}`, change, person.token);
    await connect(id, person);
    const read = createUserTokenReader(platform.db, {
      secrets: platform.deps.sealedSecrets,
      options: platform.deps.oauth,
    });
    expect(await read()).toMatchObject([{ name: 'PG_TOKEN', value: await accessToken(person.userId, id) }]);
    const manager = await platform.signedIn('AIBIUser');
    await grant(manager, 'OAuthIntegrationsManage');
    expect(await platform.call('PUT', `${path}/${id}`, change, manager.token)).toMatchObject({ status: 403 });
    expect(await platform.call('DELETE', `${path}/${id}`, undefined, manager.token)).toMatchObject({ status: 403 });
    await platform.ok('PUT', `/api/v1/users/${person.userId}`, { isAdmin: false });
    expect(await read()).toEqual([]);
  });
});

test('Tokens are encrypted again only if the secret key has changed', async () => {
  const [id, person] = [await integrate(), await platform.signedIn('Admin')];
  await connect(id, person);
  const [before] = await stored(person.userId);
  const reseal = async (secrets: SealedSecrets) => {
    const version = sql<string>`${userOauthTokens}.xmin::text`;
    const read = () =>
      platform.db.select({ version }).from(userOauthTokens).where(eq(userOauthTokens.userId, person.userId));
    const [unchanged] = await read();
    await resealUserTokens(platform.db, secrets);
    const [resealed] = await read();
    return resealed?.version !== unchanged?.version;
  };
  expect(await reseal(platform.deps.sealedSecrets)).toBe(false);
  expect(await reseal(createSealedSecrets(secretsOf('another key of the test'), [testSecrets]))).toBe(true);
  await platform.db
    .update(userOauthTokens)
    .set({ ...before })
    .where(eq(userOauthTokens.userId, person.userId));
});

describe('An authorization', () => {
  test('can be completed only once, and only by the browser that started it', async () => {
    const [id, person] = [await integrate(), await platform.signedIn('Admin')];
    const other = await platform.signedIn('Admin');
    const url = await authorize(id, person);
    expect(await finish(url, null)).toBe('/console?oauth=expired');
    expect(await finish(url, other.headers.cookie)).toBe('/console?oauth=expired');
    expect(await finish(url, person.headers.cookie)).toBe('/console?oauth=connected');
    expect(await finish(url, person.headers.cookie)).toBe('/console?oauth=expired');
    expect(await stored(other.userId)).toEqual([]);
  });

  test('ends with the session, a changed integration, and a forged state', async () => {
    const [id, person] = [await integrate(), await platform.signedIn('Admin')];
    const url = await authorize(id, person);
    const forged = new URL(url);
    forged.searchParams.set('state', `${url.searchParams.get('state')?.slice(0, -4)}AAAA`);
    expect(await finish(forged, person.headers.cookie)).toBe('/console?oauth=expired');
    const mixedUp = new URL(url);
    mixedUp.searchParams.set('iss', 'https://evil.example');
    expect(await finish(mixedUp, person.headers.cookie)).toBe('/console?oauth=failed');
    const second = await authorize(id, person);
    await platform.call('DELETE', '/api/v1/users/me/sessions', undefined, person.token);
    expect(await finish(second, person.headers.cookie)).toBe('/console?oauth=expired');
    expect(await stored(person.userId)).toEqual([]);
    expect(onFailure).not.toHaveBeenCalled();
  });

  test('requires the right until it is completed', async () => {
    const [id, member] = [await integrate(), await platform.signedIn('AIBIUser')];
    const role = await grant(member, 'OAuthIntegrationsIssueTokens');
    const url = await authorize(id, member);
    await platform.call('DELETE', `/api/v1/roles/${role}/users/${member.userId}`);
    expect(await finish(url, member.headers.cookie)).toBe('/console?oauth=denied');
    expect(await stored(member.userId)).toEqual([]);
  });

  test('stores no token if the right is removed while the service responds', async () => {
    const [id, member] = [await integrate(), await platform.signedIn('AIBIUser')];
    const role = await grant(member, 'OAuthIntegrationsIssueTokens');
    const url = await authorize(id, member);
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query('select from users where id = $1 for update', [member.userId]);
      const finished = finish(url, member.headers.cookie);
      // The token has been received, and is about to be stored.
      await someoneWaits(client);
      await client.query('delete from user_roles where role_id = $1', [role]);
      await client.query('commit');
      expect(await finished).toBe('/console?oauth=denied');
    });
    expect(await stored(member.userId)).toEqual([]);
  });

  test('requires a signed-in user with the right', async () => {
    const id = await integrate();
    const member = await platform.signedIn('AIBIUser');
    const start = (credential: string) => platform.call('POST', `${own}/${id}/initiate`, undefined, credential);
    expect(await start('the-admin-key')).toMatchObject({ status: 403 });
    expect(await start(member.token)).toMatchObject({ status: 403 });
    await grant(member, 'OAuthIntegrationsIssueTokens');
    expect(await start(member.token)).toMatchObject({ status: 200 });
    expect(await platform.call('GET', path, undefined, member.token)).toMatchObject({ status: 403 });
  });
});

describe('Integrations', () => {
  test.each([
    [{ tokenUrl: 'http://id.example.com.evil.example/token' }, 'body.tokenUrl: must have a host'],
    [{ tokenUrl: 'https://evil.example/token' }, 'body.tokenUrl: must have a host'],
    [{ tokenUrl: 'https://user@id.example.com/token' }, 'body.tokenUrl: must not contain a user'],
    [{ authUrl: 'javascript:alert(1)' }, 'body.authUrl: must be an HTTPS URL'],
    [{ redirectUri: 'https://evil.example/callback' }, 'body.redirectUri: must be'],
    [{ config: { revocationUrl: 'https://169.254.169.254/' } }, 'body.config.revocationUrl: must have a host'],
    [{ config: { proxy: 'x' } }, 'body.config.proxy: is not supported'],
    [{ config: { targetEnvVar: 'lower' } }, 'body.config.targetEnvVar'],
    [{ scopes: ['two scopes'] }, 'body.scopes'],
  ])('reject %j', async (body, message) => {
    const answer = await platform.call('POST', path, { ...integrationBody(), ...body });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  test('never send a secret or a token to another service', async () => {
    const [id, person] = [await integrate(), await platform.signedIn('Admin')];
    await connect(id, person);
    const { createdAt: _, updatedAt: __, id: ___, ...fields } = await platform.ok('GET', `${path}/${id}`);
    const change = (body: object) => platform.call('PUT', `${path}/${id}`, { ...fields, ...body });
    expect(await change({ name: 'renamed' })).toMatchObject({ status: 200 });
    expect(await stored(person.userId)).toHaveLength(1);
    const elsewhere = { tokenUrl: 'https://id.example.com/token' };
    expect(await change(elsewhere)).toMatchObject({ status: 400 });
    expect(await change({ config: { revocationUrl: 'https://id.example.com/revoke' } })).toMatchObject({ status: 400 });
    expect(await stored(person.userId)).toHaveLength(1);
    expect(await change({ ...elsewhere, clientSecret: 'another secret' })).toMatchObject({ status: 200 });
    expect(await stored(person.userId)).toEqual([]);
  });
});
