import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import {
  describeLlm,
  describeUpstream,
  readLlm,
  readUpstreamOptions,
} from '../../../src/cli/server/serve-environment.js';
import { json, query, secret, startFakeCluster } from '../../platform/data/upstream/fake-cluster.js';
import { cliCommand } from '../cli-command.js';

const llmUrl = 'https://llm.example/v1';

test('readLlm reads the language model with an optional key', () => {
  expect(readLlm({})).toBeNull();
  expect(readLlm({ PA_LLM_BASE_URL: '', PA_LLM_MODEL: '', PA_LLM_API_KEY: '' })).toBeNull();
  expect(readLlm({ PA_LLM_BASE_URL: llmUrl, PA_LLM_MODEL: 'm' })).toEqual({ baseUrl: llmUrl, model: 'm' });
  expect(readLlm({ PA_LLM_BASE_URL: llmUrl, PA_LLM_MODEL: 'm', PA_LLM_API_KEY: '' })).not.toHaveProperty('apiKey');
  expect(readLlm({ PA_LLM_BASE_URL: llmUrl, PA_LLM_MODEL: 'm', PA_LLM_API_KEY: 'k' })).toMatchObject({ apiKey: 'k' });
});

test.each([
  [{ PA_LLM_BASE_URL: llmUrl }, 'PA_LLM_BASE_URL requires PA_LLM_MODEL'],
  [{ PA_LLM_BASE_URL: llmUrl, PA_LLM_API_KEY: 'secret' }, 'PA_LLM_BASE_URL requires PA_LLM_MODEL'],
  [{ PA_LLM_MODEL: 'm' }, 'PA_LLM_MODEL requires PA_LLM_BASE_URL'],
  [{ PA_LLM_API_KEY: 'secret' }, 'PA_LLM_API_KEY requires PA_LLM_BASE_URL'],
])('an incomplete language model is rejected: %j', (environment, message) => {
  const read = () => readLlm(environment);
  expect(read).toThrow(message);
  expect(read).not.toThrow('secret');
});

test('describeLlm returns a line without the key', () => {
  expect(describeLlm({ baseUrl: llmUrl, model: 'big-one', apiKey: 'secret' })).toBe('Chat: big-one at llm.example');
  expect(describeLlm(null)).toMatch(/^Chat: built-in analyst\. Set PA_LLM_BASE_URL/);
});

const url = 'https://cluster.example/cubejs-api';

test('readUpstreamOptions requires a URL and a secret', () => {
  expect(readUpstreamOptions(undefined, {})).toBeNull();
  expect(readUpstreamOptions(undefined, { PA_DATA_API_UPSTREAM_SECRET: '' })).toBeNull();
  expect(readUpstreamOptions(url, { PA_DATA_API_UPSTREAM_SECRET: 's3cret' })).toEqual({ url, secret: 's3cret' });
});

test('an incomplete upstream is rejected, without the secret in the message', () => {
  expect(() => readUpstreamOptions(url, {})).toThrow('--data-api-upstream requires PA_DATA_API_UPSTREAM_SECRET');
  expect(() => readUpstreamOptions(url, { PA_DATA_API_UPSTREAM_SECRET: '' })).toThrow(
    'requires PA_DATA_API_UPSTREAM_SECRET',
  );
  const alone = () => readUpstreamOptions(undefined, { PA_DATA_API_UPSTREAM_SECRET: 's3cret' });
  expect(alone).toThrow('PA_DATA_API_UPSTREAM_SECRET requires --data-api-upstream');
  expect(alone).not.toThrow('s3cret');
});

test('describeUpstream returns a line without path and secret', () => {
  expect(describeUpstream({ url, secret: 's3cret' })).toBe('Data API: forwarded to cluster.example');
});

test('serve forwards the Data API and prints the secret nowhere', async () => {
  const cluster = await startFakeCluster(json({ data: [] }));
  const upstream = `http://127.0.0.1:${cluster.port}/cubejs-api`;
  const adminKey = 'the-admin-key-of-tests';
  const child = spawn(process.execPath, [...cliCommand, 'serve', '--port', '0', '--data-api-upstream', upstream], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PA_ADMIN_KEY: adminKey,
      PA_DATA_API_UPSTREAM_SECRET: secret,
    },
  });
  const closed = once(child, 'close');
  try {
    let err = '';
    child.stderr.on('data', chunk => {
      err += chunk;
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ready = String((await lines.next()).value);
    const url = ready.replace('pa-platform listening on ', '');
    const post = (path: string, authorization: string, body: object) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const { platformApiToken } = await (await post('/api/v1/deployments/1/token', `Bearer ${adminKey}`, {})).json();
    expect(await (await post('/data-api/v1/load', platformApiToken, { query })).json()).toEqual({ data: [] });
    expect(cluster.requests).toMatchObject([{ method: 'POST', url: '/cubejs-api/v1/load' }]);
    const logged = String((await lines.next()).value);
    expect(JSON.parse(logged)).toMatchObject({ operation: 'load', status: 200, outcome: 'ok', cache: 'upstream' });
    child.kill('SIGTERM');
    await closed;
    expect(err).toContain(`Data API: forwarded to 127.0.0.1:${cluster.port}\nChat: built-in analyst`);
    expect([ready, logged, err].join()).not.toContain(secret);
  } finally {
    child.kill('SIGKILL');
    await cluster.stop();
  }
});
