import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const entry = 'virtual:page';

interface Bundle {
  /** Modules of this package in the bundle, relative to `src/`. */
  readonly modules: readonly string[];
  /** Size of the downloads of a page, in gzipped bytes, for all chunks. */
  readonly bytes: number;
}

/** Bundles page code like a production build of a host. */
async function bundle(code: string): Promise<Bundle> {
  const page = {
    name: 'page',
    // Resolve the package to the built files, before its self-reference.
    enforce: 'pre' as const,
    resolveId: (id: string) => {
      if (id === entry) return `\0${entry}`;
      return id === 'pa-embed/client' ? fileURLToPath(new URL('../../src/client/index.ts', import.meta.url)) : null;
    },
    load: (id: string) => (id === `\0${entry}` ? code : null),
  };
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [page],
    build: { write: false, target: 'es2022', modulePreload: false, rollupOptions: { input: entry } },
  });
  const outputs = [built].flat().flatMap(output => ('output' in output ? output.output : []));
  const chunks = outputs.filter(chunk => chunk.type === 'chunk');
  const modules = chunks.flatMap(chunk =>
    Object.entries(chunk.modules).flatMap(([id, { renderedLength }]) =>
      id.startsWith(`${root}src/`) && renderedLength > 0 ? [id.slice(root.length)] : [],
    ),
  );
  return { modules, bytes: chunks.reduce((sum, chunk) => sum + gzipSync(chunk.code, { level: 9 }).length, 0) };
}

const use = (...names: string[]): string =>
  `import { ${names.join(', ')} } from 'pa-embed/client'; globalThis.used = [${names.join(', ')}];`;

it('bundles nothing else of the client for a page that only reads dashboards', async () => {
  const { modules, bytes } = await bundle(use('getDashboard'));
  expect(modules.filter(name => name.startsWith('src/client/')).sort()).toEqual(
    ['errors', 'http/address', 'http/connection', 'http/fetch', 'http/request', 'http/retry', 'operations/embed'].map(
      name => `src/client/${name}.ts`,
    ),
  );
  expect(modules.filter(name => name.startsWith('src/contract/')).sort()).toEqual(
    ['dashboards', 'embed', 'error-code', 'lenient-dashboard', 'loopback', 'operation', 'wire'].map(
      name => `src/contract/${name}.ts`,
    ),
  );
  expect(bytes).toBeLessThan(13_000);
});

it('bundles only the imported functions of a module', async () => {
  const [reading, listing] = await Promise.all([
    bundle(use('getDashboard')),
    bundle(use('getDashboard', 'eachItem', 'getDeployment')),
  ]);
  expect(listing.modules.filter(name => !reading.modules.includes(name)).sort()).toEqual([
    'src/client/operations/deployments.ts',
    'src/client/operations/pagination.ts',
    'src/contract/deployments.ts',
  ]);
});

it('drops the endpoints that a page does not import, with their schemas', async () => {
  const { modules } = await bundle(use('getSpec'));
  expect(modules.filter(name => /^src\/(client\/operations|contract)\//.test(name)).sort()).toEqual([
    'src/client/operations/account.ts',
    ...['error-code', 'loopback', 'operation', 'spec', 'wire'].map(name => `src/contract/${name}.ts`),
  ]);
});

it('loads a dialect that is given by name as a separate chunk', async () => {
  const [plain, speaking] = await Promise.all([bundle(use('getDashboard')), bundle(use('getDashboard', 'cube'))]);
  expect(plain.modules).not.toContain('src/client/dialect.ts');
  expect(speaking.modules).toContain('src/client/dialect.ts');
  expect(speaking.bytes - plain.bytes).toBeLessThan(2_500);
});
