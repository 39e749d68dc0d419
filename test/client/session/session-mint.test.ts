import { afterEach, expect, it, vi } from 'vitest';
import { mintToken } from '../../../src/client/session/session-mint.js';
import { eventually } from '../../eventually.js';
import { deferred, FakeService, json } from '../fake-service.js';

const services = '../../../src/client/session/session-services.js';
const options = (service: FakeService) => ({
  baseUrl: 'https://platform.example',
  sessionUrl: '/api/embed-session',
  fetch: service.fetch,
});

afterEach(() => {
  vi.doUnmock(services);
  vi.resetModules();
});

it('requests a session before the rest of the client is loaded', async () => {
  const service = new FakeService();
  const loaded = deferred<void>();
  vi.doMock(services, async original => {
    await loaded.promise;
    return original();
  });
  const minted = mintToken(options(service), new AbortController().signal);
  await eventually(() => expect(service.mints).toBe(1));
  expect(service.exchanges).toBe(0);
  loaded.resolve();
  await expect(minted).resolves.toMatchObject({ token: { deploymentId: 1 } });
});

it('reports a module that cannot be loaded as a lost connection', async () => {
  vi.doMock(services, () => {
    throw new Error('404');
  });
  const minted = mintToken(options(new FakeService()), new AbortController().signal);
  await expect(minted).rejects.toMatchObject({ code: 'connection_failed' });
});

it.each([
  [401, 'not_authenticated'],
  [403, 'not_allowed'],
  [404, 'not_found'],
  [500, 'server_failed'],
])('maps the status %i of the host to its code', async (status, code) => {
  const service = new FakeService();
  service.routes.set('POST /api/embed-session', () => json({ message: 'private' }, status));
  const minted = mintToken(options(service), new AbortController().signal);
  await expect(minted).rejects.toMatchObject({ status, code, message: expect.not.stringContaining('private') });
});

it('reports the message of the session function without credentials', async () => {
  const session = () => Promise.reject(new Error(`no session ${'ab'.repeat(16)}`));
  const minted = mintToken({ baseUrl: 'https://platform.example', session }, new AbortController().signal);
  await expect(minted).rejects.toMatchObject({
    code: 'not_authenticated',
    message: 'The session function of the page failed: no session [removed]',
  });
});
