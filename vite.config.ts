import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Rollup } from 'vite';
import { defineConfig } from 'vitest/config';

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const report = process.env.PA_TEST_REPORT;

/**
 * Leaves the lexer of marked alone, and drops what renders HTML: one instance made at its module's end keeps all of it in every bundle.
 * Fails where the module is laid out otherwise than in the version that is pinned.
 */
const lexerAlone = {
  name: 'lexer-alone',
  transform(code: string, id: string) {
    if (!id.endsWith('/marked.esm.js')) return null;
    const instance = code.lastIndexOf('var ', code.indexOf('.setOptions=function'));
    const lexer = /(\w+) as Lexer\b/.exec(code)?.[1];
    if (instance < 0 || lexer === undefined) throw new Error('marked is laid out otherwise: see lexerAlone.');
    return { code: `${code.slice(0, instance)}export{${lexer} as Lexer};`, map: null };
  },
};

/**
 * The modules that are built ahead, over what tsc wrote of them: Vega and Vega-Lite without what charts never do and with one copy of
 * what both use, and the lexer of Markdown alone. A host's bundler could do none of that.
 */
const ahead = {
  plugins: [lexerAlone],
  resolve: {
    alias: [
      { find: /^vega$/, replacement: path('src/charts/vega-shim.ts') },
      { find: /^(d3-dsv|d3-geo|d3-timer|topojson-client)$/, replacement: path('src/charts/vega-unused.ts') },
      { find: /^(d3-array|vega-expression)$/, replacement: path('node_modules/$1') },
    ],
  },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false,
    modulePreload: false as const,
    rollupOptions: {
      input: Object.fromEntries(
        [
          'charts/vega',
          'charts/vega-lite',
          'report/markdown-lexer',
          'report/geo/us-states',
          'report/geo/countries',
        ].map(name => [name, path(`src/${name}.ts`)]),
      ),
      preserveEntrySignatures: 'strict' as const,
      external: ['d3-format', 'd3-time-format'],
      output: { entryFileNames: '[name].js', chunkFileNames: 'charts/vega-[name].js' },
    },
  },
};

/**
 * The file that pages name: it hands on what the package exports. No chunk imports it, since a page may ask for it under another address
 * (`pa-embed.js?v=2`, one that redirects), which is another module to a browser: everything would run twice.
 */
const front = {
  name: 'front',
  generateBundle(this: Rollup.PluginContext, _: unknown, bundle: Rollup.OutputBundle) {
    const entry = Object.values(bundle).find(file => file.type === 'chunk' && file.isEntry);
    if (entry?.type !== 'chunk' || entry.facadeModuleId === null) throw new Error('There is no entry: see front.');
    const names = this.getModuleInfo(entry.facadeModuleId)?.exports ?? [];
    // Named here too, so that they are fetched beside it.
    const besides = entry.imports.map(file => `import"./${file}";`).join('');
    const source = `${besides}export{${names.join(',')}}from"./${entry.fileName}";\n`;
    this.emitFile({ type: 'asset', fileName: 'pa-embed.js', source });
  },
};

/**
 * Fetches what a chunk needs beside it, in place of Vite's helper. That one writes a link into the host's head for each file, and tells
 * the page of a failure by an event at which a host built by Vite would load itself anew. What fails here fails once more, and is told, by
 * the chunk that needs it.
 */
const fetchBeside = {
  name: 'fetch-beside',
  enforce: 'pre' as const,
  load(id: string) {
    if (id !== '\0vite/preload-helper.js') return null;
    return `const asked = new Set();
    export function __vitePreload(load, files = [], importer) {
      for (const file of files) {
        if (!asked.has(file)) import(/* @vite-ignore */ new URL(file, importer).href).catch(() => asked.delete(file));
        asked.add(file);
      }
      return load();
    }`;
  },
  renderChunk(code: string) {
    if (code.includes('modulepreload')) throw new Error('Vite loads chunks otherwise: see fetchBeside.');
    return null;
  },
};

/**
 * Everything in one folder, Lit inside: for pages without a bundler. Made of what is published, as a host's bundler would: what loads with
 * the page is one file (which may export more than the package does, to the chunks), and what a chunk needs is fetched beside it.
 */
const standalone = {
  base: './',
  plugins: [front, fetchBeside],
  build: {
    target: 'es2022',
    outDir: 'dist/standalone',
    assetsDir: '',
    modulePreload: { polyfill: false },
    minify: 'oxc' as const,
    rollupOptions: {
      input: path('dist/index.js'),
      preserveEntrySignatures: 'allow-extension' as const,
      output: { entryFileNames: 'pa-embed-[hash].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
};

/** Modules that start a process or a thread, relative to `src/`. */
const startingModules = [
  'platform/data/engines/duckdb/engine-connection',
  'platform/content/dashboards/chart-compiler',
];

/**
 * Tests of a whole run (`test/run.ts` has built `dist/`) start the built process and thread of these modules. From the sources, each start
 * compiles its modules with tsx again.
 */
const builtProcesses = {
  name: 'built-processes',
  transform(code: string, id: string) {
    const module = startingModules.find(name => id.endsWith(`/src/${name}.ts`));
    if (module === undefined) return null;
    const built = pathToFileURL(path(`dist/${module}.js`)).href;
    return { code: code.replaceAll('import.meta.url', JSON.stringify(built)), map: null };
  },
};

const nodeTests = readdirSync(path('test'), { recursive: true, encoding: 'utf8' })
  .map(file => `test/${file.replaceAll('\\', '/')}`)
  .filter(file => /^test\/(?!elements\/|e2e\/).*\.test\.ts$/.test(file));

/** Folders of Node tests whose files share workers, and so import each module once per worker. */
const sharedTests = {
  rooms: ['test/charts/', 'test/client/', 'test/contract/', 'test/controllers/', 'test/report/'],
  platform: [
    'test/platform/agent/',
    'test/platform/api/',
    'test/platform/auth/',
    'test/platform/chat/',
    'test/platform/content/',
    'test/platform/delivery/',
    'test/platform/embed/',
    'test/platform/http/',
    'test/platform/jobs/',
    'test/platform/models/',
    'test/platform/people/',
    'test/platform/report/',
    'test/platform/settings/',
  ],
  data: ['test/platform/data/'],
};

/**
 * Test files in these folders that need a worker of their own all the same: they replace modules, run the suites of other files, put another
 * engine under these, add the transforms of all of Vega to the registry that charts use, or expect that nothing has added any.
 */
const isolatedTests = new Set(
  nodeTests.filter(file =>
    /\bvi\.(mock|doMock|resetModules)\(|\.test\.js'|\busePostgres\(|\bvi\.getTimerCount\(|from 'vega'|\bcompileForPublishing\(/.test(
      readFileSync(path(file), 'utf8'),
    ),
  ),
);

const sharedProjects = Object.entries(sharedTests).map(([name, folders]) => ({
  name,
  include: nodeTests.filter(file => folders.some(folder => file.startsWith(folder)) && !isolatedTests.has(file)),
  isolate: false,
  pool: 'threads' as const,
}));
const sharedFiles = new Set(sharedProjects.flatMap(({ include }) => include));
const nodeProjects = [
  ...sharedProjects,
  { name: 'isolated', include: nodeTests.filter(file => !sharedFiles.has(file)) },
].map(test => ({ extends: true as const, test }));

export default defineConfig(({ mode }) => ({
  ...(mode === 'ahead' ? ahead : standalone),
  ...(process.env.VITEST && { plugins: process.env.PA_TEST_BUILT === '1' ? [builtProcesses] : [] }),
  test: {
    ...(mode === 'e2e' ? { include: ['test/e2e/**/*.test.ts'] } : { projects: nodeProjects }),
    globalSetup: [mode === 'e2e' ? 'test/e2e/demo.ts' : 'test/platform/db/embedded-postgres/one-postgres.ts'],
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report ? { outputFile: { json: report } } : {}),
    // They end what hangs, and nothing else: a busy machine may be ten times as slow.
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 180_000,
    maxWorkers: 2,
  },
}));
