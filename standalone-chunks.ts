import { fileURLToPath } from 'node:url';
import type { Rollup } from 'vite';

const path = (module: string): string => fileURLToPath(new URL(`dist/${module}.js`, import.meta.url));

/**
 * Modules that pages with a dashboard load. Each chunk contains these modules and their imports, except those of
 * earlier chunks.
 */
const commonChunks: Readonly<Record<string, readonly string[]>> = {
  page: ['index'],
  session: ['client/session/session-services'],
  tile: ['elements/parts/tile/pa-tile'],
  board: ['elements/dashboard/board', 'controllers/dashboard/dashboard-state-controller'],
  controls: ['elements/parts/controls/controls-element'],
  chart: ['elements/parts/chart/chart-element'],
};

/**
 * Modules that pages load without the chart or without a dashboard. What they import from the chunks above becomes the
 * chunk `parts`.
 */
const otherModules = [
  'elements/parts/table/table-element',
  'elements/parts/kpi/kpi-element',
  'elements/parts/map/map-element',
  'elements/parts/sankey/sankey-element',
  'elements/parts/html/html-element',
  'elements/parts/text/text-element',
  'elements/parts/custom/custom-element',
  'elements/chat/transcript/transcript-element',
  'elements/chat/threads/threads-element',
];

/** Formats of Vega: a chunk that the console has as well, so that both have the same file for Vega. */
export const formatsChunk = {
  name: 'd3-time-format',
  test: /\/d3-(?:format|time-format)\//,
  includeDependenciesRecursively: true,
};

/** Modules that are not joined: the prebuilt chunks of Vega and their imports. */
const separate = /\/dist\/charts\/vega(?:-lite|-vega-[\w-]+)?\.js$|\/d3-(?:format|time-format)\//;

/**
 * Joins modules that load together. By default, a bundler creates a file for each combination of lazy-loaded modules
 * that share imports, which is 76 files for a dashboard with charts. A browser spends about a millisecond of the main
 * thread on each file.
 */
export const joinedChunks: Rollup.CodeSplittingNameFunction = (id, context) => {
  chunks ??= chunksOf(module => context.getModuleInfo(module));
  return chunks.get(id) ?? null;
};

let chunks: ReadonlyMap<string, string> | null = null;

type InfoOf = (module: string) => Rollup.ModuleInfo | null;

function chunksOf(infoOf: InfoOf): ReadonlyMap<string, string> {
  const result = new Map<string, string>();
  const roots = new Map(Object.entries(commonChunks).map(([chunk, modules]) => [chunk, modules.map(path)]));
  for (const [chunk, modules] of roots) {
    for (const module of importsOf(modules, infoOf)) if (!result.has(module)) result.set(module, chunk);
  }
  for (const other of otherModules.map(path)) {
    const imports = importsOf([other], infoOf);
    for (const module of imports) {
      const chunk = result.get(module) ?? 'page';
      const isLoaded = ['page', 'session'].includes(chunk) || roots.get(chunk)?.some(root => imports.has(root));
      if (!isLoaded) result.set(module, 'parts');
    }
  }
  return result;
}

/** Returns modules with everything that they import, except lazy-loaded modules. */
function importsOf(modules: readonly string[], infoOf: InfoOf): ReadonlySet<string> {
  const found = new Set<string>();
  const pending = [...modules];
  for (let module = pending.pop(); module !== undefined; module = pending.pop()) {
    if (found.has(module) || separate.test(module)) continue;
    found.add(module);
    const info = infoOf(module);
    if (!info) throw new Error(`The bundle has no module ${module}: update standalone-chunks.ts.`);
    pending.push(...info.importedIds);
  }
  return found;
}

/** Chunks in which pages call most functions when they show a dashboard: the joined chunks and those of Vega. */
const eagerChunks = new Set([...Object.keys(commonChunks), 'parts', formatsChunk.name]);
const isVega = /^vega(?!-lite)/;

/**
 * Makes browsers compile all functions of a chunk in a background thread while it loads (explicit compile hints of V8).
 * Otherwise the main thread compiles each function when it is first called. Other browsers ignore the comment.
 */
export const compileHints = {
  name: 'compile-hints',
  generateBundle: {
    // After minification, which removes comments, and after Vite has added code. The comment must be the first line.
    order: 'post' as const,
    handler(_: unknown, bundle: Rollup.OutputBundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const isEager = file.isEntry || eagerChunks.has(file.name) || isVega.test(file.name);
        if (isEager) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      }
    },
  },
};
