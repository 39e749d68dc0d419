import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Builds dist/ unless it was built from the same files already, so that `npm run check` and `npm test` share one build.

const root = fileURLToPath(new URL('..', import.meta.url));
/**
 * Hash of the sources of the last build. Every build first empties dist/; `files` of package.json excludes this file.
 */
const stamp = join(root, 'dist/.sources-hash');
const configuration = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
  'platform-package.ts',
  'standalone-chunks.ts',
  'custom-elements-manifest.config.js',
];

/** Returns the hash of the names and contents of all files that the build reads. */
function hashOfSources(): string {
  const hash = createHash('sha256');
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));
  for (const file of [...configuration.map(name => join(root, name)), ...sources.sort()]) {
    hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** Builds dist/ if it is out of date. Not safe for concurrent calls. @returns false if the build failed. */
export function ensureBuild(): boolean {
  const hash = hashOfSources();
  const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (isCurrent) return true;
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) return false;
  writeFileSync(stamp, hash);
  return true;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = ensureBuild() ? 0 : 1;
}
