import { readFileSync } from 'node:fs';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { chatProxyHandler, embedSessionHandler, toNodeHandler } from '../../src/node/index.js';
import { json } from '../client/fake-service.js';

// Runs the recipe of docs/frameworks.md against the real Fastify.

const page = readFileSync(new URL('../../docs/frameworks.md', import.meta.url), 'utf8');
const recipe = /### Fastify\n[\s\S]*?```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
const apiKey = 'sk-secret-of-the-host';
const session = { externalId: 'rosa' };
const sessionId = 'ab'.repeat(16);
const apps: FastifyInstance[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

const newApp = (): FastifyInstance => {
  const app = fastify();
  apps.push(app);
  return app;
};

const post = (url: string, body: string): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

/** A chat proxy whose service returns the body that it received. */
const chat = toNodeHandler(
  chatProxyHandler({
    baseUrl: 'https://ai.example',
    apiKey,
    agentId: 1,
    sessionFor: () => session,
    fetch: async (_url, init) => json(JSON.parse(String(init?.body))),
  }),
);

describe('the Fastify recipe of docs/frameworks.md', () => {
  it('creates embed sessions', async () => {
    const app = newApp();
    const mint = embedSessionHandler({
      baseUrl: 'https://ai.example',
      apiKey,
      grantFor: () => ({ deploymentId: 1, externalId: 'rosa' }),
      fetch: async () => json({ sessionId }),
    });
    new Function('app', 'mint', 'toNodeHandler', recipe)(app, mint, toNodeHandler);
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    for (const body of ['', '{}', 'no JSON']) {
      const response = await post(`${origin}/api/embed-session`, body);
      expect([response.status, await response.json()]).toEqual([200, { sessionId }]);
    }
  });

  it('passes chat messages on', async () => {
    const app = newApp();
    const chatRecipe = recipe.replaceAll("scope.post('/api/embed-session'", "scope.all('/api/assistant/*'");
    new Function('app', 'mint', 'toNodeHandler', chatRecipe)(app, chat, (handler: unknown) => handler);
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await post(`${origin}/api/assistant/chat/stream-chat-state`, '{"input":"Hi"}');
    expect([response.status, await response.json()]).toEqual([200, { input: 'Hi', sessionSettings: session }]);
  });
});

describe('a handler behind the body parsers of Fastify', () => {
  it.each([true, false])('returns 500 and says how to mount it (hijacked: %s)', async isHijacked => {
    const app = newApp();
    app.post('/api/assistant/*', ({ raw }, reply) => {
      if (isHijacked) reply.hijack();
      chat(raw, reply.raw);
    });
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await post(`${origin}/api/assistant/chat/stream-chat-state`, '{"input":"Hi"}');
    expect(response.status).toBe(500);
    expect((await response.json()).message).toContain('in Fastify, register it in a scope without body parsers');
    // The process is still running.
    expect((await fetch(`${origin}/nothing`)).status).toBe(404);
  });
});
