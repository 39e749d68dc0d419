import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Counts tests for the test command; a file that did not load counts as a failed test. */
function countingReporter(file) {
  const testsOf = suite => [...suite.tests, ...suite.suites.flatMap(testsOf)];
  return {
    stop({ sessions }) {
      const list = [...sessions];
      const tests = list.flatMap(session => (session.testResults ? testsOf(session.testResults) : []));
      const broken = list.filter(session => !session.passed && !session.testResults?.tests).length;
      writeFileSync(
        file,
        JSON.stringify({
          numPassedTests: tests.filter(test => test.passed).length,
          numFailedTests: tests.filter(test => !test.passed && !test.skipped).length + broken,
        }),
      );
    },
  };
}

const report = process.env.PA_TEST_REPORT;

/** Element tests in a real browser: the sources as they are, each test file in a page of its own. */
export default {
  rootDir: root,
  files: ['test/elements/**/*.test.ts', 'test/charts/**/*.browser-test.ts'],
  nodeResolve: true,
  concurrency: 2,
  plugins: [esbuildPlugin({ ts: true, tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) })],
  // CHROME_PATH, where it is set, names the browser.
  browsers: [
    chromeLauncher({
      // Two test files run side by side, and only one tab is in front: the other must get its animation frames all the same.
      createPage: async ({ context }) => {
        const page = await context.newPage();
        const session = await page.createCDPSession();
        await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
        return page;
      },
      launchOptions: {
        args: [
          '--no-sandbox',
          '--disable-gpu',
          '--disable-quic',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
        ],
      },
    }),
  ],
  reporters: [defaultReporter(), ...(report ? [countingReporter(report)] : [])],
  testsFinishTimeout: 300_000,
  testFramework: { config: { timeout: 60_000 } },
  filterBrowserLogs: ({ args }) => !args.some(arg => typeof arg === 'string' && arg.startsWith('Lit is in dev mode')),
};
