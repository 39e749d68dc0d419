import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { exportHandler, toNodeHandler } from '../../src/node/index.js';
import { waitTimeoutMs } from '../eventually.js';
import { startMailPlatform } from '../platform/delivery/mail-platform.js';

// Runs the recipes of docs/frameworks.md against the real frameworks and a real platform.

const page = readFileSync(new URL('../../docs/frameworks.md', import.meta.url), 'utf8');
const recipeOf = (framework: string): string => {
  const [, code] =
    new RegExp(`#### Exports with ${framework}\\n[\\s\\S]*?\`\`\`[jt]s\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (!code) throw new Error(`no recipe for ${framework}`);
  return code;
};

let platform: Awaited<ReturnType<typeof startMailPlatform>>;
let publicId: string;
beforeAll(async () => {
  platform = await startMailPlatform({});
  ({ publicId } = await platform.publish('shared', { title: 'Flights' }));
});
afterAll(() => platform?.stop());

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Returns the options of the handler, with the platform of this process. */
const options = () => ({
  baseUrl: 'https://platform.example',
  apiKey: 'the-admin-key-of-mails',
  fetch: ((input, init) => platform.platform.fetch(new Request(input, init))) as typeof fetch,
});
const exportsOf = () =>
  exportHandler({
    ...options(),
    grantFor: () => ({
      deploymentId: 1,
      externalId: 'rosa',
      embedTenantName: 'of-atl',
      securityContext: { airport: 'ATL' },
      roles: ['AIBIViewer'],
    }),
  });

/** Runs a recipe. `names` contains the variables that the recipe uses. */
function run(framework: string, names: Readonly<Record<string, unknown>>, result = ''): unknown {
  return new Function(...Object.keys(names), `${recipeOf(framework)}\n${result}`)(...Object.values(names));
}

async function originOf(server: Server): Promise<string> {
  if (!server.listening) await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`;
}

const hosts: Readonly<Record<string, () => Promise<string>>> = {
  Express: async () => {
    const app = express();
    run('Express', { app, exports: exportsOf(), toNodeHandler });
    return originOf(app.listen(0, '127.0.0.1'));
  },
  Fastify: async () => {
    const app = fastify();
    closers.push(() => app.close());
    run('Fastify', { app, exports: exportsOf(), toNodeHandler });
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  Hono: async () => {
    const app = new Hono();
    run('Hono', { app, exports: exportsOf() });
    // By default, the listener replaces `Request` and `Response` for all files of the worker.
    const options = { fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false };
    return originOf(serve(options) as Server);
  },
  'plain Node': async () => {
    const server = run('plain Node', { createServer, exports: exportsOf(), toNodeHandler }, 'return server;') as Server;
    return originOf(server.listen(0, '127.0.0.1'));
  },
};

type Call = (query: string, init?: RequestInit) => Promise<Response>;

/** Exports a report as CSV, and cancels another export. */
async function exportBoth(call: Call): Promise<{ readonly csv: string; readonly canceled: number[] }> {
  const start = async (): Promise<string> => {
    const body = JSON.stringify({ dashboardPublicId: publicId, format: 'csv', widgetId: 'tile' });
    const response = await call('', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(response.status).toBe(202);
    return `?job=${(await response.json()).job}`;
  };
  const job = await start();
  await vi.waitFor(async () => expect(await (await call(job)).json()).toMatchObject({ status: 'completed' }), {
    timeout: 3 * waitTimeoutMs,
    interval: 500,
  });
  const csv = await (await call(`${job}&file`)).text();
  const other = await start();
  return { csv, canceled: [(await call(other, { method: 'DELETE' })).status, (await call(other)).status] };
}

describe('the recipes for exports in docs/frameworks.md', () => {
  it.each(Object.keys(hosts))('start, poll, send and cancel exports with %s', async name => {
    const origin = await hosts[name]?.();
    const { csv, canceled } = await exportBoth((query, init) => fetch(`${origin}/api/export${query}`, init));
    expect(csv).toContain('Delta');
    expect(csv).not.toContain('United');
    expect(canceled).toEqual([204, 404]);
  });

  it('start, poll, send and cancel exports with a Next route handler', async () => {
    const code = recipeOf('a Next route handler')
      .replace(/^import .*\n/, '')
      .replace(/^export (\{.*\});/m, (_, names: string) => `return ${names.replace(/(\w+) as (\w+)/g, '$2: $1')};`);
    const { baseUrl, apiKey, fetch } = options();
    const withFetch = (given: Parameters<typeof exportHandler>[0]) => {
      const grantFor = () => ({ ...(given.grantFor as () => object)(), deploymentId: 1, embedTenantName: 'of-atl' });
      return exportHandler({ ...given, fetch, grantFor });
    };
    const env = { PA_BASE_URL: baseUrl, PA_ADMIN_KEY: apiKey };
    const route = new Function('exportHandler', 'process', code)(withFetch, { env });
    const { csv, canceled } = await exportBoth((query, init = {}) =>
      route[init.method ?? 'GET'](new Request(`https://app.example/api/export${query}`, init), { params: {} }),
    );
    // The user of the recipe sees the flights of another airport.
    expect(csv).toContain('United');
    expect(csv).not.toContain('Delta');
    expect(canceled).toEqual([204, 404]);
  });
});
