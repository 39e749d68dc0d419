import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import manifest from '../package.json' with { type: 'json' };
import { platformManifest } from '../platform-package.js';
import { readServeOptions, serveHelp } from '../src/cli/serve-options.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const { name, bin, dependencies } = platformManifest(manifest);

describe('pa-embed-platform', () => {
  it('depends on an exact version of each package that the platform imports', () => {
    const sources = ['cli', 'content', 'platform', 'testing'].flatMap(room =>
      readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' })
        .filter(file => file.endsWith('.ts'))
        .map(file => read(`src/${room}/${file}`)),
    );
    const imported = sources
      .flatMap(text => [...text.matchAll(/(?:\bfrom|^import|\bimport\() ?'(@[\w-]+\/[\w.-]+|[\w][\w.-]*)/gm)])
      .map(([, specifier = '']) => specifier);
    const names = new Set(imported.filter(specifier => specifier !== 'node'));
    expect(names.size).toBeGreaterThan(10);
    const own: object = manifest.dependencies;
    expect([...names].filter(specifier => !(specifier in own) && !(specifier in dependencies))).toEqual([]);
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  });

  it('fails if the tested version of a package is unknown', () => {
    const broken = { ...manifest, peerDependencies: { ...manifest.peerDependencies, 'left-pad': '^1.0.0' } };
    expect(() => platformManifest(broken)).toThrow('Add the peer dependency left-pad to devDependencies');
  });
});

interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly volumes: readonly string[];
}

describe('container files', () => {
  const { services }: { services: { platform: Service } } = parse(read('compose.yml'));
  const { command, environment, secrets, volumes } = services.platform;
  const files = [read('Dockerfile'), read('docs/deployment.md')];

  it('start the platform with options and variables that it has', () => {
    const [verb, ...args] = command.map(word => word.replace(/\$\{\w+:[^}]*\}/g, 'https://host.example'));
    expect(verb).toBe('serve');
    const options = readServeOptions(args);
    const mounts = volumes.map(volume => volume.split(':')[1]);
    expect(mounts).toEqual([options?.dataDirectory, options?.modelDirectory, options?.sourcesDirectory]);
    expect([options?.tls?.cert, options?.tls?.key]).toEqual(secrets.map(secret => `/run/secrets/${secret}`));
    for (const file of files) {
      expect(file).toContain(`VOLUME ${options?.dataDirectory}\n`);
      expect(file).toContain(`http://127.0.0.1:${options?.ops?.port}/readyz`);
    }
    for (const variable of Object.keys(environment)) expect(serveHelp).toContain(`\n  ${variable} `);
  });

  it('run the command of the package, as a user without privileges', () => {
    for (const file of files) {
      expect(file).toContain(`ENTRYPOINT ["node", ${JSON.stringify(join('node_modules', name, bin['pa-platform']))}]`);
      expect(file).toMatch(/^USER node$/m);
    }
  });

  it('build from files that exist and are not ignored', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, list = '']) =>
      list.split(' '),
    );
    const needed = [
      ...copied,
      'src',
      'tsconfig.json',
      'vite.config.ts',
      'platform-package.ts',
      'standalone-chunks.ts',
      'LICENSE',
    ];
    const ignored = read('.dockerignore').split('\n');
    for (const file of needed) {
      expect(ignored).not.toContain(file);
      expect(readdirSync(root).concat('.')).toContain(file);
    }
    expect(ignored).toEqual(expect.arrayContaining(['.env', 'tls', 'data', 'node_modules']));
  });
});
