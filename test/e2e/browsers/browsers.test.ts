import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import { testDepth } from '../../property.js';
import { checks } from './checks.js';
import type { DrivenBrowser } from './driven-browser.js';
import { findPrograms } from './find-programs.js';
import { launchFirefox } from './firefox.js';
import { PageOfElements } from './page-of-elements.js';
import { startSlowChat } from './slow-chat.js';
import { launchWebKit } from './webkit.js';

// The same checks in Firefox and WebKit, in deep runs only; the other end-to-end tests use Chromium.

const programs = testDepth() === 'deep' ? findPrograms() : 'Firefox and WebKit are tested with PA_TEST_DEPTH=deep.';

if (typeof programs === 'string') {
  it.skip(programs);
} else {
  describe.each([
    ['Firefox', () => launchFirefox(programs.firefox)],
    ['WebKit', () => launchWebKit(programs.webkit)],
  ] as const)('in %s, the demo', (_, launch) => {
    let browser: DrivenBrowser | undefined;
    let page: PageOfElements;
    let chat: Awaited<ReturnType<typeof startSlowChat>> | undefined;

    beforeAll(async () => {
      chat = await startSlowChat();
      browser = await launch();
      page = new PageOfElements(browser);
      await browser.open(inject('demo'));
      await browser.resize(1440, 900);
      console.log(`Testing in ${browser.version}.`);
    });
    afterAll(async () => {
      await browser?.close();
      await chat?.stop();
    });

    it.each(checks)('$name', check => check.run({ page, demo: inject('demo'), slowChat: chat?.origin ?? '' }));
  });
}
