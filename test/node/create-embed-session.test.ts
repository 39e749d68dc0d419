import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PaError } from '../../src/client/errors.js';
import type { EmbedGrant } from '../../src/contract/embed-grant.js';
import { createEmbedSession, type EmbedSessionOptions } from '../../src/node/create-embed-session.js';
import { json } from '../client/fake-service.js';

const sessionId = '0123456789abcdef'.repeat(2);
const apiKey = 'admin-key-4711';
const grant: EmbedGrant = { deploymentId: 1, externalId: 'rosa' };

type Fetch = typeof globalThis.fetch;

const mint = (fetch: Fetch, options: Partial<EmbedSessionOptions> = {}, given: EmbedGrant = grant) =>
  createEmbedSession({ baseUrl: 'https://platform.example', apiKey, fetch, ...options }, given);

const failure = (promise: Promise<unknown>): Promise<PaError> =>
  promise.then(
    () => Promise.reject(new Error('it succeeded')),
    error => error,
  );

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('creating a session', () => {
  it('sends the grant unchanged and returns only the session id', async () => {
    const fetch = vi.fn<Fetch>(async () => json({ sessionId, more: 1 }));
    const full: EmbedGrant = {
      deploymentId: 1,
      externalId: 'rosa',
      embedTenantName: 'ohare',
      embedTenantProfile: { displayName: 'O’Hare' },
      creatorMode: true,
      tenantGroups: ['ops'],
      tenantGroupDefinitions: [{ name: 'ops' }],
      securityContext: { airport: 'ORD' },
    };
    await expect(mint(fetch, {}, full)).resolves.toEqual({ sessionId });
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe('https://platform.example/api/v1/embed/generate-session');
    expect(new Headers(init?.headers).get('authorization')).toBe(`Bearer ${apiKey}`);
    expect(JSON.parse(String(init?.body))).toEqual(full);
  });

  it('rejects a response without a session id', async () => {
    expect((await failure(mint(async () => json({ sessionId: 'x' })))).code).toBe('invalid_response');
  });
});

describe('rejects before sending', () => {
  const wrong: [string, Record<string, unknown>, string][] = [
    ['no user', { deploymentId: 1 }, 'grant.externalId'],
    ['two users', { ...grant, internalId: 'a' }, 'grant.internalId'],
    ['no deployment', { externalId: 'a' }, 'grant.deploymentId'],
    [
      'groups of a tenant without creator mode',
      { ...grant, embedTenantName: 'ab', tenantGroups: ['a'] },
      'creatorMode: true',
    ],
    ['groups without a tenant', { ...grant, creatorMode: true, tenantGroups: ['a'] }, 'embedTenantName'],
    ['an invalid tenant name', { ...grant, embedTenantName: 'O Hare' }, 'grant.embedTenantName'],
    ['a removed field', { ...grant, ephemeralTtlSeconds: 5 }, 'ephemeralTtlSeconds'],
    ['a reserved key', { ...grant, securityContext: { platform: {} } }, 'grant.securityContext'],
    [
      'a context that cannot be serialized',
      { ...grant, securityContext: new Map([['a', 1]]) },
      'grant.securityContext',
    ],
    ['an unsupported option', { ...grant, isEphemeral: true }, 'grant.isEphemeral'],
    ['roles of an internal user', { deploymentId: 1, internalId: 'a', roles: ['AIBIViewer'] }, 'grant.roles'],
  ];

  it.each(wrong)('%s, by name', async (_what, given, words) => {
    const fetch = vi.fn<Fetch>();
    // JavaScript callers have no types.
    const error = await failure(mint(fetch, {}, given as unknown as EmbedGrant));
    expect(error.code).toBe('invalid_grant');
    expect(error.message).toContain(words);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('never enables creator mode automatically', async () => {
    const fetch = vi.fn<Fetch>(async () => json({ sessionId }));
    await mint(fetch, {}, { ...grant, embedTenantName: 'ohare' });
    expect(JSON.parse(String(fetch.mock.calls[0]?.[1]?.body))).not.toHaveProperty('creatorMode');
  });

  it.each([
    [{ baseUrl: 'http://platform.example' }, 'HTTPS'],
    [{ baseUrl: '' }, 'baseUrl'],
    [{ apiKey: ' ' }, 'apiKey'],
    [{ apiKey: 'a\nb' }, 'credential'],
  ])('invalid options (%j)', async (options, word) => {
    const fetch = vi.fn<Fetch>();
    const error = await failure(mint(fetch, options));
    expect(error).toMatchObject({ code: 'invalid_options' });
    expect(error.message).toContain(word);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('a browser', async () => {
    vi.stubGlobal('window', {});
    vi.stubGlobal('document', {});
    const fetch = vi.fn<Fetch>();
    expect((await failure(mint(fetch))).message).toContain('must run on a server');
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('failure', () => {
  it.each([
    ['a failed connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['a 503', async () => json({}, 503)],
  ])('retries after %s, with growing pauses', async (_what, fail) => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const fetch = vi.fn<Fetch>().mockImplementationOnce(fail).mockImplementationOnce(fail);
    fetch.mockImplementation(async () => json({ sessionId }));
    const minted = mint(fetch);
    await vi.advanceTimersByTimeAsync(200);
    expect(fetch).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(399);
    expect(fetch).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    await expect(minted).resolves.toEqual({ sessionId });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives up after the retries', async () => {
    const fetch = vi.fn<Fetch>(async () => json({ message: 'down' }, 500));
    expect(await failure(mint(fetch, { retries: 0 }))).toMatchObject({ status: 500, message: 'down' });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it.each([400, 401, 403, 404])('treats %i as final', async status => {
    const fetch = vi.fn<Fetch>(async () => json({ message: 'no' }, status));
    expect((await failure(mint(fetch))).status).toBe(status);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('ends at the time limit for all attempts together', async () => {
    vi.useFakeTimers();
    const failed = failure(mint(() => new Promise(() => {}), { timeoutMs: 1000 }));
    await vi.advanceTimersByTimeAsync(1000);
    expect((await failed).name).toBe('PaTimeoutError');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends when it is canceled, even between attempts', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const fetch = vi.fn<Fetch>(() => Promise.reject(new TypeError('fetch failed')));
    const failed = failure(mint(fetch, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(0);
    controller.abort();
    expect((await failed).name).toBe('PaAbortError');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('never contains the key, even if the platform or fetch repeats it', async () => {
    const errors = [
      await failure(mint(async () => json({ message: `bad key ${apiKey}` }, 401))),
      await failure(mint(() => Promise.reject(new TypeError(`header ${apiKey}`)), { retries: 0 })),
      await failure(mint(async () => new Response(`<p>${apiKey}</p>`))),
    ];
    for (const error of errors) expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(apiKey);
  });
});
