import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { startSlowModel } from '../e2e/slow-model.js';
import { writeParquet } from '../platform/data/engines/duckdb/parquet.js';
import { cliCommand } from './cli-command.js';

const adminKey = 'the-admin-key-of-tests';
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function run(args: readonly string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [...cliCommand, 'serve', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PA_ADMIN_KEY: adminKey, ...environment },
  });
  cleanUps.push(() => child.kill('SIGKILL'));
  let err = '';
  child.stderr.on('data', chunk => {
    err += chunk;
  });
  return { child, err: () => err, closed: once(child, 'close') };
}

test('an incomplete or unencrypted language model configuration is rejected', async () => {
  const half = run([], { PA_LLM_MODEL: 'big-one', PA_LLM_API_KEY: 'the-secret-key' });
  const open = run([], { PA_LLM_MODEL: 'big-one', PA_LLM_BASE_URL: 'http://llm.example/v1' });
  await Promise.all([half.closed, open.closed]);
  expect([half.child.exitCode, open.child.exitCode]).toEqual([2, 1]);
  expect(half.err()).toMatch(/^PA_LLM_MODEL requires PA_LLM_BASE_URL.*\n$/);
  expect(open.err()).toMatch(/^The base URL of the language model \(PA_LLM_BASE_URL\) must start with https:.*\n$/);
});

test('a signal suspends the current response, ends its stream and ends the process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pa-cli-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  await writeParquet(join(folder, 'flights.parquet'), 'SELECT 1 AS id');
  await writeFile(join(folder, 'flights.yml'), 'cubes:\n  - { name: flights, sql_table: flights }\n');
  const slow = await startSlowModel();
  cleanUps.push(() => slow.stop());
  const llm = { PA_LLM_BASE_URL: slow.baseUrl, PA_LLM_MODEL: 'slow', PA_LLM_API_KEY: 'the-secret-key' };
  const { child, err, closed } = run(['--model', folder, '--sources', folder, '--no-query-log'], llm);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const url = String(line).replace('pa-platform listening on ', '');
  // stderr may arrive after the ready line on stdout.
  await expect.poll(err).toContain(`Chat: slow at ${new URL(slow.baseUrl).host}\n`);

  const response = await fetch(`${url}/api/v1/public/local/agents/1/chat/stream-chat-state`, {
    method: 'POST',
    headers: { authorization: `Api-Key ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Hello', sessionSettings: { externalId: 'ann' } }),
  });
  expect(response.status).toBe(200);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const readUntil = async (part: string | null) => {
    for (let done = false; !done && (part === null || !text.includes(part)); ) {
      const chunk = await reader?.read();
      text += chunk?.value ?? '';
      done = chunk?.done ?? true;
    }
  };
  await readUntil('The first half');
  child.kill('SIGTERM');
  await readUntil(null);
  const lines = text.trim().split('\n');
  expect(lines.slice(-2).map(one => JSON.parse(one).id)).toEqual(['__suspended__', '__usage__']);
  await closed;
  expect(child.exitCode).toBe(0);
  expect(err()).not.toContain('the-secret-key');
});
