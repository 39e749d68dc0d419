import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Rollup } from 'vite';
import { defineConfig } from 'vitest/config';
import { compileHints, formatsChunk, joinedChunks } from './standalone-chunks.js';

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const report = process.env.PA_TEST_REPORT;

/**
 * Exports only the lexer of marked and drops the HTML renderer: an instance that the module creates at its end would
 * keep all of it in every bundle. Fails if the structure of the module differs from the pinned version.
 */
const extractLexer = {
  name: 'extract-lexer',
  transform(code: string, id: string) {
    if (!id.endsWith('/marked.esm.js')) return null;
    const instance = code.lastIndexOf('var ', code.indexOf('.setOptions=function'));
    const lexer = /(\w+) as Lexer\b/.exec(code)?.[1];
    if (instance < 0 || lexer === undefined)
      throw new Error('The structure of marked has changed: update extractLexer in vite.config.ts.');
    return { code: `${code.slice(0, instance)}export{${lexer} as Lexer};`, map: null };
  },
};

const cachedExpressions = path('src/charts/vega-expressions.ts');

/** Replaces vega-expression in all packages with the module that caches its results, and imports it there. */
const cacheExpressions = {
  name: 'cache-expressions',
  enforce: 'pre' as const,
  resolveId(name: string, importer?: string) {
    if (name !== 'vega-expression') return null;
    if (importer !== cachedExpressions) return cachedExpressions;
    return path('node_modules/vega-expression/build/vega-expression.js');
  },
};

/**
 * Prebuilds modules from the output of tsc: Vega and Vega-Lite without unused features and with one copy of their
 * shared code, and the Markdown lexer without the rest of marked. A host's bundler could not do this.
 */
const prebuilt = {
  plugins: [extractLexer, cacheExpressions],
  resolve: {
    alias: [
      { find: /^vega$/, replacement: path('src/charts/vega-shim.ts') },
      { find: /^(d3-dsv|d3-geo|d3-timer|topojson-client)$/, replacement: path('src/charts/vega-unused.ts') },
      { find: /^d3-array$/, replacement: path('node_modules/d3-array') },
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
 * Emits the entry file that pages reference, which re-exports the package. No chunk imports it, because a page may load
 * it under another URL (`pa-embed.js?v=2`, or one that redirects): the browser would treat that as another module and
 * run everything twice.
 */
const entryModule = {
  name: 'entry-module',
  generateBundle(this: Rollup.PluginContext, _: unknown, bundle: Rollup.OutputBundle) {
    const entry = Object.values(bundle).find(file => file.type === 'chunk' && file.isEntry);
    if (entry?.type !== 'chunk' || entry.facadeModuleId === null)
      throw new Error('The bundle has no entry chunk: see entryModule in vite.config.ts.');
    const names = this.getModuleInfo(entry.facadeModuleId)?.exports ?? [];
    // Imports the chunks here as well, so that they are fetched in parallel.
    const imports = entry.imports.map(file => `import"./${file}";`).join('');
    const source = `${imports}export{${names.join(',')}}from"./${entry.fileName}";\n`;
    this.emitFile({ type: 'asset', fileName: 'pa-embed.js', source });
  },
};

/**
 * Fetches the imports of a lazy chunk in parallel. Replaces Vite's helper, which adds a link to the host's head for
 * each file, and reports failures with an event on which a host built with Vite would reload. A failed import fails
 * again, and is reported, in the chunk that needs it.
 */
const preloadChunks = {
  name: 'preload-chunks',
  enforce: 'pre' as const,
  load(id: string) {
    if (id !== '\0vite/preload-helper.js') return null;
    return `const requested = new Set();
    export function __vitePreload(load, files = [], importer) {
      for (const file of files) {
        if (file.endsWith('.js') && !requested.has(file)) import(/* @vite-ignore */ new URL(file, importer).href).catch(() => requested.delete(file));
        requested.add(file);
      }
      return load();
    }`;
  },
  renderChunk(code: string) {
    if (code.includes('modulepreload'))
      throw new Error('Vite loads chunks in another way: update preloadChunks in vite.config.ts.');
    return null;
  },
};

/**
 * Bundles everything including Lit in one folder, for pages without a bundler. It bundles the published files, as a
 * host's bundler would: what loads with the page is one file (which may export more than the package, for the chunks),
 * and the imports of lazy chunks are fetched in parallel.
 */
const standalone = {
  base: './',
  plugins: [entryModule, preloadChunks, compileHints],
  build: {
    target: 'es2022',
    outDir: 'dist/standalone',
    assetsDir: '',
    modulePreload: { polyfill: false },
    minify: 'oxc' as const,
    rollupOptions: {
      input: path('dist/index.js'),
      preserveEntrySignatures: 'allow-extension' as const,
      output: {
        entryFileNames: 'pa-embed-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: {
          // The imports of a joined module belong to the chunk that `joinedChunks` returns for them.
          includeDependenciesRecursively: false,
          groups: [formatsChunk, { name: joinedChunks, debugName: 'joined' }],
        },
      },
    },
  },
};

/**
 * Removes files of the console page that the standalone bundle also has, such as Vega: the platform serves them from
 * there. Equal names mean equal content, because they contain a hash of it.
 */
const dropStandaloneFiles = {
  name: 'drop-standalone-files',
  writeBundle(_: unknown, bundle: Rollup.OutputBundle) {
    const shared = Object.keys(bundle).filter(file => existsSync(path(`dist/standalone/${file}`)));
    for (const file of shared) rmSync(path(`dist/console/page/${file}`));
  },
};

/** Bundles the console page that the platform serves. Pages of hosts never load its own files. */
const consolePage = {
  root: path('src/console'),
  base: './',
  plugins: [preloadChunks, dropStandaloneFiles],
  experimental: {
    // The document is served at `/` and at `/console`, its files below `/console/`.
    renderBuiltUrl: (file: string, { hostType }: { hostType: string }) =>
      hostType === 'html' ? `/console/${file}` : { relative: true },
  },
  build: {
    target: 'es2022',
    outDir: path('dist/console/page'),
    emptyOutDir: true,
    assetsDir: '',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    minify: 'oxc' as const,
    rollupOptions: {
      output: {
        entryFileNames: '[name]-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: { groups: [formatsChunk] },
      },
    },
  },
};

const builds: Readonly<Record<string, object>> = { ahead: prebuilt, console: consolePage };

/** Modules that start a process or a thread, relative to `src/`. */
const startingModules = [
  'platform/data/engines/duckdb/engine-connection',
  'platform/data/tables/run-table-process',
  'platform/models/git/run-git',
  'platform/content/dashboards/chart-compiler',
];

/**
 * Makes the tests of a complete run (after `test/run.ts` has built `dist/`) start the built process and thread of these
 * modules. From the sources, each start would compile its modules with tsx again.
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

/**
 * Makes the tests of a complete run import the built modules instead of the sources. Node loads them itself, so that
 * they are neither transformed nor sent to each worker.
 */
const builtModules = {
  name: 'built-modules',
  enforce: 'pre' as const,
  resolveId(source: string, importer: string | undefined) {
    if (importer === undefined || !source.startsWith('.')) return null;
    const module = relative(path('src'), resolve(dirname(importer), source));
    const built = path(`dist/${module}`);
    return module.startsWith('..') || !existsSync(built) ? null : built;
  },
};

/** Projects whose tests import the built modules. Tests of other projects mock modules, or import what is prebuilt. */
const builtProjects: ReadonlySet<string> = new Set(
  process.env.PA_TEST_BUILT === '1' ? ['platform', 'postgres', 'render'] : [],
);

const nodeTests = readdirSync(path('test'), { recursive: true, encoding: 'utf8' })
  .map(file => `test/${file.replaceAll('\\', '/')}`)
  .filter(file => /^test\/(?!elements\/|e2e\/).*\.test\.ts$/.test(file));

/** Folders and files of Node tests that share workers, so that each module is imported once per worker. */
const sharedTests = {
  other: [
    'test/charts/',
    'test/client/',
    'test/console/',
    'test/content/',
    'test/contract/',
    'test/controllers/',
    'test/frameworks/',
    'test/node/',
    'test/report/',
    'test/site/',
    'test/architecture.test.ts',
    'test/documentation.test.ts',
    'test/documented-parts.test.ts',
    'test/index.test.ts',
    'test/languages.test.ts',
    'test/lint-rules.test.ts',
    'test/platform-package.test.ts',
    'test/side-effects.test.ts',
    'test/text-rules.test.ts',
  ],
  render: ['test/render/'],
  platform: [
    'test/cli/',
    'test/conformance/',
    'test/node/export-handler.test.ts',
    'test/node/export-recipes.test.ts',
    'test/node/hostile-exports.test.ts',
    'test/platform/',
    'test/testing/',
  ],
};
const sharedFolders = Object.entries(sharedTests)
  .flatMap(([name, folders]) => folders.map(folder => ({ name, folder })))
  .toSorted((one, other) => other.folder.length - one.folder.length);

/** Project of a file: the one that lists the file or the folder that contains it. */
const projectOf = (file: string): string | undefined =>
  sharedFolders.find(({ folder }) => file.startsWith(folder))?.name;

/** Node tests whose text matches. */
const testsWith = (pattern: RegExp): ReadonlySet<string> =>
  new Set(nodeTests.filter(file => pattern.test(readFileSync(path(file), 'utf8'))));

/** Test files that run the suites of other files on Postgres. They replace the engine of their worker. */
const postgresTests = testsWith(/\busePostgres\(/);

/**
 * Test files in these folders that nevertheless need a separate worker: they mock modules, import other test files,
 * register all transforms of Vega in the registry that charts use, or expect an unmodified registry.
 */
const isolatedTests: ReadonlySet<string> = new Set([
  ...testsWith(/\bvi\.(mock|doMock|resetModules)\(|\.test\.js'|from 'vega'|\bcompileForPublishing\(/),
  // Expects a platform without the console page, which the built modules serve.
  'test/platform/create-platform.test.ts',
]);

/** Test files that count the timers of their worker, like `session-harness`. They share workers with each other only. */
const timerTests = testsWith(/\bvi\.getTimerCount\(|session-harness\.js'/);

const sharedProjects = [
  ...Object.keys(sharedTests).map(name => ({
    name,
    include: nodeTests.filter(
      file => projectOf(file) === name && !timerTests.has(file) && !postgresTests.has(file) && !isolatedTests.has(file),
    ),
  })),
  { name: 'timers', include: nodeTests.filter(file => timerTests.has(file) && !isolatedTests.has(file)) },
  { name: 'postgres', include: [...postgresTests] },
].map(({ name, include }) => ({
  name,
  include,
  isolate: false,
  // Processes, because tests measure memory and processor time, send signals and change the environment.
  pool: 'forks' as const,
}));
const sharedFiles = new Set(sharedProjects.flatMap(({ include }) => include));
const nodeProjects = [
  ...sharedProjects,
  { name: 'isolated', include: nodeTests.filter(file => !sharedFiles.has(file)) },
].map(test => ({
  extends: true as const,
  ...(builtProjects.has(test.name)
    ? { plugins: [builtModules], test: { ...test, server: { deps: { external: [/\/dist\//] } } } }
    : { test }),
}));

/** Order of the projects, longest first. The files of a project run one after the other, because they share workers. */
const projectOrder = ['platform', 'postgres', 'isolated', 'render', 'timers', 'other'];

/** Files that run for longer than their size suggests, longest first. They mostly wait for processes. */
const longTests = [
  'test/platform/durability/durability.test.ts',
  'test/cli/pa-platform.test.ts',
  'test/platform/create-platform.test.ts',
  'test/platform/db/backup/backup.test.ts',
  'test/cli/replicas.test.ts',
  'test/cli/apply.test.ts',
  'test/platform/data/sql/property.test.ts',
  'test/platform/delivery/kill.test.ts',
  'test/platform/agent/analyst/questions.test.ts',
  'test/platform/data/sql/row-filter.test.ts',
  'test/cli/backup.test.ts',
  'test/conformance/client.test.ts',
  'test/platform/api/operations.test.ts',
  'test/platform/data/sql/postgres.test.ts',
  'test/platform/data/postgres.test.ts',
  'test/report/markdown/markdown-stream.test.ts',
  'test/e2e/hostile.test.ts',
  'test/e2e/chat.test.ts',
  'test/e2e/session.test.ts',
  'test/e2e/axe.test.ts',
  'test/e2e/build.test.ts',
  'test/e2e/dashboard.test.ts',
  'test/e2e/session-elements.test.ts',
  'test/e2e/isolation.test.ts',
  'test/e2e/chat-restart.test.ts',
  'test/e2e/readme.test.ts',
];

/**
 * End-to-end tests of the deep run only. They repeat in complete pages what tests of elements and of the API show, or
 * test tools of others. None of them protects isolation, authentication, durability or figures.
 */
const deepTests = [
  'boards',
  'bundlers',
  'comments',
  'debug',
  'hosts',
  'keyboard',
  'mail',
  'peers',
  'react',
  'saved-views',
  'site',
].map(name => `test/e2e/${name}.test.ts`);
const endToEndTests = {
  include: ['test/e2e/**/*.test.ts'],
  exclude: process.env.PA_TEST_DEPTH === 'deep' ? [] : deepTests,
  isolate: false,
};

/** Starts the longest files first, so that no worker runs alone at the end. */
async function createSequencer() {
  const { BaseSequencer } = await import('vitest/node');
  const rank = (list: readonly string[], name: string): number => {
    const index = list.findIndex(each => name.endsWith(each));
    return index < 0 ? list.length : index;
  };
  return class extends BaseSequencer {
    override async sort(files: Parameters<InstanceType<typeof BaseSequencer>['sort']>[0]) {
      const sorted = await super.sort(files);
      return sorted.toSorted(
        (one, other) =>
          rank(projectOrder, one.project.name) - rank(projectOrder, other.project.name) ||
          rank(longTests, one.moduleId) - rank(longTests, other.moduleId),
      );
    }
  };
}

export default defineConfig(async ({ mode }) => ({
  ...(builds[mode] ?? standalone),
  ...(process.env.VITEST && { plugins: process.env.PA_TEST_BUILT === '1' ? [builtProcesses] : [] }),
  test: {
    ...(mode === 'e2e' ? endToEndTests : { projects: nodeProjects }),
    globalSetup: [mode === 'e2e' ? 'test/e2e/demo.ts' : 'test/platform/db/embedded-postgres/one-postgres.ts'],
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report ? { outputFile: { json: report } } : {}),
    // Long timeouts only stop tests that hang; a busy machine may be twenty times slower.
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
    // Workers of Node tests wait for databases and child processes for about a third of their time.
    maxWorkers: mode === 'e2e' ? 2 : 3,
    ...(process.env.VITEST && { sequence: { sequencer: await createSequencer() } }),
  },
}));
