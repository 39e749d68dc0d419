import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitTimeoutMs } from '../eventually.js';
import { testDepth } from '../property.js';
import { freePort } from './free-port.js';
import { launchBrowser, openDemo } from './page.js';
import { type SlowModel, slowAnswer, startSlowModel } from './slow-model.js';

// Stops the platform during an answer and restarts it with the same folder and port; the page shows the complete
// answer.

const root = fileURLToPath(new URL('../..', import.meta.url));
const adminKey = 'restart-admin-key-restart-admin-key-01';

interface Host {
  readonly origin: string;
  open(options: { platformUrl: string; dashboards: object }): void;
  close(): Promise<void>;
}

describe('an answer interrupted by a platform stop', () => {
  let browser: Browser;
  let model: SlowModel;
  let host: Host;
  let sources: string;
  let data: string;
  let platform: { readonly child: ChildProcess; readonly url: string };

  async function start(port: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
    const args = ['serve', '--port', port, '--data', data, '--model', 'demo/model', '--sources', sources];
    const child = spawn(
      process.execPath,
      ['dist/cli/pa-platform.js', ...args, '--no-query-log', '--allow-origin', host.origin],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, PA_ADMIN_KEY: adminKey, PA_LLM_BASE_URL: model.baseUrl, PA_LLM_MODEL: 'slow' },
      },
    );
    const url = await new Promise<string>(resolve => {
      createInterface({ input: child.stdout }).on('line', line => {
        const found = /^pa-platform listening on (\S+)$/.exec(line)?.[1];
        if (found) resolve(found);
      });
    });
    return { child, url };
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (platform.child.exitCode !== null || platform.child.signalCode !== null) return;
    const exited = once(platform.child, 'exit');
    platform.child.kill(signal);
    await exited;
  }

  beforeAll(async () => {
    browser = await launchBrowser();
    data = await mkdtemp(join(tmpdir(), 'pa-restart-'));
    const demo: { prepareSources(): Promise<string> } = await import(
      new URL('../../demo/sources.js', import.meta.url).href
    );
    const hosts: { startHost(options: object): Promise<Host> } = await import(
      new URL('../../demo/host/server.js', import.meta.url).href
    );
    sources = await demo.prepareSources();
    host = await hosts.startHost({ port: 0, adminKey });
  });

  afterAll(async () => {
    await browser.close();
    await host.close();
    await rm(data, { recursive: true, force: true });
  });

  // test/cli/serve-chat.test.ts covers SIGTERM without a page.
  const signals = testDepth() === 'deep' ? (['SIGKILL', 'SIGTERM'] as const) : (['SIGKILL'] as const);

  it.each(signals)('by %s completes after the restart', async signal => {
    model = await startSlowModel();
    // The restarted platform uses the same port.
    platform = await start(String(await freePort()));
    try {
      host.open({ platformUrl: platform.url, dashboards: {} });
      const { page } = await openDemo(browser, `${host.origin}/ask`, 'ohare');
      const chat = page.locator('pa-chat');
      await chat.locator('textarea').fill('Say something');
      await chat.locator('textarea').press('Enter');
      await chat.locator('.text', { hasText: slowAnswer[0]?.trim() ?? '' }).waitFor();
      await end(signal);
      model.release();
      platform = await start(new URL(platform.url).port);
      await chat.locator('.text', { hasText: 'and the second.' }).waitFor({ timeout: waitTimeoutMs });
      await chat.locator('.answer .tools').waitFor({ state: 'attached' });
      expect(await chat.locator('.answer .ending').count()).toBe(0);
      const words = await chat.locator('.text').allInnerTexts();
      expect(words.join('').trim()).toBe('The first half of the answer, and the second.');
      await page.context().close();
    } finally {
      await end('SIGTERM');
      await model.stop();
    }
  });
});
