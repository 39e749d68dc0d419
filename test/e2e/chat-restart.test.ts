import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitTimeoutMs } from '../eventually.js';
import { testDepth } from '../property.js';
import { freePort } from './free-port.js';
import {
  createDataFolder,
  type Host,
  type OwnPlatform,
  removeDataFolder,
  servePlatform,
  startHost,
} from './own-platform.js';
import { launchBrowser, openDemo } from './page.js';
import { type SlowModel, slowAnswer, startSlowModel } from './slow-model.js';

// Stops the platform during an answer and restarts it with the same folder and port; the page shows the complete
// answer.

const adminKey = 'restart-admin-key-restart-admin-key-01';

describe('an answer interrupted by a platform stop', () => {
  let browser: Browser;
  let model: SlowModel;
  let host: Host;
  let data: string;
  let platform: OwnPlatform;

  const start = (port: string): Promise<OwnPlatform> => {
    const env = { PA_LLM_BASE_URL: model.baseUrl, PA_LLM_MODEL: 'slow' };
    return servePlatform({ port, data, adminKey, host, env });
  };

  beforeAll(async () => {
    browser = await launchBrowser();
    data = await createDataFolder();
    host = await startHost(adminKey);
  });

  afterAll(async () => {
    await browser.close();
    await host.close();
    await removeDataFolder(data);
  });

  // Only a deep run tests SIGTERM here, because test/cli/serve-chat.test.ts covers it without a page.
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
      await platform.end(signal);
      model.release();
      platform = await start(new URL(platform.url).port);
      await chat.locator('.text', { hasText: 'and the second.' }).waitFor({ timeout: waitTimeoutMs });
      await chat.locator('.answer .tools').waitFor({ state: 'attached' });
      expect(await chat.locator('.answer .ending').count()).toBe(0);
      const words = await chat.locator('.text').allInnerTexts();
      expect(words.join('').trim()).toBe('The first half of the answer, and the second.');
      await page.context().close();
    } finally {
      await platform.end();
      await model.stop();
    }
  });
});
