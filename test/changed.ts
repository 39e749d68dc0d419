import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTestBrowser } from './browser.js';

// `npm run test:changed`: lints the files that differ from main (commits, working tree, new files), and runs the Node
// and element tests that import them, starting with the nearest. `--all` runs every test that imports them directly or
// indirectly. End-to-end tests need a build: see src/README.md.

const root = fileURLToPath(new URL('..', import.meta.url));
/** Maximum number of test files to run, starting with the nearest. They take less than a minute. */
const maxFiles = { node: 40, elements: 6 } as const;

const buildInfo = 'node_modules/.cache/pa-embed/changed.tsbuildinfo';

type Suite = keyof typeof maxFiles;

function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
}

/** Returns the paths of all files that differ from main, deleted ones included. */
function changedFiles(): string[] {
  const [base = 'HEAD'] = git('merge-base', process.env.PA_BASE ?? 'main', 'HEAD');
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

function modulesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Importers of each module, including deleted modules. Ignores type imports, because the type check covers them. */
function importersOf(modules: readonly string[]): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  const pattern = /(?:^(?:import|export)\b(?!\s+type\b)[^'";]*?|\bimport\()\s*'(\.[^']+)'/gm;
  for (const module of modules) {
    for (const [, specifier = ''] of readFileSync(join(root, module), 'utf8').matchAll(pattern)) {
      const target = normalize(join(dirname(module), specifier))
        .split(sep)
        .join('/')
        .replace(/\.js$/, '.ts');
      importers.set(target, [...(importers.get(target) ?? []), module]);
    }
  }
  return importers;
}

function suiteOf(file: string): Suite | null {
  if (/^test\/elements\/.*\.test\.ts$|^test\/.*\.browser-test\.ts$/.test(file)) return 'elements';
  return /^test\/(?!e2e\/).*\.test\.ts$/.test(file) ? 'node' : null;
}

/** Returns the test files of a suite by the number of imports between them and a change, nearest first. */
function testsByDistance(changed: readonly string[], suite: Suite): string[][] {
  const importers = importersOf([...modulesBelow('src'), ...modulesBelow('site'), ...modulesBelow('test')]);
  const seen = new Set<string>();
  const levels: string[][] = [];
  for (let level = [...new Set(changed)]; level.length > 0; ) {
    for (const file of level) seen.add(file);
    levels.push(level.filter(file => suiteOf(file) === suite && existsSync(join(root, file))));
    level = [...new Set(level.flatMap(file => importers.get(file) ?? []))].filter(file => !seen.has(file));
  }
  return levels.filter(files => files.length > 0);
}

/** Returns the nearest tests. Adds whole levels up to the limit, but always the first level. */
function nearest(levels: readonly string[][], limit: number): string[] {
  const files = [...(levels[0] ?? [])];
  for (const level of levels.slice(1)) {
    if (files.length + level.length > limit) break;
    files.push(...level);
  }
  return files;
}

function run(name: string, args: readonly string[]): boolean {
  console.log(`\n— ${name}`);
  const env = { ...process.env, ...(name === 'element tests' && { CHROME_PATH: findTestBrowser() }) };
  const bin = join(root, 'node_modules', '.bin', args[0] ?? '');
  return spawnSync(bin, args.slice(1), { cwd: root, stdio: 'inherit', env }).status === 0;
}

function main(): boolean {
  const changed = changedFiles();
  const all = process.argv.includes('--all');
  const select = (suite: Suite): string[] => {
    const levels = testsByDistance(changed, suite);
    const total = levels.flat().length;
    const files = all ? levels.flat() : nearest(levels, maxFiles[suite]);
    console.log(
      `${suite}: ${files.length} of ${total} test files that import a change${total > files.length ? ' (--all runs all)' : ''}`,
    );
    return files;
  };
  console.log(`${changed.length} changed files`);
  const [node, elements] = [select('node'), select('elements')];
  const present = changed.filter(file => existsSync(join(root, file)));
  const scripts = present.filter(file => /^(src|test|demo|site)\/.*\.ts$/.test(file));
  const elementScripts = scripts.filter(file => file.startsWith('src/elements/'));
  const results = [
    present.length === 0 ||
      run('format', ['biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...present]),
    run('types', ['tsc', '-p', '.', '--incremental', '--tsBuildInfoFile', buildInfo]),
    scripts.length === 0 || run('rules', ['oxlint', ...scripts]),
    elementScripts.length === 0 || run('elements', ['eslint', ...elementScripts]),
    node.length === 0 || run('Node tests', ['vitest', 'run', ...node]),
    elements.length === 0 ||
      run('element tests', ['wtr', '--config', 'test/web-test-runner.config.mjs', '--files', ...elements]),
  ];
  return results.every(Boolean);
}

process.exitCode = main() ? 0 : 1;
