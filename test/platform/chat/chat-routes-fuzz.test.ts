import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ChatRequest } from '../../../src/contract/chat.js';
import { dropUnknownFields } from '../../../src/platform/http/mount.js';
import fc, { anyText, casesAtDepth, seed } from '../../property.js';
import { agentChat, type ChatServer, startChatServer } from './chat-server.js';

let server: ChatServer;
let credentials: readonly Record<string, string>[];

beforeAll(async () => {
  server = await startChatServer();
  const token = await server.tokenOf();
  credentials = [
    { authorization: `Bearer ${token}` },
    { 'x-platform-auth-token': await server.chatTokenOf(token) },
    { authorization: 'Api-Key the-admin-key' },
  ];
});
afterAll(() => server.stop());

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(20)]).toString('base64');
const sound = {
  input: 'How many flights?',
  chatId: null,
  messageId: '1700000000000-message',
  images: [{ mimeType: 'image/png', data: png, name: 'a.png' }],
  sessionSettings: {
    externalId: 'ann',
    email: 'ann@example.com',
    groups: ['sales'],
    userAttributes: [],
    securityContext: { airport: 'ATL' },
    timezone: 'UTC',
    locale: 'en',
  },
  activeBranchName: 'main',
  isDefaultBranch: true,
};

const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    0,
    -1,
    1e308,
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '__proto__',
    'x'.repeat(20_000),
    [],
    [[]],
    {},
    { constructor: 1 },
    JSON.parse('{"__proto__":{"externalId":"root"}}'),
    JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
    '1-message',
    '99999999999999999999999-message',
    '../../etc/passwd',
    "'; drop table users; --",
    'data:image/png;base64,AAAA',
  ),
  fc.jsonValue({ maxDepth: 4 }),
  anyText({ maxLength: 200 }),
);

/** Returns the path of every value, plus unexpected keys. */
function placesOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = [...Object.keys(value), 'unforeseen', '__proto__'];
  return keys.flatMap(key => [[...path, key], ...placesOf(Reflect.get(value, key), [...path, key])]);
}

function put(value: unknown, [key = '', ...rest]: readonly string[], given: unknown): unknown {
  const copy: object = Array.isArray(value) ? [...value] : { ...Object(value) };
  const next = rest.length === 0 ? given : put(Reflect.get(copy, key), rest, given);
  Object.defineProperty(copy, key, { value: next, enumerable: true, configurable: true, writable: true });
  return copy;
}

const places = placesOf(sound).filter(path => path[0] !== '__proto__' || path.length === 1);

// Split into several tests, because a single one nearly exceeds the timeout on a busy machine.
test.each([0, 1, 2])('returns a stream or a 4xx JSON response for any body: part %i', async part => {
  const bad = { count: 0 };
  const property = fc.asyncProperty(
    // At most two invalid values at once, because one error can hide the other.
    fc.array(fc.tuple(fc.constantFrom(...places), hostile), { minLength: 1, maxLength: 2 }),
    fc.nat({ max: 2 }),
    async (changes, who) => {
      const body = changes.reduce<unknown>((changed, [path, given]) => put(changed, path, given), sound);
      const response = await server.stream(credentials[who] ?? {}, JSON.stringify(body));
      const isSound = z.safeParse(
        ChatRequest,
        dropUnknownFields(ChatRequest, JSON.parse(JSON.stringify(body))),
      ).success;
      const text = await response.text();
      if (response.status === 200) {
        expect(isSound).toBe(true);
        return;
      }
      bad.count += 1;
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
      expect(JSON.parse(text)).toMatchObject({ statusCode: response.status, message: expect.any(String) });
      expect(text.length).toBeLessThan(3_000);
    },
  );
  await fc.assert(property, { numRuns: casesAtDepth(300), seed: seed + part });
  expect(bad.count).toBeGreaterThan(casesAtDepth(100));
  expect(server.failures).toEqual([]);
});

test.each([
  ['no JSON', '{', {}],
  ['no object', '[]', {}],
  ['a text', '"x"', {}],
  ['half a character', '{"input":"\\ud83d', {}],
  [
    'depth',
    `{"sessionSettings":{"externalId":"a","securityContext":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}}`,
    {},
  ],
  ['another type', '{}', { 'content-type': 'text/plain' }],
  ['a long name', JSON.stringify({ sessionSettings: { ['k'.repeat(100_000)]: 1 } }), {}],
])('rejects a body with %s', async (_, body, headers) => {
  for (const credential of credentials) {
    const response = await server.stream({ ...credential, ...headers }, body);
    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(2_000);
  }
});

test('allows bodies large enough for images only when sending a message', async () => {
  const [credential = {}] = credentials;
  const image = { mimeType: 'image/png', data: Buffer.from(png, 'base64').toString('base64') };
  const large = Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(2 * 1024 * 1024 - 28)]).toString('base64');
  const four = Array.from({ length: 4 }, () => ({ ...image, data: large }));
  expect((await server.stream(credential, { input: 'Hi', images: four })).status).toBe(200);
  expect((await server.stream(credential, { input: 'Hi', images: [...four, image] })).status).toBe(400);
  expect((await server.stream(credential, { input: 'x'.repeat(13 * 1024 * 1024) })).status).toBe(413);
  const path = `${agentChat}/abort`;
  const body = { chatId: 'c1', sessionSettings: { externalId: 'x', securityContext: { a: 'x'.repeat(300_000) } } };
  expect((await server.request('POST', path, credential, body)).status).toBe(413);
});
