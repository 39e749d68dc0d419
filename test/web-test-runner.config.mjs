import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Reports to the test command in the form of Vitest's JSON reporter; a file that did not load counts as a failed test. */
function jsonReporter(file) {
  const assertionsOf = (suite, path) => [
    ...suite.tests.map(({ name, passed, skipped, error }) => ({
      fullName: [...path, name].join(' '),
      status: passed ? 'passed' : skipped ? 'skipped' : 'failed',
      failureMessages: error ? [error.message ?? ''] : [],
    })),
    ...suite.suites.flatMap(inner => assertionsOf(inner, [...path, inner.name])),
  ];
  return {
    stop({ sessions }) {
      const testResults = [...sessions].map(({ testFile, testResults: suite, passed, errors }) => {
        const assertionResults = suite ? assertionsOf(suite, []) : [];
        return {
          name: testFile,
          status: passed ? 'passed' : 'failed',
          message: (errors ?? []).map(error => error.message).join('\n'),
          assertionResults,
        };
      });
      const tests = testResults.flatMap(result => result.assertionResults);
      const broken = testResults.filter(result => result.status === 'failed' && result.assertionResults.length === 0);
      writeFileSync(
        file,
        JSON.stringify({
          numPassedTests: tests.filter(test => test.status === 'passed').length,
          numFailedTests: tests.filter(test => test.status === 'failed').length + broken.length,
          testResults,
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
  reporters: [defaultReporter(), ...(report ? [jsonReporter(report)] : [])],
  testsFinishTimeout: 600_000,
  testFramework: { config: { timeout: 120_000 } },
  filterBrowserLogs: ({ args }) => !args.some(arg => typeof arg === 'string' && arg.startsWith('Lit is in dev mode')),
};
