import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const report = process.env.PA_TEST_REPORT;

/**
 * The chunks that hold Vega and Vega-Lite, over what tsc wrote of their modules: without what charts never do, and with one
 * copy of what both use. A host's bundler could do none of that.
 */
const charts = {
  resolve: {
    alias: [
      { find: /^vega$/, replacement: path('src/charts/vega-shim.ts') },
      { find: /^(d3-dsv|d3-geo|d3-timer|topojson-client)$/, replacement: path('src/charts/vega-unused.ts') },
      { find: /^(d3-array|vega-expression)$/, replacement: path('node_modules/$1') },
    ],
  },
  build: {
    target: 'es2022',
    outDir: 'dist/charts',
    emptyOutDir: false,
    modulePreload: false as const,
    rollupOptions: {
      input: ['vega', 'vega-lite'].map(name => path(`src/charts/${name}.ts`)),
      preserveEntrySignatures: 'strict' as const,
      external: ['d3-format', 'd3-time-format'],
      output: { entryFileNames: '[name].js', chunkFileNames: 'vega-[name].js' },
    },
  },
};

/** Everything in one folder, Lit inside: for pages without a bundler. Made of what is published, as a host's bundler would. */
const standalone = {
  build: {
    target: 'es2022',
    outDir: 'dist/standalone',
    emptyOutDir: true,
    lib: { entry: path('dist/index.js'), formats: ['es' as const], fileName: () => 'pa-embed.js' },
    minify: 'oxc' as const,
  },
};

export default defineConfig(({ mode }) => ({
  ...(mode === 'charts' ? charts : standalone),
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
