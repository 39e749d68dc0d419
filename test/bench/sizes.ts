import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rollup } from 'vite';
import { root } from './root.js';

/** The size that one import adds to a host's page, in gzipped bytes. */
export interface Size {
  readonly entry: string;
  /** Loads with the page. */
  readonly eager: number;
  /** Loads in every page when a session starts. */
  readonly session: number;
  /** Chunks that load with the first tile of a kind, except those that are already loaded. */
  readonly lazy: Readonly<Record<string, number>>;
}

/** The tile element and the dashboard state, which every page with a dashboard loads while its session is minted. */
const tile = 'tiles and state, in addition to the session';

/** Lazy-loaded parts by the names of their chunks. */
const parts = {
  [tile]: ['board', 'pa-tile', 'dashboard-state-controller'],
  'chart, compiled Vega': ['chart-element', 'vega'],
  'chart, many rows': ['downsampling'],
  'chart, facets': ['fit-cells'],
  'chart, Vega-Lite': ['chart-element', 'vega', 'vega-lite'],
  table: ['table-element'],
  kpi: ['kpi-element'],
  'map, states': ['map-element', 'us-states'],
  'map, countries': ['map-element', 'countries'],
  flows: ['sankey-element'],
  html: ['html-element'],
  text: ['text-element'],
  'custom renderer': ['custom-element'],
  'multiple queries: totals, comparisons, missing rows': ['load-report-data'],
  containers: ['pa-container'],
  'dashboard controls': ['controls-element'],
  'filter panel': ['filter-panel-element'],
  'tile menu': ['menu-element'],
  'drill-down': ['drill-element'],
  'export menu': ['export-element'],
  'export by the page': ['dashboard-file'],
  'subscriptions by mail': ['pa-subscribe'],
  'cross-filtering': ['choose-marks'],
  'slow query': ['wait-element'],
  themes: ['theme-style'],
  printing: ['print-page'],
  debug: ['debug-element'],
  'SQL report': ['sql'],
  'chat, Markdown': ['markdown'],
  'chat, messages': ['transcript-element'],
  'chat, step with result': ['step-element', 'result-element'],
  'chat, thread list': ['threads-element'],
  'chat, resizing': ['edge-element'],
  'chat, context of a dashboard': ['context-element'],
  'chat, change of controls': ['control-change-element'],
  'workspace, list': ['workspace-list-element'],
  'workbook, editor': ['workbook-editor-element'],
} as const;

const host = join(root, '.cache', 'bench-host');

/** Packs the package as npm would publish it and unpacks it into a host application's `node_modules`. */
function installPackage(): void {
  const target = join(host, 'node_modules', 'pa-embed');
  rmSync(host, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const [packed]: { filename: string }[] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', host], { cwd: root, encoding: 'utf8' }),
  );
  if (!packed) throw new Error('npm pack created no package.');
  execFileSync('tar', ['-xzf', join(host, packed.filename), '-C', target, '--strip-components=1']);
}

async function bundle(entry: string): Promise<Rollup.OutputChunk[]> {
  const file = join(host, 'main.js');
  writeFileSync(file, `import '${entry}';\n`);
  const result = await build({
    root: host,
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'es2022', modulePreload: false, rollupOptions: { input: file } },
  });
  const outputs = [result].flat();
  return outputs.flatMap(output => ('output' in output ? output.output : [])).filter(chunk => chunk.type === 'chunk');
}

/** Returns a chunk and all its static imports. */
function closure(chunks: ReadonlyMap<string, Rollup.OutputChunk>, name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const next of chunks.get(name)?.imports ?? []) closure(chunks, next, seen);
  return seen;
}

/** Measures one entry of the installed package, bundled and minified like a host's production build. */
async function sizeOf(entry: string): Promise<Size> {
  const chunks = new Map((await bundle(entry)).map(chunk => [chunk.fileName, chunk]));
  const bytes = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + gzipSync(chunks.get(name)?.code ?? '', { level: 9 }).length, 0);
  const withImports = (names: readonly string[]): Set<string> =>
    [...chunks.values()]
      .filter(chunk => chunk.isDynamicEntry && names.includes(chunk.name))
      .reduce((seen, chunk) => closure(chunks, chunk.fileName, seen), new Set<string>());
  const main = [...chunks.values()].find(chunk => chunk.isEntry);
  const eager = main ? closure(chunks, main.fileName) : new Set<string>();
  const session = new Set([...withImports(['session-services'])].filter(name => !eager.has(name)));
  const tiles = withImports(parts[tile]);
  const lazy = Object.entries(parts).map(([part, names]) => {
    const isLoaded = (name: string): boolean =>
      eager.has(name) || session.has(name) || (part !== tile && tiles.has(name));
    const own = [...withImports(names)].filter(name => !isLoaded(name));
    return [part, bytes(own)] as const;
  });
  return { entry, eager: bytes(eager), session: bytes(session), lazy: Object.fromEntries(lazy) };
}

/** Measures the entry of every element. */
export async function measureSizes(): Promise<Size[]> {
  installPackage();
  const sizes: Size[] = [];
  for (const entry of [
    'pa-embed/pa-session',
    'pa-embed/pa-dashboard',
    'pa-embed/pa-report',
    'pa-embed/pa-chat',
    'pa-embed/pa-workspace',
    'pa-embed/pa-workbook',
    'pa-embed',
  ]) {
    sizes.push(await sizeOf(entry));
  }
  rmSync(host, { recursive: true, force: true });
  const missing = Object.keys(parts).filter(part => sizes.every(({ lazy }) => !lazy[part]));
  if (missing.length > 0)
    throw new Error(`No entry lazy-loads these parts: ${missing.join('; ')}. Update their chunk names.`);
  return sizes;
}
