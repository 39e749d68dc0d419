import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Returns the Node arguments that run a TypeScript program of a test, which imports only packages and `src/`. In a
 * complete run, the program is compiled once and imports the built package. Otherwise, every process compiles it with
 * tsx.
 */
export function programCommand(file: string): readonly string[] {
  if (process.env.PA_TEST_BUILT !== '1') return ['--import', import.meta.resolve('tsx'), file];
  const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts', format: 'esm' });
  const folder = join(root, 'node_modules/.cache/pa-embed/programs');
  const compiled = join(folder, `${basename(file, '.ts')}-${process.pid}.mjs`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(compiled, code.replace(/"(?:\.\.\/)+src\//g, `"${pathToFileURL(join(root, 'dist')).href}/`));
  return [compiled];
}
