import '../../../src/contract/messages.js';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ChatRequest, ChatSessionSettings, renameChatThread } from '../../../src/contract/chat.js';
import { type OperationShape, operation } from '../../../src/contract/operation.js';
import { LoadRequest, Query } from '../../../src/contract/query.js';
import { SqlRequest } from '../../../src/contract/sql.js';
import { optional } from '../../../src/contract/wire.js';
import {
  createWorkbook,
  publishDashboard,
  updateWorkbook,
  updateWorkbookDashboard,
  upsertWorkbookBySlug,
} from '../../../src/contract/workbooks.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { statusOf } from '../../../src/platform/http/error-response.js';
import { dropUnknownFields, mount } from '../../../src/platform/http/mount.js';

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

const addThing = operation({
  id: 'addThing',
  api: 'platform',
  method: 'POST',
  path: '/things',
  access: 'public',
  body: z.looseObject({}),
  response: z.looseObject({}),
  errors: {},
});

async function send(body: string, type = 'application/json', shape: OperationShape = addThing): Promise<number> {
  const app = new Hono();
  const authenticate = async () => {
    throw new PlatformError(401, 'Who are you?');
  };
  mount(app, shape, { authenticate }, async () => ({}));
  app.onError((error, context) => context.body(null, error instanceof PlatformError ? statusOf(error) : 500));
  return (await app.request('/things', { method: 'POST', body, headers: { 'content-type': type } })).status;
}

describe('a body', () => {
  const sized = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - 8) });

  test('can have 1 MB, or the limit of its operation', async () => {
    expect(await send(sized(2 ** 20))).toBe(200);
    expect(await send(sized(2 ** 20 + 1))).toBe(413);
    const larger = { ...addThing, maxBodyBytes: 2 ** 20 + 1 };
    expect(await send(sized(2 ** 20 + 1), undefined, larger)).toBe(200);
    expect(await send(sized(2 ** 20 + 2), undefined, larger)).toBe(413);
  });

  test.each([
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json-patch+json',
  ])('of the type %j returns 415, in the Chat API 400', async type => {
    expect(await send('{}', type)).toBe(415);
    expect(await send('{}', type, { ...addThing, api: 'chat' })).toBe(400);
  });

  test('can specify its charset', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
      expect(await send('{}', type)).toBe(200);
    }
  });

  test.each([createWorkbook, upsertWorkbookBySlug, updateWorkbook, updateWorkbookDashboard, publishDashboard])(
    'with the config of a dashboard can have 5 MB: $id',
    ({ maxBodyBytes }) => expect(maxBodyBytes).toBe(5 * 2 ** 20),
  );
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
  test('that the contract declares as a list have all values', async () => {
    expect(await ask('?types=A&types=B')).toEqual({ types: ['A', 'B'] });
    expect(await ask('?types=A')).toEqual({ types: ['A'] });
    expect(await ask('')).toEqual({});
  });

  test('that are a single value have the first one', async () => {
    expect(await ask('?name=one&name=two')).toEqual({ name: 'one' });
  });

  test('that are invalid are rejected by name', async () => {
    expect(await ask('?types=A&types=C')).toEqual({ message: expect.stringContaining('query.types.1') });
    expect(await ask('?types=A&types=A&types=A&types=A')).toEqual({ message: expect.stringContaining('query.types') });
    expect(await ask('?other=1')).toEqual({ message: expect.stringContaining('other') });
  });
});

const bodies = [LoadRequest, SqlRequest, ChatRequest, renameChatThread.body];

test('an unknown top-level field is ignored', () => {
  for (const schema of bodies) {
    const known = Object.fromEntries(Object.keys(schema.shape).map(name => [name, { unknownInside: 1 }]));
    const sent = { ...known, baseRequestId: 'a', clientVersion: 3, signal: {}, user: null };
    expect(dropUnknownFields(schema, sent)).toEqual(known);
  }
});

test.each([
  ...Object.keys(Query.shape),
  ...Object.keys(ChatSessionSettings.shape),
  'subqueryJoins',
  'memberExpressions',
  'filter',
  'filtres',
  'Filters',
  'segment',
  'time_dimensions',
  'limits',
  'security_context',
])('%s is left for the schema to reject', name => {
  for (const schema of bodies) {
    if (name in schema.shape) continue;
    const sent = JSON.parse(`{"${name}": 1}`);
    expect(dropUnknownFields(schema, sent), name).toEqual(sent);
  }
});

test.each([
  ['qurey', LoadRequest],
  ['Query', SqlRequest],
  ['sesionSettings', ChatRequest],
  ['chatid', ChatRequest],
] as const)('a misspelled %s is left for the schema to reject', (name, schema) => {
  expect(dropUnknownFields(schema, { [name]: 1 })).toEqual({ [name]: 1 });
});

test('__proto__ and bodies with very many unknown fields are left for the schema to reject', () => {
  for (const schema of bodies) {
    const proto = JSON.parse('{"__proto__": {"cache": "no-cache"}}');
    expect(Object.keys(Object(dropUnknownFields(schema, proto)))).toEqual(['__proto__']);
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`newField${index}`, index]));
    expect(dropUnknownFields(schema, many)).toEqual(many);
  }
});

test.each([null, 7, 'x', [], [{ a: 1 }]])('a body that is no object is unchanged: %j', body => {
  expect(dropUnknownFields(LoadRequest, body)).toBe(body);
});
