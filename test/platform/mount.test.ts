import '../../src/contract/messages.js';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { operation } from '../../src/contract/operation.js';
import { optional } from '../../src/contract/wire.js';
import { PlatformError } from '../../src/platform/errors.js';
import { mount } from '../../src/platform/mount.js';

const listThings = operation({
  id: 'listThings',
  api: 'platform',
  method: 'GET',
  path: '/things',
  access: 'public',
  query: z.strictObject({
    types: optional(z.array(z.enum(['A', 'B'])).check(z.maxLength(3))),
    name: z.optional(z.string()),
  }),
  response: z.looseObject({}),
  errors: {},
});

async function ask(search: string) {
  const app = new Hono();
  const authenticate = async () => {
    throw new PlatformError(401, 'Who are you?');
  };
  mount(app, listThings, { authenticate }, async ({ query }) => query);
  app.onError((error, context) => context.json({ message: error.message }, 400));
  return (await app.request(`/things${search}`)).json();
}

describe('query parameters', () => {
  test('that the contract declares as a list come with all their values', async () => {
    expect(await ask('?types=A&types=B')).toEqual({ types: ['A', 'B'] });
    expect(await ask('?types=A')).toEqual({ types: ['A'] });
    expect(await ask('')).toEqual({});
  });

  test('that are one value come with the first', async () => {
    expect(await ask('?name=one&name=two')).toEqual({ name: 'one' });
  });

  test('that are unfit are refused by name', async () => {
    expect(await ask('?types=A&types=C')).toEqual({ message: expect.stringContaining('query.types.1') });
    expect(await ask('?types=A&types=A&types=A&types=A')).toEqual({ message: expect.stringContaining('query.types') });
    expect(await ask('?other=1')).toEqual({ message: expect.stringContaining('other') });
  });
});
