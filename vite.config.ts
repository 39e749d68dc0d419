import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const report = process.env.PA_TEST_REPORT;

/** vega-lite with the few utilities that it takes from vega, so that no page loads all of vega for them. */
const vegaLite = {
  outDir: 'dist/charts',
  emptyOutDir: false,
  minify: false,
  lib: { entry: path('src/charts/vega-lite.ts'), formats: ['es' as const], fileName: () => 'vega-lite.js' },
};

/** Everything in one folder, Lit inside: for pages without a bundler. Made of what tsc wrote, as a host's bundler would. */
const standalone = {
  outDir: 'dist/standalone',
  emptyOutDir: true,
  lib: { entry: path('dist/index.js'), formats: ['es' as const], fileName: () => 'pa-embed.js' },
  minify: 'oxc' as const,
};

export default defineConfig(({ mode }) => ({
  resolve: mode === 'vega-lite' ? { alias: [{ find: /^vega$/, replacement: path('src/charts/vega-shim.ts') }] } : {},
  build: { target: 'es2022', ...(mode === 'vega-lite' ? vegaLite : standalone) },
  test: {
    include: mode === 'e2e' ? ['test/e2e/**/*.test.ts'] : ['test/**/*.test.ts'],
    exclude: mode === 'e2e' ? [] : ['test/elements/**', 'test/e2e/**'],
    globalSetup: mode === 'e2e' ? ['test/e2e/demo.ts'] : [],
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report ? { outputFile: { json: report } } : {}),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
}));
