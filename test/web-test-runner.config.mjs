import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { chromeLauncher } from '@web/test-runner-chrome';

const root = fileURLToPath(new URL('..', import.meta.url));

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
  testFramework: { config: { timeout: 10_000 } },
  filterBrowserLogs: ({ args }) => !args.some(arg => typeof arg === 'string' && arg.startsWith('Lit is in dev mode')),
};
