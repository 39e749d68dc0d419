import { readdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { tsImport } from 'tsx/esm/api';
import { build } from 'vite';
import './fonts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bundles = join(root, 'node_modules/.cache/pa-embed/element-tests');

/** Paths of all element tests, relative to the root. */
function testFiles() {
  const below = (folder, suffix) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter(name => name.endsWith(suffix))
      .map(name => join(folder, name).split(sep).join('/'));
  return [...below('test/elements', '.test.ts'), ...below('test/charts', '.browser-test.ts')];
}

/**
 * Keeps modules that only have side effects: `sideEffects` of package.json lists such modules of dist/, but not of
 * src/.
 */
const keepSideEffects = { name: 'keep-side-effects', transform: () => ({ moduleSideEffects: true }) };

/**
 * Bundles the element tests, with shared code in shared chunks. Without bundles every test page requests hundreds of
 * modules.
 * @returns glob of the bundled tests.
 */
async function bundleTests() {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [keepSideEffects],
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      target: 'es2022',
      outDir: bundles,
      emptyOutDir: true,
      minify: false,
      sourcemap: true,
      modulePreload: false,
      rollupOptions: {
        external: [/^\/__web-dev-server/],
        input: Object.fromEntries(testFiles().map(file => [file.replace(/\.ts$/, ''), file])),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
  return `${relative(root, bundles).split(sep).join('/')}/test/**/*.js`;
}

function statusOf({ passed, skipped }) {
  if (passed) return 'passed';
  return skipped ? 'skipped' : 'failed';
}

/**
 * Reports the results to the test command in the format of Vitest's JSON reporter. A file that did not load counts as a
 * failed test.
 */
function jsonReporter(file) {
  const assertionsOf = (suite, path) => [
    ...suite.tests.map(({ name, passed, skipped, error, duration }) => ({
      fullName: [...path, name].join(' '),
      duration,
      status: statusOf({ passed, skipped }),
      failureMessages: error ? [error.message ?? ''] : [],
    })),
    ...suite.suites.flatMap(inner => assertionsOf(inner, [...path, inner.name])),
  ];
  return {
    stop({ sessions }) {
      const testResults = [...sessions].map(({ testFile, testResults: suite, passed, errors }) => {
        const assertionResults = suite ? assertionsOf(suite, []) : [];
        return {
          name: testFile.replace(bundles, root).replace(/\.js$/, '.ts'),
          status: passed ? 'passed' : 'failed',
          startTime: 0,
          endTime: assertionResults.reduce((sum, test) => sum + (test.duration ?? 0), 0),
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

let renderer = null;

/** Renders reports on the server for tests that compare its pictures with those of the page. */
async function renderReports(context, next) {
  if (context.path !== '/render-report') return next();
  const chunks = [];
  for await (const chunk of context.req) chunks.push(chunk);
  const { rowSet, ...options } = JSON.parse(Buffer.concat(chunks).toString());
  renderer ??= tsImport('../src/render/render-report.ts', import.meta.url);
  const { renderReport } = await renderer;
  const { content } = await renderReport({ ...options, load: async () => rowSet, output: 'png' });
  context.body = Buffer.from(content);
  context.type = 'image/png';
}

/**
 * Element tests in a real browser, each test file in a separate page: The files are bundled, or served from the sources
 * if `--files` names some.
 */
export default {
  rootDir: root,
  ...(process.argv.includes('--files') ? {} : { files: [await bundleTests()] }),
  nodeResolve: true,
  middleware: [renderReports],
  concurrency: 2,
  plugins: [esbuildPlugin({ ts: true, tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) })],
  // If CHROME_PATH is set, it selects the browser.
  browsers: [
    chromeLauncher({
      // Two test files run concurrently, but only one tab is in the foreground. The other one must also get animation
      // frames.
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
          // Otherwise, the headless shell would shift letters to whole pixels. The complete browser does not.
          '--font-render-hinting=none',
        ],
      },
    }),
  ],
  reporters: [defaultReporter(), ...(report ? [jsonReporter(report)] : [])],
  testsFinishTimeout: 600_000,
  testFramework: { config: { timeout: 120_000 } },
  filterBrowserLogs: ({ args }) => !args.some(arg => typeof arg === 'string' && arg.startsWith('Lit is in dev mode')),
};
