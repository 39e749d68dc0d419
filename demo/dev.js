import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Rebuilds changes in src/ and restarts the demo after every rebuild and when its content changes.

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** Returns the path of the script of a package's command. */
function command(packageName, name) {
  const manifest = require.resolve(`${packageName}/package.json`);
  const { bin } = require(manifest);
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[name]);
}

const children = [
  [command('@typescript/native', 'tsc'), '-p', 'src', '--watch', '--preserveWatchOutput'],
  [command('vite', 'vite'), 'build', '--watch'],
  [
    '--watch-path=dist',
    '--watch-path=demo/content',
    '--watch-preserve-output',
    'demo/serve.js',
    ...process.argv.slice(2),
  ],
  // Separate process groups, so that descendants can be stopped too.
].map(args => spawn(process.execPath, args, { cwd: root, stdio: 'inherit', detached: true }));

function stop(child) {
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // Ignore the error, because the process has already ended.
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => children.forEach(stop));
}
