import { afterEach, expect, it, vi } from 'vitest';
import { createPeopleApi } from '../../src/console/people/people-api.js';

afterEach(() => vi.unstubAllGlobals());

it('ends the session of the page if another person has signed in in another tab', async () => {
  let person = 1;
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname } = new URL(String(url));
    const email = `person-${person}@acme.example`;
    const user = { id: person, username: email, email, isAdmin: true, notifications: {} };
    // The token has already expired, so that each call exchanges the cookie again.
    const token = { token: `token-${person}`, expiresAt: new Date(0).toISOString() };
    return Response.json(pathname.endsWith('/me') ? user : token);
  });
  const onSignedOut = vi.fn();
  const api = createPeopleApi('https://platform.example', onSignedOut);
  expect(await api.me()).toMatchObject({ id: 1 });
  const operation = vi.fn(async () => 'done');
  expect(await api.call(operation)).toBe('done');
  person = 2;
  await expect(api.call(operation)).rejects.toMatchObject({ status: 401 });
  expect(operation).toHaveBeenCalledTimes(1);
  expect(onSignedOut).toHaveBeenCalledTimes(1);
  // The person of the new session can use the page.
  expect(await api.me()).toMatchObject({ id: 2 });
});
